/** Backtest of buying on a small market with known noise. */
import { beforeAll, expect, test } from 'bun:test';
import { dayMs } from '../../src/kernel/time.ts';
import { inOrder, restingFacts, sold } from '../../test/support/valuation.ts';
import { Random } from '../market/random.ts';
import { type BuyingReport, buyingBacktest } from './buying-backtest.ts';
import { buyingGoals } from './goals.ts';
import type { BacktestItem } from './worlds.ts';

const salesFrom = Date.UTC(2024, 6, 1);
const scoredFrom = Date.UTC(2025, 6, 1);
const today = Date.UTC(2026, 0, 1);
const movedAt = today - 92 * dayMs;
const offsets = { fixed: 0, bricklink: -0.1, amazon: 0.1 } as const;

/** Twenty sets that sell every four days, in turn in all channels. */
const items = Array.from({ length: 20 }, (_, index): BacktestItem => {
  const random = new Random(18, 'buying', index);
  const cents = 60_00 + index * 10_00;
  const sales = [];
  for (let at = salesFrom; ; ) {
    at += Math.ceil(random.exponential(4) * dayMs);
    if (at >= today) break;
    const channel = random.pick(['fixed', 'bricklink', 'amazon'] as const);
    const log = offsets[channel] + random.normal(0, 0.12);
    sales.push(sold({ soldAt: at, channel, priceCents: Math.round(cents * Math.exp(log)) }));
  }
  return {
    key: String(index),
    facts: restingFacts,
    sales: inOrder(sales).map((sale) => ({
      sale,
      isOrdinary: true,
      isPlain: sale.channel === 'fixed',
    })),
    retailWeeks: [],
    trueLog: () => Math.log(cents),
    movedDaysAgo: (at) => (at < movedAt ? null : (at - movedAt) / dayMs),
  };
});

const steps = new Set<string>();
let report: BuyingReport;

beforeAll(async () => {
  report = await buyingBacktest(items, {
    salesFrom,
    scoredFrom,
    today,
    random: (...names) => new Random(18, ...names),
    onProgress: (step, _done, total) => steps.add(`${step} ${total}`),
  });
});

test('a unit is sold in each month and channel, and the target share clears', () => {
  // Six months of twenty sets, less those without a sale in the channel.
  const channels = new Map<string, number>();
  for (const { channel, resales } of report.clearing) {
    channels.set(channel, (channels.get(channel) ?? 0) + resales);
  }
  for (const channel of ['ebay', 'bricklink', 'amazon']) {
    expect(channels.get(channel)).toBeWithin(100, 121);
  }
  const resales = report.clearing.reduce((sum, cell) => sum + cell.resales, 0);
  for (const [index, share] of report.shares.entries()) {
    const cleared = report.clearing.reduce(
      (sum, cell) => sum + cell.resales * (cell.cleared[index] ?? 0),
      0,
    );
    // Three standard deviations of a share of one half are 0.08.
    expect(cleared / resales).toBeWithin(share - 0.08, share + 0.08);
  }
});

test('resales after a movement are counted apart', () => {
  const sum = (cells: readonly { readonly resales: number }[]) =>
    cells.reduce((total, { resales }) => total + resales, 0);
  expect(report.clearingMoving.map(({ from, to }) => [from, to])).toEqual([
    [0, 60],
    [60, 120],
  ]);
  // Three of six months.
  expect(sum(report.clearingMoving) / sum(report.clearing)).toBeWithin(0.4, 0.6);
});

test('your unit sells in its channel after about the predicted time, with and without rivals', () => {
  const waits = report.waits.reduce((sum, bucket) => sum + bucket.waits, 0);
  // Two quarters of twenty sets, in three channels and two conditions; used ones were never sold.
  expect(waits).toBe(2 * 20 * 3 * 2);
  const soon = report.waits.filter(({ to, waits }) => to !== null && to <= 120 && waits >= 15);
  expect(soon.length).toBeGreaterThan(2);
  for (const { predictedDays, seenDays } of soon) {
    expect(seenDays / predictedDays).toBeWithin(0.5, 2);
  }
  const last = report.waits.at(-1);
  expect(last?.seenDays).toBe(Number.POSITIVE_INFINITY);
});

test('boxes of every size are drawn on each day, and most totals are in range', () => {
  const sizes = [2, 5, 15];
  expect(report.boxes.map(({ contents, items: size }) => `${contents} ${size}`)).toEqual(
    ['mixed', 'one theme'].flatMap((contents) => sizes.map((size) => `${contents} ${size}`)),
  );
  for (const { boxes, inside, below, above } of report.boxes) {
    expect(boxes).toBeGreaterThanOrEqual(120);
    expect(inside).toBeGreaterThanOrEqual(0.7);
    expect(inside + below + above).toBeCloseTo(1, 9);
  }
  expect(report.boxes.some(({ inside }) => inside < 1)).toBe(true);
});

test('goals apply to cells that are large enough', () => {
  expect([...steps]).toEqual(['Learning 18', 'Selling 20']);
  expect(buyingGoals(report)).toEqual([]);
  const cell = {
    tier: 'high',
    channel: 'ebay',
    resales: 4_000,
    cleared: [0.52, 0.83, 0.9],
  } as const;
  const bucket = { from: 7, to: 14, waits: 1_000, unsold: 0, predictedDays: 10, seenDays: 8 };
  const box = {
    contents: 'mixed',
    items: 5,
    boxes: 1_000,
    inside: 0.78,
    below: 0.1,
    above: 0.12,
    bias: 0,
  } as const;
  const goals = buyingGoals({
    ...report,
    clearing: [cell, { ...cell, resales: 3_999 }],
    waits: [bucket, { ...bucket, waits: 999 }],
    boxes: [box, { ...box, boxes: 999 }],
  });
  expect(goals.map(({ goal, met }) => [goal, met])).toEqual([
    ['0.48 to 0.52', true],
    ['0.78 to 0.82', false],
    ['0.88 to 0.92', true],
    ['0.8 to 1.2', false],
    ['0.78 to 0.82', true],
  ]);
});
