/** The error for a number of a set or minifig that does not exist. */

import { type ItemKind, itemKey } from '../catalog/items/numbers.ts';
import { nearest } from '../contract/nearest.ts';
import type { Store } from '../store/store.ts';
import { CommandError } from './command.ts';

/** Suggests the nearest number of the first kind that has one, in words of the command. */
export async function unknownItem(
  store: Store,
  { kinds, number }: { readonly kinds: readonly ItemKind[]; readonly number: string },
  suggest: (nearest: string, kind: ItemKind) => string,
): Promise<CommandError> {
  const problem = `No ${kinds.join(' or ')} '${number}'`;
  for (const kind of kinds) {
    const near = nearest(itemKey(kind, number), await store.market.listKeys(kind));
    if (near) return new CommandError(`${problem}; did you mean '${suggest(near, kind)}'?`);
  }
  const things = kinds.map((kind) => `${kind}s`).join(' and ');
  return new CommandError(`${problem}. Import ${things} with 'brickmark import FORMAT PATH'.`);
}
