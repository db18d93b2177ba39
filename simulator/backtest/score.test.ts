/** Scoring: no method sees the future, and each month counts once. */
import { expect, test } from 'bun:test';
import { dayMs, monthOf, weekOf, weekStart } from '../../src/kernel/time.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import {
  ParameterTimeline,
  storeParameters,
} from '../../src/market/values/engine/parameter-timeline.ts';
import { defaultParameters } from '../../src/market/values/engine/parameters.ts';
import { aStoredSale } from '../../test/support/builders.ts';
import { learnAsKnown } from './learn-as-known.ts';
import type { Method } from './methods.ts';
import { scoreItem } from './score.ts';
import { SetHistory, type Snapshot } from './snapshots.ts';
import type { BacktestItem, BacktestSale } from './worlds.ts';

const day = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** A plain sale on a day, ingested a day later by default. */
function sold(date: string, dollars: number, facts: Partial<StoredSale> = {}): BacktestSale {
  const sale = aStoredSale({
    sourceId: date,
    priceCents: dollars * 100,
    soldAt: day(date),
    channel: 'fixed',
    completeness: 'complete',
    ingestedAt: day(date) + dayMs,
    ...facts,
  });
  return { sale, isOrdinary: true, isPlain: true };
}

function item(...sales: BacktestSale[]): BacktestItem {
  return {
    key: '1',
    facts: {
      msrpCents: 50_00,
      pieces: null,
      minifigs: null,
      theme: null,
      subtheme: null,
      releasedAt: null,
      retiredAt: day('2026-03-15'),
      weightLbs: null,
      cubicInches: null,
      itemClass: 'set',
    },
    sales,
    retailWeeks: [],
    trueLog: () => Math.log(50_00),
  };
}

/** The scores, and the snapshots that a method received. */
function scored(known: BacktestItem, from = '2020-01-01', options: { aheadMs?: number } = {}) {
  const received: Snapshot[] = [];
  const predict = (facts: Snapshot) => {
    received.push(facts);
    return null;
  };
  const methods: Method[] = [{ name: 'x', isHelped: false, predict }];
  const timeline = new ParameterTimeline([]);
  const scoring = { methods, timeline, from: day(from), aheadMs: 0, ...options };
  return { scores: scoreItem(known, scoring), received };
}

const dollars = (log: number) => Math.round(Math.exp(log)) / 100;

test('the first plain sale of each month in each condition is scored, from an instant on', () => {
  const used = { condition: 'used' } as const;
  const odd: BacktestSale = { ...sold('2026-02-01', 5), isPlain: false };
  const sales = [
    sold('2026-01-05', 40),
    odd,
    sold('2026-02-10', 60),
    sold('2026-02-20', 70),
    sold('2026-02-21', 30, used),
    sold('2026-03-02', 80, { retractedAt: day('2026-04-01') }),
    sold('2026-03-03', 90),
  ];
  const { scores } = scored(item(...sales), '2026-02-01');
  expect(scores.map((s) => [s.condition, dollars(s.soldLog), s.monthSales])).toEqual([
    ['sealed', 60, 2],
    ['sealed', 90, 1],
    ['used', 30, 1],
  ]);
  expect(scores[0]).toMatchObject({ item: '1', trueLog: Math.log(50_00), predictions: [null] });
});

test('a method sees ingested rows that were not retracted', () => {
  const known = item(
    sold('2026-01-01', 10),
    sold('2026-01-02', 20, { ingestedAt: day('2026-03-01') }),
    sold('2026-01-03', 30, { retractedAt: day('2026-01-20') }),
    sold('2026-01-04', 40, { retractedAt: day('2026-05-01') }),
    sold('2026-01-05', 50, { condition: 'used' }),
    sold('2026-01-06', 5, { completeness: 'incomplete' }),
    sold('2026-01-07', 8, { quantity: 2, shippingCents: 2_00, usdPerUnit: 2 }),
    sold('2026-02-10', 60),
  );
  const { received } = scored(known, '2026-02-01');
  expect(received).toHaveLength(1);
  const [facts] = received;
  expect(facts?.set.sales.map((sale) => sale.priceCents / 100)).toEqual([10, 40, 50, 5, 8]);
  expect(facts?.set.sales.every((sale) => sale.retractedAt === null)).toBe(true);
  // Two for 20 dollars are corrected for the discount: e^(0.03 · ln 2) is 2.1% more each.
  expect(facts?.prices.map((o) => dollars(o.log))).toEqual([10, 40, 10.21]);
  expect(facts?.rawPrices.map((o) => dollars(o.log))).toEqual([10, 40, 5, 10]);
});

