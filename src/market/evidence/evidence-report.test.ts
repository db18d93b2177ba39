/** The evidence behind a value, in words and tables. */
import { describe, expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { tierIn } from '../values/tiers.ts';
import { type ConditionEvidence, type DataTier, type Evidence, publicSpreads } from './evidence.ts';
import { accuracyText, noValueText, reportEvidence, supportText } from './evidence-report.ts';

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

const report = (facts: Partial<Evidence>) => reportEvidence('set', someEvidence(facts));

describe('without a value', () => {
  test('explains why, and whether a sale would lead to one', () => {
    const unknown = 'No sales recorded, and too little is known about the set for an estimate.';
    expect(report({}).noValue).toBe(unknown);
    expect(noValueText('set', null)).toBe(unknown);
    const modeled = { valueCents: 5_00, spread: 0.1 };
    expect(report({ modeled }).noValue).toBe(
      'No sales recorded, and similar sets differ too much for an estimate.',
    );
    const minifig = (outcomes: Evidence['outcomes'], condition: 'sealed' | 'used' | null = null) =>
      noValueText('minifig', someEvidence({ modeled, outcomes }), condition);
    const sale = { condition: 'used', reason: null, count: 1 } as const;
    const unsold = 'No sales recorded. A minifig gets a value with its first sale.';
    for (const outcomes of [[], [{ ...sale, outcome: 'rejected' as const }]]) {
      expect(minifig(outcomes)).toBe(unsold);
    }
    const sold = [{ ...sale, outcome: 'accepted' as const }];
    expect([minifig(sold), minifig(sold, 'used'), minifig(sold, 'sealed')]).toEqual([
      'Too few sales for a reliable value.',
      'Too few sales for a reliable value.',
      unsold,
    ]);
    expect(report({}).tier).toEqual(['Data tier modeled.']);
    expect(report({}).others).toEqual([]);
    expect(report({ modeled }).others).toEqual([]);
    expect(report({ sealed: found }).others).toEqual(['Without sales there would be no value.']);
  });
});

describe('the support for a value in one line', () => {
  const line = (sales: Partial<ConditionEvidence['sales']>, tier: DataTier = 'high') =>
    supportText('set', { found: { ...found, sales: { ...found.sales, ...sales } }, tier });

  test('shows sales in 180 days, or earlier ones, and the confidence', () => {
    expect(line({ days180: 1_048 })).toBe('1,048 sales in 180 days · high confidence');
    expect(line({ days180: 1 }, 'low')).toBe('1 sale in 180 days · low confidence');
    expect(line({ days180: 0, ever: 1 }, 'low')).toBe('1 sale, none in 180 days · low confidence');
    expect(line({ days180: 0, ever: 7 }, 'low')).toBe('7 sales, none in 180 days · low confidence');
  });

  test('says if a value is estimated', () => {
    expect(line({ days180: 2 }, 'modeled')).toBe(
      '2 sales in 180 days · estimated from similar sets',
    );
    expect(supportText('minifig', { found: null, tier: 'modeled' })).toBe(
      'No sales recorded · estimated from similar minifigs',
    );
    const evidence: Evidence = someEvidence({ tier: 'high', sealed: found });
    const unsold = { ...found, sales: { ...found.sales, ever: 0 } };
    expect(tierIn(evidence, 'sealed')).toBe('high');
    expect([tierIn(evidence, 'used'), tierIn({ ...evidence, used: unsold }, 'used')]).toEqual([
      'modeled',
      'modeled',
    ]);
  });

  test('is followed by the accuracy of the value', () => {
    expect(accuracyText(someEvidence({ sealed: found }), found)).toBe(
      'The value is accurate to about 5.0%; single sales vary by about a factor of 3.0.',
    );
  });

  test('is rounded if there are fewer than three sales in both conditions', () => {
    const few = (ever: number): ConditionEvidence => {
      return { ...found, valueSpread: 0.1234, saleSpread: 0.0567, sales: { ...found.sales, ever } };
    };
    const spreads = (sealed: number, used: number) =>
      Object.values(publicSpreads(someEvidence({ sealed: few(sealed), used: few(used) }), few(1)));
    expect(spreads(2, 0)).toEqual([0.12, 0.06]);
    expect(spreads(2, 1)).toEqual([0.1234, 0.0567]);
    const one = someEvidence({ sealed: few(1) });
    expect(accuracyText(one, few(1))).toContain('to about 12.7%; single sales vary by about 6.2%');
  });
});

describe('a value', () => {
  test('is shown with its range and its sales', () => {
    const { values, noValue } = report({ sealed: found });
    expect(noValue).toBeNull();
    expect(values.rows).toEqual([['Sealed', '$123.45', '$100.00 – $150.00', 1, 2, 3, 4, 5]]);
  });

  test('is described by its leading condition: new for sets, used for minifigs', () => {
    const evidence: Evidence = someEvidence({ tier: 'low', sealed: found });
    expect(reportEvidence('set', evidence).tier).toEqual([
      'Data tier low: 2 sealed sales in 90 days, 3 in 180 days. The value is accurate to about ' +
        '5.0%; single sales vary by about a factor of 3.0.',
      'Sealed sales counted: Jan 2026 to Nov 2026.',
    ]);
    expect(reportEvidence('minifig', evidence).tier).toEqual(['Data tier low.']);
  });

  test('says in numbers why another price is doubted', () => {
    const doubt = { valueCents: 260_00, sales: 5, sellers: 3, since: '2026-11-03' };
    const line = (expectedSales: number) =>
      report({ sealed: { ...found, doubt: { ...doubt, expectedSales } } }).tier[1];
    expect(line(1.4)).toBe(
      'Possible jump: 5 sealed sales by 3 independent sellers since Nov 3, 2026 at about $260, ' +
        'where 1.4 were expected. Until more sales confirm or contradict it, the tier is at most ' +
        'low, the range covers both prices, and max buy prices use the lower one.',
    );
    expect([0, 0.09].map(line).join()).not.toContain('where 0');
    expect(line(0)).toContain('where fewer than 0.1 were expected');
    expect(line(0.1)).toContain('where 0.1 were expected');
  });
});

test('sales are listed by outcome, with the reason in words', () => {
  const { outcomes } = report({
    outcomes: [
      { condition: 'used', outcome: 'rejected', reason: 'retracted', count: 1 },
      { condition: 'sealed', outcome: 'accepted', reason: null, count: 7 },
      { condition: 'sealed', outcome: 'quarantined', reason: 'some_new_reason', count: 2 },
    ],
  });
  expect(outcomes.rows).toEqual([
    ['Counted', 'Sealed', 7, 'typical sale'],
    ['Set aside', 'Sealed', 2, 'some new reason'],
    ['Excluded', 'Used', 1, 'withdrawn by the source'],
  ]);
});

test('channels are compared with fixed-price sales', () => {
  const channels = [
    { channel: 'fixed', sales: 3, offset: 0 },
    { channel: 'auction', sales: 2, offset: Math.log(0.9) },
    { channel: 'unknown', sales: 1, offset: Math.log(1.1) },
  ] as const;
  expect(report({ channels }).channels.rows).toEqual([
    ['Fixed price', 3, 'same'],
    ['Auction', 2, '10.0% below'],
    ['Unknown', 1, '10.0% above'],
  ]);
});

test('offsets are shown from 0.0005 on, and as a factor above 100 percent', () => {
  const shown = (offset: number) =>
    report({ channels: [{ channel: 'auction', sales: 1, offset }] }).channels.rows[0]?.[2];
  expect([0.0004, -0.0004].map(shown)).toEqual(['same', 'same']);
  expect([0.0005, -0.0005].map(shown)).not.toContain('same');
  expect(shown(Math.LN2)).toBe('100.0% above');
  expect(shown(Math.log(2.1))).toBe('a factor of 2.1 above');
});

test('retail weeks, new levels and drifts are mentioned if there are any', () => {
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
    'Retailer prices of 1 week before the first sale count for 60 days.',
    'New price level in Mar 2026, May 2026.',
    'Faster price change in Apr 2026.',
    'Without sales, the estimate would be $50.00, accurate to about 20.0%.',
  ]);
  expect(report({ retailWeeks: 2 }).others[0]).toContain('of 2 weeks before');
  const level = { month: '2026-03', why: 'level' } as const;
  expect(report({ moves: [level] }).others).toEqual(['New price level in Mar 2026.']);
});
