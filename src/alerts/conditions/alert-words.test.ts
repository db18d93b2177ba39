/** Texts of alerts, at the limits where their wording changes. */
import { expect, test } from 'bun:test';
import type { AlertCondition, AlertScope } from './alert-rule.ts';
import { conditionText, reasonText, ruleText, whyText } from './alert-words.ts';
import type { MetFacts } from './is-met.ts';

const names = { retailer_a: 'Shop A', retailer_b: 'Shop B' };
const subject = { itemKind: 'set', number: '10', title: 'Dock', retailer: 'retailer_a' } as const;
const facts: MetFacts = {
  isAtLowest: false,
  priceCents: 90_00,
  valueCents: 120_00,
  baseCents: 100_00,
  targetCents: 100_00,
  maxBuyCents: 100_00,
  held: { valueCents: 150_00, costCents: 100_00 },
  sellThrough: 43.2,
};

const reason = (condition: AlertCondition, changes: Partial<MetFacts> = {}) =>
  reasonText(condition, { ...facts, ...changes }, { subject, names });

test('a price is at a limit, just below it, or a percentage below it', () => {
  const target = (priceCents: number) => reason({ kind: 'price_target' }, { priceCents });
  const end = 'your target of $100.00';
  expect(target(100_00)).toBe(`10 Dock is $100.00 at Shop A, at ${end}`);
  expect(target(99_96)).toBe(`10 Dock is $99.96 at Shop A, just below ${end}`);
  expect(target(99_95)).toBe(`10 Dock is $99.95 at Shop A, 0.1% below ${end}`);
  expect(target(90_00)).toBe(`10 Dock is $90.00 at Shop A, 10% below ${end}`);
  expect(reason({ kind: 'price_amount', cents: 95_00 })).toEndWith(
    ', 5.3% below your limit of $95.00',
  );
});

test('a share of the max buy price is named only if it is not 100%', () => {
  const end = 'your max buy price of $100.00';
  expect(reason({ kind: 'price_of_max_buy', percent: 100 })).toEndWith(`, 10% below ${end}`);
  expect(reason({ kind: 'price_of_max_buy', percent: 95 })).toEndWith(`, 90% of ${end}`);
  expect(conditionText({ kind: 'price_of_max_buy', percent: 100 })).toBe(
    'Price at or below max buy price',
  );
  expect(conditionText({ kind: 'price_of_max_buy', percent: 95 })).toBe(
    'Price at or below 95% of max buy price',
  );
});

test('values, changes and margins are shown with what they are compared with', () => {
  expect(reason({ kind: 'price_of_value', percent: 80 })).toEndWith(
    ', 75% of its value of $120.00',
  );
  expect(reason({ kind: 'value_up', percent: 10 })).toBe(
    '10 Dock is worth $120.00, up 20% from $100.00',
  );
  const fallen = { kind: 'value_down', percent: 10 } as const;
  expect(reason(fallen, { valueCents: 80_00 })).toBe(
    '10 Dock is worth $80.00, down 20% from $100.00',
  );
  expect(reason({ kind: 'margin', percent: 50 })).toBe(
    'Your 10 Dock is worth $150.00, 50% over its cost basis of $100.00',
  );
});

test('sell-through is shown with the limit in the rule, and the figure in the message', () => {
  expect(reason({ kind: 'sell_through', percent: 40 })).toBe(
    '10 Dock has a sell-through of 43.2% over 90 days',
  );
  expect(conditionText({ kind: 'sell_through', percent: 40 })).toBe('Sell-through of 40% or more');
});

test('unknown amounts are shown as zero', () => {
  const none: MetFacts = {
    isAtLowest: false,
    priceCents: null,
    valueCents: null,
    baseCents: null,
    targetCents: null,
    maxBuyCents: null,
    held: null,
    sellThrough: null,
  };
  const price = '10 Dock is $0.00 at Shop A';
  const cases: readonly (readonly [AlertCondition, string])[] = [
    [{ kind: 'price_target' }, `${price}, at your target of $0.00`],
    [{ kind: 'price_of_value', percent: 80 }, `${price}, 0% of its value of $0.00`],
    [{ kind: 'price_of_max_buy', percent: 95 }, `${price}, 0% of your max buy price of $0.00`],
    [{ kind: 'value_up', percent: 10 }, '10 Dock is worth $0.00, up 0% from $0.00'],
    [
      { kind: 'margin', percent: 50 },
      'Your 10 Dock is worth $0.00, 0% over its cost basis of $0.00',
    ],
  ];
  for (const [condition, text] of cases) expect(reason(condition, none)).toBe(text);
  expect(reason({ kind: 'price_amount', cents: 10 }, none)).toEndWith(
    ', 100% below your limit of $0.10',
  );
  expect(reason({ kind: 'value_up', percent: 10 }, { baseCents: null })).toEndWith(
    'worth $120.00, up 1200000% from $0.00',
  );
});

test('every condition and scope has a text', () => {
  const texts = (
    [
      { kind: 'price_target' },
      { kind: 'price_amount', cents: 95_00 },
      { kind: 'price_of_value', percent: 80 },
      { kind: 'flip', to: 'third_party' },
      { kind: 'flip', to: 'retailer' },
      { kind: 'back_in_stock' },
      { kind: 'value_up', percent: 10 },
      { kind: 'value_down', percent: 10 },
      { kind: 'margin', percent: 50 },
    ] as const
  ).map(conditionText);
  expect(texts).toEqual([
    'Price at or below target',
    'Price at or below $95.00',
    'Price at or below 80% of value',
    'No longer sold by the retailer, only by third parties',
    'Sold by the retailer again',
    'Back in stock',
    'Value up 10% or more',
    'Value down 10% or more',
    'Gain of 50% or more over cost basis',
  ]);
  const condition = { kind: 'back_in_stock' } as const;
  const on = (scope: AlertScope, list: string | null = null) =>
    ruleText({ scope, condition }, list);
  expect(on({ kind: 'holdings' })).toBe('Back in stock, on your holdings');
  expect(on({ kind: 'list', listId: 1 }, 'Soon')).toBe('Back in stock, on Soon');
  expect(on({ kind: 'list', listId: 1 })).toBe('Back in stock, on a deleted list');
  expect(on({ kind: 'theme', theme: 'Docks' })).toBe('Back in stock, in Docks');
});

test('a flip is described in its direction, and an unknown retailer generically', () => {
  const flip = (to: 'third_party' | 'retailer', retailer: 'retailer_a' | null) =>
    reasonText({ kind: 'flip', to }, facts, {
      subject: { ...subject, retailer },
      names,
    });
  expect(flip('third_party', 'retailer_a')).toBe(
    '10 Dock is now sold only by third parties at Shop A',
  );
  expect(flip('retailer', null)).toBe('10 Dock is sold by the retailer itself again');
});

test("a name that only repeats the rule's text is left out", () => {
  const rule = { scope: { kind: 'all' }, condition: { kind: 'all_time_low' } } as const;
  expect(ruleText(rule, null)).toBe('New all-time low, on everything');
  const start = "You're getting this because of your alert:";
  expect(whyText({ ...rule, name: 'New all-time low' }, null)).toBe(
    `${start} New all-time low, on everything.`,
  );
  expect(whyText({ ...rule, name: 'Mine' }, null)).toBe(
    `${start} Mine (New all-time low, on everything).`,
  );
});
