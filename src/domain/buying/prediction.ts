/**
 * What was predicted of a purchase on the day it was recorded, and what became of it. A prediction
 * is never made again: it is there to be held against what happened.
 */
import type { Condition } from '../market/source-rows.ts';
import type { FeeTables, SellingChannel } from './channels.ts';
import { bestSale } from './deal.ts';
import { type Resale, usualTerms } from './resale.ts';

/** Purchases that are recorded later than this were decided on by what was known before. */
export const predictedDaysMax = 30;

/** What selling one unit was predicted to bring, in the channel that was to bring most. */
export interface LotPrediction {
  readonly at: number;
  readonly condition: Condition;
  readonly valueCents: number;
  /** What half of all sales would net, and four in five. */
  readonly netHalfCents: number;
  readonly netSafeCents: number;
  readonly channel: SellingChannel;
  /** Null where nobody knew how often it sells. */
  readonly waitDays: number | null;
}

/** Units that were predicted and are sold, added up. */
export interface Grade {
  readonly units: number;
  readonly costCents: number;
  /** What half of all sales would have netted, for these units. */
  readonly predictedCents: number;
  /** What they netted. */
  readonly gotCents: number;
  /** Units that netted what four in five were to net, or more. */
  readonly cleared: number;
}

/** What can be predicted of a unit; null where its value is modeled, or no channel is known. */
export function predictionOf(
  tables: FeeTables,
  resale: Resale,
  { condition, at }: { readonly condition: Condition; readonly at: number },
): LotPrediction | null {
  const best =
    resale.tier === 'modeled' ? null : bestSale(tables, resale, { terms: usualTerms, at });
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
