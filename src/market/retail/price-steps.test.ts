/** Price history as steps: months first, then published changes. */
import { describe, expect, test } from 'bun:test';
import { formatDay, monthOf } from '../../kernel/time.ts';
import { type PricePast, priceSteps } from './price-steps.ts';
import type { PastOffer } from './retail-history.ts';

const at = Date.UTC(2026, 10, 16);
const november = monthOf(at);
const day = (text: string) => Date.parse(text);

const change = (
  text: string,
  priceCents: number | null,
  facts: Partial<PastOffer> = {},
): PastOffer => ({
  at: day(text),
  retailer: 'retailer_a',
  priceCents,
  sellerType: null,
  inStock: true,
  isCorrected: false,
  ...facts,
});

const shown = (past: Partial<PricePast>) =>
  priceSteps({ months: [], changes: [], priceCents: 100, ...past }, at).map(
    (step) => `${formatDay(step.at)} ${step.cents}`,
  );

describe('the steps of a price', () => {
  test('are empty without any observation', () => {
    expect(shown({ priceCents: null })).toEqual([]);
  });

  test('are months only if there are no changes, with gaps where there was no offer', () => {
    const months = [
      [november - 3, 120],
      [november - 1, 110],
      [november, 100],
    ] as const;
    expect(shown({ months })).toEqual([
      '2026-08-01 120',
      '2026-09-01 null',
      '2026-10-01 110',
      '2026-11-01 100',
      '2026-11-16 100',
    ]);
  });

  test('end with the current price, also after a single month', () => {
    expect(shown({ months: [[november, 90]] })).toEqual(['2026-11-01 90', '2026-11-16 100']);
  });

  test('are the changes from the month of the first one on', () => {
    const months = [
      [november - 1, 110],
      [november, 90],
    ] as const;
    const changes = [change('2026-11-05', 100), change('2026-11-09', 90)];
    expect(shown({ months, changes })).toEqual([
      '2026-10-01 110',
      '2026-11-01 100',
      '2026-11-09 90',
      '2026-11-16 100',
    ]);
  });

  test('have no price without an offer or out of stock', () => {
    const changes = [
      change('2026-11-03', 100),
      change('2026-11-04', 100, { inStock: false }),
      change('2026-11-06', 95, { inStock: null }),
      change('2026-11-08', null, { inStock: false }),
    ];
    expect(shown({ changes, priceCents: null })).toEqual([
      '2026-11-01 100',
      '2026-11-04 null',
      '2026-11-06 95',
      '2026-11-08 null',
      '2026-11-16 null',
    ]);
  });

  test('have the low of the month before a first change that is no price', () => {
    const changes = [change('2026-11-08', null, { inStock: false })];
    expect(shown({ months: [[november, 90]], changes, priceCents: null })).toEqual([
      '2026-11-01 90',
      '2026-11-08 null',
      '2026-11-16 null',
    ]);
  });

  test('leave out prices that were wrong', () => {
    const wrong = change('2026-11-04', 1, { isCorrected: true });
    expect(shown({ changes: [change('2026-11-03', 100), wrong] })).toEqual([
      '2026-11-01 100',
      '2026-11-16 100',
    ]);
  });
});
