/** Price history as steps: months first, then published changes. */
import { describe, expect, test } from 'bun:test';
import { dayMs, formatDay, monthOf } from '../kernel/time.ts';
import type { EventDetails } from './events.ts';
import { type PricePast, priceSteps, type RetailChange } from './price-steps.ts';

const at = Date.UTC(2026, 10, 16);
const november = monthOf(at);
const day = (text: string) => Date.parse(text);

const change = (text: string, before: EventDetails, after: EventDetails): RetailChange => {
  return { at: day(text), retailer: 'retailer_a', before, after };
};
const price = (text: string, from: number, to: number) =>
  change(text, { priceCents: from }, { priceCents: to });

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

  test('are the changes from the month of the first change on', () => {
    const months = [
      [november - 1, 110],
      [november, 90],
    ] as const;
    const changes = [price('2026-11-05', 120, 90), price('2026-11-09', 90, 100)];
    expect(shown({ months, changes })).toEqual([
      '2026-10-01 110',
      '2026-11-01 120',
      '2026-11-05 90',
      '2026-11-09 100',
      '2026-11-16 100',
    ]);
  });

  test('do not extend a price further back than the log', () => {
    const changes = [price('2026-08-20', 120, 100)];
    expect(shown({ months: [[november - 3, 80]], changes }).slice(0, 3)).toEqual([
      '2026-08-01 80',
      `${formatDay(at - 90 * dayMs)} 120`,
      '2026-08-20 100',
    ]);
  });

  test('have no price while out of stock, and the latest one afterwards', () => {
    const changes = [
      change('2026-11-03', { inStock: true }, { inStock: false }),
      price('2026-11-04', 100, 90),
      change('2026-11-06', { inStock: false }, { inStock: true }),
      price('2026-11-06', 90, 95),
    ];
    expect(shown({ changes })).toEqual([
      '2026-11-01 100',
      '2026-11-03 null',
      '2026-11-04 null',
      '2026-11-06 95',
      '2026-11-16 100',
    ]);
  });

  test('have no price before it first came into stock', () => {
    const changes = [
      price('2026-11-03', 90, 95),
      change('2026-11-05', { inStock: false }, { inStock: true }),
      price('2026-11-07', 95, 100),
    ];
    expect(shown({ changes })).toEqual([
      '2026-11-01 null',
      '2026-11-03 null',
      '2026-11-05 95',
      '2026-11-07 100',
      '2026-11-16 100',
    ]);
  });
});
