/** What may be paid, and why nothing may. */
import { expect, test } from 'bun:test';
import { builtInFees } from '../fees/fee-table.ts';
import { builtInPostage } from '../fees/postage.ts';
import { normalAbove } from './price.ts';
import { bestQuote, quotesOf, type Resale, usualTerms } from './resale.ts';
import { whatToPay } from './what-to-pay.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const question = { terms: usualTerms, at: Date.UTC(2026, 5, 1), channel: null, withModeled: false };
const box = { widthIn: 15, heightIn: 10, depthIn: 2.5, weightLbs: 2 };

const resale: Resale = {
  tier: 'medium',
  price: { valueCents: 100_00, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove },
  offsets: { fixed: 0 },
  rate: { sales: 12, days: 365, priorSales: 2, priorDays: 180 },
  parcel: { box, pieces: 500 },
  fbaSellers: null,
  amazonAskCents: null,
};

test('the best way to sell decides', () => {
  const answer = whatToPay(tables, resale, question);
  const best = bestQuote(quotesOf(tables, resale, question));
  expect(answer).toMatchObject({ reason: null, best, maxBuyCents: best?.maxBuyCents ?? -1 });
  expect(answer.quotes).toHaveLength(9);
  expect(answer.salesPerMonth).toBeCloseTo(0.78, 2);
});

test('whoever names a channel gets that one, also where its price is assumed', () => {
  const answer = whatToPay(tables, resale, { ...question, channel: 'local' });
  expect(answer.quotes.map(({ channel }) => channel)).toEqual(['local']);
  expect(answer).toMatchObject({ reason: null, maxBuyCents: 73_54 });
});

test('no value, no answer', () => {
  expect(whatToPay(tables, null, question)).toMatchObject({ reason: 'no_value', quotes: [] });
});

test('a modeled value is no basis for a purchase, unless one asks for it', () => {
  const modeled: Resale = { ...resale, tier: 'modeled' };
  const answer = whatToPay(tables, modeled, question);
  expect(answer).toMatchObject({ reason: 'modeled_value', maxBuyCents: null, best: null });
  expect(answer.quotes.every(({ maxBuyCents }) => maxBuyCents === null)).toBe(true);
  expect(whatToPay(tables, modeled, { ...question, withModeled: true }).reason).toBeNull();
});

test('where too little is left of a sale, nothing may be paid', () => {
  const cheap = { ...resale, price: { ...resale.price, valueCents: 2_00 } };
  expect(whatToPay(tables, cheap, question)).toMatchObject({
    reason: 'nothing_left',
    maxBuyCents: null,
  });
  const unknown = { box: { ...box, weightLbs: null }, pieces: 500 };
  const byAmazon = { ...question, channel: 'fba' } as const;
  expect(whatToPay(tables, { ...resale, parcel: unknown }, byAmazon).reason).toBe('unknown_box');
});
