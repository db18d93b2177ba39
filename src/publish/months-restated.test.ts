/** Months of items that came after a restatement: it has nothing to say about them. */
import { expect, test } from 'bun:test';
import type { StoredSale } from '../domain/market.ts';
import { parseMonth } from '../domain/time.ts';
import { baselineEstimator } from '../valuation/baseline.ts';
import { extendMonths } from './months.ts';

const sale: StoredSale = {
  source: 'shop',
  sourceId: 'a',
  condition: 'sealed',
  priceCents: 5000,
  shippingCents: 0,
  currency: 'USD',
  quantity: 1,
  soldAt: Date.parse('2027-03-20'),
  channel: null,
  seller: null,
  completeness: null,
  ingestedAt: Date.parse('2027-04-09'),
  retractedAt: null,
  usdPerUnit: 1,
};

test('a sale learned after the cut does not count, although history was once restated', () => {
  const restatement = {
    id: 1,
    fromMonth: parseMonth('2026-01') ?? 0,
    reason: 'Once upon a time',
    at: Date.parse('2026-06-01'),
  };
  const releasedAt = Date.parse('2027-03-01');
  const series = extendMonths({
    estimator: baselineEstimator,
    facts: { msrpCents: null, pieces: null, releasedAt, retiredAt: null },
    sales: [sale],
    condition: 'sealed',
    stored: null,
    history: { sealedAt: Date.parse('2026-05-15'), restatements: [restatement] },
    at: Date.parse('2027-04-10'),
  });
  expect(series?.points).toMatchObject([{ valueCents: null, salesCount: 0 }]);
});
