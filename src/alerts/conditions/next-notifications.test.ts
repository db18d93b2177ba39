/** The reports of a rule for an item, and when they are repeated. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
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
  sellThrough: null,
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
  reported: [],
  at: now,
  ...work,
});

/** The retailers reported, and the changes of the reported state. */
const shape = ({ alerts, reported, ended }: NextNotifications) => [
  alerts.map(({ retailer }) => retailer),
  reported.map(({ retailer, reportedAt, baseCents }) => [retailer, reportedAt, baseCents]),
  ended,
];
const nothing = [[], [], []];
const reportedAt = (at: number) =>
  [{ retailer: 'retailer_a', reportedAt: at, baseCents: null }] as const;

test('a low price is reported once, and again only after it was higher', () => {
  const first = nextNotifications(on(atMost50));
  expect(shape(first)).toEqual([['retailer_a'], [['retailer_a', now, null]], []]);
  expect(first.alerts[0]?.facts).toMatchObject({ priceCents: 50_00, valueCents: 80_00 });
  expect(shape(nextNotifications(on(atMost50, { reported: first.reported })))).toEqual(nothing);
  for (const priceCents of [50_01, null]) {
    const risen = on(atMost50, { item: item(priceCents), reported: first.reported });
    expect(shape(nextNotifications(risen))).toEqual([[], [], ['retailer_a']]);
  }
  expect(shape(nextNotifications(on(atMost50, { item: item(50_01) })))).toEqual(nothing);
});

test('each retailer is reported separately', () => {
  const offers = [
    { retailer: 'retailer_a', priceCents: 60_00, isAtLowest: false },
    { retailer: 'retailer_b', priceCents: 40_00, isAtLowest: false },
  ] as const;
  const next = nextNotifications(
    on(atMost50, { item: item(1, { offers }), reported: reportedAt(1) }),
  );
  expect(shape(next)).toEqual([['retailer_b'], [['retailer_b', now, null]], ['retailer_a']]);
});

test('a condition that stays true is reported again only after the repeat interval', () => {
  const reported = reportedAt(now - 7 * dayMs);
  const rule = { condition: atMost50, repeatDays: 7, position: 0 };
  expect(shape(nextNotifications(on(atMost50, { rule, reported })))[0]).toEqual(['retailer_a']);
  const early = on(atMost50, { rule, reported, at: now - 1 });
  expect(shape(nextNotifications(early))).toEqual(nothing);
  expect(shape(nextNotifications(on(atMost50, { reported })))).toEqual(nothing);
});

test('events before the rule was saved, or of other kinds, do not trigger a check', () => {
  const late = { condition: atMost50, repeatDays: null, position: 7 };
  expect(shape(nextNotifications(on(atMost50, { rule: late })))).toEqual(nothing);
  const other = [event({ kind: 'value.tier' })];
  expect(shape(nextNotifications(on(atMost50, { events: other })))).toEqual(nothing);
  const one = [...other, event()];
  expect(shape(nextNotifications(on(atMost50, { events: one })))[0]).toEqual(['retailer_a']);
  // The daily check needs no event.
  const look = on(atMost50, { rule: late, events: null });
  expect(shape(nextNotifications(look))[0]).toEqual(['retailer_a']);
});

test("the target, max buy price and margin are those of the rule's owner", () => {
  const target = { kind: 'price_target' } as const;
  const factsFor = (condition: AlertCondition, facts: Partial<OwnFacts>, events = [event()]) =>
    nextNotifications(on(condition, { own: own(facts), events })).alerts.map(({ facts: f }) => f);
  expect(factsFor(target, {})).toEqual([]);
  expect(factsFor(target, { targetCents: 50_00 })).toMatchObject([{ targetCents: 50_00 }]);
  const asked: number[] = [];
  const findMaxBuy = (atLeast: number) => {
    asked.push(atLeast);
    return 64_00;
  };
  const share: AlertCondition = { kind: 'price_of_max_buy', percent: 80 };
  expect(factsFor(share, { findMaxBuy })).toMatchObject([
    { maxBuyCents: 64_00, priceCents: 50_00 },
  ]);
  expect(asked).toEqual([62_50]);
  const held = { valueCents: 125_00, costCents: 100_00 };
  const moved = [event({ kind: 'value.move', retailer: null })];
  expect(factsFor({ kind: 'margin', percent: 25 }, { held }, moved)).toMatchObject([{ held }]);
  expect(factsFor({ kind: 'margin', percent: 26 }, { held }, moved)).toEqual([]);
  // A margin is not that of an offer.
  const margin = on({ kind: 'margin', percent: 25 }, { own: own({ held }), events: moved });
  expect(shape(nextNotifications(margin))[0]).toEqual([null]);
});