test('prices are adjusted by the channel offset of their month', () => {
  const auction = { ...defaultParameters.offsets.set, auction: -Math.LN2 };
  const offsets = { ...defaultParameters.offsets, set: auction };
  const [january, february] = [monthOf(day('2026-01-01')), monthOf(day('2026-02-01'))];
  const timeline = new ParameterTimeline([
    storeParameters(january, defaultParameters),
    storeParameters(february, { ...defaultParameters, offsets }),
  ]);
  const received: Snapshot[] = [];
  const predict = (facts: Snapshot) => {
    received.push(facts);
    return null;
  };
  const sales = ['2026-01-10', '2026-02-10'].map((date) => sold(date, 30, { channel: 'auction' }));
  const odd = sales.map((sale) => ({ ...sale, isPlain: false }));
  const methods = [{ name: 'x', isHelped: false, predict }];
  scoreItem(item(...odd, sold('2026-03-01', 40)), { methods, timeline, from: 0, aheadMs: 0 });
  expect(received[0]?.levelPrices.map(({ log }) => dollars(log))).toEqual([30, 60]);
  expect(received[0]?.prices.map(({ log }) => dollars(log))).toEqual([30, 30]);
});

test('with a horizon, a method sees the data known at that time', () => {
  const sales = ['2026-01-10', '2026-02-20', '2026-03-10'].map((date) => sold(date, 30));
  const { received } = scored(item(...sales), '2026-03-01', { aheadMs: 30 * dayMs });
  expect(received.map(({ at, prices }) => [at, prices.length])).toEqual([
    [day('2026-03-10') - 30 * dayMs, 1],
  ]);
});

test('future retirements are unknown', () => {
  const { received, scores } = scored(
    item(sold('2025-02-10', 60), sold('2026-02-10', 60), sold('2026-04-10', 60)),
  );
  expect(received.map(({ set }) => set.facts.retiredAt)).toEqual([null, null, day('2026-03-15')]);
  expect(scores.map((s) => s.isAroundRetirement)).toEqual([false, true, true]);
});

test('a retirement is known from its instant on', () => {
  const history = new SetHistory(item());
  const retiredAt = day('2026-03-15');
  expect(history.at(retiredAt - 1).facts.retiredAt).toBeNull();
  expect(history.at(retiredAt).facts.retiredAt).toBe(retiredAt);
});

test('a sale is known from ingestion until retraction', () => {
  const [ingestedAt, retractedAt] = [day('2026-01-02'), day('2026-02-02')];
  const history = new SetHistory(item(sold('2026-01-01', 10, { ingestedAt, retractedAt })));
  const known = (at: number) => history.at(at).sales.length;
  expect([ingestedAt, ingestedAt + 1].map(known)).toEqual([0, 1]);
  expect([retractedAt, retractedAt + 1].map(known)).toEqual([1, 0]);
});

test('bounds of scoring, retirement periods and the next 30 days', () => {
  expect(scored(item(sold('2026-02-10', 60)), '2026-02-10').scores).toHaveLength(1);
  expect(scored(item(sold('2026-02-10', 60)), '2026-02-11').scores).toHaveLength(0);
  const retiredAt = day('2026-03-15');
  const isAround = (soldAt: number) =>
    scored(item(sold('2026-02-10', 60, { soldAt }))).scores.map((s) => s.isAroundRetirement)[0];
  const instants = [-91 * dayMs - 1, -91 * dayMs, 365 * dayMs - 1, 365 * dayMs];
  expect(instants.map((ms) => isAround(retiredAt + ms))).toEqual([false, true, true, false]);
  const nextOf = (lastAfterMs: number) => {
    const at = day('2026-01-10');
    const times = [0, 1, 2, 3, lastAfterMs].map((ms) => at + ms);
    const sales = times.map((soldAt, index) =>
      sold('2026-01-10', 50, { soldAt, sourceId: String(index) }),
    );
    return scored(item(...sales)).scores[0]?.nextLog ?? null;
  };
  expect(nextOf(30 * dayMs - 1)).not.toBeNull();
  expect(nextOf(30 * dayMs)).toBeNull();
});

