/**
 * Backtest of buying: how often max buy prices left the margin, times to sale, and proceeds of
 * boxes.
 */

import { waitDaysFor } from '../../src/buying/prices/your-wait.ts';
import { at as entryAt } from '../../src/kernel/at.ts';
import { dayMs, type Month, monthOf, monthStart } from '../../src/kernel/time.ts';
import { type DataTier, dataTiers } from '../../src/market/evidence/evidence.ts';
import { type Condition, conditions } from '../../src/market/source-rows/source-rows.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import { type BoxedItem, type BoxReport, boxReports } from './boxes.ts';
import { medianWait, type Wait } from './kaplan-meier.ts';
import { estimators, learnAsKnown } from './learn-as-known.ts';
import type { RandomSource } from './probes.ts';
import {
  clears,
  isResale,
  knownResale,
  paidCents,
  type ResaleChannel,
  resaleChannels,
  type SoldUnit,
} from './resales.ts';
import { SellerQueue } from './seller-queue.ts';
import { SetHistory } from './snapshots.ts';
import type { BacktestItem, BacktestSale } from './worlds.ts';

const clearingShares = [0.5, 0.8, 0.9] as const;

export interface ClearingCell {
  readonly tier: DataTier;
  readonly channel: ResaleChannel;
  readonly resales: number;
  /** In the order of `shares`. */
  readonly cleared: readonly number[];
}

/** By the time since a large movement of the price began. */
export interface MovingCell {
  /** Days in [from, to); null is unbounded. */
  readonly from: number;
  readonly to: number | null;
  readonly resales: number;
  /** In the order of `shares`. */
  readonly cleared: readonly number[];
}

/** Items by predicted time to sale. */
export interface WaitBucket {
  /** Days in [from, to); null is unbounded. */
  readonly from: number;
  readonly to: number | null;
  readonly waits: number;
  /** Share of censored times to sale. */
  readonly unsold: number;
  readonly predictedDays: number;
  readonly seenDays: number;
}

export interface BuyingReport {
  /** Target shares of sales that leave the margin. */
  readonly shares: readonly number[];
  /** Bought just before a sale: the first of a month in each condition and channel. */
  readonly clearing: readonly ClearingCell[];
  /** Bought at a random time of a quarter, and sold at the price of the channel's next sale. */
  readonly clearingLater: readonly ClearingCell[];
  /** Those of `clearing` whose price moved by a lot of late, in all tiers and channels. */
  readonly clearingMoving: readonly MovingCell[];
  readonly waits: readonly WaitBucket[];
  readonly boxes: readonly BoxReport[];
}

export interface BuyingBacktestOptions {
  /** Start of sales, and of resales. */
  readonly salesFrom: number;
  readonly scoredFrom: number;
  readonly today: number;
  random(...names: string[]): RandomSource;
  onProgress(step: 'Learning' | 'Selling', done: number, total: number): void;
}

/**
 * Units of an item in a box are its sales from the one nearest to the end of the predicted wait,
 * within this time, up to this many. Items without a sale near it are left out.
 */
const sameTimeMs = 45 * dayMs;
const unitsMax = 4;
const awayMsMax = 120 * dayMs;

/** Boxes of longer waits mostly end after the market does. */
const boxWaitDaysMax = 730;

const quarterMonths = 3;

/** Bucket boundaries: of days since a movement began, and of waits. */
const movedDays = [0, 60, 120] as const;
const bucketDays = [0, 3.5, 7, 14, 30, 60, 120, 240, 365] as const;

