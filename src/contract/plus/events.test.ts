/** The wire format of events: every logged field has a name. */
import { expect, test } from 'bun:test';
import { Compile } from 'typebox/schema';
import { monthOf } from '../../kernel/time.ts';
import type { EventDetails, LoggedEvent } from '../../market/events/events.ts';
import { Event, eventPageExample, presentEvent } from './events.ts';

const everything: Required<EventDetails> = {
  priceCents: 95_99,
  hasOffer: true,
  changePercent: -20,
  isAtLowest: true,
  lowestCents: 95_99,
  belowValuePercent: 43,
  sellerType: 'third_party',
  inStock: false,
  newCents: 168_40,
  usedCents: 99_00,
  tier: 'high',
  statusId: 3,
  month: monthOf(Date.UTC(2026, 9, 1)),
  newSales: 0,
  usedSales: 7,
  reason: 'Wrong prices',
  deal: {
    maxBuyCents: 101_60,
    channel: 'bricklink',
    medianNetCents: 127_00,
    profitCents: 31_01,
    roiPercent: 32.31,
    waitDays: 2.345,
    warnings: ['high_roi'],
  },
};

const logged: LoggedEvent = {
  position: 7,
  at: Date.UTC(2026, 10, 15, 12),
  kind: 'retail.price',
  itemKind: 'set',
  key: '10482',
  number: '10482',
  title: 'Harbour Lighthouse',
  retailer: 'retailer_a',
  before: {},
  after: everything,
};

test('events use the names of version 1, in dollars and months', () => {
  const event = presentEvent(logged);
  expect(event.before).toEqual({});
  expect(event.after).toEqual({
    price_usd: 95.99,
    has_offer: true,
    change_pct: -20,
    at_lowest: true,
    lowest_usd: 95.99,
    below_value_pct: 43,
    seller_type: 'third_party',
    in_stock: false,
    new_value_usd: 168.4,
    used_value_usd: 99,
    data_tier: 'high',
    status_id: 3,
    month: '2026-10',
    new_sales_count: 0,
    used_sales_count: 7,
    reason: 'Wrong prices',
    max_buy_usd: 101.6,
    best_channel: 'bricklink',
    net_usd: 127,
    profit_usd: 31.01,
    roi_pct: 32.31,
    wait_days: 2.3,
    warnings: ['high_roi'],
  });
  expect(event).toMatchObject({ at: '2026-11-15T12:00:00.000Z', item_type: 'set', position: 7 });
});

test('the value of a minifig has the name that its record has', () => {
  const { after } = presentEvent({ ...logged, itemKind: 'minifig', after: { usedCents: 5_00 } });
  expect(after).toEqual({ current_value_usd: 5 });
});

test('the schema matches exactly', () => {
  const validator = Compile(Event);
  const market = { itemKind: null, key: null, number: null, title: null, retailer: null };
  expect(validator.Check(presentEvent(logged))).toBe(true);
  expect(validator.Check(presentEvent({ ...logged, ...market }))).toBe(true);
  expect(eventPageExample.events.every((event) => validator.Check(event))).toBe(true);
  const deal = { ...everything.deal, waitDays: null };
  const unknownWait = presentEvent({ ...logged, after: { deal } });
  expect([unknownWait.after.wait_days, validator.Check(unknownWait)]).toEqual([null, true]);
  expect(validator.Check({ ...presentEvent(logged), colour: 'red' })).toBe(false);
});
