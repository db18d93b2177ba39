/** Finalized months: where they start, how they are recomputed, and that sealed ones stay. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { aStoredSale } from '../../../test/support/builders.ts';
import { plainEstimator } from '../../../test/support/plain-engine.ts';
import { unknownFacts } from '../../../test/support/valuation.ts';
import { dayMs, formatMonth, monthCut, parseMonth } from '../../kernel/time.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import type { HistoryState, Series } from './history.ts';
import { extendMonths } from './months.ts';

const unsealed: HistoryState = { sealedAt: null, restatements: [] };
const sealed: HistoryState = { sealedAt: Date.parse('2026-05-15T00:00:00Z'), restatements: [] };

interface Case {
  readonly released?: string;
  readonly retired?: string;
  readonly sales?: readonly StoredSale[];
  readonly stored?: Series | null;
  readonly history?: HistoryState;
  readonly condition?: 'sealed' | 'used';
}

/** The series on a day. */
function seriesAt(day: string, given: Case): Series | null {
  const instant = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  const facts = {
    ...unknownFacts,
    releasedAt: instant(given.released),
    retiredAt: instant(given.retired),
  };
  const sales = (given.sales ?? []).toSorted((a, b) => a.soldAt - b.soldAt);
  return extendMonths({
    set: plainEstimator.prepareSet({ facts, sales, retailWeeks: [] }),
    facts,
    condition: given.condition ?? 'sealed',
    stored: given.stored ?? null,
    history: given.history ?? unsealed,
    at: Date.parse(day),
  });
}

/** The series as rows of month, value, sales and event. */
function rows(series: Series | null) {
  return series?.points.map((point, index) => [
    formatMonth(series.firstMonth + index),
    point.valueCents === null ? null : point.valueCents / 100,
    point.salesCount,
    point.event,
  ]);
}

/** A sale on a day, which arrived on the same day by default. */
function sold(day: string, dollars: number, facts: Partial<StoredSale> = {}): StoredSale {
  return aStoredSale({
    sourceId: `${day} ${dollars}`,
    priceCents: dollars * 100,
    soldAt: Date.parse(day),
    ingestedAt: Date.parse(day),
    completeness: 'complete',
    ...facts,
  });
}

const learned = (day: string) => ({ ingestedAt: Date.parse(day) });
const restated = (id: number, from: string, day: string) => ({
  id,
  fromMonth: parseMonth(from) ?? Number.NaN,
  reason: 'A source took sales back.',
  at: Date.parse(day),
});

test.each([
  ['it was never sold and its release is unknown', {}],
  ['it is to be released', { released: '2026-12-01' }],
  ['it was released in a month that is not final', { released: '2026-06-30' }],
  ['its only sale lies in a month that is not final', { sales: [sold('2026-06-30', 100)] }],
  ['it was only sold used', { sales: [sold('2026-01-10', 60, { condition: 'used' })] }],
])('there is no history when %s', (_, given) => {
  expect(seriesAt('2026-07-07T23:59:59.999Z', given)).toBeNull();
});

test('history starts with the release, null until the first sale; quiet months keep the value', () => {
  const sales = [sold('2026-03-10', 100), sold('2026-05-20', 120)];
  expect(rows(seriesAt('2026-07-08', { released: '2026-01-15', sales }))).toEqual([
    ['2026-01', null, 0, 'released'],
    ['2026-02', null, 0, null],
    ['2026-03', 100, 1, null],
    ['2026-04', 100, 0, null],
    ['2026-05', 120, 1, null],
    ['2026-06', 120, 0, null],
  ]);
});

test('history starts with the first sale if that was before the release, or it is unknown', () => {
  const sales = [sold('2026-04-10', 100)];
  expect(rows(seriesAt('2026-07-07', { released: '2026-05-01', sales }))).toEqual([
    ['2026-04', 100, 1, null],
    ['2026-05', 100, 0, 'released'],
  ]);
  expect(rows(seriesAt('2026-07-07', { sales }))).toEqual([
    ['2026-04', 100, 1, null],
    ['2026-05', 100, 0, null],
  ]);
});

