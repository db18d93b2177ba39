/** Finds the items of an event scope, such as the holdings of an account. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { EventItems } from '../../market/events/events.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { AlertRoomStore } from '../alerts.store.ts';
import type { EventScope } from '../channels/delivery-channel.ts';

export interface ScopeSource {
  readonly accounts: Pick<AlertRoomStore, 'listWatchedKeys'> & {
    /** Held items, which a later room stores. */
    listHeldCosts(accountId: number, kind: ItemKind): Promise<readonly { readonly key: string }[]>;
  };
  readonly market: Pick<MarketReading, 'findAllKeys'>;
}

/** The items of the scope, under all keys that events can have; null: all items. */
export async function findScopeItems(
  { accounts, market }: ScopeSource,
  accountId: number,
  scope: EventScope,
): Promise<EventItems | null> {
  if (scope === 'all') return null;
  if (scope === 'watch') return market.findAllKeys(await accounts.listWatchedKeys(accountId));
  const keysOf = async (kind: ItemKind) =>
    (await accounts.listHeldCosts(accountId, kind)).map(({ key }) => key);
  return market.findAllKeys({ set: await keysOf('set'), minifig: await keysOf('minifig') });
}
