/** When a condition is met, to the cent. */
import { expect, test } from 'bun:test';
import type { AlertCondition } from './alert-rule.ts';
import { isAboutOffers, isConcerned, isMet, type MetFacts, noFacts, ruleValue } from './is-met.ts';

const met = (condition: AlertCondition, facts: Partial<MetFacts>) =>
  isMet(condition, { ...noFacts, ...facts });

test('a price is at most a target, an amount, or a share of the value or of the max buy price', () => {
  const at = (condition: AlertCondition, priceCents: number | null, limit: Partial<MetFacts>) =>
    met(condition, { ...limit, priceCents });
  const cases: [AlertCondition, Partial<MetFacts>][] = [
    [{ kind: 'price_target' }, { targetCents: 50_00 }],
    [{ kind: 'price_amount', cents: 50_00 }, {}],
    [{ kind: 'price_of_value', percent: 62.5 }, { valueCents: 80_00 }],
    [{ kind: 'price_of_max_buy', percent: 110 }, { maxBuyCents: 45_46 }],
  ];
  for (const [condition, limit] of cases) {
    expect(at(condition, 50_00, limit)).toBe(true);
    expect(at(condition, 50_01, limit)).toBe(false);
    expect(at(condition, null, limit)).toBe(false);
  }
  // Without a value to compare with, the condition is not met.
  for (const [condition] of cases.filter(([{ kind }]) => kind !== 'price_amount')) {
    expect(at(condition, 1, {})).toBe(false);
  }
  // 70 percent of 69.99 are 48.993 dollars, and 7 percent of 100 dollars exactly 7.
  expect(
    met({ kind: 'price_of_value', percent: 70 }, { priceCents: 48_99, valueCents: 69_99 }),
  ).toBe(true);
  expect(
    met({ kind: 'price_of_value', percent: 7 }, { priceCents: 7_00, valueCents: 100_00 }),
  ).toBe(true);
});

test('an all-time low must be available', () => {
  const low = { kind: 'all_time_low' } as const;
  expect(met(low, { priceCents: 5, isAtLowest: true })).toBe(true);
  expect(met(low, { priceCents: 5 })).toBe(false);
  expect(met(low, { isAtLowest: true })).toBe(false);
});

test('a value is up or down by a percentage of its base', () => {
  const value = (kind: 'value_up' | 'value_down', valueCents: number | null) =>
    met({ kind, percent: 10 }, { valueCents, baseCents: 100_00 });
  expect([109_99, 110_00, 90_00].map((cents) => value('value_up', cents))).toEqual([
    false,
    true,
    false,
  ]);
  expect([90_01, 90_00, 110_00].map((cents) => value('value_down', cents))).toEqual([
    false,
    true,
    false,
  ]);
  expect([value('value_up', null), value('value_down', null)]).toEqual([false, false]);
  expect(met({ kind: 'value_up', percent: 0 }, { valueCents: 5 })).toBe(false);
});

test('a margin is relative to the cost basis; without a cost there is none', () => {
  const margin = (valueCents: number, costCents: number) =>
    met({ kind: 'margin', percent: 20 }, { held: { valueCents, costCents } });
  expect([margin(120_00, 100_00), margin(119_99, 100_00), margin(5, 0)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(met({ kind: 'margin', percent: 20 }, {})).toBe(false);
  // A cent is a cost.
  expect(margin(2, 1)).toBe(true);
});

test('sell-through is met from its limit on, and never while it is not known', () => {
  const sold = (sellThrough: number | null) =>
    met({ kind: 'sell_through', percent: 40 }, { sellThrough });
  expect([sold(40), sold(39.9), sold(null)]).toEqual([true, false, false]);
});

test('flips and stock depend on their events only, and other conditions do not', () => {
  expect(met({ kind: 'flip', to: 'retailer' }, { priceCents: 1, isAtLowest: true })).toBe(false);
  expect(met({ kind: 'back_in_stock' }, { priceCents: 1, isAtLowest: true })).toBe(false);
  expect(isConcerned({ kind: 'flip', to: 'retailer' }, 'retail.flip')).toBe(true);
  expect(isConcerned({ kind: 'back_in_stock' }, 'retail.stock')).toBe(true);
  expect(isConcerned({ kind: 'back_in_stock' }, 'retail.price')).toBe(false);
  expect(isConcerned({ kind: 'price_target' }, 'retail.stock')).toBe(true);
  expect(isConcerned({ kind: 'price_target' }, 'value.move')).toBe(false);
  expect(isConcerned({ kind: 'price_of_value', percent: 1 }, 'value.move')).toBe(true);
  expect(isConcerned({ kind: 'margin', percent: 1 }, 'value.move')).toBe(true);
});

test('rules use the value of a new set, and of a used minifig', () => {
  const values = { sealed: 10, used: 7 };
  expect([ruleValue({ kind: 'set', values }), ruleValue({ kind: 'minifig', values })]).toEqual([
    10, 7,
  ]);
});

test('conditions on values and margins are about the item, and all others about an offer', () => {
  const aboutItems: AlertCondition[] = [
    { kind: 'value_up', percent: 1 },
    { kind: 'value_down', percent: 1 },
    { kind: 'margin', percent: 1 },
    { kind: 'sell_through', percent: 1 },
  ];
  expect(aboutItems.map(isAboutOffers)).toEqual([false, false, false, false]);
  const others: AlertCondition[] = [{ kind: 'price_target' }, { kind: 'back_in_stock' }];
  expect(others.map(isAboutOffers)).toEqual([true, true]);
});
