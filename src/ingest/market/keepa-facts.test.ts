/** What Keepa knows of a set besides its offers. */
import { expect, test } from 'bun:test';
import { keepaFacts } from './keepa-facts.ts';

const nothing = {
  ...{ upc: null, ean: null, msrpCents: null, releaseDate: null, imageUrl: null, box: null },
};

test('units become those of the catalog', () => {
  const facts = keepaFacts({
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
    msrpCents: 11999,
    releaseDate: '2026-08-01',
    imageUrl: 'https://m.media-amazon.com/images/I/81abc+DEF-L.jpg',
    box: { widthIn: 22.9134, heightIn: 10, depthIn: 5, weightLbs: 2 },
  });
});

test.each([
  ['a day', 20260230],
  ['a month', 202608],
  ['a year', 2026],
  ['nothing', -1],
])('a release of %s alone is not taken', (_, releaseDate) => {
  expect(keepaFacts({ releaseDate, packageWeight: 1000 })?.releaseDate).toBeNull();
});

test('what Keepa does not know is missing, never 0', () => {
  expect(
    keepaFacts({ packageLength: 0, packageWeight: -1, releaseDate: 0, images: [] }),
  ).toBeNull();
  expect(keepaFacts({ packageLength: 0, packageWidth: 254 })).toEqual({
    ...nothing,
    box: { widthIn: null, heightIn: 10, depthIn: null, weightLbs: null },
  });
  expect(keepaFacts({ csv: [null, null, null, null, [10, 9999, 20, -1]] })).toBeNull();
});

test('older answers list images as text, and what is no name is no image', () => {
  const images = (product: object) => keepaFacts({ packageWeight: 1000, ...product })?.imageUrl;
  const address = 'https://m.media-amazon.com/images/I/51a.jpg';
  expect(images({ imagesCSV: '51a.jpg,51b.jpg' })).toBe(address);
  expect(images({ images: [{ m: '51a.jpg' }] })).toBe(address);
  expect(images({ images: [{ l: '../../x y.jpg' }] })).toBeNull();
});
