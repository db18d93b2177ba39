/**
 * The back-test, rolling through time: before each sale that is scored, every method says what it
 * would have said then, from the rows that had arrived; then the sale and the true value tell.
 */
import type { KnownItem } from '../../domain/known-market.ts';
import { type Condition, conditions, type StoredSale } from '../../domain/market.ts';
import { dayMs, monthOf } from '../../domain/time.ts';
import { normalise, type Observation } from '../normalise.ts';
import type { Known, Method, Prediction } from './methods.ts';

/** How many sales of the condition there were in the 180 days before. */
export const salesBuckets = ['0', '1–2', '3–9', '10+'] as const;
export type SalesBucket = (typeof salesBuckets)[number];

/** One sale that was scored, and what each method had said. */
export interface Score {
  readonly item: string;
  readonly condition: Condition;
  readonly bucket: SalesBucket;
  /** Whether there had been no sale in this condition at all. */
  readonly isFirst: boolean;
  /** Logarithms of cents. */
  readonly soldLog: number;
  readonly trueLog: number;
  /** In the order of the methods. */
  readonly predictions: readonly (Prediction | null)[];
}

const recentMs = 180 * dayMs;

/** Scores the first plain sale of each month in each condition, from an instant on. */
export function scoreItem(item: KnownItem, methods: readonly Method[], from: number): Score[] {
  const rows = item.sales.map(({ sale, isPlain }) => ({ sale, isPlain, seen: normalise(sale) }));
  return conditions.flatMap((condition) => {
    const scored = new Set<number>();
    return rows.flatMap(({ sale, isPlain, seen }) => {
      const month = monthOf(sale.soldAt);
      const isScored = isPlain && sale.condition === condition && sale.soldAt >= from;
      if (!isScored || seen === null || sale.retractedAt !== null || scored.has(month)) return [];
      scored.add(month);
      const known = knownAt(item, rows, { condition, at: sale.soldAt });
      return [
        {
          item: item.key,
          condition,
          bucket: bucketOf(known),
          isFirst: known.observations.length === 0,
          soldLog: seen.log,
          trueLog: item.trueLog(condition, sale.soldAt),
          predictions: methods.map((method) => method.predict(known)),
        },
      ];
    });
  });
}

interface Row {
  readonly sale: StoredSale;
  readonly seen: Observation | null;
}

/** What had arrived, and was not taken back yet. */
function knownAt(
  item: KnownItem,
  rows: readonly Row[],
  when: { readonly condition: Condition; readonly at: number },
): Known {
  const { condition, at } = when;
  const arrived = rows.filter(
    ({ sale }) => sale.ingestedAt < at && (sale.retractedAt === null || sale.retractedAt >= at),
  );
  const observations = arrived.flatMap(({ sale, seen }) =>
    seen && sale.condition === condition ? [seen] : [],
  );
  // The estimator leaves out whatever was taken back; that this would happen was not known yet.
  const sales = arrived.map(({ sale }) => ({ ...sale, retractedAt: null }));
  const { retiredAt } = item.facts;
  const facts = {
    ...item.facts,
    retiredAt: retiredAt !== null && retiredAt <= at ? retiredAt : null,
  };
  return { at, condition, facts, sales, observations };
}

function bucketOf({ observations, at }: Known): SalesBucket {
  const count = observations.filter((o) => o.at > at - recentMs).length;
  if (count === 0) return '0';
  if (count < 3) return '1–2';
  return count < 10 ? '3–9' : '10+';
}
