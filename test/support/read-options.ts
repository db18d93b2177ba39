/** Options for reading formats in tests: a fixed clock and an empty store. */
import { Readable } from 'node:stream';
import type { ImportSettings, ReadOptions } from '../../src/ingest/runner/format.work.ts';

/** The current time when tests read files. */
export const readAt = Date.UTC(2026, 10, 15, 12);

export function readOptions(
  given: {
    readonly settings?: Partial<ImportSettings>;
    readonly store?: ReadOptions['store'];
  } = {},
): ReadOptions {
  return {
    stdin: Readable.from([]),
    clock: () => readAt,
    onBytes: () => {},
    store: given.store ?? emptyStore,
    settings: {
      account: null,
      brickfolio: null,
      missingPrice: 'msrp',
      missingDate: 'unknown',
      mapping: null,
      isForced: false,
      ...given.settings,
    },
  };
}

const emptyStore: ReadOptions['store'] = {
  market: {
    findKnownSets: async () => new Map(),
    findKnownMinifigs: async () => new Map(),
    listBarcodes: async () => [],
    compareCensus: async ({ keys }) => ({ known: 0, gone: 0, added: keys.size }),
    findRates: async (queries) => queries.map(() => null),
  },
  accounts: {
    findAccount: async () => null,
    listBrickfolios: async () => [],
    findLotsBySourceIds: async () => new Map(),
  },
};
