/** A map that holds so much and no more: what was put in first makes room for what comes. */

/** Values by name. What each takes of the room is said when it is put in; if not, it is one. */
export class BoundedMap<V> {
  private readonly values = new Map<string, V>();
  private readonly sizes = new Map<string, number>();
  private total = 0;

  constructor(private readonly totalMax: number) {}

  get count(): number {
    return this.values.size;
  }

  get(name: string): V | undefined {
    return this.values.get(name);
  }

  set(name: string, value: V, size = 1): void {
    this.delete(name);
    this.values.set(name, value);
    this.sizes.set(name, size);
    this.total += size;
    // A map keeps its order of insertion: the first are the oldest.
    for (const oldest of this.values.keys()) {
      if (this.total <= this.totalMax) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.total -= this.sizes.get(name) ?? 0;
    this.values.delete(name);
    this.sizes.delete(name);
  }

  clear(): void {
    this.values.clear();
    this.sizes.clear();
    this.total = 0;
  }
}
