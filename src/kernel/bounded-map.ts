/** A map with a size limit: the oldest entries are evicted. */

/** The overhead of an entry in characters, so that empty values count, too. */
export const entryRoom = 200;

/** The size of an entry is the length of its name, the size of its value and a fixed overhead. */
export class BoundedMap<V> {
  private readonly values = new Map<string, V>();
  private total = 0;

  /** The size limit of all entries and the size of a value, both in characters. */
  constructor(
    private readonly roomMax: number,
    private readonly sizeOf: (value: V) => number,
  ) {}

  get count(): number {
    return this.values.size;
  }

  get size(): number {
    return this.total;
  }

  get(name: string): V | undefined {
    return this.values.get(name);
  }

  set(name: string, value: V): void {
    this.delete(name);
    const room = this.roomOf(name, value);
    // An entry that can never fit must not evict all others.
    if (room > this.roomMax) return;
    this.values.set(name, value);
    this.total += room;
    // Maps iterate in order of insertion.
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
