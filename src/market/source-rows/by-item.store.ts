/** A map with two keys, without building a string of both. */

export class ByItem<Key, Value> {
  private readonly items = new Map<number, Map<Key, Value>>();

  get(itemId: number, key: Key): Value | undefined {
    return this.items.get(itemId)?.get(key);
  }

  set(itemId: number, key: Key, value: Value): void {
    this.ofItem(itemId).set(key, value);
  }

  getOrMake(itemId: number, key: Key, make: () => Value): Value {
    return this.ofItem(itemId).getOrInsertComputed(key, make);
  }

  /** All values, grouped by item. */
  list(): Value[] {
    const values: Value[] = [];
    for (const own of this.items.values()) for (const value of own.values()) values.push(value);
    return values;
  }

  private ofItem(itemId: number): Map<Key, Value> {
    return this.items.getOrInsertComputed(itemId, () => new Map());
  }
}
