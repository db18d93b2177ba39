/** Finds the items of an event scope, such as the holdings of an account. */
import type { EventScope } from '../domain/delivery/delivery-channel.ts';
import type { EventItems } from '../domain/market/events.ts';
import type { LotStore, MarketReading, WatchStore } from '../store/store.ts';

export interface ScopeSource {
  readonly accounts: Pick<LotStore & WatchStore, 'listHeldCosts' | 'listWatchedKeys'>;
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
  const held = await accounts.listHeldCosts(accountId);
  return { set: held.map(({ setKey }) => setKey), minifig: [] };
}
