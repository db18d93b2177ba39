/** The facts that rules use: an offer counts while it may still be available. */
import { describe, expect, test } from 'bun:test';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import { itemFacts } from './item-facts.ts';

const now = Date.UTC(2026, 10, 15, 12);
const dayMs = 86_400_000;

interface Looked {
  readonly inStock?: boolean | null;
  readonly price?: number | null;
  readonly daysAgo?: number;
}

/** A set that retailer A has, and retailer B never had. */
function setOf({ inStock = true, price = 40, daysAgo = 0 }: Looked): ResaleRecord {
  const last_checked_at = new Date(now - daysAgo * dayMs).toISOString();
  const body = {
    title: 'Castle',
    theme: 'Town',
    new_value_usd: 100.5,
    used_value_usd: null,
    retailers: [{ retailer: 'retailer_a', last_checked_at }],
  };
  const row = { price, inStock, atLowest: true };
  const retail = JSON.stringify({ retailer_a: row, retailer_b: row });
  return { key: '1', number: '1-1', body: JSON.stringify(body), evidence: null, retail };
}

const anOffer = (priceCents: number | null) => [
  { retailer: 'retailer_a', priceCents, isAtLowest: true },
];

test('a set has its values in cents, and an offer for each retailer that had it', () => {
  expect<unknown>(itemFacts('set', setOf({}), now)).toEqual({
    kind: 'set',
    key: '1',
    number: '1-1',
    title: 'Castle',
    theme: 'Town',
    values: { sealed: 100_50, used: null },
    sellThrough: null,
    offers: anOffer(40_00),
  });
  expect(itemFacts('set', { ...setOf({}), retail: null }, now).offers).toEqual([]);
});

describe('the price of an offer', () => {
  test.each<[string, Looked, number | null]>([
    ['in stock', { inStock: true }, 40_00],
    ['in unknown stock', { inStock: null }, 40_00],
    ['out of stock', { inStock: false }, null],
    ['without a price', { price: null }, null],
    ['seen a week ago', { daysAgo: 7 }, 40_00],
    ['seen longer ago', { daysAgo: 7.001 }, null],
    ['out of stock a while ago', { inStock: false, daysAgo: 30 }, null],
  ])('is known only from an offer: %s', (_, looked, priceCents) => {
    expect<unknown>(itemFacts('set', setOf(looked), now).offers).toEqual(anOffer(priceCents));
  });
});

test('a minifig has a used value, and no retailers', () => {
  const body = JSON.stringify({ name: 'Guard', current_value_usd: 12.34 });
  const record = { key: 'f1', number: 'F1', body, evidence: null, retail: null };
  expect(itemFacts('minifig', record, now)).toEqual({
    kind: 'minifig',
    key: 'f1',
    number: 'F1',
    title: 'Guard',
    theme: null,
    values: { sealed: null, used: 12_34 },
    sellThrough: null,
    offers: [],
  });
});
