/** `scorecard`: figures from the stored scores, and its output without any. */
// @runs SQLite: is about the command
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { weekOf } from '../../src/kernel/time.ts';
import type { ScoreCount } from '../../src/market/evidence/scorecard.ts';
import { aPublishedItem, aSet } from '../support/builders.ts';
import { commandNow, makeWorkplace, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';

let [empty, place]: Workplace[] = [];

const now = Date.parse(commandNow);

const score = (facts: Partial<ScoreCount>): ScoreCount => ({
  week: weekOf(now),
  kind: 'set',
  condition: 'sealed',
  tier: 'high',
  bin: 0,
  inRange: true,
  count: 1,
  ...facts,
});

beforeAll(async () => {
  empty = makeWorkplace();
  await (await openTestStore(empty.data)).close();
  place = makeWorkplace();
  const { market, close } = await openTestStore(place.data);
  await market.applyRows([{ kind: 'set', source: 'feed', facts: aSet() }], now);
  const scores = [
    score({ bin: 10, count: 2 }),
    score({ bin: -5, inRange: false }),
    score({ week: weekOf(now) - 2, condition: 'used', tier: 'low' }),
    score({ week: weekOf(now) - 11, kind: 'minifig', condition: 'used', bin: 20 }),
    score({ week: weekOf(now) - 12, bin: 100, count: 50 }),
  ];
  await market.publish([aPublishedItem({ id: 1, version: 2, scores })]);
  await close();
});

afterAll(async () => {
  await empty?.close();
  await place?.close();
});

const nothing = { sales: 0, median_error: null, bias: null, in_range: null };

test('without scores, it explains where they come from', async () => {
  const ran = await empty?.run(['scorecard']);
  expect(ran?.status).toBe(0);
  expect(ran?.stdout).toMatch(/^No sales to score in the last 12 weeks\. [^.]+\.\n$/);
  const json = await empty?.json(['scorecard']);
  expect(json).toEqual({ weeks: [], groups: [], total: nothing });
});

test('JSON has weeks, groups and the total, for the given number of weeks', async () => {
  const perfect = { sales: 1, median_error: 0, bias: 0, in_range: 1 };
  const latest = { sales: 3, median_error: 0.1052, bias: 0.1052, in_range: 0.6667 };
  expect(await place?.json(['scorecard', '--weeks', '3'])).toEqual({
    weeks: [
      { week: '2026-10-26', ...perfect },
      { week: '2026-11-02', ...nothing },
      { week: '2026-11-09', ...latest },
    ],
    groups: [
      { kind: 'set', condition: 'sealed', tier: 'high', ...latest },
      { kind: 'set', condition: 'used', tier: 'low', ...perfect },
    ],
    // Ratios 0.951, 1 and twice 1.105: the errors are 0, 0.0488 and twice 0.1052.
    total: { sales: 4, median_error: 0.077, bias: 0.0526, in_range: 0.75 },
  });
});

test('the default is twelve weeks', async () => {
  const sales = async (...words: string[]) =>
    (await place?.json<{ total: { sales: number } }>(['scorecard', ...words]))?.total.sales;
  expect([await sales(), await sales('--weeks', '520')]).toEqual([5, 55]);
});

test('the tables have every group, the target and the meaning of the figures', async () => {
  const { status, stdout } = (await place?.run(['scorecard'])) ?? { status: 1, stdout: '' };
  expect(status).toBe(0);
  expect(stdout).toContain('Last 12 weeks: 5 sales');
  expect(stdout).toContain('80.0% of sales');
  expect(stdout).toMatch(/^Nov 9, 2026 +3 +10\.5% +10\.5% +66\.7%$/m);
  expect(stdout).toMatch(/^Nov 2, 2026 +0 +– +– +–$/m);
  expect(stdout).toMatch(/^minifig +used +high +1 +22\.1% +22\.1% +100\.0%$/m);
  expect(stdout).toMatch(/^all +5 /m);
});

test.each(['0', '521', '1.5', 'x'])('--weeks %s is a usage error', async (weeks) => {
  const ran = await place?.run(['scorecard', '--weeks', weeks]);
  expect(ran?.status).toBe(2);
  expect(ran?.stderr).toContain('--weeks must be a whole number from 1 to 520');
});
