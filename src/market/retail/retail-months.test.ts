/** The lowest price of each month at a retailer. */
import { expect, test } from 'bun:test';
import { anOffer } from '../../../test/support/builders.ts';
import { formatMonth } from '../../kernel/time.ts';
import type { Offer } from '../source-rows/source-rows.ts';
import { foldOffers, monthsUntil } from './retail-state.ts';

const look = (day: string, priceCents: number | null): Offer =>
  anOffer({
    observedAt: Date.parse(`${day}T12:00:00Z`),
    priceCents,
  });

test('a price holds until the next observation; each month has its lowest one', () => {
  const state = foldOffers(null, [
    look('2026-01-05', 100_00),
    look('2026-01-06', 80_00),
    look('2026-01-31', 90_00),
    look('2026-03-10', null),
    look('2026-05-01', 70_00),
    look('2026-05-02', 75_00),
  ]);
  if (state === null) throw new Error('There are no observations.');
  const lows = (until: string) =>
    monthsUntil(state, Date.parse(until)).map(([month, cents]) => [formatMonth(month), cents]);
  const known = [
    ['2026-01', 80_00],
    ['2026-02', 90_00],
    ['2026-03', 90_00],
    ['2026-05', 70_00],
  ];
  expect(lows('2026-05-31')).toEqual(known);
  expect(lows('2026-07-01')).toEqual([...known, ['2026-06', 75_00], ['2026-07', 75_00]]);
  const ages = lows('2096-01-01');
  expect([ages.length, ages.at(-1)]).toEqual([360, ['2096-01', 75_00]]);
});

test('a lower price replaces the low of its month only', () => {
  const state = foldOffers(null, [
    look('2026-01-05', 100_00),
    look('2026-02-05', 90_00),
    look('2026-02-06', 90_00),
    look('2026-02-07', 85_00),
  ]);
  if (state === null) throw new Error('There are no observations.');
  const lows = (until: string) => monthsUntil(state, Date.parse(until)).map(([, cents]) => cents);
  expect(lows('2026-02-28')).toEqual([100_00, 85_00]);
  expect(lows('2026-03-01')).toEqual([100_00, 85_00, 85_00]);
});

test('the latest thirty years of months are kept', () => {
  const state = foldOffers(null, [look('1990-01-05', 50_00), look('2019-12-05', 60_00)]);
  if (state === null) throw new Error('There are no observations.');
  expect(state.months).toHaveLength(360);
  const later = foldOffers(state, [look('2020-01-05', null), look('2020-02-05', 40_00)]);
  const months = later?.months.map(([month, cents]) => [formatMonth(month), cents]) ?? [];
  expect([months.length, months[0], months.at(-1)]).toEqual([
    360,
    ['1990-03', 50_00],
    ['2020-02', 40_00],
  ]);
});
