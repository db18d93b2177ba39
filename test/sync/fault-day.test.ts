/**
 * A day of all sources with random faults: timeouts, 429, 500, truncated responses, invalid JSON, a
 * midnight, and a process that dies every few minutes. `npm run faults` runs many such days.
 */
import { beforeAll, expect, test } from 'bun:test';
import { faultKinds } from '../../simulator/sources/faults.ts';
import { dayBudgets, liveThroughDays, mostInADay, type SyncDays } from '../support/sync-days.ts';

const seeds = Array.from({ length: Number(process.env.FAULT_DAYS ?? 1) }, (_, index) => index + 1);

let quiet: SyncDays;
beforeAll(async () => {
  quiet = await liveThroughDays(0, false);
});

test('without faults everything is fetched, within every budget', () => {
  const counts = Object.entries(quiet.rows).map(([name, rows]) => [name, rows.length]);
  expect(Object.fromEntries(counts)).toEqual({
    // Twelve sets with six sales at BrickLink, six at eBay, and one in the shop.
    sale: 12 * 13,
    offer: 12 * 8,
    // 25 weekdays of two currencies.
    fx: 25 * 2,
    catalog_record: quiet.rows.catalog_record?.length,
    set_minifig: quiet.rows.set_minifig?.length,
    // Sets, and minifigs by their numbers in two catalogs.
    document: 12 + 2 * 2,
    unanswered: 0,
  });
  expect(quiet.errors).toEqual([]);
  checkBudgets(quiet);
  // The budget limits the speed.
  expect(mostInADay(quiet.calls, 'bricklink')).toBe(dayBudgets.bricklink);
});

test.each(seeds)(
  'day %d: no budget is exceeded, nothing is duplicated, nothing is lost',
  async (seed) => {
    const day = await liveThroughDays(seed, true);
    for (const kind of [...faultKinds, 'death']) {
      expect([kind, day.faults.get(kind) ?? 0]).not.toEqual([kind, 0]);
    }
    checkBudgets(day);
    expect(day.failing).toEqual([]);
    for (const [name, rows] of Object.entries(day.rows)) {
      expect([name, rows]).toEqual([name, [...(quiet.rows[name] ?? [])]]);
    }
  },
);

/** As counted by the sources: every call that reached them, in any 24 hours. */
function checkBudgets({ calls, tokensLeast, refusals }: SyncDays): void {
  for (const source of ['brickset', 'bricklink', 'ebay'] as const) {
    const most = mostInADay(calls, source);
    expect([source, most <= dayBudgets[source], most]).toEqual([source, true, most]);
  }
  expect(tokensLeast).toBeGreaterThanOrEqual(0);
  expect(refusals).toBe(0);
}