test('a flip is reported by its event in the requested direction, and leaves no state', () => {
  const flip = (sellerType: 'third_party' | 'retailer') =>
    event({ kind: 'retail.flip', after: { sellerType } });
  const next = (to: 'third_party' | 'retailer', ...events: EventOfItem[]) =>
    shape(nextNotifications(on({ kind: 'flip', to }, { events })));
  expect(next('third_party', flip('third_party'))).toEqual([['retailer_a'], [], []]);
  expect(next('retailer', flip('third_party'))).toEqual(nothing);
  // A flip that was reversed meanwhile is not reported.
  expect(next('third_party', flip('third_party'), flip('retailer'))).toEqual(nothing);
  expect(shape(nextNotifications(on({ kind: 'flip', to: 'retailer' }, { events: null })))).toEqual(
    nothing,
  );
});

test('back in stock is reported by its event if still available', () => {
  const stock = (inStock: boolean) => event({ kind: 'retail.stock', after: { inStock } });
  const next = (priceCents: number | null, ...events: EventOfItem[]) =>
    shape(nextNotifications(on({ kind: 'back_in_stock' }, { item: item(priceCents), events })));
  expect(next(5_00, stock(true))).toEqual([['retailer_a'], [], []]);
  expect(next(null, stock(true))).toEqual(nothing);
  expect(next(5_00, stock(false))).toEqual(nothing);
  expect(next(5_00, stock(false), stock(true))).toEqual([['retailer_a'], [], []]);
});

test('changes of a value are measured from the last alert, or from before the first seen change', () => {
  const up: AlertCondition = { kind: 'value_up', percent: 20 };
  const move = (newCents: number) => event({ kind: 'value.move', before: { newCents } });
  const next = (
    valueCents: number,
    reported: RuleOnItem['reported'],
    events: EventOfItem[] | null,
  ) => {
    const values = { sealed: valueCents, used: null };
    return nextNotifications(on(up, { item: item(1, { values }), reported, events }));
  };
  // The first change is too small, but its starting value becomes the base.
  const small = next(110_00, [], [move(100_00)]);
  expect(shape(small)).toEqual([[], [[null, now, 100_00]], []]);
  expect(shape(next(119_99, small.reported, [move(110_00)]))).toEqual(nothing);
  const large = next(120_00, small.reported, [move(110_00)]);
  expect(shape(large)).toEqual([[null], [[null, now, 120_00]], []]);
  expect(large.alerts[0]?.facts).toMatchObject({ baseCents: 100_00, valueCents: 120_00 });
  expect(shape(next(130_00, large.reported, [move(120_00)]))).toEqual(nothing);
  // A value may also drift without events, if there is a base.
  expect(shape(next(144_00, large.reported, null))[0]).toEqual([null]);
  expect(shape(next(144_00, [], null))).toEqual(nothing);
  // A change of the used value only does not concern a set.
  const used = event({ kind: 'value.move', before: { usedCents: 1 } });
  expect(shape(next(144_00, [], [used]))).toEqual(nothing);
});

test('rules use the used value of a minifig', () => {
  const figure = item(null, { kind: 'minifig', values: { sealed: null, used: 9_00 }, offers: [] });
  const events = [event({ kind: 'value.move', before: { usedCents: 10_00 } })];
  const down: AlertCondition = { kind: 'value_down', percent: 10 };
  expect(shape(nextNotifications(on(down, { item: figure, events })))[0]).toEqual([null]);
});

test('current matches include levels only, not events or changes', () => {
  const matches = (condition: AlertCondition) =>
    matchesOf({ condition, item: item(50_00), own: own() }).map(({ retailer }) => retailer);
  expect(matches(atMost50)).toEqual(['retailer_a']);
  expect(matches({ kind: 'price_amount', cents: 49_99 })).toEqual([]);
  for (const kind of ['value_up', 'value_down'] as const) {
    expect(matches({ kind, percent: 0 })).toEqual([]);
  }
  expect(matches({ kind: 'back_in_stock' })).toEqual([]);
});