export async function buyingBacktest(
  items: readonly BacktestItem[],
  options: BuyingBacktestOptions,
): Promise<BuyingReport> {
  const { scoredFrom, today } = options;
  const learned = await learnAsKnown(items, {
    from: monthOf(options.salesFrom),
    to: monthOf(today - 1),
    onProgress: (done, total) => options.onProgress('Learning', done, total),
  });
  const estimatorOf = estimators(learned);
  const atOnce: SoldUnit[] = [];
  const later: SoldUnit[] = [];
  const waits: PredictedWait[] = [];
  const boxed = new Map<Month, BoxedItem[]>();
  for (const [index, item] of items.entries()) {
    options.onProgress('Selling', index, items.length);
    const history = new SetHistory(item);
    const seller: Seller = {
      item,
      random: options.random('buying', item.key),
      valueAt: (at) => estimatorOf(monthOf(at)).prepareSet(history.at(at)).valueAt(at),
    };
    for (const condition of conditions) {
      atOnce.push(...sellAtOnce(seller, condition, scoredFrom));
    }
    boxEachQuarter(seller, boxed, { from: scoredFrom, to: today });
    const bought = buyEachQuarter(seller, { from: scoredFrom, to: today });
    later.push(...bought.units);
    waits.push(...bought.waits);
  }
  return {
    shares: clearingShares,
    clearing: clearingCells(atOnce),
    clearingLater: clearingCells(later),
    clearingMoving: movingCells(atOnce),
    waits: waitBuckets(waits),
    boxes: boxReports([...boxed.values()], options.random('boxes')),
  };
}

interface Seller {
  readonly item: BacktestItem;
  readonly random: RandomSource;
  valueAt: (at: number) => Parameters<typeof knownResale>[1];
}

/** Resells the first unit of each month and channel, bought just before. */
function sellAtOnce({ item, valueAt }: Seller, condition: Condition, from: number): SoldUnit[] {
  return resaleChannels.flatMap(({ channel, soldIn }) => {
    const sales = item.sales.filter(
      (sale) => isResale(sale, condition) && sale.sale.channel === soldIn,
    );
    const months = Map.groupBy(sales, ({ sale }) => monthOf(sale.soldAt));
    return [...months.values()].flatMap(([first]) => {
      if (!first || first.sale.soldAt < from) return [];
      const at = first.sale.soldAt;
      const resale = knownResale(item, valueAt(at), condition);
      if (resale === null) return [];
      return [{ ...soldUnit(item, first, at), channel, resale }];
    });
  });
}

function soldUnit(item: BacktestItem, { sale }: BacktestSale, boughtAt: number) {
  const movedDaysAgo = item.movedDaysAgo?.(boughtAt) ?? null;
  return { boughtAt, priceCents: paidCents(sale), movedDaysAgo };
}

/** Adds the item to the boxes at the start of each quarter, all of which are made at one time. */
function boxEachQuarter(
  { item, valueAt }: Seller,
  boxed: Map<Month, BoxedItem[]>,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (let month = monthOf(from) + 1; monthStart(month) < to; month += quarterMonths) {
    const at = monthStart(month);
    const valuation = valueAt(at);
    for (const condition of conditions) {
      const resale = knownResale(item, valuation, condition);
      const waitDays = resale && waitDaysFor(resale, { channel: 'ebay', at });
      if (resale === null || waitDays === null || waitDays > boxWaitDaysMax) continue;
      const sales = item.sales.filter(
        (sale) =>
          isResale(sale, condition) && sale.sale.channel === 'fixed' && sale.sale.soldAt >= at,
      );
      const pricesCents = soldAround(sales, at + waitDays * dayMs);
      if (pricesCents.length === 0) continue;
      const ofMonth = boxed.get(month) ?? [];
      boxed.set(month, ofMonth);
      ofMonth.push({ theme: item.facts.theme, resale, waitDays, pricesCents });
    }
  }
}

/**
 * Prices of units sold at about the same time, from the sale nearest to the end of the wait: the
 * next one would be weeks later than predicted on average. None if there is no sale near it.
 */
function soldAround(sales: readonly BacktestSale[], due: number): number[] {
  const distance = (at: number) => Math.abs(at - due);
  const first = sales.reduce(
    (nearest, { sale }) => (distance(sale.soldAt) < distance(nearest) ? sale.soldAt : nearest),
    Number.POSITIVE_INFINITY,
  );
  if (distance(first) > awayMsMax) return [];
  return sales
    .filter(({ sale }) => sale.soldAt >= first && sale.soldAt < first + sameTimeMs)
    .slice(0, unitsMax)
    .map(({ sale }) => paidCents(sale));
}

interface PredictedWait extends Wait {
  readonly rivals: number;
  readonly predictedDays: number;
}

