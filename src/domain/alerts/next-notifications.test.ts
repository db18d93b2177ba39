/** What a rule tells of an item, and when it tells it again. */
import { expect, test } from 'bun:test';
import { dayMs } from '../kernel/time.ts';
import type { AlertCondition } from './alert-rule.ts';
import type { ItemFacts } from './is-met.ts';
import {
  type EventOfItem,
  matchesOf,
  type NextNotifications,
  nextNotifications,
  type OwnFacts,
  type RuleOnItem,
} from './next-notifications.ts';

const now = Date.UTC(2026, 10, 15, 12);

const item = (priceCents: number | null, facts: Partial<ItemFacts> = {}): ItemFacts => ({
  kind: 'set',
  key: '1',
  number: '1',
  title: 'One',
  theme: 'Town',
  values: { sealed: 80_00, used: 60_00 },
  offers: [{ retailer: 'retailer_a', priceCents, isAtLowest: false }],
  ...facts,
});

const own = (facts: Partial<OwnFacts> = {}): OwnFacts => ({
  targetCents: null,
  held: null,
  findMaxBuy: () => null,
  ...facts,
});

const event = (facts: Partial<EventOfItem> = {}): EventOfItem => ({
  position: 7,
  kind: 'retail.price',
  retailer: 'retailer_a',
  before: {},
  after: {},
  ...facts,
});

const atMost50: AlertCondition = { kind: 'price_amount', cents: 50_00 };

const on = (condition: AlertCondition, work: Partial<RuleOnItem> = {}): RuleOnItem => ({
  rule: { condition, repeatDays: null, position: 0 },
  item: item(50_00),
  own: own(),
  events: [event()],
  told: [],
  at: now,
  ...work,
});

/** What is told, by retailer or null, and what changes in what was told. */
const shape = ({ alerts, told, untold }: NextNotifications) => [
  alerts.map(({ retailer }) => retailer),
  told.map(({ retailer, toldAt, baseCents }) => [retailer, toldAt, baseCents]),
  untold,
];
const nothing = [[], [], []];
const toldAt = (at: number) => [{ retailer: 'retailer_a', toldAt: at, baseCents: null }] as const;

test('a price is told when it is found low enough, and not again until it was not', () => {
  const first = nextNotifications(on(atMost50));
  expect(shape(first)).toEqual([['retailer_a'], [['retailer_a', now, null]], []]);
  expect(first.alerts[0]?.facts).toMatchObject({ priceCents: 50_00, valueCents: 80_00 });
  expect(shape(nextNotifications(on(atMost50, { told: first.told })))).toEqual(nothing);
  for (const priceCents of [50_01, null]) {
    const risen = on(atMost50, { item: item(priceCents), told: first.told });
    expect(shape(nextNotifications(risen))).toEqual([[], [], ['retailer_a']]);
  }
  expect(shape(nextNotifications(on(atMost50, { item: item(50_01) })))).toEqual(nothing);
});

test('each retailer is told of on its own', () => {
  const offers = [
    { retailer: 'retailer_a', priceCents: 60_00, isAtLowest: false },
    { retailer: 'retailer_b', priceCents: 40_00, isAtLowest: false },
  ] as const;
  const next = nextNotifications(on(atMost50, { item: item(1, { offers }), told: toldAt(1) }));
  expect(shape(next)).toEqual([['retailer_b'], [['retailer_b', now, null]], ['retailer_a']]);
});

test('while it holds it is told again only after the days that the rule names', () => {
  const told = toldAt(now - 7 * dayMs);
  const rule = { condition: atMost50, repeatDays: 7, position: 0 };
  expect(shape(nextNotifications(on(atMost50, { rule, told })))[0]).toEqual(['retailer_a']);
  const early = on(atMost50, { rule, told, at: now - 1 });
  expect(shape(nextNotifications(early))).toEqual(nothing);
  expect(shape(nextNotifications(on(atMost50, { told })))).toEqual(nothing);
});

test('what happened before the rule was saved, or has nothing to do with it, is no reason to look', () => {
  const late = { condition: atMost50, repeatDays: null, position: 7 };
  expect(shape(nextNotifications(on(atMost50, { rule: late })))).toEqual(nothing);
  const other = [event({ kind: 'value.tier' })];
  expect(shape(nextNotifications(on(atMost50, { events: other })))).toEqual(nothing);
  // Once a day it is looked at without any reason.
  const look = on(atMost50, { rule: late, events: null });
  expect(shape(nextNotifications(look))[0]).toEqual(['retailer_a']);
});

