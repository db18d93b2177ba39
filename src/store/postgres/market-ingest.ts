/** Source rows into PostgreSQL, a batch at a time. */
import type { MarketIngest } from '../../domain/market-store.ts';
import type { Connection } from './client.ts';
import type { Writing } from './writing.ts';

/** The ingest half of the market store. */
export function postgresMarketIngest(_client: Connection, _write: Writing): MarketIngest {
  throw new Error('Not there yet.');
}
