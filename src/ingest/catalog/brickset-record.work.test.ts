/** Converting Brickset's sets to feed records. */
import { expect, test } from 'bun:test';
import { FieldWarnings } from '../runner/fields.ts';
import { type BricksetSet, bricksetRecord } from './brickset-record.work.ts';

const bare: BricksetSet = {
  number: '10482-1',
  name: 'Lighthouse',
  theme: 'Coastline',
  subtheme: null,
  year: '2020',
  pieces: null,
  minifigs: null,
  priceUsd: null,
  ean: null,
  upc: null,
  launch: null,
  exit: null,
  width: null,
  height: null,
  depth: null,
  weight: null,
};

function read(given: Partial<BricksetSet>) {
  const warnings = new FieldWarnings();
  return { ...bricksetRecord({ ...bare, ...given }, warnings.optional), warned: warnings.reasons };
}

test.each<[Partial<BricksetSet>, Record<string, unknown>]>([
  [{}, { msrp_usd: null, minifigs: null, box: null, is_on_sale: false, warned: [] }],
  [{ number: '850508 -1' }, { set_number: '850508-1' }],
  [{ ean: '673419000017' }, { ean: '0673419000017' }],
  [{ ean: '5702010000012' }, { ean: '5702010000012' }],
  [{ upc: '0673419000017' }, { upc: '673419000017' }],
  [{ upc: '5702010000012' }, { upc: '5702010000012' }],
  [{ priceUsd: '119.99' }, { msrp_usd: 119.99 }],
  [{ priceUsd: '€9' }, { msrp_usd: null, warned: [expect.stringContaining('US dollars')] }],
  [{ priceUsd: 'x' }, { msrp_usd: null, warned: [expect.stringContaining("not 'x'")] }],
  [{ minifigNumbers: 'a, b,,a ' }, { minifigs: ['a', 'b'] }],
  [{ minifigNumbers: 'a' }, { minifigs: ['a'] }],
  [{ minifigNumbers: ' , ' }, { minifigs: null }],
  [
    { minifigs: '4', pieces: 'x' },
    { minifigs_count: 4, pieces: null, warned: [expect.any(String)] },
  ],
  [
    { width: '25.4', weight: '0' },
    { box: expect.objectContaining({ width_in: 10, weight_lbs: null }) },
  ],
  [{ launch: '03/04/2020' }, { release_date: '2020-04-03' }],
  [{ launch: '03/04/2020', firstInShop: '2020-05-01' }, { release_date: '2020-04-03' }],
  [{ firstInShop: '2021-12-31' }, { release_date: '2021-12-31' }],
  [{ firstInShop: '2022-01-01' }, { release_date: null }],
  [{ firstInShop: '2022-01-01', year: null }, { release_date: '2022-01-01' }],
  [{ exit: '2022-01-01', lastInShop: '2023-01-01' }, { retire_date: '2022-01-01' }],
  [{ lastInShop: '2023-01-01T00:00:00Z' }, { retire_date: '2023-01-01' }],
  [
    { exit: 'x', lastInShop: '2023-01-01' },
    { retire_date: '2023-01-01', warned: [expect.any(String)] },
  ],
  [{ firstInShop: '2020-01-01' }, { is_on_sale: true }],
  [{ firstInShop: '2020-01-01', lastInShop: '2021-01-01' }, { is_on_sale: false }],
  [{ firstInShop: '2020-01-01', exit: '2021-01-01' }, { is_on_sale: false }],
  [{ availability: 'Promotional' }, { item_class: 'promotional' }],
  [{ availability: 'Promotional', priceUsd: '5', category: 'Normal' }, { item_class: 'set' }],
  [{ availability: 'Promotional', priceUsd: '0' }, { item_class: 'promotional' }],
])('%j becomes %j', (given, expected) => {
  expect(read(given)).toMatchObject(expected);
});
