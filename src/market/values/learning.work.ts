/** Collects the items and rows that parameters are learned from. */

import { compareText, itemKinds } from '../../catalog/items/numbers.ts';
import { type Month, monthOf, monthStart, weekStart } from '../../kernel/time.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import { CompactSales, unretracted } from './compact-sales.ts';
import type { Learner, MinifigToValue, SetToValue, ValueEngine } from './estimator.ts';
import { LearnedItems, sampleRank } from './learned-items.ts';
import type { LearningStore } from './learning.store.ts';
import type { LearningInputs, SoldItem } from './learning-inputs.ts';
import type { ItemListings, Listings } from './listings.ts';
import { inputSlices, type SliceBounds } from './slices.work.ts';
import { minifigFacts, minifigToValue, setFacts, setToValue } from './valuation-inputs.ts';

export interface LearningPace {
  /** Limits of a read, and the number of items added to the learner between pauses. */
  readonly slice: SliceBounds;
  /** Called between steps; may throw to abort learning. */
  readonly pause?: () => Promise<void>;
  /** Called while items are read. */
  readonly onRead?: (items: number) => void;
}

export type LearningItem = {
  readonly rank: number;
  /** Units for sale; null if they were never counted. */
  readonly listings: ItemListings | null;
} & (
  | { readonly kind: 'set'; readonly item: SetToValue }
  | { readonly kind: 'minifig'; readonly item: MinifigToValue }
);

/** The months to learn, and the rows that count. */
export interface LearningScope {
  /** Null: from the month of the first sale. */
  readonly from: Month | null;
  readonly to: Month;
  /** Only rows that arrived before this time count; null: all rows. */
  readonly knownBefore: number | null;
}

/** A month is learned from about a year before it, and from the sellers of that time before. */
const monthsBefore = 13 + 15;

/** The items to learn months from, sorted by kind and key: the order of import must not matter. */
export async function gatherItems(
  source: { readonly store: LearningStore; readonly engine: ValueEngine },
  scope: LearningScope,
  pace: LearningPace,
): Promise<LearningItem[]> {
  const { store, engine } = source;
  const sold = await store.listSold(scope.knownBefore);
  const names = chooseItems(sold, scope, { items: engine.learnedItemsMax, sales: salesMax });
  const items: LearningItem[] = [];
  const compact = new CompactSales();
  const ids = names.map(({ id }) => id);
  const at = monthStart(scope.to);
  for await (const slice of inputSlices(store, ids, { at, bounds: pace.slice })) {
    const listings = await store.loadListings(slice);
    for (const inputs of await store.loadLearningInputs(slice, at)) {
      const sales = inputs.sales.map((sale) => compact.compact(sale));
      items.push(learningItem({ ...inputs, sales }, listings.get(inputs.id) ?? null));
    }
    pace.onRead?.(items.length);
    await pace.pause?.();
  }
  await store.releaseMemory();
  return items;
}

const fewerItems = 0.8;

/** Limited, because all sales are in memory at once. */
const salesMax = 400_000;

/**
 * Every item that one of the months is learned from, sorted by kind and key. If they have too many
 * sales together, every month uses a fifth fewer items, or fewer still.
 */
export function chooseItems(
  sold: readonly SoldItem[],
  scope: LearningScope,
  max: { readonly items: number; readonly sales: number },
): SoldItem[] {
  for (let items = max.items; ; items = Math.max(1, Math.floor(items * fewerItems))) {
    const chosen = itemKinds.flatMap((kind) =>
      chooseOfKind(
        sold.filter((item) => item.kind === kind),
        scope,
        items,
      ),
    );
    const sales = chosen.reduce((sum, item) => sum + item.sales, 0);
    if (sales <= max.sales || items === 1) return chosen;
  }
}

function chooseOfKind(sold: readonly SoldItem[], scope: LearningScope, max: number): SoldItem[] {
  const candidates = sold.map((item) => ({ ...item, rank: sampleRank(item.key) }));
  const learned = new LearnedItems(candidates, max);
  const firstSoldAt = sold.reduce((first, item) => Math.min(first, item.firstSoldAt), Infinity);
  const from = scope.from === null ? monthOf(firstSoldAt) : scope.from - monthsBefore;
  return candidates
    .filter((item) => {
      for (let month = from; month <= scope.to; month++) if (learned.has(item, month)) return true;
      return false;
    })
    .sort((a, b) => compareText(a.key, b.key));
}

function learningItem(inputs: LearningInputs, listings: ItemListings | null): LearningItem {
  const rank = sampleRank(inputs.key);
  return inputs.kind === 'set'
    ? { kind: 'set', rank, listings, item: setToValue(inputs, setFacts(inputs)) }
    : { kind: 'minifig', rank, listings, item: minifigToValue(inputs, minifigFacts(inputs)) };
}

/** A learner with the rows that arrived before `knownBefore`; null: all rows. */
export async function makeLearner(
  engine: ValueEngine,
  items: readonly LearningItem[],
  options: { readonly knownBefore: number | null; readonly pace: LearningPace },
): Promise<Learner> {
  const learner = engine.startLearning();
  const { knownBefore, pace } = options;
  for (const [index, { kind, rank, item, ...counted }] of items.entries()) {
    if (index % pace.slice.items === 0) await pace.pause?.();
    const sales = knownBefore === null ? item.sales : knownSales(item.sales, knownBefore);
    if (sales.length === 0) continue;
    const listings = counted.listings && knownListings(counted.listings, knownBefore);
    if (kind === 'minifig') {
      learner.addMinifig({ ...item, sales }, rank, listings);
    } else {
      const isOver = ({ week }: { week: number }) =>
        knownBefore === null || weekStart(week + 1) <= knownBefore;
      const retailWeeks = item.retailWeeks.filter(isOver);
      learner.addSet({ ...item, sales, retailWeeks }, rank, listings);
    }
  }
  return learner;
}

/** Only the latest count is stored, so those before a point in time may be gone. */
function knownListings(all: ItemListings, knownBefore: number | null): ItemListings {
  if (knownBefore === null) return all;
  const known = (counts: readonly Listings[]) =>
    counts.filter(({ observedAt }) => observedAt < knownBefore);
  return { sealed: known(all.sealed), used: known(all.used) };
}

/** Sales as known before a point in time: those retracted later still count. */
function knownSales(sales: readonly StoredSale[], knownBefore: number): StoredSale[] {
  return sales
    .filter(({ ingestedAt }) => ingestedAt < knownBefore)
    .map((sale) => {
      const isLater = sale.retractedAt !== null && sale.retractedAt >= knownBefore;
      return isLater ? unretracted(sale) : sale;
    });
}
