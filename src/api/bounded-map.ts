/** A map that holds so much and no more: what was put in first makes room for what comes. */

/** Values by name. What each takes of the room follows from the value; if not said, it is one. */
export class BoundedMap<V> {
  private readonly values = new Map<string, V>();
  private total = 0;

  constructor(
    private readonly totalMax: number,
    private readonly sizeOf: (value: V) => number = () => 1,
  ) {}

  get count(): number {
    return this.values.size;
  }

  /** What all values take of the room. */
  get size(): number {
    return this.total;
  }

  get(name: string): V | undefined {
    return this.values.get(name);
  }

  set(name: string, value: V): void {
    this.delete(name);
    this.values.set(name, value);
    this.total += this.sizeOf(value);
    // A map keeps its order of insertion: the first are the oldest.
    for (const oldest of this.values.keys()) {
      if (this.total <= this.totalMax) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    const value = this.values.get(name);
    if (value === undefined) return;
    this.total -= this.sizeOf(value);
    this.values.delete(name);
  }

  clear(): void {
    this.values.clear();
    this.total = 0;
  }
}
