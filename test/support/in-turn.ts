/** Tells whether steps wait for each other, as they must where one stands on the one before. */

/** Objects whose methods are watched, and the calls that began before others had ended. */
export class InTurn {
  readonly overlaps: string[] = [];
  readonly #active = new Set<string>();

  /** The calls that have not ended. */
  get active(): readonly string[] {
    return [...this.#active];
  }

  /** The same object; each of its methods takes a while, and is watched. */
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