/** Units of other sellers. */
const rivalCounts = [0, 1, 2, 5, 10, 20] as const;

function pick<T>(list: readonly T[], random: RandomSource): T {
  return entryAt(list, Math.floor(random.fraction() * list.length));
}

/** Buys at a random time of each quarter. */
function buyEachQuarter(
  { item, random, valueAt }: Seller,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly units: SoldUnit[]; readonly waits: PredictedWait[] } {
  const units: SoldUnit[] = [];
  const waits: PredictedWait[] = [];
  for (let month = monthOf(from); monthStart(month) < to; month += quarterMonths) {
    const [start, end] = [monthStart(month), Math.min(to, monthStart(month + quarterMonths))];
    const at = start + random.fraction() * (end - start);
    const valuation = valueAt(at);
    for (const condition of conditions) {
      const resale = knownResale(item, valuation, condition);
      if (resale === null || resale.rate === null) continue;
      const next = item.sales.filter(
        ({ sale }) =>
          sale.soldAt >= at && sale.condition === condition && sale.retractedAt === null,
      );
      for (const { channel, soldIn } of resaleChannels) {
        const inChannel = next.filter(({ sale }) => sale.channel === soldIn);
        const sale = inChannel.find(({ isOrdinary }) => isOrdinary);
        if (sale) units.push({ ...soldUnit(item, sale, at), channel, resale });
        const rivals = pick(rivalCounts, random);
        const listed = { channel: soldIn, observedAt: at, units: rivals, lowestCents: null };
        const queue = new SellerQueue(rivals, random);
        const sold = inChannel.find(() => queue.takesYours(0))?.sale.soldAt;
        waits.push({
          rivals,
          days: ((sold ?? to) - at) / dayMs,
          hasEnded: sold !== undefined,
          predictedDays: waitDaysFor({ ...resale, listings: [listed] }, { channel, at }) ?? 0,
        });
      }
    }
  }
  return { units, waits };
}

function clearingCells(units: readonly SoldUnit[]): ClearingCell[] {
  return dataTiers.flatMap((tier) =>
    resaleChannels.flatMap(({ channel }) => {
      const cell = units.filter((unit) => unit.channel === channel && unit.resale.tier === tier);
      if (cell.length === 0) return [];
      const cleared = clearingShares.map((share) => shareThatClears(cell, share));
      return [{ tier, channel, resales: cell.length, cleared }];
    }),
  );
}

function movingCells(units: readonly SoldUnit[]): MovingCell[] {
  return movedDays.flatMap((from, index) => {
    const to = movedDays[index + 1] ?? null;
    const cell = units.filter(
      ({ movedDaysAgo: days }) => days !== null && days >= from && (to === null || days < to),
    );
    if (cell.length === 0) return [];
    return [
      {
        from,
        to,
        resales: cell.length,
        cleared: clearingShares.map((s) => shareThatClears(cell, s)),
      },
    ];
  });
}

/** Units without a max buy price are skipped. */
function shareThatClears(units: readonly SoldUnit[], share: number): number {
  let [bought, cleared] = [0, 0];
  for (const unit of units) {
    const isEnough = clears(unit, share);
    if (isEnough === null) continue;
    bought++;
    if (isEnough) cleared++;
  }
  return cleared / bought;
}

function waitBuckets(waits: readonly PredictedWait[]): WaitBucket[] {
  return bucketDays.flatMap((from, index) => {
    const to = bucketDays[index + 1] ?? null;
    const bucket = waits.filter(
      ({ predictedDays }) => predictedDays >= from && (to === null || predictedDays < to),
    );
    if (bucket.length === 0) return [];
    const predicted = quantile(
      bucket.map(({ predictedDays }) => predictedDays),
      0.5,
    );
    // Relative to its own prediction, so that the width of buckets does not matter.
    const measured = bucket.map(({ days, predictedDays, hasEnded }) => ({
      days: days / predictedDays,
      hasEnded,
    }));
    return [
      {
        from,
        to,
        waits: bucket.length,
        unsold: bucket.filter(({ hasEnded }) => !hasEnded).length / bucket.length,
        predictedDays: predicted,
        seenDays: predicted * medianWait(measured),
      },
    ];
  });
}
