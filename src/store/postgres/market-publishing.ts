/** Documents on PostgreSQL: what is stale, what is due, and writing what is finished. */
import type { MarketPublishing } from '../../domain/market-store.ts';
import type { Client } from './client.ts';
import type { DatabaseClock } from './clock.ts';
import type { Writing } from './writing.ts';

/** The publishing half of the market store. */
export function postgresMarketPublishing(
  _client: Client,
  _write: Writing,
  _clock: DatabaseClock,
): MarketPublishing {
  throw new Error('Not there yet.');
}
