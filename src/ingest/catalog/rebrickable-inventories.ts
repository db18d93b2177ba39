/**
 * Which minifigs are in a set: those of all versions of its inventory, because figures changed
 * while it was sold; and which sets are in it, by the newest version.
 */
import { compareText } from '../../domain/catalog/numbers.ts';
import { RowError } from '../fields.ts';

/** Sets in sets in sets: there are two levels of them, and more would be a circle. */
const depthMax = 8;

interface Newest {
  readonly id: string;
  readonly version: number;
}

interface Content {
  readonly number: string;
  readonly quantity: number;
}

/** A set whose contents are known. */
interface SetContents {
  /** How many there are of each minifig. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many levels of sets are in it, itself included. */
  readonly depth: number;
}

/** The minifigs of a set. */
export interface SetMinifigs {
  /** Distinct, in order of text: the order of a file says nothing. */
  readonly numbers: readonly string[];
  readonly count: number;
}

/** The inventories of all sets, in a few maps with one entry per row at most. */
export class Inventories {
  /** Every inventory, by its id, with the number of what it is of. */
  private readonly owners = new Map<string, string>();
  private readonly newest = new Map<string, Newest>();
  /** By inventory. */
  private readonly minifigs = new Map<string, Map<string, number>>();
  /** The inventories of a set that hold minifigs. */
  private readonly holders = new Map<string, string[]>();
  private readonly sets = new Map<string, Map<string, number>>();
  /** What was found in sets that are in others, or have others in them. */
  private readonly contents = new Map<string, SetContents>();

  add(id: string, owner: string, version: number): void {
    this.owners.set(id, owner);
    const before = this.newest.get(owner);
    if (!before || version >= before.version) this.newest.set(owner, { id, version });
  }

  /** Adds what is in an inventory. Throws a `RowError` when there is no such inventory. */
  addContent(kind: 'minifigs' | 'sets', id: string, content: Content): void {
    const owner = this.owners.get(id);
    if (owner === undefined) throw new RowError(`inventory '${id}' is not in inventories.csv`);
    // The sets of earlier versions are often the same, packed differently.
    if (kind === 'sets' && this.newest.get(owner)?.id !== id) return;
    const contents = this[kind].get(id) ?? new Map<string, number>();
    if (kind === 'minifigs' && contents.size === 0) {
      this.holders.set(owner, [...(this.holders.get(owner) ?? []), id]);
    }
    this[kind].set(id, contents);
    add(contents, content);
  }

  /**
   * What a set holds, also inside the sets in it; null when no minifig is listed, which says
   * nothing: Duplo figures, dolls and many old figures are ordinary parts here.
   */
  find(number: string): SetMinifigs | null {
    const id = this.newest.get(number)?.id ?? '';
    if (!this.holders.has(number) && !this.sets.has(id)) return null;
    const { counts } = this.contentsOf(number, [number]);
    if (counts.size === 0) return null;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { numbers: [...counts.keys()].sort(compareText), count: total };
  }

  /** The minifigs of all versions, each as often as the version that has most of it. */
  private ownMinifigs(set: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const id of this.holders.get(set) ?? []) {
      for (const [number, count] of this.minifigs.get(id) ?? []) {
        counts.set(number, Math.max(count, counts.get(number) ?? 0));
      }
    }
    return counts;
  }

  /** Opens a set, once however many others hold it. */
  private contentsOf(set: string, path: readonly string[]): SetContents {
    const known = this.contents.get(set);
    if (known) return known;
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
    // The many sets that have nothing to do with others are asked for once.
    if (path.length > 1 || depth > 1) this.contents.set(set, opened);
    return opened;
  }
}

function add(counts: Map<string, number>, { number, quantity }: Content): void {
  counts.set(number, (counts.get(number) ?? 0) + quantity);
}
