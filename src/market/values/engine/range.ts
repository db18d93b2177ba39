/** Ranges of the next ordinary sale, from the 10% and 90% quantiles of past standardized errors. */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { at } from '../../../kernel/at.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import { normalAbove, soldShares } from '../price.ts';

/** Sales within 180 days. */
export const supportNames = ['0', '1-2', '3-9', '10+'] as const;
export type Support = (typeof supportNames)[number];

/** By support, or never sold. */
export type RangeGroup = Support | 'never';

/** Falling: prices of several sales were too low. Moved: they proved another price of late. */
export type Motion = 'steady' | 'falling' | 'moved';

/** Quantiles of standardized errors: 10%, 90%, and one for each of `soldShares`. */
export interface Quantiles {
  readonly low: number;
  readonly high: number;
  /** The error that each of `soldShares` of errors exceeds; absent until learned. */
  readonly above?: readonly number[];
}

/** By kind, condition, and support or motion; missing groups fall back to wider ones. */
export type RangeTable = Readonly<Record<string, Quantiles>>;

/** Of a standard normal distribution. */
const normalTenth = -1.2816;

/** Of Student's t with 3, 5 and 10 degrees of freedom: what each of `soldShares` exceeds. */
const t3 = [0, -0.137, -0.277, -0.424, -0.584, -0.765, -0.979, -1.25, -1.638, -2.353];
const t5 = [0, -0.132, -0.267, -0.408, -0.559, -0.727, -0.92, -1.156, -1.476, -2.015];
const t10 = [0, -0.129, -0.26, -0.397, -0.542, -0.7, -0.879, -1.093, -1.372, -1.813];

/**
 * Until errors are known: Student's t, because the scatter of an item is itself estimated, from few
 * sales. Degrees of freedom are those of the scatter that every item starts from, plus its sales.
 */
const initial: Readonly<Record<RangeGroup, Quantiles>> = {
  never: fromAbove(t3),
  '0': fromAbove(t3),
  '1-2': fromAbove(t3),
  '3-9': fromAbove(t5),
  '10+': fromAbove(t10),
};

function fromAbove(above: readonly number[]): Quantiles {
  const low = at(above, soldShares.indexOf(0.9));
  return { low, high: -low, above };
}

/** Narrowest first. Motion says more about errors than support does. */
export function groupNames(
  kind: ItemKind,
  condition: Condition,
  { group, motion }: { readonly group: RangeGroup; readonly motion: Motion },
): readonly string[] {
  return names[kind][condition][group][motion];
}

/** Precomputed, because they are needed for every sale and month. */
const names = {
  set: { sealed: namesOf('set sealed'), used: namesOf('set used') },
  minifig: { sealed: namesOf('minifig sealed'), used: namesOf('minifig used') },
};

type NamesByMotion = Readonly<Record<Motion, readonly string[]>>;

function namesOf(group: string): Readonly<Record<RangeGroup, NamesByMotion>> {
  const kind = group.split(' ')[0] ?? '';
  const of = (support: Support): NamesByMotion => {
    const steady = [`${group} ${support}`, group, kind];
    const moving = (motion: Motion) => [`${group} ${motion}`, `${kind} ${motion}`, ...steady];
    return { steady, falling: moving('falling'), moved: moving('moved') };
  };
  // Errors of sold items say nothing about items that were never sold.
  const never = [`${group} never`, `${kind} never`];
  return {
    never: { steady: never, falling: never, moved: never },
    '0': of('0'),
    '1-2': of('1-2'),
    '3-9': of('3-9'),
    '10+': of('10+'),
  };
}

/** Of the narrowest group with data. */
export function quantilesOf(
  table: RangeTable,
  names: readonly string[],
  group: RangeGroup,
): Quantiles {
  for (const name of names) {
    const found = table[name];
    if (found) return found;
  }
  return initial[group];
}

/** If not learned, normal quantiles scaled to the lower bound of the range. */
export function aboveOf({ low, above }: Quantiles): readonly number[] {
  if (above) return above;
  return normalAbove.map(
    (quantile) => Math.round(((quantile * low) / normalTenth) * 1_000) / 1_000,
  );
}

export function supportOf(salesIn180Days: number): Support {
  if (salesIn180Days === 0) return '0';
  if (salesIn180Days < 3) return '1-2';
  return salesIn180Days < 10 ? '3-9' : '10+';
}
