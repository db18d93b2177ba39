/** What a sale counts for besides the other sales of its seller. */
import { describe, expect, test } from 'bun:test';
import { noon, sold } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import { type SaleCount, SellerSales } from './seller-sales.ts';
import { StateReader, StateWriter } from './state-bytes.ts';

interface By {
  readonly day: number;
  readonly seller?: string | null;
  readonly source?: string;
}

function counts(sales: readonly By[], sellers = new SellerSales()): SaleCount[] {
  return sales.map(({ day, seller = null, source = 'shop' }) => {
    const at = noon + day * dayMs;
    return sellers.count({ at, sale: sold({ soldAt: at, seller, source }) });
  });
}

const shares = (sales: readonly By[]) => counts(sales).map(({ share }) => share);
const rated = (sales: readonly By[]) => counts(sales).filter(({ isRated }) => isRated).length;
const every = (days: number, from: number, to: number, by: Omit<By, 'day'> = {}): By[] =>
  Array.from({ length: Math.floor((to - from) / days) }, (_, index) => ({
    ...by,
    day: from + index * days,
  }));

describe('a seller', () => {
  test('counts 1/n for the nth sale in 90 days', () => {
    const by = (...days: number[]) => days.map((day) => ({ day, seller: 'a' }));
    expect(shares(by(0, 10, 89))).toEqual([1, 1 / 2, 1 / 3]);
    expect(shares(by(0, 90, 91))).toEqual([1, 1, 1 / 2]);
    expect(shares([...by(0), { day: 1, seller: 'b' }, ...by(2)])).toEqual([1, 1, 1 / 2]);
  });

  test('counts in rates up to two sales and 1.5 times the usual ones', () => {
    const by = { seller: 'a' };
    expect(rated(every(5, 0, 60, by))).toBe(2);
    // Six in a usual quarter.
    const usual = every(15, -450, -90, by);
    const rush = rated([...usual, ...every(1, 0, 60, by)]) - rated(usual);
    expect(rush).toBeWithin(10, 12);
  });

  test('is always one', () => {
    for (const { sellersMax } of counts(every(1, 0, 9, { seller: 'a' })))
      expect(sellersMax).toBe(1);
  });
});

describe('a source without names', () => {
  test('counts in full for its first 180 days', () => {
    expect(shares(every(1, 0, 180))).toEqual(Array(180).fill(1));
  });

  test('then counts up to two sales and 1.5 times the usual ones', () => {
    const usual = every(15, -450, -90);
    const found = counts([...usual, ...every(1, 0, 60)]).slice(usual.length);
    const full = found.filter(({ share }) => share === 1);
    expect(full.length).toBeWithin(10, 12);
    expect(found.filter(({ isRated }) => isRated)).toEqual(full);
    expect(found.at(-1)?.share).toBeCloseTo(11 / 60, 1);
    expect(found[0]?.sellersMax).toBe(11);
  });

  test('counts at once up to one sale and 1.5 times the usual ones beside others', () => {
    const other = { day: -300, seller: 'a' };
    expect(shares([other, ...every(1, 0, 3)])).toEqual([1, 1, 1 / 2, 1 / 3]);
    expect(shares([{ ...other, day: -366 }, ...every(1, 0, 3)])).toEqual([1, 1, 1, 1]);
    expect(shares([{ ...other, seller: null, source: 'b' }, ...every(1, 0, 2)])).toEqual([
      1,
      1,
      1 / 2,
    ]);
  });

  test('that keeps its pace counts in full', () => {
    expect(shares(every(7, -2_000, 0)).every((share) => share === 1)).toBe(true);
  });
});

test('a state that was written and read counts like the original', () => {
  const before = [...every(3, -900, 0), ...every(40, -700, 0, { seller: 'a' })].sort(
    (a, b) => a.day - b.day,
  );
  const original = new SellerSales();
  counts(before, original);
  const writer = new StateWriter();
  original.write(writer);
  const copy = new SellerSales();
  copy.read(new StateReader(writer.bytes()));
  const later = [...every(2, 0, 50), { day: 60, seller: 'a' }, { day: 61, seller: 'b' }];
  expect(counts(later, copy)).toEqual(counts(later, original));
  const again = new StateWriter();
  copy.write(again);
  const same = new StateWriter();
  original.write(same);
  expect(again.bytes()).toEqual(same.bytes());
});
