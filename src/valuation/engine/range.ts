/**
 * The range of the next ordinary sale: how far past sales were from what was expected of them, in
 * proportion to what the engine thought possible. Four in five of them lay inside.
 */

import { normalAbove } from '../../domain/buying/price.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { Condition } from '../../domain/market/source-rows.ts';

/** How many sales there were within 180 days. */
export const supportNames = ['0', '1-2', '3-9', '10+'] as const;
export type Support = (typeof supportNames)[number];

/** Items whose ranges are made alike: by their support, or those that were never sold at all. */
export type RangeGroup = Support | 'never';

/** Standardised errors: their tenth and ninetieth percentile, and what most of them are above. */
export interface Quantiles {
  readonly low: number;
  readonly high: number;
  /** What a share of the errors is above, by `soldShares`; absent until errors are known. */
  readonly above?: readonly number[];
}

/** Quantiles by kind, condition and support; what is missing is looked for in wider groups. */
export type RangeTable = Readonly<Record<string, Quantiles>>;

/** Until errors are known, they are taken to be normal. */
const normal: Quantiles = { low: -1.2816, high: 1.2816 };

/** The names of a group of sales, the narrowest first. */
export function groupNames(
  kind: ItemKind,
  condition: Condition,
  group: RangeGroup,
): readonly string[] {
  return names[kind][condition][group];
}

/** Made once: every sale and every month asks. */
const names = {
  set: { sealed: namesOf('set sealed'), used: namesOf('set used') },
  minifig: { sealed: namesOf('minifig sealed'), used: namesOf('minifig used') },
};

function namesOf(group: string): Readonly<Record<RangeGroup, readonly string[]>> {
  const kind = group.split(' ')[0] ?? '';
  const of = (support: Support) => [`${group} ${support}`, group, kind];
  return {
    // How far sold items are off says nothing of those that only facts are known of.
    never: [`${group} never`, `${kind} never`],
    '0': of('0'),
    '1-2': of('1-2'),
    '3-9': of('3-9'),
    '10+': of('10+'),
  };
}

/** The quantiles of the narrowest group that has any. */
export function quantilesOf(table: RangeTable, names: readonly string[]): Quantiles {
  for (const name of names) {
    const found = table[name];
    if (found) return found;
  }
  return normal;
}

/** What shares of errors are above; as if they were normal, where that was not learned. */
export function aboveOf({ low, above }: Quantiles): readonly number[] {
  if (above) return above;
  if (low === normal.low) return normalAbove;
  return normalAbove.map((quantile) => Math.round(((quantile * low) / normal.low) * 1_000) / 1_000);
}

/** The support that so many sales give. */
export function supportOf(salesIn180Days: number): Support {
  if (salesIn180Days === 0) return '0';
  if (salesIn180Days < 3) return '1-2';
  return salesIn180Days < 10 ? '3-9' : '10+';
}
