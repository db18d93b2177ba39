/**
 * The prediction stored when a purchase is recorded, and its comparison with the actual sales. A
 * prediction is never recomputed.
 */
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import { bestSale } from '../deals/deal.ts';
import type { Resale } from './resale.ts';
import type { FeeTables, SellingChannel } from './selling-channels.ts';

/** Purchases recorded later than this get no prediction, as they were decided on other data. */
export const predictedDaysMax = 30;

/** The predicted proceeds of one unit, in the best channel. */
export interface LotPrediction {
  readonly at: number;
  readonly condition: Condition;
  readonly valueCents: number;
  /** Net proceeds exceeded by half of all sales, and by four in five. */
  readonly netHalfCents: number;
  readonly netSafeCents: number;
  readonly channel: SellingChannel;
  /** Null if the sales rate was unknown. */
  readonly waitDays: number | null;
}

/** Totals of sold units that had a prediction. */
export interface Grade {
  readonly units: number;
  readonly costCents: number;
  /** The sum of the predicted medians of these units. */
  readonly predictedCents: number;
  /** Their actual net proceeds. */
  readonly gotCents: number;
  /** Units with at least `netSafeCents`. */
  readonly cleared: number;
}

/** Null if the value is modeled or no channel has learned prices. */
export function predictionOf(
  tables: FeeTables,
  resale: Resale,
  { condition, at }: { readonly condition: Condition; readonly at: number },
): LotPrediction | null {
  const best =
    resale.tier === 'modeled' ? null : bestSale(tables, resale, { terms: defaultTerms, at });
  return (
    best && {
      at,
      condition,
      valueCents: resale.price.valueCents,
      netHalfCents: best.medianNetCents,
      netSafeCents: best.netCents,
      channel: best.channel,
      waitDays: best.waitDays,
    }
  );
}