test('progress of learning is reported by month', async () => {
  const [from, to] = [monthOf(day('2026-01-01')), monthOf(day('2026-03-01'))];
  const reported: [done: number, total: number][] = [];
  const onProgress = (done: number, total: number) => reported.push([done, total]);
  await learnAsKnown([item()], { from, to, onProgress });
  expect(reported).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test('only past weeks of retail prices are visible', () => {
  const week = weekOf(day('2026-02-01'));
  const retailWeeks = [0, 1, 2].map((later) => ({ week: week + later, priceCents: 40_00 }));
  const history = new SetHistory({ ...item(), retailWeeks });
  const weeksAt = (date: string) => history.at(day(date)).retailWeeks.length;
  expect(['2026-02-01', '2026-02-02', '2026-02-14', '2026-03-14'].map(weeksAt)).toEqual([
    0, 1, 2, 3,
  ]);
  expect(history.at(weekStart(week + 1) - 1).retailWeeks).toHaveLength(0);
  expect(history.at(weekStart(week + 1)).retailWeeks).toHaveLength(1);
});

test('scores have the number of earlier sales', () => {
  const months = ['2025-01', '2025-09', '2025-10', '2025-11', '2025-12'];
  const { scores } = scored(item(...months.map((month) => sold(`${month}-10`, 50))));
  expect(scores.map((s) => [s.support, s.isFirst])).toEqual([
    ['0', true],
    ['0', false],
    ['1-2', false],
    ['1-2', false],
    ['3-9', false],
  ]);
  const daily = Array.from({ length: 12 }, (_, index) => sold(`2026-01-${10 + index}`, 50 + index));
  const { scores: busy } = scored(item(...daily, sold('2026-02-10', 50)));
  expect(busy.map((s) => s.support)).toEqual(['0', '10+']);
  // The median of 50 to 61 and the sale of February, which is 31 days later.
  expect(busy.map((s) => s.nextLog && dollars(s.nextLog))).toEqual([55.5, null]);
});

test('sales count as support for 180 days', () => {
  const supportBy = (date: string) =>
    scored(item(sold(date, 50), sold('2026-01-10', 50)), '2026-01-01').scores.map((s) => s.support);
  expect(supportBy('2025-07-14')).toEqual(['0']);
  expect(supportBy('2025-07-15')).toEqual(['1-2']);
});

test('parameters are learned from rows known at the start of their month', async () => {
  const early = Array.from({ length: 8 }, (_, index) =>
    item(
      sold('2026-01-05', 10 + index, { channel: 'auction' }),
      sold('2026-01-06', 20 + 2 * index),
    ),
  );
  const [from, to] = [monthOf(day('2026-01-01')), monthOf(day('2026-03-01'))];
  const auctions = async (items: readonly BacktestItem[]) =>
    (await learnAsKnown(items, { from, to })).map(
      ({ body }) => JSON.parse(body).offsets.set.auction < 0,
    );
  expect(await auctions(early)).toEqual([false, true, true]);
  const changed = (facts: Partial<StoredSale>) =>
    early.map((known) => ({
      ...known,
      sales: known.sales.map((one) => ({ ...one, sale: { ...one.sale, ...facts } })),
    }));
  // Ingested and retracted in the middle of February.
  const late = changed({ ingestedAt: day('2026-02-15') });
  expect(await auctions(late)).toEqual([false, false, true]);
  const takenBack = changed({ retractedAt: day('2026-02-15') });
  expect(await auctions(takenBack)).toEqual([false, true, false]);
});