test('a target, a max buy price and a margin are those of whoever owns the rule', () => {
  const target = { kind: 'price_target' } as const;
  const tell = (condition: AlertCondition, facts: Partial<OwnFacts>, events = [event()]) =>
    nextNotifications(on(condition, { own: own(facts), events })).alerts.map(({ facts: f }) => f);
  expect(tell(target, {})).toEqual([]);
  expect(tell(target, { targetCents: 50_00 })).toMatchObject([{ targetCents: 50_00 }]);
  const asked: number[] = [];
  const findMaxBuy = (atLeast: number) => {
    asked.push(atLeast);
    return 64_00;
  };
  const share: AlertCondition = { kind: 'price_of_max_buy', percent: 80 };
  expect(tell(share, { findMaxBuy })).toMatchObject([{ maxBuyCents: 64_00, priceCents: 50_00 }]);
  expect(asked).toEqual([62_50]);
  const held = { valueCents: 125_00, costCents: 100_00 };
  const moved = [event({ kind: 'value.move', retailer: null })];
  expect(tell({ kind: 'margin', percent: 25 }, { held }, moved)).toMatchObject([{ held }]);
  expect(tell({ kind: 'margin', percent: 26 }, { held }, moved)).toEqual([]);
});

test('a flip is told by its event in the direction that is waited for, and leaves no trace', () => {
  const flip = (sellerType: 'third_party' | 'retailer') =>
    event({ kind: 'retail.flip', after: { sellerType } });
  const tell = (to: 'third_party' | 'retailer', ...events: EventOfItem[]) =>
    shape(nextNotifications(on({ kind: 'flip', to }, { events })));
  expect(tell('third_party', flip('third_party'))).toEqual([['retailer_a'], [], []]);
  expect(tell('retailer', flip('third_party'))).toEqual(nothing);
  // What was undone meanwhile is not told.
  expect(tell('third_party', flip('third_party'), flip('retailer'))).toEqual(nothing);
  expect(shape(nextNotifications(on({ kind: 'flip', to: 'retailer' }, { events: null })))).toEqual(
    nothing,
  );
});

test('back in stock is told by its event while it can still be bought', () => {
  const stock = (inStock: boolean) => event({ kind: 'retail.stock', after: { inStock } });
  const tell = (priceCents: number | null, ...events: EventOfItem[]) =>
    shape(nextNotifications(on({ kind: 'back_in_stock' }, { item: item(priceCents), events })));
  expect(tell(5_00, stock(true))).toEqual([['retailer_a'], [], []]);
  expect(tell(null, stock(true))).toEqual(nothing);
  expect(tell(5_00, stock(false))).toEqual(nothing);
  expect(tell(5_00, stock(false), stock(true))).toEqual([['retailer_a'], [], []]);
});

test('moves of a value are counted from the last alert, or from before the first one that was seen', () => {
  const up: AlertCondition = { kind: 'value_up', percent: 20 };
  const move = (newCents: number) => event({ kind: 'value.move', before: { newCents } });
  const tell = (valueCents: number, told: RuleOnItem['told'], events: EventOfItem[] | null) => {
    const values = { sealed: valueCents, used: null };
    return nextNotifications(on(up, { item: item(1, { values }), told, events }));
  };
  // The first move is too small: from now on it is counted from before it.
  const small = tell(110_00, [], [move(100_00)]);
  expect(shape(small)).toEqual([[], [[null, now, 100_00]], []]);
  expect(shape(tell(119_99, small.told, [move(110_00)]))).toEqual(nothing);
  const large = tell(120_00, small.told, [move(110_00)]);
  expect(shape(large)).toEqual([[null], [[null, now, 120_00]], []]);
  expect(large.alerts[0]?.facts).toMatchObject({ baseCents: 100_00, valueCents: 120_00 });
  expect(shape(tell(130_00, large.told, [move(120_00)]))).toEqual(nothing);
  // It drifts without events, too; but then it must be known what it is counted from.
  expect(shape(tell(144_00, large.told, null))[0]).toEqual([null]);
  expect(shape(tell(144_00, [], null))).toEqual(nothing);
  // A move of the used value alone says nothing about a set.
  const used = event({ kind: 'value.move', before: { usedCents: 1 } });
  expect(shape(tell(144_00, [], [used]))).toEqual(nothing);
});

test('the value of a minifig is that of a used one', () => {
  const figure = item(null, { kind: 'minifig', values: { sealed: null, used: 9_00 }, offers: [] });
  const events = [event({ kind: 'value.move', before: { usedCents: 10_00 } })];
  const down: AlertCondition = { kind: 'value_down', percent: 10 };
  expect(shape(nextNotifications(on(down, { item: figure, events })))[0]).toEqual([null]);
});

test('what a rule holds for when it is saved are levels, never events or moves', () => {
  const matches = (condition: AlertCondition) =>
    matchesOf({ condition, item: item(50_00), own: own() }).map(({ retailer }) => retailer);
  expect(matches(atMost50)).toEqual(['retailer_a']);
  expect(matches({ kind: 'price_amount', cents: 49_99 })).toEqual([]);
  for (const kind of ['value_up', 'value_down'] as const) {
    expect(matches({ kind, percent: 0 })).toEqual([]);
  }
  expect(matches({ kind: 'back_in_stock' })).toEqual([]);
});
