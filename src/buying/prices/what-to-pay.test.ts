/** The maximum price to pay, and why there is none. */

import { expect, test } from 'bun:test';
import { soldWell } from '../../../test/support/deals.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { normalAbove } from '../../market/values/price.ts';
import { bestQuote, defaultTerms, quotesOf } from '../boxes/quotes.ts';
import type { Resale } from './resale.ts';
import { buyWarningsOf, whatToPay } from './what-to-pay.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const question = {
  terms: defaultTerms,
  at: Date.UTC(2026, 5, 1),
  channel: null,
  withModeled: false,
};
const box = { widthIn: 15, heightIn: 10, depthIn: 2.5, weightLbs: 2 };

const resale: Resale = {
  ...soldWell,
  tier: 'medium',
  price: { valueCents: 100_00, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove },
  offsets: { fixed: 0 },
  rate: { sales: 12, days: 365, priorSales: 2, priorDays: 180 },
  parcel: { box, pieces: 500 },
  fbaSellers: null,
};

test('the best channel decides', () => {
  const answer = whatToPay(tables, resale, question);
  const best = bestQuote(quotesOf(tables, resale, question));
  expect(answer).toMatchObject({ reason: null, best, maxBuyCents: best?.maxBuyCents ?? -1 });
  expect(answer.quotes).toHaveLength(10);
  expect(answer.salesPerMonth).toBeCloseTo(0.78, 2);
});

test('a requested channel is used even if its prices are assumed', () => {
  const answer = whatToPay(tables, resale, { ...question, channel: 'local' });
  expect(answer.quotes.map(({ channel }) => channel)).toEqual(['local']);
  expect(answer).toMatchObject({ reason: null, maxBuyCents: 73_54 });
});

test('without a value there is no maximum price', () => {
  expect(whatToPay(tables, null, question)).toMatchObject({ reason: 'no_value', quotes: [] });
});

test('modeled values are not used unless requested', () => {
  const modeled: Resale = { ...resale, tier: 'modeled' };
  const answer = whatToPay(tables, modeled, question);
  expect(answer).toMatchObject({ reason: 'modeled_value', maxBuyCents: null, best: null });
  expect(answer.quotes.every(({ maxBuyCents }) => maxBuyCents === null)).toBe(true);
  expect(whatToPay(tables, modeled, { ...question, withModeled: true }).reason).toBeNull();
});

test('if the proceeds are too low or the box is unknown, there is no maximum price', () => {
  const cheap = { ...resale, price: { ...resale.price, valueCents: 2_00 } };
  expect(whatToPay(tables, cheap, question)).toMatchObject({
    reason: 'nothing_left',
    maxBuyCents: null,
  });
  const unknown = { box: { ...box, weightLbs: null }, pieces: 500 };
  const byAmazon = { ...question, channel: 'fba' } as const;
  expect(whatToPay(tables, { ...resale, parcel: unknown }, byAmazon).reason).toBe('unknown_box');
});

test('a doubted price is a reason for a warning', () => {
  expect(buyWarningsOf(resale)).toEqual([]);
  expect(buyWarningsOf({ ...resale, doubtedCents: 150_00 })).toEqual(['recent_jump']);
});
