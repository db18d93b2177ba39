/** Detects calls that overlap where each must wait for the one before. */

/** Watches the methods of objects, and records calls that begin before others have ended. */
export class InTurn {
  readonly overlaps: string[] = [];
  readonly #active = new Set<string>();

  /** The calls in progress. */
  get active(): readonly string[] {
    return [...this.#active];
  }

  /** A proxy of the object that delays and records every method call. */
  watch<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (of, name) => {
        const value = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => this.#call(String(name), () => value.apply(of, given));
      },
    });
  }

  async #call(name: string, call: () => unknown): Promise<unknown> {
    for (const other of this.#active) this.overlaps.push(`${name} during ${other}`);
    this.#active.add(name);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return await call();
    } finally {
      this.#active.delete(name);
    }
  }
}
