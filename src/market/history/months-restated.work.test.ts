/** Months and restatements: which rows count, and which months are recomputed. */
import { expect, test } from 'bun:test';
import { aStoredSale } from '../../../test/support/builders.ts';
import { plainEstimator } from '../../../test/support/plain-engine.ts';
import { unknownFacts } from '../../../test/support/valuation.ts';
import { parseMonth } from '../../kernel/time.ts';
import { extendMonths, knownBeforeOf } from './months.ts';

const sale = aStoredSale({
  priceCents: 5000,
  soldAt: Date.parse('2027-03-20'),
  ingestedAt: Date.parse('2027-04-09'),
});

test('a sale that arrived after the cut does not count, although history was once restated', () => {
  const restatement = {
    id: 1,
    fromMonth: parseMonth('2026-01') ?? 0,
    reason: 'Once upon a time',
    at: Date.parse('2026-06-01'),
  };
  const releasedAt = Date.parse('2027-03-01');
  const facts = { ...unknownFacts, releasedAt };
  const series = extendMonths({
    set: plainEstimator.prepareSet({ facts, sales: [sale], retailWeeks: [] }),
    facts,
    condition: 'sealed',
    stored: null,
    history: { sealedAt: Date.parse('2026-05-15'), restatements: [restatement] },
    at: Date.parse('2027-04-10'),
  });
  expect(series?.points).toMatchObject([{ valueCents: null, salesCount: 0 }]);
});

test('rows count that were known at the cut, the sealing or the restatement, whichever is last', () => {
  const [april, may, june] = ['2026-04', '2026-05', '2026-06'].map((text) => parseMonth(text) ?? 0);
  const [sealedAt, cutOfMay] = [Date.parse('2026-05-15'), Date.parse('2026-06-08')];
  const cutOfJune = Date.parse('2026-07-08');
  const known = (fromMonths: readonly (number | undefined)[], at: number) => {
    const restatements = fromMonths.map((fromMonth = 0, index) => ({
      id: index + 1,
      fromMonth,
      reason: '',
      at: at + index,
    }));
    return [april, may, june].map((month = 0) => knownBeforeOf({ sealedAt, restatements }, month));
  };
  expect(knownBeforeOf({ sealedAt: null, restatements: [] }, may ?? 0)).toBeNull();
  // April was final when history was sealed, and made from all rows.
  expect(known([], 0)).toEqual([sealedAt + 1, cutOfMay, cutOfJune]);
  const sealedAtCut = { sealedAt: cutOfMay, restatements: [] };
  expect(knownBeforeOf(sealedAtCut, may ?? 0)).toBe(cutOfMay + 1);
  const inJune = Date.parse('2026-06-20');
  expect(known([may], inJune)).toEqual([sealedAt + 1, inJune + 1, cutOfJune]);
  expect(known([april, june], inJune)).toEqual([inJune + 1, inJune + 1, cutOfJune]);
  expect(known([april, may], inJune)).toEqual([inJune + 1, inJune + 2, cutOfJune]);
});

test('sealed months keep their recorded inputs, and are continued', () => {
  const releasedAt = Date.parse('2027-02-01');
  const facts = { ...unknownFacts, releasedAt };
  const point = { valueCents: 1, lowCents: 1, highCents: 1, salesCount: 0, event: null };
  const firstMonth = parseMonth('2027-02') ?? 0;
  const made = { inputHash: 7, parameters: '2027-02-00000000' };
  const series = extendMonths({
    set: plainEstimator.prepareSet({ facts, sales: [sale], retailWeeks: [] }),
    facts,
    condition: 'sealed',
    at: Date.parse('2027-05-10'),
    stored: { firstMonth, points: [point], revision: 0, provenance: [made] },
    history: { sealedAt: Date.parse('2027-03-15'), restatements: [] },
  });
  expect(series?.points).toMatchObject([point, { valueCents: null }, { valueCents: 5000 }]);
  expect(series?.provenance).toEqual([
    made,
    'unsold',
    expect.objectContaining({ parameters: '2020-01-00000000' }),
  ]);
});

test('a series has its latest restatement, and keeps months before a pending one', () => {
  const [first, second] = ['2026-01', '2026-02'].map((text) => parseMonth(text) ?? 0);
  const releasedAt = Date.parse('2026-01-01');
  const facts = { ...unknownFacts, releasedAt };
  const at = Date.parse('2026-03-10');
  const restate = (id: number, fromMonth = 0) => ({ id, fromMonth, reason: '', at });
  const stored = {
    firstMonth: first ?? 0,
    points: [1, 2].map((valueCents) => {
      return { valueCents, lowCents: null, highCents: null, salesCount: 9, event: null };
    }),
    revision: 1,
    provenance: ['unsold', 'unsold'] as const,
  };
  const series = extendMonths({
    set: plainEstimator.prepareSet({ facts, sales: [], retailWeeks: [] }),
    facts,
    condition: 'sealed',
    stored,
    history: {
      sealedAt: Date.parse('2026-03-09'),
      restatements: [restate(1, first), restate(2, second)],
    },
    at,
  });
  expect(series?.revision).toBe(2);
  // January went through the first restatement; February waits for the second.
  expect(series?.points.map(({ salesCount }) => salesCount)).toEqual([9, 0]);
});
