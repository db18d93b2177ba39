/**
 * The minifigs in a set, from all versions of its inventory because figures changed over the years,
 * including those of sets inside it, from the latest version.
 */
import { compareText } from '../../domain/catalog/numbers.ts';
import { RowError } from '../fields.ts';

/** Deeper nesting of sets in sets is rejected as a cycle. Real dumps have two levels. */
const depthMax = 8;

interface Newest {
  readonly id: string;
  readonly version: number;
}

interface Content {
  readonly number: string;
  readonly quantity: number;
}

interface SetContents {
  /** Quantities by minifig number. */
  readonly counts: ReadonlyMap<string, number>;
  /** Levels of nested sets, including itself. */
  readonly depth: number;
}

export interface SetMinifigs {
  /** Distinct and sorted. */
  readonly numbers: readonly string[];
  readonly count: number;
}

export class Inventories {
  /** Set or minifig number by inventory ID. */
  private readonly owners = new Map<string, string>();
  private readonly newest = new Map<string, Newest>();
  /** By inventory ID. */
  private readonly minifigs = new Map<string, Map<string, number>>();
  /** IDs of inventories with minifigs, by set number. */
  private readonly holders = new Map<string, string[]>();
  private readonly sets = new Map<string, Map<string, number>>();
  /** Memoized contents of nested sets. */
  private readonly known = new Map<string, SetContents>();

  add(id: string, owner: string, version: number): void {
    this.owners.set(id, owner);
    const before = this.newest.get(owner);
    if (!before || version >= before.version) this.newest.set(owner, { id, version });
  }

  /** Throws a `RowError` if there is no such inventory. */
  addContent(kind: 'minifigs' | 'sets', id: string, content: Content): void {
    const owner = this.owners.get(id);
    if (owner === undefined) throw new RowError(`inventory '${id}' is not in inventories.csv`);
    const contents = this[kind].get(id) ?? new Map<string, number>();
    if (kind === 'minifigs' && contents.size === 0) {
      this.holders.set(owner, [...(this.holders.get(owner) ?? []), id]);
    }
    this[kind].set(id, contents);
    add(contents, content);
  }

  /**
   * All minifigs of a set and the sets inside it; null if none are listed, because Duplo figures,
   * dolls and many old figures are listed as parts.
   */
  find(number: string): SetMinifigs | null {
    const id = this.newest.get(number)?.id ?? '';
    if (!this.holders.has(number) && !this.sets.has(id)) return null;
    const { counts } = this.contentsOf(number, [number]);
    if (counts.size === 0) return null;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { numbers: [...counts.keys()].sort(compareText), count: total };
  }

  /** The maximum over all versions, for each minifig. */
  private ownMinifigs(set: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const id of this.holders.get(set) ?? []) {
      for (const [number, count] of this.minifigs.get(id) ?? []) {
        counts.set(number, Math.max(count, counts.get(number) ?? 0));
      }
    }
    return counts;
  }

  private contentsOf(set: string, path: readonly string[]): SetContents {
    const known = this.known.get(set);
    if (known) return known;
    // Earlier versions often contain the same sets, packed differently.
    const id = this.newest.get(set)?.id ?? '';
    const counts = this.ownMinifigs(set);
    let depth = 1;
    for (const [number, quantity] of this.sets.get(id) ?? []) {
      const isCircle = path.includes(number) || path.length > depthMax;
      const inside = isCircle ? null : this.contentsOf(number, [...path, number]);
      if (!inside || path.length + inside.depth > depthMax + 1) {
        throw new RowError(`the set contains itself, through '${path.join("', '")}'`);
      }
      depth = Math.max(depth, inside.depth + 1);
      for (const [minifig, count] of inside.counts) {
        add(counts, { number: minifig, quantity: count * quantity });
      }
    }
    const opened = { counts, depth };
    this.known.set(set, opened);
    return opened;
  }
}

function add(counts: Map<string, number>, { number, quantity }: Content): void {
  counts.set(number, (counts.get(number) ?? 0) + quantity);
}
