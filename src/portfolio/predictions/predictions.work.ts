/**
 * Adds predictions to purchases where lots enter the store (from pages, files and boxes), so that
 * callers need not.
 */

import type { BuyingRoomStore } from '../../buying/buying.store.ts';
import { tablesOf } from '../../buying/prices/buying-settings.ts';
import {
  type LotPrediction,
  predictedDaysMax,
  predictionOf,
} from '../../buying/prices/prediction.ts';
import { findResaleItems } from '../../buying/prices/resale-item.work.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { type ItemRef, itemKey, refText } from '../../catalog/items/numbers.ts';
import { dayMs, dayOf, formatDay } from '../../kernel/time.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { GivenLot } from '../lots/lots.ts';
import type { AccountRow, AccountRowOf } from '../lots/private-rows.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';

export interface PredictionSource {
  readonly market: Pick<MarketReading, 'findResaleRecords' | 'publishStamp'>;
  /** Called for the first prediction. */
  readonly findTables: () => FeeTables;
}

/** Cached predictions, so that a long file does not look up the same set repeatedly. */
const rememberedMax = 20_000;

/** A store that adds a prediction to each new lot that was bought recently. */
export function withPredictions<Accounts extends PortfolioRoomStore & BuyingRoomStore>(
  accounts: Accounts,
  source: PredictionSource,
): Accounts {
  const memory = new PredictionMemory();
  const work = { accounts, source, memory };
  return {
    ...accounts,
    change: async (accountId, change, at) => {
      const rows = await predictRows(work, { accountId, at, rows: change.rows });
      return accounts.change(accountId, { ...change, rows }, at);
    },
  };
}

/** Everything except the time: the same for all units of a set and condition. */
type Remembered = Omit<LotPrediction, 'at'> | null;

/** A cache of predictions for one account, day, publish stamp and fee table. */
class PredictionMemory {
  private basis = '';
  private readonly byItem = new Map<string, Remembered>();

  /** Returns the cache for this basis, and clears it if the basis has changed. */
  on(basis: string): Map<string, Remembered> {
    if (basis !== this.basis || this.byItem.size > rememberedMax) this.byItem.clear();
    this.basis = basis;
    return this.byItem;
  }
}

type Holding = AccountRowOf<'holding'>;

interface PredictionWork {
  readonly accounts: Pick<BuyingRoomStore, 'findBuyingSettings'>;
  readonly source: PredictionSource;
  readonly memory: PredictionMemory;
}

/** Returns the same rows in the same order, with predictions for recently bought lots. */
async function predictRows(
  { accounts, source, memory }: PredictionWork,
  change: {
    readonly accountId: number;
    readonly at: number;
    readonly rows: readonly AccountRow[];
  },
): Promise<readonly AccountRow[]> {
  const { accountId, at, rows } = change;
  const earliest = formatDay(at - predictedDaysMax * dayMs);
  const isNew = (row: AccountRow): row is Holding =>
    row.kind === 'holding' &&
    row.facts.purchaseDate >= earliest &&
    !row.seen &&
    row.prediction === undefined;
  const lots = rows.filter(isNew);
  if (lots.length === 0) return rows;
  const stamp = await source.market.publishStamp();
  const settings = await accounts.findBuyingSettings(accountId);
  const rates = JSON.stringify(settings.ownRates);
  const known = memory.on([accountId, dayOf(at), stamp, rates].join(' '));
  const unknown = lots.filter(({ facts }) => !known.has(nameOf(facts)));
  if (unknown.length > 0) {
    const tables = tablesOf(source.findTables(), settings);
    await predictLots(unknown, { market: source.market, tables, at, known });
  }
  return rows.map((row) => {
    if (!isNew(row)) return row;
    const prediction = known.get(nameOf(row.facts));
    return { ...row, prediction: prediction ? { ...prediction, at } : null };
  });
}

function nameOf(facts: GivenLot): string {
  return `${facts.condition} ${refText(refOf(facts))}`;
}

function refOf({ kind, number }: GivenLot): ItemRef {
  return { kind, key: itemKey(kind, number) };
}

async function predictLots(
  lots: readonly Holding[],
  options: {
    readonly market: PredictionSource['market'];
    readonly tables: FeeTables;
    readonly at: number;
    readonly known: Map<string, Remembered>;
  },
): Promise<void> {
  const { market, tables, at, known } = options;
  const itemOf = await findEachItem(
    lots.map(({ facts }) => refOf(facts)),
    (kind, keys) => findResaleItems(market, kind, keys),
  );
  for (const { facts } of lots) {
    const { condition } = facts;
    const resale = itemOf(refOf(facts))?.resale[condition];
    known.set(nameOf(facts), resale ? predictionOf(tables, resale, { condition, at }) : null);
  }
}
