/** Matching products to sets by barcode, model or title. */
import { expect, test } from 'bun:test';
import type { KnownSet } from '../../market/source-rows/market-ingest.ts';
import { BarcodeIndex } from './barcode-index.ts';
import { matchSet } from './keepa-match.ts';
import type { KeepaProduct } from './keepa-product.ts';

const [castle, fort, shared, other] = [
  '5702010000012',
  '5702010000029',
  '5702010000036',
  '5702010000043',
];
const barcodes = new BarcodeIndex([
  { number: '100', upc: null, ean: castle },
  { number: '200', upc: '673419000017', ean: fort },
  { number: '100', upc: null, ean: shared },
  { number: '200', upc: null, ean: shared },
  { number: '100', upc: 'none', ean: castle },
]);

async function matched(given: Partial<KeepaProduct>): Promise<string> {
  const none = { barcodes: [], models: [], title: '', isLego: true, brand: 'LEGO' };
  const product = { ...none, ...given } as unknown as KeepaProduct;
  const findKnownSets = async (keys: readonly string[]) =>
    new Map(
      keys
        .filter((key) => ['10100', '10200'].includes(key))
        .map((key) => [key, { number: key } as KnownSet]),
    );
  return matchSet(product, { barcodes, findKnownSets }).catch((error: Error) => error.message);
}

test('a barcode is found with or without leading zeros, and not if it is shared', () => {
  expect(barcodes.find(castle)).toEqual({ number: '100' });
  expect(barcodes.find('673419000017')).toEqual({ number: '200' });
  expect(barcodes.find('0673419000017')).toEqual({ number: '200' });
  expect(barcodes.find('00673419000017')).toEqual({ number: '200' });
  expect(barcodes.find(shared)).toBe('shared');
  expect(barcodes.find(other)).toBeNull();
  expect(barcodes.find('none')).toBeNull();
});

test.each<[string, Partial<KeepaProduct>, string]>([
  ['a barcode', { barcodes: [castle] }, '100'],
  ['two barcodes of one set', { barcodes: ['673419000017', fort] }, '200'],
  ['a barcode before a model', { barcodes: [castle], models: ['10200'] }, '100'],
  ['a barcode of any brand', { barcodes: [castle], isLego: false }, '100'],
  ['a shared barcode and another', { barcodes: [shared, castle] }, '100'],
  ['a model', { models: ['10200'] }, '10200'],
  ['a model in two forms', { models: ['10200', '10200-1'] }, '10200'],
  ['a model before the title', { models: ['10200'], title: 'LEGO 10100 Castle' }, '10200'],
  ['the title', { title: 'LEGO 10100 Castle' }, '10100'],
  ['a title if the model is unknown', { models: ['9999'], title: 'LEGO 10100' }, '10100'],
])('by %s', async (_, given, number) => {
  expect(await matched(given)).toBe(number);
});

test.each<[string, Partial<KeepaProduct>, string]>([
  [
    'barcodes of several sets',
    { barcodes: [castle, fort] },
    `it matches several sets: barcode ${castle} is set 100, barcode ${fort} is set 200`,
  ],
  [
    'models of several sets',
    { models: ['10100', '10200'] },
    'it matches several sets: model 10100 is set 10100, model 10200 is set 10200',
  ],
  ['nothing', {}, 'it has no barcode; its model has no set number; its title has no set number'],
  [
    'nothing in the catalog',
    { barcodes: [other], models: ['9999'], title: 'LEGO 8888' },
    `no set has the barcode ${other}; set 9999 in its model is not in the catalog; ` +
      'set 8888 in its title is not in the catalog',
  ],
  [
    'another brand',
    { barcodes: [shared, other], isLego: false, brand: 'Mega', models: ['10100'] },
    `several sets share the barcode ${shared}; no set has the barcode ${other}; ` +
      "its brand is 'Mega', so its model and title are ignored",
  ],
  [
    'no brand',
    { isLego: false, brand: null },
    'it has no barcode; it has no brand, so its model and title are ignored',
  ],
])('%s is rejected', async (_, given, reason) => {
  expect(await matched(given)).toBe(reason);
});
