/** Finds something about sets and minifigs, with one lookup for each kind. */
import { distinctKeys, type ItemKind, type ItemRef, itemKinds } from './numbers.ts';

/** Items about which nothing is found give null. */
export async function findEachItem<T>(
  items: readonly ItemRef[],
  find: (kind: ItemKind, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<(item: ItemRef) => T | null> {
  const found: Partial<Record<ItemKind, ReadonlyMap<string, T>>> = {};
  const keysOf = distinctKeys(items);
  for (const kind of itemKinds) {
    if (keysOf[kind].size > 0) found[kind] = await find(kind, [...keysOf[kind]]);
  }
  return ({ kind, key }) => found[kind]?.get(key) ?? null;
}
