/**
 * The minifigs in a set and in the sets inside it. Figures changed over the years, so the list has
 * those of all versions of the inventory; units are counted in the newest version, because versions
 * repeat each other: the second of 71027-17 has, as 16 sets, the 16 minifigs of the first.
 */
import { compareText } from '../../catalog/items/numbers.ts';
import { RowError } from '../runner/fields.ts';

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
  /** Of all versions. */
  readonly numbers: ReadonlySet<string>;
  /** In the newest version. */
  readonly units: number;
  /** Levels of nested sets, including itself. */
  readonly depth: number;
}

export interface SetMinifigs {
  /** Distinct and sorted. */
  readonly numbers: readonly string[];
  /** Null if the newest version lists none. */
  readonly count: number | null;
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
    const { numbers, units } = this.contentsOf(number, [number]);
    if (numbers.size === 0) return null;
    return { numbers: [...numbers].sort(compareText), count: units === 0 ? null : units };
  }

  private contentsOf(set: string, path: readonly string[]): SetContents {
    const known = this.known.get(set);
    if (known) return known;
    const id = this.newest.get(set)?.id ?? '';
    const numbers = new Set(this.ownNumbers(set));
    let units = sum(this.minifigs.get(id)?.values() ?? []);
    let depth = 1;
    // Earlier versions often contain the same sets, packed differently.
    for (const [number, quantity] of this.sets.get(id) ?? []) {
      const isCircle = path.includes(number) || path.length > depthMax;
      const inside = isCircle ? null : this.contentsOf(number, [...path, number]);
      if (!inside || path.length + inside.depth > depthMax + 1) {
        throw new RowError(`the set contains itself, through '${path.join("', '")}'`);
      }
      depth = Math.max(depth, inside.depth + 1);
      units += inside.units * quantity;
      for (const minifig of inside.numbers) numbers.add(minifig);
    }
    const opened = { numbers, units, depth };
    this.known.set(set, opened);
    return opened;
  }

  private ownNumbers(set: string): string[] {
    const ids = this.holders.get(set) ?? [];
    return ids.flatMap((id) => [...(this.minifigs.get(id)?.keys() ?? [])]);
  }
}

function sum(quantities: Iterable<number>): number {
  return [...quantities].reduce((total, quantity) => total + quantity, 0);
}

function add(counts: Map<string, number>, { number, quantity }: Content): void {
  counts.set(number, (counts.get(number) ?? 0) + quantity);
}
