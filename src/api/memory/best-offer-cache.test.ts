/** Cached offers are read again only when their set was published again. */

import { expect, test } from 'bun:test';
import { retailRowExample } from '../../contract/retail.ts';
import type { ListedEntry, RetailRecord } from '../../market/published/published-records.ts';
import type { ChangeListener } from './freshness.ts';
import { cachedOffers } from './set-cache.ts';

/** A market with prices at the first retailer, which records its queries. */
function market(prices: Record<string, number>) {
  const asked: (readonly string[])[] = [];
  let listener: ChangeListener = () => {};
  const freshness = {
    stamp: 1,
    refresh: async () => {},
    follow: (follower: ChangeListener) => {
      listener = follower;
    },
  };
  const shop = { prices, asked, duringRead: () => {} };
  const listRetail = async (keys: readonly string[]) => {
    asked.push(keys);
    const rows = keys.flatMap((setKey) => {
      const price = prices[setKey];
      if (price === undefined) return [];
      const block = { ...retailRowExample.retailer_a, price };
      const body = JSON.stringify({ ...retailRowExample, retailer_a: block });
      const codes = { asinKey: null, upcKey: null, eanKey: null };
      return [{ setKey, ...codes, changedAt: null, body } satisfies RetailRecord];
    });
    shop.duringRead();
    return rows;
  };
  const findOffers = cachedOffers({ listRetail }, freshness);
  const publish = (keys: readonly string[] | null, kind = 'set') => {
    freshness.stamp++;
    listener(keys && (keys.map((key) => ({ kind, key })) as unknown as ListedEntry[]));
  };
  const find = async (...keys: string[]) =>
    [...(await findOffers(keys))].map(([key, { priceCents }]) => [key, priceCents]);
  return { ...shop, shop, publish, find };
}

test('an offer is read once, and so is the absence of one', async () => {
  const { asked, find } = market({ a: 10, b: 20 });
  expect(await find('a', 'c')).toEqual([['a', 10_00]]);
  expect(await find('c', 'a', 'b')).toEqual([
    ['a', 10_00],
    ['b', 20_00],
  ]);
  expect(asked).toEqual([['a', 'c'], ['b']]);
});

test('a set that is published again is read again; all sets after many changes', async () => {
  const { asked, prices, find, publish } = market({ a: 10, b: 20 });
  await find('a', 'b', 'c');
  Object.assign(prices, { a: 11, c: 30 });
  publish(['a', 'c']);
  publish(['b'], 'minifig');
  expect(await find('a', 'b', 'c')).toEqual([
    ['a', 11_00],
    ['b', 20_00],
    ['c', 30_00],
  ]);
  publish(null);
  await find('b');
  expect(asked).toEqual([['a', 'b', 'c'], ['a', 'c'], ['b']]);
});

test('a set that is published during the read is not cached', async () => {
  const { asked, shop, prices, find, publish } = market({ a: 10 });
  shop.duringRead = () => {
    shop.duringRead = () => {};
    prices.a = 11;
    publish(['a']);
  };
  expect(await find('a')).toEqual([['a', 10_00]]);
  expect(await find('a')).toEqual([['a', 11_00]]);
  expect(asked).toHaveLength(2);
});
