/** Scoring of new sales against the published value: which count, and how. */
// @runs SQLite, PostgreSQL: publishes with the store
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { type FeedLine, openWorld } from '../../../test/support/stored-world.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { dayMs, weekOf } from '../../kernel/time.ts';
import { valueEngine } from '../values/engine.ts';
import type { ComparableSale, SalesSince } from '../values/estimator.ts';
import type { ConditionEvidence, Evidence } from './evidence.ts';
import { newSales, scoreSales } from './scores.ts';

/** A Monday noon; the value was published then, and is 100 dollars, between 80 and 125. */
const published = Date.parse('2026-11-09T12:00:00Z');
const at = published + 2 * dayMs;

const hundred: ConditionEvidence = {
  valueCents: 100_00,
  lowCents: 80_00,
  highCents: 125_00,
  valueSpread: 0,
  saleSpread: 0,
  sales: { ever: 1, days30: 1, days90: 1, days180: 1, days365: 1 },
  firstSale: null,
  latestSale: null,
};

const before: Evidence = someEvidence({
  at: published,
  learnedUntil: published - 5,
  tier: 'medium',
  sealed: hundred,
  used: null,
});

function sold(dollars: number, facts: Partial<ComparableSale> = {}): ComparableSale {
  const log = Math.log(dollars * 100);
  return { condition: 'sealed', soldAt: published + dayMs, log, ...facts };
}

/** Scores of sales: bin, whether they were in the range, week. */
function scores(sales: readonly ComparableSale[], evidence: Evidence | null = before) {
  const asked: number[] = [];
  const salesSince = ({ learnedAfter, soldAfter }: SalesSince) => {
    asked.push(learnedAfter);
    return sales.filter(({ soldAt }) => soldAt > soldAfter);
  };
  const found = newSales({ before: evidence, at, salesSince });
  const counts = scoreSales(found, { kind: 'set', before: evidence });
  expect(asked).toEqual(evidence ? [published - 5] : []);
  return counts;
}

test.each([
  // ln(100 ÷ price) in hundredths
  [100, 0, true],
  [110, -10, true], // −0.0953
  [90, 11, true], // 0.1054
  [80, 22, true], // 0.2231
  [79.99, 22, false],
  [125, -22, true],
  [125.01, -22, false],
  [200, -69, false], // −0.6931
  [10, 100, false], // 2.3026, beyond the end
  [1000, -100, false],
])('a sale at %d dollars is in bin %d, in range: %p', (dollars, bin, inRange) => {
  expect(scores([sold(dollars)])).toEqual([
    ...[{ week: weekOf(published), kind: 'set', condition: 'sealed', tier: 'medium' } as const].map(
      (group) => ({ ...group, bin, inRange, count: 1 }),
    ),
  ]);
});

test.each([
  ['just now', at, true],
  ['later than the publication speaks of', at + 1, false],
  ['a day before the value', published - dayMs, true],
  ['almost thirty days before the value', published - 30 * dayMs + 1, true],
  ['thirty days before the value: the past is being loaded', published - 30 * dayMs, false],
])('a sale of %s: scored %p', (_, soldAt, isScored) => {
  const found = scores([sold(100, { soldAt })]);
  expect(found.map(({ week }) => week)).toEqual(isScored ? [weekOf(soldAt)] : []);
});

test('nothing is scored without an earlier value of the condition', () => {
  expect(scores([sold(100)], null)).toEqual([]);
  expect(scores([sold(100, { condition: 'used' })])).toEqual([]);
});

test('a sealed sale does not test the value of a minifig, which is a used value', () => {
  const evidence = { ...before, used: hundred };
  const sales = [sold(100), sold(110, { condition: 'used' })];
  const found = (kind: ItemKind) =>
    scoreSales(sales, { kind, before: evidence }).map(({ condition, bin }) => [condition, bin]);
  expect(found('set')).toEqual([
    ['sealed', 0],
    ['used', -10],
  ]);
  expect(found('minifig')).toEqual([['used', -10]]);
});

const hut: FeedLine = { kind: 'set', set_number: '1', title: 'Hut', theme: 'Huts', msrp_usd: 50 };
const sale = (id: string, price: number, facts: FeedLine = {}): FeedLine => ({
  kind: 'sale',
  source: 'shop',
  source_id: id,
  item_type: 'set',
  item: '1',
  price,
  condition: 'sealed',
  sold_at: '2026-11-14T10:00:00Z',
  ...facts,
});

test.each([plainEngine, valueEngine])(
  'each sale is scored once, however often items are published ($version)',
  async (engine) => {
    const world = await openWorld(undefined, engine);
    const scored = async () =>
      (await world.store.market.listScores(0)).reduce((sum, { count }) => sum + count, 0);
    try {
      await world.load([hut, sale('first', 50)]);
      expect(await scored()).toBe(0);
      world.now += 1000;
      await world.load([sale('a', 50), sale('b', 55)]);
      expect(await scored()).toBe(2);
      await world.publisher.publishAll();
      world.now += dayMs;
      await world.publisher.publishAll();
      // Not scored: a correction, an incomplete set, and an old sale.
      await world.load([
        sale('a', 51),
        sale('c', 20, { completeness: 'incomplete' }),
        sale('d', 50, { sold_at: '2026-09-01T10:00:00Z' }),
      ]);
      expect(await scored()).toBe(2);
      world.now += 1000;
      await world.load([sale('e', 52), { kind: 'retract', source: 'shop', source_id: 'e' }]);
      expect(await scored()).toBe(2);
      world.now += 1000;
      await world.load([sale('f', 52)]);
      expect(await scored()).toBe(3);
    } finally {
      await world.close();
    }
  },
);
