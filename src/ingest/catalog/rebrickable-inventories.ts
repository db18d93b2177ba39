/** Which minifigs are in a set, by the newest version of its inventory. */
import { compareText } from '../../domain/numbers.ts';
import { RowFault } from '../fields.ts';

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
  private readonly minifigs = new Map<string, Content[]>();
  private readonly sets = new Map<string, Content[]>();

  add(id: string, owner: string, version: number): void {
    this.owners.set(id, owner);
    const before = this.newest.get(owner);
    if (!before || version >= before.version) this.newest.set(owner, { id, version });
  }

  /** Adds what is in an inventory. Throws a `RowFault` when there is no such inventory. */
  addContent(kind: 'minifigs' | 'sets', id: string, content: Content): void {
    const owner = this.owners.get(id);
    if (owner === undefined) throw new RowFault(`there is no inventory '${id}'`);
    // What earlier versions held has been corrected since.
    if (this.newest.get(owner)?.id !== id) return;
    const contents = this[kind].get(id);
    if (contents) contents.push(content);
    else this[kind].set(id, [content]);
  }

  /**
   * What a set holds, also inside the sets in it; null when no minifig is listed, which says
   * nothing: Duplo figures, dolls and many old figures are ordinary parts here.
   */
  find(number: string): SetMinifigs | null {
    const id = this.newest.get(number)?.id ?? '';
    if (!this.minifigs.has(id) && !this.sets.has(id)) return null;
    const counts = new Map<string, number>();
    this.collect({ number, quantity: 1 }, counts, [number]);
    if (counts.size === 0) return null;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { numbers: [...counts.keys()].sort(compareText), count: total };
  }

  private collect(set: Content, counts: Map<string, number>, path: readonly string[]): void {
    const id = this.newest.get(set.number)?.id ?? '';
    for (const { number, quantity } of this.minifigs.get(id) ?? []) {
      counts.set(number, (counts.get(number) ?? 0) + quantity * set.quantity);
    }
    for (const { number, quantity } of this.sets.get(id) ?? []) {
      if (path.includes(number) || path.length > depthMax) {
        throw new RowFault(`the set contains itself, by '${path.join("', '")}'`);
      }
      this.collect({ number, quantity: quantity * set.quantity }, counts, [...path, number]);
    }
  }
}
