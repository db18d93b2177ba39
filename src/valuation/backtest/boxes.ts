/** Boxes of what was sold in one month: how often the range of a sum held what they brought. */

import { type BoxItem, rangeOfSum } from '../../domain/buying/box-sum.ts';
import type { Resale } from '../../domain/buying/resale.ts';
import type { RandomSource } from './probes.ts';

/** Something that a box can hold: what was known of it, and what units of it brought, in order. */
export interface BoxedItem {
  readonly resale: Resale;
  readonly pricesCents: readonly number[];
}

/** How often boxes of one size brought what was expected. */
export interface BoxReport {
  readonly items: number;
  readonly boxes: number;
  /** Shares of boxes within the range, and below and above it. */
  readonly inside: number;
  readonly below: number;
  readonly above: number;
  /** The median of what a box brought over the median that was expected, less one. */
  readonly bias: number;
}

/** So many different items are in a box. */
const boxSizes = [2, 5, 15, 50] as const;

const boxesPerMonth = 40;

/** Draws boxes of every size from the items of each month. */
export function boxReports(
  months: readonly (readonly BoxedItem[])[],
  random: RandomSource,
): BoxReport[] {
  return boxSizes.map((size) => {
    const brought: Brought[] = [];
    for (const items of months) {
      for (let box = 0; items.length >= size && box < boxesPerMonth; box++) {
        brought.push(...fillBox(items, size, random));
      }
    }
    return { items: size, ...summed(brought) };
  });
}

interface Brought {
  readonly place: 'inside' | 'below' | 'above';
  readonly log: number;
}

function fillBox(items: readonly BoxedItem[], size: number, random: RandomSource): Brought[] {
  const boxed: BoxItem[] = [];
  let sumCents = 0;
  for (let index = 0; index < size; index++) {
    const item = items[Math.floor(random.fraction() * items.length)];
    if (!item) continue;
    const { valueCents, valueSpread, saleSpread } = item.resale.price;
    const quantity = 1 + Math.floor(random.fraction() * item.pricesCents.length);
    boxed.push({ quantity, log: Math.log(valueCents), valueSpread, saleSpread });
    for (const cents of item.pricesCents.slice(0, quantity)) sumCents += cents;
  }
  const range = rangeOfSum(boxed);
  if (range === null) return [];
  const { lowCents, medianCents, highCents } = range;
  const place = sumCents < lowCents ? 'below' : sumCents > highCents ? 'above' : 'inside';
  return [{ place, log: Math.log(sumCents / medianCents) }];
}

function summed(brought: readonly Brought[]): Omit<BoxReport, 'items'> {
  const share = (of: Brought['place']) =>
    brought.filter(({ place }) => place === of).length / brought.length;
  const logs = brought.map(({ log }) => log).sort((a, b) => a - b);
  return {
    boxes: brought.length,
    inside: share('inside'),
    below: share('below'),
    above: share('above'),
    bias: Math.expm1(logs[Math.floor(logs.length / 2)] ?? Number.NaN),
  };
}
