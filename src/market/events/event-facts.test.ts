/** The facts that events of an item can report. */
import { expect, test } from 'bun:test';
import { anOffer, aSeries, someEvidence } from '../../../test/support/builders.ts';
import { parseMonth } from '../../kernel/time.ts';
import type { ConditionEvidence } from '../evidence/evidence.ts';
import type { MonthPoint } from '../history/history.ts';
import { foldOffers } from '../retail/retail-state.ts';
import { eventFacts, type PublishedFacts } from './event-facts.ts';

const at = Date.UTC(2026, 10, 15, 12);
const october = parseMonth('2026-10') ?? 0;

const factsOf = (given: Partial<PublishedFacts> = {}) =>
  eventFacts({
    evidence: someEvidence(),
    series: { sealed: null, used: null },
    history: { sealedAt: null, restatements: [] },
    at,
    statusId: null,
    retail: null,
    ...given,
  });
const point = (valueCents: number | null, salesCount: number): MonthPoint => {
  return { valueCents, lowCents: null, highCents: null, salesCount, event: null };
};

test('values have their spread, and the name of their engine and parameters', () => {
  const valued = { valueCents: 9_00, valueSpread: 0.1 } as ConditionEvidence;
  const restatements = [
    { id: 3, fromMonth: 0, at: 0, reason: '' },
    { id: 4, fromMonth: 0, at: 0, reason: '' },
  ];
  const evidence = someEvidence({ sealed: valued });
  expect(factsOf({ evidence, history: { sealedAt: 1, restatements } })).toMatchObject({
    basis: 'test-1 2026-10-00000000 4',
    values: { newCents: { cents: 9_00, spread: 0.1 }, usedCents: null },
    tier: 'modeled',
    lastMonth: october,
    retail: {},
  });
  expect(factsOf().basis).toBe('test-1 2026-10-00000000 0');
});

test('months after a given one are those up to the last final one', () => {
  const sealed = aSeries(october - 2, [point(1_00, 1), point(null, 0), point(3_00, 3)]);
  const used = aSeries(october, [point(4_00, 4)]);
  const { monthsAfter } = factsOf({ series: { sealed, used } });
  expect(monthsAfter(october - 3)).toEqual([
    { month: october - 2, newCents: 1_00, newSales: 1 },
    { month: october - 1 },
    { month: october, newCents: 3_00, newSales: 3, usedCents: 4_00, usedSales: 4 },
  ]);
  expect(monthsAfter(october - 1)).toHaveLength(1);
  expect(monthsAfter(october)).toEqual([]);
});

test('retailers with observations of the item are included', () => {
  const retail = {
    retailer_a: null,
    retailer_b: foldOffers(null, [anOffer({ retailer: 'retailer_b' })]),
  };
  expect(factsOf({ retail }).retail).toMatchObject({ retailer_b: { priceCents: 120_00 } });
  expect(Object.keys(factsOf({ retail }).retail)).toEqual(['retailer_b']);
});
