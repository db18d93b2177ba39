/** What people read of how a value came about. */
import { describe, expect, test } from 'bun:test';
import { bareEvidence } from '../../../test/support/facts.ts';
import type { ConditionEvidence, Evidence } from './evidence.ts';
import { reportEvidence } from './evidence-report.ts';

const found: ConditionEvidence = {
  valueCents: 123_45,
  lowCents: 100_00,
  highCents: 150_00,
  valueSpread: Math.log(1.05),
  saleSpread: Math.log(3),
  firstSale: '2026-01',
  latestSale: '2026-11',
  sales: { days30: 1, days90: 2, days180: 3, days365: 4, ever: 5 },
};

const report = (facts: Partial<Evidence>) => reportEvidence('set', { ...bareEvidence, ...facts });

describe('without a value', () => {
  test('it is said why, and whether a sale would make one', () => {
    expect(report({}).noValue).toBe('Nothing is known that a value could be made of.');
    const modeled = { valueCents: 5_00, spread: 0.1 };
    const tooWide = 'Too little is known: the range would be too wide to act on.';
    expect(report({ modeled }).noValue).toBe(tooWide);
    const minifig = (outcomes: Evidence['outcomes']) =>
      reportEvidence('minifig', { ...bareEvidence, modeled, outcomes }).noValue;
    const sale = { condition: 'used', reason: null, count: 1 } as const;
    for (const outcomes of [[], [{ ...sale, outcome: 'rejected' as const }]]) {
      expect(minifig(outcomes)).toBe('A minifig has a value from the first sale on that counts.');
    }
    expect(minifig([{ ...sale, outcome: 'accepted' }])).toBe(tooWide);
    expect(report({}).tier).toEqual(['Data tier modeled.']);
    expect(report({}).others).toEqual([]);
    expect(report({ modeled }).others).toEqual([]);
    expect(report({ sealed: found }).others).toEqual(['Without any sale there would be no value.']);
  });
});

describe('a value', () => {
  test('is told with its range and the sales behind it', () => {
    const { values, noValue } = report({ sealed: found });
    expect(noValue).toBeNull();
    expect(values.rows).toEqual([['sealed', '$123.45', '$100.00 – $150.00', 1, 2, 3, 4, 5]]);
  });

  test('is told by its leading condition: new for sets, used for minifigs', () => {
    const evidence: Evidence = { ...bareEvidence, tier: 'low', sealed: found };
    expect(reportEvidence('set', evidence).tier).toEqual([
      'Data tier low: sealed sales are 2 in 90 days and 3 in 180; the value is known to about ' +
        '5.0%, and single sales scatter by about a factor of 3.0 around it.',
      'The sealed sales that count are from 2026-01 to 2026-11.',
    ]);
    expect(reportEvidence('minifig', evidence).tier).toEqual(['Data tier low.']);
  });
});

test('sales are told by what became of them, with the reason in words', () => {
  const { outcomes } = report({
    outcomes: [
      { condition: 'used', outcome: 'rejected', reason: 'retracted', count: 1 },
      { condition: 'sealed', outcome: 'accepted', reason: null, count: 7 },
      { condition: 'sealed', outcome: 'quarantined', reason: 'some_new_reason', count: 2 },
    ],
  });
  expect(outcomes.rows).toEqual([
    ['counted', 'sealed', 7, 'ordinary'],
    ['put aside', 'sealed', 2, 'some new reason'],
    ['left out', 'used', 1, 'taken back by its source'],
  ]);
});

test('channels are told against a fixed price', () => {
  const channels = [
    { channel: 'fixed', sales: 3, offset: 0 },
    { channel: 'auction', sales: 2, offset: Math.log(0.9) },
    { channel: 'unknown', sales: 1, offset: Math.log(1.1) },
  ] as const;
  expect(report({ channels }).channels.rows).toEqual([
    ['fixed', 3, 'no different'],
    ['auction', 2, '10.0% below'],
    ['unknown', 1, '10.0% above'],
  ]);
});

test('a channel differs from half a thousandth on, and by a factor from beyond twice', () => {
  const told = (offset: number) =>
    report({ channels: [{ channel: 'auction', sales: 1, offset }] }).channels.rows[0]?.[2];
  expect([0.0004, -0.0004].map(told)).toEqual(['no different', 'no different']);
  expect([0.0005, -0.0005].map(told)).not.toContain('no different');
  expect(told(Math.LN2)).toBe('100.0% above');
  expect(told(Math.log(2.1))).toBe('a factor of 2.1 above');
});

test('weeks at a retailer, new levels and drifts are told where there were any', () => {
  const { others } = report({
    sealed: found,
    retailWeeks: 1,
    moves: [
      { month: '2026-03', why: 'level' },
      { month: '2026-04', why: 'drift' },
      { month: '2026-05', why: 'level' },
    ],
    modeled: { valueCents: 50_00, spread: Math.log(1.2) },
  });
  expect(others).toEqual([
    'Before the first sale, the price of a retailer itself was seen in 1 week; ' +
      'it counts for 60 days.',
    'Sales agreed on a new level in 2026-03, 2026-05.',
    'The value followed a drift faster in 2026-04.',
    'Without any sale it would be $50.00, known to about 20.0%.',
  ]);
  expect(report({ retailWeeks: 2 }).others[0]).toContain('seen in 2 weeks');
});
