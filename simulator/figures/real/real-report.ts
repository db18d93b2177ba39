/** Groups scores on real prices. */

import { at } from '../../../src/kernel/at.ts';
import type { Condition } from '../../../src/market/source-rows/source-rows.ts';
import { quantile } from '../../../src/market/values/quantile.ts';
import type { RealScore } from './real-scores.ts';

/** Errors are medians of |value ÷ worth − 1|. */
export interface RealFigures {
  readonly sets: number;
  /** Sets without a value, which other figures exclude. */
  readonly nulls: number;
  readonly error: number | null;
  /** Median of value ÷ worth, minus one. */
  readonly bias: number | null;
  /** Share of errors above a factor of three. */
  readonly farOff: number | null;
  /** Coverage, and median of high over low. */
  readonly inRange: number | null;
  readonly width: number | null;
}

export interface RealGroup extends RealFigures {
  readonly by: string;
  readonly group: string;
}

/** Cold starts by group, and the effect of a few sales. */
export interface RealReport {
  readonly name: string;
  readonly cold: Readonly<Record<Condition, readonly RealGroup[]>>;
  readonly warm: Readonly<Record<Condition, readonly RealGroup[]>>;
}

const themesShown = 12;

export function reportOf(name: string, scores: readonly RealScore[]): RealReport {
  const of = (condition: Condition) => scores.filter((score) => score.condition === condition);
  return {
    name,
    cold: { sealed: coldGroups(of('sealed')), used: coldGroups(of('used')) },
    warm: { sealed: warmGroups(of('sealed')), used: warmGroups(of('used')) },
  };
}

export function figuresOf(scores: readonly RealScore[]): RealFigures {
  const errors = scores.flatMap(({ error }) => error ?? []);
  const median = (values: readonly number[]) =>
    values.length === 0 ? null : quantile(values, 0.5);
  const share = (holds: (error: (typeof errors)[number]) => boolean) =>
    errors.length === 0 ? null : errors.filter(holds).length / errors.length;
  return {
    sets: scores.length,
    nulls: scores.length - errors.length,
    error: median(errors.map(({ value }) => Math.abs(Math.exp(value) - 1))),
    bias: median(errors.map(({ value }) => Math.exp(value) - 1)),
    farOff: share(({ value }) => Math.abs(value) > Math.log(3)),
    inRange: share(({ low, high }) => low <= 0 && high >= 0),
    width: median(errors.map(({ low, high }) => Math.exp(high - low))),
  };
}

type Grouping = readonly [by: string, groupOf: (score: RealScore) => string | null];

const groupings: readonly Grouping[] = [
  ['all', () => 'all'],
  ['retail price', priceOf],
  ['era', ({ set }) => eraOf(set.facts.releasedAt)],
  ['before 2000', (score) => (isOld(score) ? 'all' : null)],
  ['before 2000', (score) => (isOld(score) ? priceOf(score) : null)],
  ['class', ({ set }) => set.facts.itemClass],
  ['worth', ({ set, condition }) => bandOf(set.worth[condition] ?? 0)],
  ['minifigs', ({ set }) => minifigsOf(set.facts.minifigs ?? 0)],
  ['retirement', ({ set }) => (set.facts.retiredAt === null ? 'date not known' : 'date known')],
  ['theme', ({ set }) => set.facts.theme],
];

function coldGroups(scores: readonly RealScore[]): RealGroup[] {
  const cold = scores.filter(({ sales }) => sales === 0);
  const shown = cold.filter(({ isPriceHidden }) => !isPriceHidden);
  const hidden = cold.filter(({ isPriceHidden }) => isPriceHidden);
  return [
    ...groupings.flatMap(([by, groupOf]) => groupsOf(by, shown, groupOf)),
    { by: 'retail price', group: prices.hidden, ...figuresOf(hidden) },
  ];
}

function warmGroups(scores: readonly RealScore[]): RealGroup[] {
  const open = scores.filter(({ isPriceHidden }) => !isPriceHidden);
  return groupsOf('sales', open, ({ sales }) => String(sales));
}

function groupsOf(
  by: string,
  scores: readonly RealScore[],
  groupOf: (score: RealScore) => string | null,
): RealGroup[] {
  const groups = [...Map.groupBy(scores, groupOf)].flatMap(([group, some]) =>
    group === null ? [] : [{ by, group, ...figuresOf(some) }],
  );
  if (by !== 'theme') return groups.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  return groups.sort((a, b) => b.sets - a.sets).slice(0, themesShown);
}

function priceOf({ set }: RealScore): string {
  return set.facts.msrpCents ? prices.known : prices.unknown;
}

const prices = { known: 'known', unknown: 'not known', hidden: 'known, but hidden' };
const eras = ['before 1990', '1990s', '2000s', '2010s', '2020s'];
const bands = ['below 10 $', '10 to 25 $', '25 to 100 $', '100 to 300 $', '300 $ and above'];
const minifigCounts = ['none', '1 to 3', '4 and more'];

/** The order of groups; others come first. */
const order = [...Object.values(prices), ...eras, ...bands, ...minifigCounts, '0', '1', '3', '10'];

function eraOf(releasedAt: number | null): string | null {
  if (releasedAt === null) return null;
  const decade = Math.floor(new Date(releasedAt).getUTCFullYear() / 10) * 10;
  return decade < 1990 ? 'before 1990' : `${decade}s`;
}

function isOld({ set }: RealScore): boolean {
  const { releasedAt } = set.facts;
  return releasedAt !== null && releasedAt < Date.UTC(2000, 0, 1);
}

function bandOf(cents: number): string {
  const limits = [10_00, 25_00, 100_00, 300_00];
  return at(bands, limits.filter((limit) => cents >= limit).length);
}

function minifigsOf(count: number): string {
  return at(minifigCounts, count === 0 ? 0 : count <= 3 ? 1 : 2);
}
