/**
 * Coverage of box ranges: what items of a day brought when they were sold, after the predicted
 * wait, against the range of their total.
 */

import { type BoxItem, rangeOfSum } from '../../src/buying/boxes/box-sum.ts';
import type { Resale } from '../../src/buying/prices/resale.ts';
import type { RandomSource } from './probes.ts';

export interface BoxedItem {
  readonly theme: string | null;
  /** As known on the day of the box. */
  readonly resale: Resale;
  /** Predicted, in the channel of values. */
  readonly waitDays: number;
  /** Prices of its next sales after the wait; at least one. */
  readonly pricesCents: readonly number[];
}

export const boxContents = ['mixed', 'one theme'] as const;
export type BoxContents = (typeof boxContents)[number];

export interface BoxReport {
  readonly contents: BoxContents;
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
const boxSizes = [2, 5, 15, 40] as const;

const boxesPerDay = 120;

/** By contents and size; without those that no day has enough items for. */
export function boxReports(
  days: readonly (readonly BoxedItem[])[],
  random: RandomSource,
): BoxReport[] {
  return boxContents.flatMap((contents) =>
    boxSizes.flatMap((size) => {
      const results = days.flatMap((items) => {
        const pools = poolsOf(items, contents).filter((pool) => pool.length >= size);
        return pools.length === 0 ? [] : fillBoxes(pools, size, random);
      });
      return results.length === 0 ? [] : [{ contents, items: size, ...summed(results) }];
    }),
  );
}

function poolsOf(items: readonly BoxedItem[], contents: BoxContents): (readonly BoxedItem[])[] {
  if (contents === 'mixed') return [items];
  const themes = Map.groupBy(items, ({ theme }) => theme);
  themes.delete(null);
  return [...themes.values()];
}

interface BoxResult {
  readonly place: 'inside' | 'below' | 'above';
  readonly log: number;
}

function fillBoxes(
  pools: readonly (readonly BoxedItem[])[],
  size: number,
  random: RandomSource,
): BoxResult[] {
  return Array.from({ length: boxesPerDay }, () => {
    const pool = pools[Math.floor(random.fraction() * pools.length)] ?? [];
    return sellBox(drawItems(pool, size, random), random);
  }).flat();
}

/** Without replacement, because copies of an item would share its error. */
function drawItems(pool: readonly BoxedItem[], size: number, random: RandomSource): BoxedItem[] {
  const left = [...pool];
  return Array.from({ length: size }, () =>
    left.splice(Math.floor(random.fraction() * left.length), 1),
  ).flat();
}

function sellBox(items: readonly BoxedItem[], random: RandomSource): BoxResult[] {
  const boxed: BoxItem[] = [];
  let sumCents = 0;
  for (const { resale, theme, waitDays, pricesCents } of items) {
    const { valueCents, valueSpread, saleSpread, soldAbove } = resale.price;
    const quantity = 1 + Math.floor(random.fraction() * pricesCents.length);
    const log = Math.log(valueCents);
    const { growthPerYear } = resale;
    boxed.push({
      quantity,
      log,
      valueSpread,
      saleSpread,
      soldAbove,
      theme,
      waitDays,
      growthPerYear,
    });
    for (const cents of pricesCents.slice(0, quantity)) sumCents += cents;
  }
  const range = rangeOfSum(boxed);
  if (range === null) return [];
  const { lowCents, medianCents, highCents } = range;
  const place = sumCents < lowCents ? 'below' : sumCents > highCents ? 'above' : 'inside';
  return [{ place, log: Math.log(sumCents / medianCents) }];
}

function summed(results: readonly BoxResult[]): Omit<BoxReport, 'contents' | 'items'> {
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
