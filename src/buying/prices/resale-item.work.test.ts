/** Resale items are made from published data. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { minifigExample } from '../../contract/minifig.ts';
import { retailRowExample } from '../../contract/retail.ts';
import { setExample } from '../../contract/set.ts';
import type { ConditionEvidence } from '../../market/evidence/evidence.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import { bestOffer } from '../deals/best-offer.ts';
import { findResaleItem } from './resale-item.work.ts';

const valued: ConditionEvidence = {
  valueCents: 100_00,
  lowCents: 90_00,
  highCents: 110_00,
  valueSpread: 0.05,
  saleSpread: 0.1,
  sales: { ever: 1, days30: 1, days90: 1, days180: 1, days365: 1 },
  firstSale: '2026-10',
  latestSale: '2026-10',
};
const evidence = someEvidence({ tier: 'high', sealed: valued, used: valued });

/** A market with one record, which records its queries. */
function marketWith(record: Partial<ResaleRecord>) {
  const asked: string[] = [];
  const found = { key: 'k', number: 'K', body: '{}', evidence, retail: null, ...record };
  return {
    asked,
    findResaleRecords: async (_: string, keys: readonly string[]) => {
      asked.push(...keys);
      return new Map(keys.map((key) => [key, found]));
    },
  };
}

test('a set has its list price, its box while it is sealed, and the sellers at Amazon', async () => {
  const market = marketWith({
    body: JSON.stringify(setExample),
    retail: JSON.stringify(retailRowExample),
  });
  const item = await findResaleItem(market, 'set', '10482-1');
  expect(market.asked).toEqual(['10482']);
  expect(item).toMatchObject({ kind: 'set', number: 'K', title: 'Harbour Lighthouse' });
  expect([item?.key, item?.theme]).toEqual(['k', setExample.theme]);
  expect(item?.offer).toEqual(bestOffer(retailRowExample));
  const range = { lowCents: 90_00, highCents: 110_00 };
  expect(item?.range).toEqual({ sealed: range, used: range });
  expect([item?.msrpCents, item?.resale.sealed?.tier]).toEqual([119_99, 'high']);
  const box = { widthIn: 18.9, heightIn: 14.9, depthIn: 3.6, weightLbs: 4.5 };
  const unknown = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };
  expect(item?.resale.sealed).toMatchObject({ parcel: { box, pieces: 1284 }, fbaSellers: 6 });
  // A used set may have no box.
  expect(item?.resale.used?.parcel).toEqual({ box: unknown, pieces: 1284 });
});

test('a set that Amazon itself sells has its price', async () => {
  const own = { ...retailRowExample.retailer_a, price: 24.99, sellerType: 'retailer' as const };
  const ask = async (row: typeof retailRowExample) => {
    const facts = { body: JSON.stringify(setExample), retail: JSON.stringify(row) };
    return (await findResaleItem(marketWith(facts), 'set', '10482'))?.resale.sealed?.amazonAskCents;
  };
  expect(await ask({ ...retailRowExample, retailer_a: own })).toBe(24_99);
  expect(await ask(retailRowExample)).toBeNull();
});

test('a minifig has values in both conditions, no list price, and an unknown parcel', async () => {
  const item = await findResaleItem(
    marketWith({ body: JSON.stringify(minifigExample) }),
    'minifig',
    'COA0007',
  );
  expect(item).toMatchObject({ title: minifigExample.name, msrpCents: null });
  expect([item?.theme, item?.offer]).toEqual([null, null]);
  const resale = { parcel: { pieces: null }, fbaSellers: null, price: { valueCents: 100_00 } };
  expect(item?.resale).toMatchObject({ sealed: resale, used: resale });
});

test('without evidence or a value there is no resale', async () => {
  const body = JSON.stringify({ ...setExample, msrp_usd: null });
  const bare = await findResaleItem(marketWith({ body, evidence: null }), 'set', '1');
  expect(bare?.msrpCents).toBeNull();
  expect(bare?.resale).toEqual({ sealed: null, used: null });
  expect(bare?.range).toEqual({ sealed: null, used: null });
  const unused = { ...evidence, used: null };
  const item = await findResaleItem(marketWith({ body, evidence: unused }), 'set', '1');
  expect([item?.resale.sealed === null, item?.resale.used]).toEqual([false, null]);
});

test('a missing item is null', async () => {
  const market = { findResaleRecords: async () => new Map<string, ResaleRecord>() };
  expect(await findResaleItem(market, 'set', '1')).toBeNull();
});
