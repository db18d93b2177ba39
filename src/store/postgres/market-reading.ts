/** What the API reads on PostgreSQL: documents, listings and series, never source rows. */
import type { MarketReading } from '../../domain/market-store.ts';
import type { Connection } from './client.ts';
import type { PublishStamp } from './publish-stamp.ts';

/** The reading half of the market store, on the primary or on a replica. */
export function postgresMarketReading(_reader: Connection, _stamp: PublishStamp): MarketReading {
  throw new Error('Not there yet.');
}
