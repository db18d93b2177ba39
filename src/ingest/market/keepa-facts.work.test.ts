/** Catalog facts of Keepa products. */
import { expect, test } from 'bun:test';
import { keepaRecord } from './keepa-facts.work.ts';

const nothing = {
  upc: null,
  ean: null,
  msrp_usd: null,
  release_date: null,
  image_url: null,
  box: null,
};

test('measures are converted to the units of the catalog', () => {
  const facts = keepaRecord({
    packageLength: 582,
    packageWidth: 254,
    packageHeight: 127,
    packageWeight: 907.18474,
    upcList: ['673419000018', '673419292528'],
    eanList: ['0673419292528', '5702016176360'],
    csv: [null, null, null, null, [10, 9999, 20, 11999]],
    releaseDate: 20260801,
    images: [{ l: '81abc+DEF-L.jpg', m: '41small.jpg' }],
  });
  expect(facts).toEqual({
    upc: '673419292528',
    ean: '5702016176360',
    msrp_usd: 119.99,
    release_date: '2026-08-01',
    image_url: 'https://m.media-amazon.com/images/I/81abc+DEF-L.jpg',
    box: { width_in: 22.91, height_in: 10, depth_in: 5, weight_lbs: 2 },
  });
});

test.each([
  ['a day', 20260230],
  ['a month', 202608],
  ['a year', 2026],
  ['nothing', -1],
])('a release of %s alone is ignored', (_, releaseDate) => {
  expect(keepaRecord({ releaseDate, packageWeight: 1000 })?.release_date).toBeNull();
});

test('unknown values are absent, never 0', () => {
  expect(
    keepaRecord({ packageLength: 0, packageWeight: -1, releaseDate: 0, images: [] }),
  ).toBeNull();
  expect(keepaRecord({ packageLength: 0, packageWidth: 254 })).toEqual({
    ...nothing,
    box: { width_in: null, height_in: 10, depth_in: null, weight_lbs: null },
  });
  expect(keepaRecord({ csv: [null, null, null, null, [10, 9999, 20, -1]] })).toBeNull();
});

test('older responses list images as text, and invalid names are ignored', () => {
  const images = (product: object) => keepaRecord({ packageWeight: 1000, ...product })?.image_url;
  const address = 'https://m.media-amazon.com/images/I/51a.jpg';
  expect(images({ imagesCSV: '51a.jpg,51b.jpg' })).toBe(address);
  expect(images({ images: [{ m: '51a.jpg' }] })).toBe(address);
  expect(images({ images: [{ l: '../../x y.jpg' }] })).toBeNull();
});

test('a box is at most five meters long, and 200 kilograms heavy', () => {
  const boxOf = (product: Record<string, unknown>) => keepaRecord(product)?.box ?? null;
  expect(boxOf({ packageLength: 5000 })).toMatchObject({ width_in: 196.85 });
  expect(boxOf({ packageWeight: 200_000 })).toMatchObject({ weight_lbs: 440.92 });
  expect([boxOf({ packageLength: 5001 }), boxOf({ packageWeight: 200_001 })]).toEqual([null, null]);
});
