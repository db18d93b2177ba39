/** A map that holds so much and no more: what was put in first makes room for what comes. */

/**
 * What an entry takes besides its name and value, in characters: the slot of the map, the headers
 * of both. Without it a map could be filled with names of nothing.
 */
export const entryRoom = 200;

/**
 * Values by name. An entry takes the length of its name, what its value takes, and the room of an
 * entry: whoever chooses long names fills the map no further than anybody else.
 */
export class BoundedMap<V> {
  private readonly values = new Map<string, V>();
  private total = 0;

  /** The room of all entries together, and what a value takes of it, both in characters. */
  constructor(
    private readonly roomMax: number,
    private readonly sizeOf: (value: V) => number,
  ) {}

  get count(): number {
    return this.values.size;
  }

  /** What all entries take of the room. */
  get size(): number {
    return this.total;
  }

  get(name: string): V | undefined {
    return this.values.get(name);
  }

  set(name: string, value: V): void {
    this.delete(name);
    const room = this.roomOf(name, value);
    // What would never fit must not push everything else out on its way.
    if (room > this.roomMax) return;
    this.values.set(name, value);
    this.total += room;
    // A map keeps its order of insertion: the first are the oldest.
    for (const oldest of this.values.keys()) {
      if (this.total <= this.roomMax) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    const value = this.values.get(name);
    if (value === undefined) return;
    this.total -= this.roomOf(name, value);
    this.values.delete(name);
  }

  clear(): void {
    this.values.clear();
    this.total = 0;
  }

  private roomOf(name: string, value: V): number {
    return entryRoom + name.length + this.sizeOf(value);
  }
}
