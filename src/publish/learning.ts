/** What is learned from: items that were sold, with the rows that count. */

import { compareText, type ItemKind } from '../domain/catalog/numbers.ts';
import { type Month, monthOf, monthStart, weekStart } from '../domain/kernel/time.ts';
import type {
  Learner,
  MinifigToValue,
  SetToValue,
  ValueEngine,
} from '../domain/market/estimator.ts';
import { LearnedItems, sampleRank } from '../domain/market/learned-items.ts';
import type { LearningInputs, SoldItem } from '../domain/market/learning-inputs.ts';
import type { MarketPublishing } from '../domain/market/market-store.ts';
import type { StoredSale } from '../domain/market/source-rows.ts';
import { minifigFacts, minifigToValue, setFacts, setToValue } from './valuation-inputs.ts';

/** In which steps to work, and who is informed. */
export interface LearningPace {
  /** Items that are read, or added, at once. */
  readonly sliceItems: number;
  /** Called between the steps; what it throws ends the learning. */
  readonly pause?: () => Promise<void>;
  /** Called while items are read. */
  readonly onRead?: (items: number) => void;
}

/** An item with its rows. */
export type LearningItem =
  | { readonly kind: 'set'; readonly rank: number; readonly item: SetToValue }
  | { readonly kind: 'minifig'; readonly rank: number; readonly item: MinifigToValue };

/** Which months are to be learned, and what counts. */
export interface LearningScope {
  /** Null: from the month of the first sale on. */
  readonly from: Month | null;
  readonly to: Month;
  /** Rows that came in at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
}

/** A month is learned from what happened within a year before it, and a little more. */
const monthsBefore = 13;

/**
 * The items to learn some months from, in order of kind and key: the order in which items came into
 * the store must not matter.
 */
export async function gatherItems(
  source: { readonly store: MarketPublishing; readonly engine: ValueEngine },
  scope: LearningScope,
  pace: LearningPace,
): Promise<LearningItem[]> {
  const { store, engine } = source;
  const sold = await store.listSold(scope.knownBefore);
  const names = itemKinds.flatMap((kind) =>
    chooseItems(
      sold.filter((item) => item.kind === kind),
      scope,
      engine.learnedItemsMax,
    ),
  );
  const items: LearningItem[] = [];
  for (let start = 0; start < names.length; start += pace.sliceItems) {
    const ids = names.slice(start, start + pace.sliceItems).map(({ id }) => id);
    const inputs = await store.loadLearningInputs(ids, monthStart(scope.to));
    for (const input of inputs) items.push(learningItem(input));
    pace.onRead?.(items.length);
    await pace.pause?.();
  }
  return items;
}

const itemKinds: readonly ItemKind[] = ['set', 'minifig'];

/** Every item that one of the months is learned from. */
function chooseItems(sold: readonly SoldItem[], scope: LearningScope, max: number): SoldItem[] {
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

function learningItem(inputs: LearningInputs): LearningItem {
  const rank = sampleRank(inputs.key);
  return inputs.kind === 'set'
    ? { kind: 'set', rank, item: setToValue(inputs, setFacts(inputs)) }
    : { kind: 'minifig', rank, item: minifigToValue(inputs, minifigFacts(inputs)) };
}

/** A learner with the rows of all items that were known before an instant; null: all rows. */
export async function makeLearner(
  engine: ValueEngine,
  items: readonly LearningItem[],
  options: { readonly knownBefore: number | null; readonly pace: LearningPace },
): Promise<Learner> {
  const learner = engine.startLearning();
  const { knownBefore, pace } = options;
  for (const [index, { kind, rank, item }] of items.entries()) {
    if (index % pace.sliceItems === 0) await pace.pause?.();
    const sales = knownBefore === null ? item.sales : knownSales(item.sales, knownBefore);
    if (sales.length === 0) continue;
    if (kind === 'minifig') {
      learner.addMinifig({ ...item, sales }, rank);
    } else {
      const isOver = ({ week }: { week: number }) =>
        knownBefore === null || weekStart(week + 1) <= knownBefore;
      const retailWeeks = item.retailWeeks.filter(isOver);
      learner.addSet({ ...item, sales, retailWeeks }, rank);
    }
  }
  return learner;
}

/** Sales as they were known before an instant: what was taken back later still counted. */
function knownSales(sales: readonly StoredSale[], knownBefore: number): StoredSale[] {
  return sales
    .filter(({ ingestedAt }) => ingestedAt < knownBefore)
    .map((sale) => {
      const isLater = sale.retractedAt !== null && sale.retractedAt >= knownBefore;
      return isLater ? { ...sale, retractedAt: null } : sale;
    });
}
