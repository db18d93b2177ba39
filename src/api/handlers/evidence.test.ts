/** The evidence in responses: counts by condition, reasons by outcome, and no single sale. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { minifigExample } from '../../contract/minifig.ts';
import type { ItemEvidence } from '../../contract/plus/evidence.ts';
import { setExample } from '../../contract/set.ts';
import type { Evidence } from '../../domain/market/evidence.ts';
import type { ResaleRecord } from '../../domain/market/published-records.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { evidenceHandlers } from './evidence.ts';

async function told(kind: 'set' | 'minifig', evidence: Evidence | null): Promise<ItemEvidence> {
  const body = JSON.stringify(kind === 'set' ? setExample : minifigExample);
  const record: ResaleRecord = { key: '1', number: '1', body, evidence, retail: null };
  const store = { findResaleRecords: async () => new Map([['1', record]]) };
  const handlers = evidenceHandlers({ market: { store } } as unknown as HandlerDeps);
  const handler = kind === 'set' ? handlers.getSetEvidence : handlers.getMinifigEvidence;
  const input = { params: { number: '1' }, query: {}, body: null };
  const answer = await handler(input).read({} as never, { used: 0, at: 0 });
  return JSON.parse(String(answer));
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
    engine: null,
    parameters: null,
    input_hash: null,
    calculated_at: null,
  });
  expect(used).toEqual(sealed);
  expect(sealed).toMatchObject({ value_usd: null, sales: null, reasons: [] });
});
