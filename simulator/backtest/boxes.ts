/**
 * Coverage of box ranges: the total of items sold in the same month against its predicted range.
 */

import { type BoxItem, rangeOfSum } from '../../src/domain/buying/box-sum.ts';
import type { Resale } from '../../src/domain/buying/resale.ts';
import type { RandomSource } from './probes.ts';

export interface BoxedItem {
  readonly resale: Resale;
  readonly pricesCents: readonly number[];
}

export interface BoxReport {
  readonly items: number;
  readonly boxes: number;
  /** Shares of boxes. */
  readonly inside: number;
  readonly below: number;
  readonly above: number;
  /** Median of actual over predicted median, minus one. */
  readonly bias: number;
}

/** Different items per box. */
const boxSizes = [2, 5, 15, 50] as const;

const boxesPerMonth = 40;

export function boxReports(
  months: readonly (readonly BoxedItem[])[],
  random: RandomSource,
): BoxReport[] {
  return boxSizes.map((size) => {
    const results: BoxResult[] = [];
    for (const items of months) {
      for (let box = 0; items.length >= size && box < boxesPerMonth; box++) {
        results.push(...fillBox(items, size, random));
      }
    }
    return { items: size, ...summed(results) };
  });
}

interface BoxResult {
  readonly place: 'inside' | 'below' | 'above';
  readonly log: number;
}

function fillBox(items: readonly BoxedItem[], size: number, random: RandomSource): BoxResult[] {
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

function summed(results: readonly BoxResult[]): Omit<BoxReport, 'items'> {
  const share = (of: BoxResult['place']) =>
    results.filter(({ place }) => place === of).length / results.length;
  const logs = results.map(({ log }) => log).sort((a, b) => a - b);
  return {
    boxes: results.length,
    inside: share('inside'),
    below: share('below'),
    above: share('above'),
    bias: Math.expm1(logs[Math.floor(logs.length / 2)] ?? Number.NaN),
  };
}
