/**
 * A day of all sources with faults at random: time-outs, 429, 500, half an answer, wrong JSON, a
 * midnight, and a process that dies every few minutes. `npm run faults` lives through many such
 * days.
 */
import { beforeAll, expect, test } from 'bun:test';
import { faultKinds } from '../../src/simulate/sources/faults.ts';
import { dayBudgets, liveThroughDays, mostInADay, type SyncDays } from '../support/sync-days.ts';

const seeds = Array.from({ length: Number(process.env.FAULT_DAYS ?? 1) }, (_, index) => index + 1);

let quiet: SyncDays;
beforeAll(async () => {
  quiet = await liveThroughDays(0, false);
});

test('without faults everything is fetched, within every budget', () => {
  const counts = Object.entries(quiet.rows).map(([name, rows]) => [name, rows.length]);
  expect(Object.fromEntries(counts)).toEqual({
    // Of twelve sets, six at BrickLink and six at eBay each, and one in the shop.
    sale: 12 * 13,
    offer: 12 * 8,
    // 25 weekdays of two currencies.
    fx: 25 * 2,
    catalog_record: quiet.rows.catalog_record?.length,
    set_minifig: quiet.rows.set_minifig?.length,
    // Sets, and minifigs by the numbers of two catalogs.
    document: 12 + 2 * 2,
    unanswered: 0,
  });
  expect(quiet.errors).toEqual([]);
  checkBudgets(quiet);
  // It is the budget that decides how fast.
  expect(mostInADay(quiet.calls, 'bricklink')).toBe(dayBudgets.bricklink);
});

test.each(seeds)('day %d: no budget is passed, nothing is twice, nothing is lost', async (seed) => {
  const day = await liveThroughDays(seed, true);
  for (const kind of [...faultKinds, 'death']) {
    expect([kind, day.faults.get(kind) ?? 0]).not.toEqual([kind, 0]);
  }
  checkBudgets(day);
  expect(day.failing).toEqual([]);
  for (const [name, rows] of Object.entries(day.rows)) {
    expect([name, rows]).toEqual([name, [...(quiet.rows[name] ?? [])]]);
  }
});

/** As the sources counted themselves: every call that reached them, in any 24 hours. */
function checkBudgets({ calls, tokensLeast, refusals }: SyncDays): void {
  for (const source of ['brickset', 'bricklink', 'ebay'] as const) {
    const most = mostInADay(calls, source);
    expect([source, most <= dayBudgets[source], most]).toEqual([source, true, most]);
  }
  expect(tokensLeast).toBeGreaterThanOrEqual(0);
  expect(refusals).toBe(0);
}
