/** What the doors are given of a market: what is published, and no way to a source row. */
import type { Journal } from './journal.ts';
import type { MarketIngest } from './market-ingest.ts';
import type { MarketReading } from './market-reading.ts';
import type { MarketPublishing } from './market-store.ts';

/** How far publishing has come, for operators. */
export interface PublishProgress
  extends Pick<MarketReading, 'publishStamp'>,
    Pick<MarketPublishing, 'countStale' | 'countDue'> {}

/** What pages read: what is published, what stands behind it, and what an owner's import needs. */
export interface PageMarket
  extends MarketReading,
    PublishProgress,
    Pick<Journal, 'listImports' | 'findImport' | 'findPublishedAt'>,
    Pick<MarketPublishing, 'findEvidence' | 'listScores' | 'findHistoryState'>,
    Pick<
      MarketIngest,
      'findKnownSets' | 'findSetNumbers' | 'findRates' | 'listBarcodes' | 'compareCensus'
    > {}
