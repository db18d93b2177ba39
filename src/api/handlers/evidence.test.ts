/** The evidence in responses: counts by condition, reasons by outcome, and no single sale. */
import { describe, expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { dataIn } from '../../../test/support/handled.ts';
import { minifigExample } from '../../contract/minifig.ts';
import type { ItemEvidence } from '../../contract/plus/evidence.ts';
import { setExample } from '../../contract/set.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import { soldShares } from '../../market/values/price.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { evidenceHandlers } from './evidence.ts';

const now = Date.UTC(2026, 10, 9);

async function told(kind: 'set' | 'minifig', evidence: Evidence | null): Promise<ItemEvidence> {
  const body = JSON.stringify(kind === 'set' ? setExample : minifigExample);
  const record: ResaleRecord = { key: '1', number: '1', body, evidence, retail: null };
  const store = { findResaleRecords: async () => new Map([['1', record]]) };
  const handlers = evidenceHandlers({
    market: { store },
    clock: () => now,
  } as unknown as HandlerDeps);
  const handler = kind === 'set' ? handlers.getSetEvidence : handlers.getMinifigEvidence;
  const input = { params: { number: '1' }, query: {}, body: null };
  const answer = await handler(input).read({} as never, { used: 0, at: 0 });
  return dataIn(answer);
}

test('rows are totaled by outcome for each condition, and reasons keep their order', async () => {
  const { sealed, used } = await told(
    'set',
    someEvidence({
      outcomes: [
        { condition: 'sealed', outcome: 'rejected', reason: 'duplicate', count: 2 },
        { condition: 'used', outcome: 'accepted', reason: null, count: 9 },
        { condition: 'sealed', outcome: 'accepted', reason: null, count: 5 },
        { condition: 'sealed', outcome: 'rejected', reason: 'retracted', count: 1 },
        { condition: 'sealed', outcome: 'quarantined', reason: 'does_not_fit', count: 3 },
      ],
    }),
  );
  expect(sealed.rows).toEqual({ accepted: 5, down_weighted: 0, quarantined: 3, rejected: 3 });
  expect(sealed.reasons).toEqual([
    { outcome: 'accepted', reason: null, count: 5 },
    { outcome: 'quarantined', reason: 'does_not_fit', count: 3 },
    { outcome: 'rejected', reason: 'duplicate', count: 2 },
    { outcome: 'rejected', reason: 'retracted', count: 1 },
  ]);
  expect(used.rows).toEqual({ accepted: 9, down_weighted: 0, quarantined: 0, rejected: 0 });
});

test('values have range and windows, channels their difference in percent', async () => {
  const { sealed, used, channels, ...rest } = await told(
    'minifig',
    someEvidence({
      tier: 'low',
      used: {
        valueCents: 12_34,
        lowCents: 10_00,
        highCents: 15_00,
        valueSpread: 0.05,
        saleSpread: 0.1,
        sales: { ever: 9, days30: 1, days90: 2, days180: 3, days365: 4 },
        firstSale: '2025-01',
        latestSale: '2026-10',
      },
      channels: [
        { channel: 'fixed', sales: 4, offset: 0 },
        { channel: 'auction', sales: 3, offset: Math.log(0.9) },
        { channel: 'amazon', sales: 1, offset: Math.log(3) },
        { channel: 'unknown', sales: 2, offset: -0.000001 },
      ],
    }),
  );
  expect(used).toMatchObject({
    value_usd: 12.34,
    range: { low: 10, high: 15 },
    sales: { days_30: 1, days_90: 2, days_180: 3, days_365: 4, ever: 9 },
  });
  expect([sealed.value_usd, sealed.range, sealed.sales]).toEqual([null, null, null]);
  expect(channels.map(({ offset_pct }) => offset_pct)).toEqual([0, -10, 200, 0]);
  expect(rest).toMatchObject({
    item_type: 'minifig',
    title: minifigExample.name,
    data_tier: 'low',
    engine: 'test-1',
    parameters: '2026-10-00000000',
    input_hash: '123456789abcd',
    calculated_at: '2026-11-09T00:00:00.000Z',
  });
  expect(rest.tier_reasons[1]).toBe('Used sales counted: Jan 2025 to Oct 2026.');
});

test('without a computed value, everything is null', async () => {
  const { sealed, used, ...rest } = await told('set', null);
  expect(rest).toEqual({
    item_type: 'set',
    number: '1',
    title: setExample.title,
    data_tier: 'modeled',
    tier_reasons: [],
    channels: [],
    season: null,
    engine: null,
    parameters: null,
    input_hash: null,
    calculated_at: null,
  });
  expect(used).toEqual(sealed);
  expect(sealed).toMatchObject({ value_usd: null, sales: null, reasons: [], terms: null });
});

describe('terms of a price', () => {
  const valued = {
    valueCents: 100_00,
    lowCents: 80_00,
    highCents: 125_00,
    valueSpread: 0.0512,
    saleSpread: 0.1034,
    soldAbove: soldShares.map((share) => -share),
    rate: {
      sales: 9,
      days: 180,
      priorSales: 1.5,
      priorDays: 30.25,
      shares: { fixed: 0.6, bricklink: 0.4 },
    },
    sales: { ever: 9, days30: 1, days90: 2, days180: 3, days365: 4 },
    firstSale: null,
    latestSale: null,
  };
  const evidence = someEvidence({
    tier: 'high',
    offsets: { fixed: 0, bricklink: -0.05 },
    season: Array(12).fill(1),
    sealed: valued,
    listings: {
      sealed: [
        { channel: 'fixed', observedAt: now, units: 4, lowestCents: 120_00 },
        { channel: 'bricklink', observedAt: now - 31 * dayMs, units: 7, lowestCents: null },
      ],
      used: [],
    },
  });

  test('have level, spreads, quantiles and rates', async () => {
    const { sealed, used, season } = await told('set', evidence);
    expect(used.terms).toBeNull();
    expect(season).toHaveLength(12);
    expect(sealed.terms).toMatchObject({
      level_usd: 100,
      value_spread: 0.0512,
      sale_spread: 0.1034,
      growth_per_year: null,
      rate: { sales: 9, days: 180, prior_sales: 1.5, prior_days: 30.25, season_index: 1 },
    });
    expect(sealed.terms?.quantiles).toHaveLength(soldShares.length);
    expect(sealed.terms?.quantiles[6]).toEqual({ share: 0.8, quantile: -0.8 });
  });

  test('have a channel each, with what is known there and what is assumed', async () => {
    const { sealed } = await told('set', evidence);
    const of = (name: string) => sealed.terms?.channels.find(({ channel }) => channel === name);
    expect(of('ebay')).toEqual({
      channel: 'ebay',
      offset: 0,
      assumed: false,
      price_max_usd: null,
      queue: { sales_share: 0.6, rivals: 4, supply_months: 2, cheapest: true, assumed: false },
    });
    // Older than 30 days.
    expect(of('bricklink')?.queue).toMatchObject({ sales_share: 0.4, rivals: null, assumed: true });
    expect(of('mercari')).toMatchObject({ offset: 0, assumed: true });
    expect(sealed.terms?.channels).toHaveLength(11);
  });

  test('have the lower level while another price is doubted, and never an asking price', async () => {
    const doubt = {
      valueCents: 60_00,
      sales: 3,
      sellers: 2,
      since: '2026-11-01',
      expectedSales: 1,
    };
    const { sealed } = await told('set', { ...evidence, sealed: { ...valued, doubt } });
    expect([sealed.value_usd, sealed.terms?.level_usd]).toEqual([100, 60]);
    expect(JSON.stringify(sealed)).not.toContain('200');
  });

  test('are less exact with fewer than three sales', async () => {
    const sales = { ...valued.sales, ever: 2 };
    const { sealed, tier_reasons } = await told('set', {
      ...evidence,
      sealed: { ...valued, sales },
    });
    expect(sealed.terms).toMatchObject({ value_spread: 0.05, sale_spread: 0.1 });
    expect(tier_reasons[0]).toContain('to about 5.1%; single sales vary by about 10.5%');
  });
});
