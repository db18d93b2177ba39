/** The alarm for a drift that the value lags behind. */
import { expect, test } from 'bun:test';
import { pricedSale } from '../../../../test/support/valuation.ts';
import { DriftAlarm } from './drift-alarm.ts';

/** One sale was expected for each that was made. */
const usual = { expectedSales: (from: number, to: number) => (to - from) / 86_400_000, sellers: 3 };
const burst = { expectedSales: () => 0.1, sellers: 3 };

interface Sold {
  readonly error: number;
  readonly seller?: string;
}

/** Whether it sounds after each sale, one a day. */
const sounds = (alarm: DriftAlarm, sales: readonly Sold[], pace = usual) =>
  sales.map(({ error, seller }, day) => alarm.add(pricedSale({ day, seller }), error, pace));

const errors = (...list: number[]) => list.map((error) => ({ error }));

test('sounds if errors minus slack add up to more than five', () => {
  const after = (error: number) =>
    sounds(new DriftAlarm(), Array<Sold>(40).fill({ error })).indexOf(true) + 1;
  // 0.5 each after slack: 11 exceed 5. 1 each: 6. 2 each, the clipped maximum: 3.
  expect([1, 1.5, 2.5, 9].map(after)).toEqual([11, 6, 3, 3]);
  expect([-1, -1.5, -2.5, -9].map(after)).toEqual([11, 6, 3, 3]);
  expect(after(0.5)).toBe(0);
});

test('does not sound for errors that change direction', () => {
  const list = Array.from({ length: 50 }, (_, index) => (index % 2 ? 2.4 : -2.4));
  expect(sounds(new DriftAlarm(), errors(...list))).not.toContain(true);
});

test('starts again after it sounded, in both directions', () => {
  const sounded = sounds(new DriftAlarm(), errors(3, 3, 3, 3, 3, 3, -3, -3, -3));
  expect(sounded.map(Number)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
});

test('starts again after a reset', () => {
  const alarm = new DriftAlarm();
  sounds(alarm, errors(9, 9));
  alarm.reset();
  expect(sounds(alarm, errors(9, 9, 9))).toEqual([false, false, true]);
});

test('does not sound for one seller, however often', () => {
  const alarm = new DriftAlarm();
  const flood = Array<Sold>(20).fill({ error: 3, seller: 'a' });
  expect(sounds(alarm, flood)).not.toContain(true);
  expect(alarm.agreement()).toBeNull();
});

test('is doubted in a burst of a few sellers, until other sales contradict it', () => {
  const alarm = new DriftAlarm();
  expect(sounds(alarm, errors(3, 3, 3, 3), burst)).not.toContain(true);
  expect(alarm.agreement()).toMatchObject({ sales: 4, sellers: 4 });
  sounds(alarm, errors(0, 0, 0, 0, 0, 0, 0), burst);
  expect(alarm.agreement()).toBeNull();
});

const agreementAfter = (sales: readonly Sold[]) => {
  const alarm = new DriftAlarm();
  sounds(alarm, sales);
  return alarm.agreement();
};

test('is doubted from the second of two sales that are far off, until one is not', () => {
  expect(agreementAfter(errors(-2.3))).toBeNull();
  expect(agreementAfter(errors(-2.3, -2.3))).toMatchObject({ sales: 2, sellers: 2 });
  expect(agreementAfter(errors(-2.3, -2.3, 0))).toBeNull();
});

test('is not doubted for two sales that are less far off, or by one seller', () => {
  for (const list of [errors(2.2, 2.2), errors(2.5, -2.5)]) {
    expect(agreementAfter(list)).toBeNull();
  }
  expect(agreementAfter([2.5, 2.5].map((error) => ({ error, seller: 'a' })))).toBeNull();
});

test('sounds in a burst of six sellers', () => {
  expect(sounds(new DriftAlarm(), errors(3, 3, 3, 3, 3, 3), burst).indexOf(true)).toBe(5);
});

test('does not sound if others sell at the value in between', () => {
  const list = Array.from({ length: 30 }, (_, index) => (index % 2 === 1 ? 0 : 2.4));
  expect(sounds(new DriftAlarm(), errors(...list))).not.toContain(true);
});