test('each condition has its own history, both starting with the release', () => {
  const sales = [sold('2026-05-10', 100), sold('2026-04-11', 60, { condition: 'used' })];
  const given = { released: '2026-04-01', sales };
  expect(rows(seriesAt('2026-06-10', { ...given, condition: 'used' }))).toEqual([
    ['2026-04', 60, 1, 'released'],
    ['2026-05', 60, 0, null],
  ]);
  expect(rows(seriesAt('2026-06-10', { ...given, condition: 'sealed' }))).toEqual([
    ['2026-04', null, 0, 'released'],
    ['2026-05', 100, 1, null],
  ]);
});

test('a jump is recorded if sales support it, and retirement takes precedence', () => {
  const before = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) => sold(day, 100));
  const after = ['2026-05-25', '2026-05-26', '2026-05-27'].map((day) => sold(day, 135));
  const sales = [...before, ...after];
  const events = (given: Case) => rows(seriesAt('2026-06-10', given))?.map((row) => row[3]);
  expect(events({ sales })).toEqual([null, null, 'price_jump_up']);
  expect(events({ sales, retired: '2026-05-31' })).toEqual([null, null, 'retired']);
});

const march = sold('2026-03-10', 100);
const stored = seriesAt('2026-05-15', { sales: [march] });
const late = sold('2026-03-20', 130, learned('2026-05-20'));

test('before sealing, a late sale changes its months', () => {
  expect(rows(stored)).toEqual([
    ['2026-03', 100, 1, null],
    ['2026-04', 100, 0, null],
  ]);
  const earlier = sold('2026-02-10', 90, learned('2026-05-20'));
  const sales = [march, late, earlier];
  expect(rows(seriesAt('2026-05-20', { sales, stored }))).toEqual([
    ['2026-02', 90, 1, null],
    ['2026-03', 130, 2, 'price_jump_up'],
    ['2026-04', 130, 0, null],
  ]);
});

test('after sealing, a late sale changes only later months', () => {
  const given = { sales: [march, late], stored, history: sealed };
  expect(seriesAt('2026-06-07T23:59:59.999Z', given)).toEqual(stored);
  expect(rows(seriesAt('2026-06-08', given))).toEqual([
    ['2026-03', 100, 1, null],
    ['2026-04', 100, 0, null],
    ['2026-05', 130, 0, null],
  ]);
});

test('a month computed late uses only what was known at its cut', () => {
  const may = sold('2026-05-10', 140, learned('2026-06-08'));
  const sales = [march, may];
  expect(rows(seriesAt('2026-07-08', { sales, stored, history: sealed }))).toEqual([
    ['2026-03', 100, 1, null],
    ['2026-04', 100, 0, null],
    ['2026-05', 100, 0, null],
    ['2026-06', 140, 0, null],
  ]);
});

test('after sealing, a retracted sale does not change final months', () => {
  const april = sold('2026-04-20', 120);
  const before = seriesAt('2026-05-15', { sales: [march, april] });
  const sales = [march, { ...april, retractedAt: Date.parse('2026-05-20') }];
  expect(rows(seriesAt('2026-06-08', { sales, stored: before, history: sealed }))).toEqual([
    ['2026-03', 100, 1, null],
    ['2026-04', 120, 1, null],
    ['2026-05', 100, 0, null],
  ]);
});

test('a set added after sealing starts with what was known at the cut', () => {
  const sales = [sold('2026-05-20', 100), sold('2026-05-21', 200, learned('2026-06-09'))];
  const given = { released: '2026-05-01', sales, history: sealed };
  expect(rows(seriesAt('2026-06-10', given))).toEqual([['2026-05', 100, 1, 'released']]);
  const onlyLate = { sales: sales.slice(1), history: sealed };
  expect(seriesAt('2026-06-10', onlyLate)).toBeNull();
});

