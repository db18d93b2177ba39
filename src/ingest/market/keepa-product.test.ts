/** Identifying fields of products, and rejected products. */
import { expect, test } from 'bun:test';
import type { JsonObject } from '../../kernel/json.ts';
import { productText, readProduct } from './keepa-product.ts';

const asin = 'B0HARBOUR1';
const read = (given: JsonObject) => readProduct({ asin, domainId: 1, ...given });

test('a product has texts without HTML, and distinct codes', () => {
  const product = read({
    title: '<b>LEGO</b>&#8217;s 10482&nbsp;Harbor',
    brand: ' LEGO ',
    upcList: ['673419000017', 673419000024],
    eanList: ['673419000017', ' '],
    gtinList: null,
    model: '10482',
    partNumber: '10482-1',
  });
  expect(product).toEqual({
    asin,
    title: 'LEGO  s 10482 Harbor',
    brand: 'LEGO',
    isLego: true,
    barcodes: ['673419000017', '673419000024'],
    models: ['10482', '10482-1'],
  });
  expect(read({})).toEqual({
    asin,
    title: '',
    brand: null,
    isLego: false,
    barcodes: [],
    models: [],
  });
});

test.each<[JsonObject, boolean]>([
  [{ brand: 'Lego Star Wars' }, true],
  [{ brand: 'LEGOLAND' }, false],
  [{ brand: 'Not LEGO' }, false],
  [{ manufacturer: 'LEGO' }, true],
  [{ brand: 'Mega', manufacturer: 'LEGO' }, false],
])('a product with %j is by LEGO: %p', (given, isLego) => {
  expect(read(given).isLego).toBe(isLego);
});

test.each(['123', '12345678', '10482-123', 'A10482'])('%s is no set number', (model) => {
  expect(read({ model }).models).toEqual([]);
});

test('fifty codes of each list are read', () => {
  const upcList = Array.from({ length: 51 }, (_, index) => `${index}`);
  expect(read({ upcList }).barcodes).toHaveLength(50);
});

test.each<[JsonObject, string]>([
  [{ asin: ' ' }, "it has no 'asin', so it is not a Keepa product"],
  [{ asin: 'b0harbour1' }, "'asin' b0harbour1 is not an ASIN"],
  [{ productType: 1 }, 'productType 1 is a download'],
  [{ productType: 5 }, 'productType 5 is the parent of variations, which is not sold itself'],
  [{ domainId: 3 }, 'domainId 3 is amazon.de; only 1 (amazon.com) can be imported'],
  [{ domainId: 7 }, 'domainId 7 is unknown; only 1 (amazon.com) can be imported'],
  [{ domainId: null }, "'domainId' is missing; only 1 (amazon.com) can be imported"],
  [{ packageQuantity: 2 }, "it is a pack of 2, not one set ('packageQuantity')"],
])('%j is rejected: %s', (given, reason) => {
  expect(() => read(given)).toThrow(reason);
});

test.each<JsonObject>([{ productType: 0 }, { productType: 3 }, { packageQuantity: 1 }])(
  '%j is read',
  (given) => {
    expect(read(given).asin).toBe(asin);
  },
);

test('reports show identifying fields, at most 4000 characters', () => {
  expect(productText({ asin, csv: [1], title: null, model: '1' })).toBe(
    `{"asin":"${asin}","model":"1"}`,
  );
  expect(productText({ asin, title: 'a'.repeat(5000) })).toHaveLength(4000);
});
