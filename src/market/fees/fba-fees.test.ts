/** The fee tables are consistent; invariants of the price list guard against typing errors. */
import { expect, test } from 'bun:test';
import { type FeeRow, feeSchedules } from './fba-fees.ts';

const allTiers = feeSchedules.flatMap(({ tiers }) => tiers);

function ascends(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

test('schedules start at midnight UTC, in increasing order', () => {
  const days = feeSchedules.map(({ effectiveFrom }) => new Date(effectiveFrom).toISOString());
  expect(days).toEqual(['2026-01-15T00:00:00.000Z', '2026-04-17T00:00:00.000Z']);
});

test('the surcharge is the only difference between April and January', () => {
  const [january, april] = feeSchedules;
  const { effectiveFrom, source } = january;
  expect([january.surchargePerMille, april?.surchargePerMille]).toEqual([0, 35]);
  expect({ ...april, effectiveFrom, source, surchargePerMille: 0 }).toEqual(january);
});

test('the last tier of every schedule accepts any size and weight', () => {
  for (const { tiers } of feeSchedules) {
    expect(tiers.at(-1)?.limits).toBeNull();
    expect(tiers.at(-1)?.rows.at(-1)?.[0]).toBe(Number.POSITIVE_INFINITY);
  }
});

test('within a tier, fees increase with weight in every column', () => {
  for (const { rows } of allTiers) {
    for (const column of [0, 1, 2, 3] as const) {
      expect(ascends(rows.map((row) => row[column]))).toBe(true);
    }
  }
});

test('a high price adds 26 cents to standard sizes and nothing to larger ones', () => {
  const extra = ([, , middle, high]: FeeRow) => high - middle;
  for (const { tiers } of feeSchedules) {
    const found = tiers.map(({ rows }) => [...new Set(rows.map(extra))]);
    expect(found).toEqual([[26], [26], [0], [0], [0], [0], [0], [0]]);
  }
});

test('a low price saves 82 cents on large standard and 77 on larger sizes', () => {
  const saved = ([, low, middle]: FeeRow) => middle - low;
  for (const { tiers } of feeSchedules) {
    const [, ...larger] = tiers.map(({ rows }) => [...new Set(rows.map(saved))]);
    expect(larger).toEqual([[82], [77], [77], [77], [77], [77], [77]]);
  }
});

test('the discount of a low price on small standard matches the price list, row by row', () => {
  for (const { tiers } of feeSchedules) {
    const saved = tiers[0]?.rows.map(([upToOz, low, middle]) => [upToOz, middle - low]);
    expect(saved).toEqual([
      [2, 89],
      [4, 93],
      [6, 89],
      [8, 88],
      [10, 91],
      [12, 96],
      [14, 99],
      [16, 101],
    ]);
  }
});

test('released schedules never change, so that past days can be recomputed', () => {
  // New prices are a new schedule and a new line here; these two never change.
  const isText = (key: string) => key === 'source' || key === 'name';
  const digests = feeSchedules.map((schedule) => {
    const fees = JSON.stringify(schedule, (key, value) => (isText(key) ? undefined : value));
    return new Bun.CryptoHasher('sha256').update(fees).digest('hex').slice(0, 12);
  });
  expect(digests).toEqual(['676697d388ce', '328627ff9928']);
});