test('a restatement recomputes from its month on, from all rows, and is recorded', () => {
  const sales = [sold('2026-02-10', 90), march];
  const before = seriesAt('2026-05-15', { sales });
  const corrections = [
    sold('2026-02-11', 95, learned('2026-05-16')),
    ...['2026-03-20', '2026-03-21', '2026-03-22'].map((day) =>
      sold(day, 130, learned('2026-05-16')),
    ),
  ];
  const history = { ...sealed, restatements: [restated(1, '2026-03', '2026-05-20')] };
  const after = seriesAt('2026-05-21', {
    sales: [...sales, ...corrections],
    stored: before,
    history,
  });
  expect(rows(before)).toEqual([
    ['2026-02', 90, 1, null],
    ['2026-03', 100, 1, null],
    ['2026-04', 100, 0, null],
  ]);
  expect(rows(after)).toEqual([
    ['2026-02', 90, 1, null],
    ['2026-03', 130, 4, 'price_jump_up'],
    ['2026-04', 130, 0, null],
  ]);
  expect([before?.revision, after?.revision]).toEqual([0, 1]);
});

test('a restatement is applied once; later rows do not change its months', () => {
  const history = { ...sealed, restatements: [restated(1, '2026-03', '2026-05-20')] };
  const after = seriesAt('2026-05-21', { sales: [march, late], stored, history });
  const sales = [march, late, sold('2026-04-02', 200, learned('2026-05-25'))];
  expect(seriesAt('2026-05-26', { sales, stored: after, history })).toEqual(after);
  const again = {
    ...sealed,
    restatements: [...history.restatements, restated(2, '2026-04', '2026-05-27')],
  };
  expect(rows(seriesAt('2026-05-28', { sales, stored: after, history: again }))).toEqual([
    ['2026-03', 130, 2, null],
    ['2026-04', 200, 1, 'price_jump_up'],
  ]);
});

test('a restatement from before the first month can start earlier', () => {
  const sales = [sold('2026-01-10', 80, learned('2026-05-20')), march];
  const history = { ...sealed, restatements: [restated(1, '2026-01', '2026-05-20')] };
  expect(rows(seriesAt('2026-05-21', { sales, stored, history }))).toEqual([
    ['2026-01', 80, 1, null],
    ['2026-02', 80, 0, null],
    ['2026-03', 100, 1, null],
    ['2026-04', 100, 0, null],
  ]);
});

const start = Date.parse('2025-10-01');
const end = Date.parse('2026-12-31');
const anySales = fc.array(
  fc
    .record({
      soldAt: fc.integer({ min: start, max: end }),
      priceCents: fc.integer({ min: 50_00, max: 200_00 }),
      delay: fc.integer({ min: 0, max: 90 * dayMs }),
      retractedAfter: fc.option(fc.integer({ min: 0, max: 90 * dayMs }), { nil: null, freq: 4 }),
    })
    .map(({ soldAt, priceCents, delay, retractedAfter }) => ({
      ...sold('2026-01-01', 1),
      soldAt,
      priceCents,
      ingestedAt: soldAt + delay,
      retractedAt: retractedAfter === null ? null : soldAt + delay + retractedAfter,
    })),
  { maxLength: 30 },
);

test('sealed months never change, and the others do not depend on when they are computed', () => {
  fc.assert(
    fc.property(anySales, (sales) => {
      const given = { released: '2025-11-20', history: sealed };
      const known = sales.filter((sale) => sale.ingestedAt < Date.parse('2026-05-15'));
      const atSealing = seriesAt('2026-05-15', { ...given, sales: known, history: unsealed });
      const atOnce = seriesAt('2026-12-20', { ...given, sales, stored: atSealing });
      expect(atOnce?.points.slice(0, atSealing?.points.length)).toEqual([
        ...(atSealing?.points ?? []),
      ]);
      let byMonth = atSealing;
      for (let month = parseMonth('2026-05') ?? 0; month <= (parseMonth('2026-11') ?? 0); month++) {
        const day = new Date(monthCut(month)).toISOString();
        byMonth = seriesAt(day, { ...given, sales, stored: byMonth });
      }
      expect(byMonth).toEqual(atOnce);
    }),
    { seed: 8, numRuns: 60 },
  );
});

test('sealed months keep their recorded inputs', () => {
  const released = '2026-01-10';
  const first = seriesAt('2026-05-20', { released });
  if (!first) throw new Error('There are no months.');
  const made = { inputHash: 7, parameters: '2026-03-00000000' };
  const stored = { ...first, provenance: first.points.map(() => made) };
  const next = seriesAt('2026-06-20', { released, stored, history: sealed });
  expect(next?.provenance).toEqual([made, made, made, made, 'unsold']);
});
