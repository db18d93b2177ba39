/** The items whose events an account asks for. */
import type { WatchStore } from '../domain/alerts/watch-store.ts';
import type { EventScope } from '../domain/delivery/channel.ts';
import type { EventItems } from '../domain/market/events.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { LotStore } from '../domain/portfolio/lot-store.ts';

/** Where they are looked up. */
export interface ScopeSource {
  readonly accounts: Pick<LotStore & WatchStore, 'listHeldCosts' | 'listWatchedKeys'>;
  readonly market: Pick<MarketReading, 'findAllKeys'>;
}

/**
 * The items of a scope as an account holds or watches them now, under all keys that events may tell
 * of them; null: everything.
 */
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
