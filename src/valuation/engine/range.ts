/**
 * Prediction ranges of the next ordinary sale, from the 10% and 90% quantiles of past standardized
 * errors.
 */

import { normalAbove } from '../../domain/buying/price.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { Condition } from '../../domain/market/source-rows.ts';

/** Sales within 180 days. */
export const supportNames = ['0', '1-2', '3-9', '10+'] as const;
export type Support = (typeof supportNames)[number];

/** By support, or never sold. */
export type RangeGroup = Support | 'never';

/** Quantiles of standardized errors: 10%, 90%, and one for each of `soldShares`. */
export interface Quantiles {
  readonly low: number;
  readonly high: number;
  /** The error that each of `soldShares` of errors exceeds; absent until learned. */
  readonly above?: readonly number[];
}

/** By kind, condition and support; missing groups fall back to wider ones. */
export type RangeTable = Readonly<Record<string, Quantiles>>;

/** Standard normal quantiles, until errors are known. */
const normal: Quantiles = { low: -1.2816, high: 1.2816 };

/** Narrowest first. */
export function groupNames(
  kind: ItemKind,
  condition: Condition,
  group: RangeGroup,
): readonly string[] {
  return names[kind][condition][group];
}

/** Precomputed, because they are needed for every sale and month. */
const names = {
  set: { sealed: namesOf('set sealed'), used: namesOf('set used') },
  minifig: { sealed: namesOf('minifig sealed'), used: namesOf('minifig used') },
};

function namesOf(group: string): Readonly<Record<RangeGroup, readonly string[]>> {
  const kind = group.split(' ')[0] ?? '';
  const of = (support: Support) => [`${group} ${support}`, group, kind];
  return {
    // Errors of sold items say nothing about items that were never sold.
    never: [`${group} never`, `${kind} never`],
    '0': of('0'),
    '1-2': of('1-2'),
    '3-9': of('3-9'),
    '10+': of('10+'),
  };
}

/** Of the narrowest group with data. */
export function quantilesOf(table: RangeTable, names: readonly string[]): Quantiles {
  for (const name of names) {
    const found = table[name];
    if (found) return found;
  }
  return normal;
}

/** If not learned, normal quantiles scaled to the lower bound of the range. */
export function aboveOf({ low, above }: Quantiles): readonly number[] {
  if (above) return above;
  if (low === normal.low) return normalAbove;
  return normalAbove.map((quantile) => Math.round(((quantile * low) / normal.low) * 1_000) / 1_000);
}

export function supportOf(salesIn180Days: number): Support {
  if (salesIn180Days === 0) return '0';
  if (salesIn180Days < 3) return '1-2';
  return salesIn180Days < 10 ? '3-9' : '10+';
}
