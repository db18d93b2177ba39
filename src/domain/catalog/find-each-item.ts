/** Finds something about sets and minifigs, with one lookup for each kind. */
import { type ItemKind, type ItemRef, itemKinds } from './numbers.ts';

/** Items about which nothing is found give null. */
export async function findEachItem<T>(
  items: readonly ItemRef[],
  find: (kind: ItemKind, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<(item: ItemRef) => T | null> {
  const found: Partial<Record<ItemKind, ReadonlyMap<string, T>>> = {};
  for (const kind of itemKinds) {
    const keys = new Set<string>();
    for (const item of items) if (item.kind === kind) keys.add(item.key);
    if (keys.size > 0) found[kind] = await find(kind, [...keys]);
  }
  return ({ kind, key }) => found[kind]?.get(key) ?? null;
}
