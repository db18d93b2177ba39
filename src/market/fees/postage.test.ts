/** Postage by weight or size, in steps, from the table of the day. */
import { expect, test } from 'bun:test';
import { type PostageTable, postageOf, readPostageTables } from './postage.ts';

const table: PostageTable = {
  from: '2026-01-01',
  source: 'test',
  packingCents: 50,
  packingWeight: 10,
  cubicInchesPerPound: 100,
  rates: [
    { upTo: 100, cents: 5_00 },
    { upTo: 200, cents: 6_00 },
  ],
  abovePerPoundCents: 1_00,
};
const unknown = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };
const sized = { widthIn: 1, heightIn: 1, depthIn: 1 };
const day = '2026-06-01';
const weighing = (weightLbs: number) => ({ box: { ...sized, weightLbs }, pieces: null });
const centsOf = (weightLbs: number) => postageOf([table], weighing(weightLbs), day).cents;

test('a parcel costs the first rate that covers its weight with packing', () => {
  expect([centsOf(0.9), centsOf(0.91), centsOf(1.9)]).toEqual([5_50, 6_50, 6_50]);
  // Rates need not follow the price per pound above them.
  const steeper = { ...table, abovePerPoundCents: 3_00 };
  expect(postageOf([steeper], weighing(0.9), day).cents).toBe(5_50);
  expect(postageOf([steeper], weighing(1.91), day).cents).toBe(9_50);
  // A started hundredth of a pound counts fully.
  expect(centsOf(0.901)).toBe(6_50);
});

test('above the last rate, every started pound costs extra', () => {
  expect([centsOf(1.91), centsOf(2.9), centsOf(2.91)]).toEqual([7_50, 7_50, 8_50]);
});

test('a large and light parcel is charged by dimensional weight', () => {
  const box = { widthIn: 10, heightIn: 10, depthIn: 1.9, weightLbs: 0.1 };
  expect(postageOf([table], { box, pieces: null }, day)).toEqual({ cents: 6_50, isGuessed: false });
  const larger = { ...box, depthIn: 1.91 };
  expect(postageOf([table], { box: larger, pieces: null }, day).cents).toBe(7_50);
});

test('an unknown weight is estimated from the pieces, and minimal without any', () => {
  const cheapUpTo = (upTo: number): PostageTable => ({
    ...table,
    packingCents: 0,
    packingWeight: 0,
    rates: [{ upTo, cents: 1 }],
  });
  const guess = (upTo: number, pieces: number | null, weightLbs: number | null = null) =>
    postageOf([cheapUpTo(upTo)], { box: { ...sized, weightLbs }, pieces }, day);
  // 100 × 0.0135 × 1,000 ^ 0.784 is 303.7 hundredths of a pound.
  for (const weightLbs of [null, 0, -1]) {
    expect(guess(303, 1_000, weightLbs)).toEqual({ cents: 1_01, isGuessed: true });
    expect(guess(304, 1_000, weightLbs)).toEqual({ cents: 1, isGuessed: true });
  }
  for (const pieces of [null, 0, 1]) {
    expect([guess(1, pieces).cents, guess(2, pieces).cents]).toEqual([1_01, 1]);
  }
});

test('a parcel of known weight and unknown size is marked as estimated', () => {
  const box = { ...unknown, weightLbs: 0.5 };
  expect(postageOf([table], { box, pieces: null }, day)).toEqual({ cents: 5_50, isGuessed: true });
  for (const side of ['widthIn', 'heightIn', 'depthIn']) {
    const partial = { ...sized, weightLbs: 0.5, [side]: null };
    expect(postageOf([table], { box: partial, pieces: null }, day).isGuessed).toBe(true);
  }
});

test('a table applies from its first day on, and the first one also before that', () => {
  const later = { ...table, from: '2026-06-01', packingCents: 0 };
  const centsOn = (on: string) => postageOf([table, later], weighing(0.5), on).cents;
  expect([centsOn('2026-05-31'), centsOn('2026-06-01')]).toEqual([5_50, 5_00]);
  expect(centsOn('2025-12-31')).toBe(5_50);
  expect(() => postageOf([], weighing(0.5), day)).toThrow('There is no postage table.');
});

const written = {
  from: '2026-01-01',
  source: 'test',
  packing_usd: 0.5,
  packing_lbs: 0.1,
  cubic_inches_per_pound: 100,
  rates: [
    { up_to_lbs: 1, usd: 5 },
    { up_to_lbs: 2, usd: 6 },
  ],
  above_per_lb_usd: 1,
};

test('tables are sorted by day', () => {
  const days = ['2026-03-01', '2026-01-01', '2026-02-01'];
  const tables = readPostageTables({ tables: days.map((from) => ({ ...written, from })) });
  expect(tables.map(({ from }) => from)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01']);
  expect(tables[0]).toEqual(table);
});

test('rates must increase, and may start with any weight', () => {
  const read = (...weights: readonly number[]) =>
    readPostageTables({
      tables: [{ ...written, rates: weights.map((up_to_lbs) => ({ up_to_lbs, usd: 1 })) }],
    });
  expect(read(0, 1)[0]?.rates).toHaveLength(2);
  expect(() => read(1, 1)).toThrow("must rise in 'up_to_lbs'");
  expect(() => read(2, 1)).toThrow("must rise in 'up_to_lbs'");
});

test('unknown fields and a volume of 0 per pound are rejected', () => {
  const read = (more: object, top: object = {}) =>
    readPostageTables({ tables: [{ ...written, ...more }], ...top });
  expect(() => read({}, { more: 1 })).toThrow();
  expect(() => read({ cubic_inches_per_pound: 0 })).toThrow('must be above 0');
  expect(read({ cubic_inches_per_pound: 1 })[0]?.cubicInchesPerPound).toBe(1);
});
