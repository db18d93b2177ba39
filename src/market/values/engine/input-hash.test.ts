/** Equal inputs have equal hashes, and relevant changes have others. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anySale, noon, sold } from '../../../../test/support/valuation.ts';
import { channels, completenesses, type StoredSale } from '../../source-rows/source-rows.ts';
import { type Rejection, rejections } from './admit.ts';
import { addSale, InputHash, shortHash } from './input-hash.ts';

function hashOf(...adds: ((hash: InputHash) => void)[]): number {
  const hash = new InputHash();
  for (const add of adds) add(hash);
  return hash.value();
}

const ofSale = (sale: StoredSale, rejection: Rejection | null = null) =>
  hashOf((hash) => addSale(hash, sale, rejection));

describe('the hash of a sale', () => {
  const changes: [keyof StoredSale, fc.Arbitrary<Partial<StoredSale>>][] = [
    ['condition', fc.constantFrom({ condition: 'sealed' }, { condition: 'used' })],
    ['channel', fc.constantFrom(...channels, null).map((channel) => ({ channel }))],
    [
      'completeness',
      fc.constantFrom(...completenesses, null).map((completeness) => ({ completeness })),
    ],
    ['quantity', fc.integer({ min: 1, max: 99 }).map((quantity) => ({ quantity }))],
    ['soldAt', fc.integer({ min: 0, max: noon }).map((soldAt) => ({ soldAt }))],
    ['priceCents', fc.nat().map((priceCents) => ({ priceCents }))],
    ['shippingCents', fc.nat().map((shippingCents) => ({ shippingCents }))],
    [
      'usdPerUnit',
      fc.double({ min: 0, max: 9, noNaN: true }).map((usdPerUnit) => ({ usdPerUnit })),
    ],
    ['seller', fc.option(fc.string()).map((seller) => ({ seller }))],
  ];

  for (const [field, change] of changes) {
    test(`changes with ${field}`, () => {
      fc.assert(
        fc.property(anySale, change, (sale, changed) => {
          fc.pre(!Object.is(changed[field], sale[field]));
          expect(ofSale({ ...sale, ...changed })).not.toBe(ofSale(sale));
        }),
        { seed: 202 },
      );
    });
  }

  test('changes if it is retracted', () => {
    fc.assert(
      fc.property(anySale, (sale) => expect(ofSale(sale, 'retracted')).not.toBe(ofSale(sale))),
      { seed: 203 },
    );
  });

  test('does not depend on source or ingestion time', () => {
    const other = { source: 'other', sourceId: 'other', ingestedAt: 1, retractedAt: 2 };
    fc.assert(
      fc.property(anySale, (sale) => expect(ofSale({ ...sale, ...other })).toBe(ofSale(sale))),
      { seed: 204 },
    );
  });

  test('depends on the order of sales', () => {
    const [a, b] = [sold({ priceCents: 1 }), sold({ priceCents: 2 })];
    const both = (first: StoredSale, second: StoredSale) =>
      hashOf(
        (hash) => addSale(hash, first, null),
        (hash) => addSale(hash, second, null),
      );
    expect(both(a, b)).not.toBe(both(b, a));
  });
});

test('a hash is a whole number below 2 to the 52, a short one eight hexadecimal digits', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const hash = hashOf((one) => one.addText(text));
      expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 52).toBe(true);
      expect(shortHash(text)).toMatch(/^[0-9a-f]{8}$/);
    }),
    { seed: 205 },
  );
});

test('hashes are stable, because they are stored', () => {
  expect(hashOf()).toBe(3_318_788_308_564_409);
  expect(hashOf((hash) => hash.addWord(1))).toBe(2_062_827_079_263_884);
  expect(hashOf((hash) => hash.add(0.1))).toBe(50_815_684_688_538);
  expect(hashOf((hash) => hash.add(-1e300))).toBe(3_659_641_717_183_619);
  expect(hashOf((hash) => hash.addText('Castle'))).toBe(1_383_074_016_030_141);
  expect(hashOf((hash) => hash.addText(null))).toBe(4_261_152_700_761_757);
  expect(['', 'a', '{"a":1}'].map(shortHash)).toEqual(['b71d5795', '15433677', '65daff4b']);
});

test('channel, completeness, rejection and currency change the hash', () => {
  const reasons = [null, ...rejections];
  const kinds = (['sealed', 'used'] as const).flatMap((condition) =>
    [...channels, null].flatMap((channel) =>
      [...completenesses, null].flatMap((completeness) =>
        ['USD', 'EUR'].flatMap((currency) =>
          reasons.map((reason) =>
            ofSale(sold({ condition, channel, completeness, currency }), reason),
          ),
        ),
      ),
    ),
  );
  expect(new Set(kinds).size).toBe(kinds.length);
});

test('a copy is independent', () => {
  const hash = new InputHash();
  hash.add(1);
  const copy = hash.copy();
  const before = hash.value();
  expect(copy.value()).toBe(before);
  copy.add(2);
  expect(hash.value()).toBe(before);
  expect(copy.value()).not.toBe(before);
  hash.add(2);
  expect(hash.value()).toBe(copy.value());
});

test('texts are delimited, and null differs from an empty text', () => {
  const texts = (...list: (string | null)[]) =>
    hashOf(...list.map((text) => (hash: InputHash) => hash.addText(text)));
  const all = [texts('ab', 'c'), texts('a', 'bc'), texts('abc', ''), texts('abc', null)];
  expect(new Set(all).size).toBe(4);
});

test('a hundred thousand inputs that differ a little have as many hashes', () => {
  const hashes = new Set<number>();
  for (let at = 0; at < 100; at++) {
    for (let price = 0; price < 1000; price++) {
      hashes.add(
        hashOf(
          (hash) => hash.add(noon + at),
          (hash) => hash.add(price),
        ),
      );
    }
  }
  expect(hashes.size).toBe(100_000);
});
