/** The market of the back-test: the same for the same seed, and true to what it says of itself. */
import { expect, test } from 'bun:test';
import { dayMs } from '../domain/time.ts';
import { knownMarket } from './known-market.ts';

const today = Date.UTC(2026, 10, 1);
const options = { seed: 5, today, sets: 60, years: 3, salesPerSet: 40 };
const items = [...knownMarket(options)];
const rows = items.flatMap(({ sales }) => sales);

test('the same seed gives the same market, another one another', () => {
  const first = (seed: number) => [...knownMarket({ ...options, seed, sets: 10 })][0]?.sales[0];
  expect(first(5)).toEqual(first(5));
  expect(first(6)).not.toEqual(first(5));
});

test('sales come in order, are known after they happened, and lie before today', () => {
  for (const { sales } of items) {
    const times = sales.map(({ sale }) => sale.soldAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
  expect(rows.every(({ sale }) => sale.ingestedAt >= sale.soldAt && sale.soldAt < today)).toBe(
    true,
  );
  expect(rows.every(({ sale }) => sale.usdPerUnit > 0)).toBe(true);
});

test('seven in ten rows arrive within a day, a few after weeks, and some are taken back', () => {
  const delays = rows.map(({ sale }) => (sale.ingestedAt - sale.soldAt) / dayMs);
  const share = (days: number) => delays.filter((delay) => delay <= days).length / delays.length;
  expect(share(1)).toBeGreaterThan(0.66);
  expect(share(1)).toBeLessThan(0.74);
  expect(share(10)).toBeGreaterThan(0.96);
  expect(Math.max(...delays)).toBeLessThanOrEqual(45);
  const retracted = rows.filter(({ sale }) => sale.retractedAt !== null).length / rows.length;
  expect(retracted).toBeGreaterThan(0.003);
  expect(retracted).toBeLessThan(0.02);
});

test('plain sales scatter around the true value without leaning to a side', () => {
  const errors = items.flatMap(({ sales, trueLog }) =>
    sales
      .filter(({ isPlain }) => isPlain)
      .map(({ sale }) => {
        const cents = (sale.priceCents + sale.shippingCents) * sale.usdPerUnit;
        return Math.log(cents) - trueLog(sale.condition, sale.soldAt);
      }),
  );
  const sorted = errors.sort((a, b) => a - b);
  expect(sorted.length).toBeGreaterThan(300);
  expect(Math.abs(sorted[sorted.length >> 1] ?? 1)).toBeLessThan(0.02);
});
