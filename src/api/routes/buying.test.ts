/** What may be paid on the wire: places, the best channel, and what is charged when one leaves. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import type { Evaluation } from '../../contract/plus/evaluate.ts';
import type { MaxBuy } from '../../contract/plus/max-buy.ts';
import { setExample } from '../../contract/set.ts';
import { usualSettings } from '../../domain/buying/buying-settings.ts';
import { builtInFees } from '../../domain/fees/fee-table.ts';
import { builtInPostage } from '../../domain/fees/postage.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { buyingHandlers } from './buying.ts';
import { dealsHandlers } from './deals.ts';

const evidence = someEvidence({
  tier: 'high',
  offsets: { fixed: 0, bricklink: Math.log(0.95) },
  sealed: {
    valueCents: 100_00,
    lowCents: 90_00,
    highCents: 110_00,
    valueSpread: 0.05,
    saleSpread: 0.1,
    sales: { ever: 1, days30: 1, days90: 1, days180: 1, days365: 1 },
    firstSale: null,
    latestSale: null,
    rate: { sales: 9, days: 365, priorSales: 1, priorDays: 30 },
  },
});

const body = JSON.stringify(setExample);
const record = { key: '1', number: '1', body, evidence, retail: null };
const deps = {
  market: { store: { findResaleRecords: async () => new Map([['1', record]]) } },
  accounts: { findBuyingSettings: async () => usualSettings },
  tables: { fees: builtInFees, postage: builtInPostage },
  clock: () => Date.UTC(2026, 5, 1),
} as unknown as HandlerDeps;

const terms = { share: 0.8, margin_pct: 25 };
const input = (query: object) => ({ params: {}, query: { ...terms, ...query }, body: null });

async function maxBuy(query: object): Promise<MaxBuy> {
  const work = buyingHandlers(deps).getMaxBuy(input({ set: '1', ...query }));
  return JSON.parse(String(await work.read({ accountId: 1 } as never, { used: 0, at: 0 })));
}

test('the best channel is a learned one, and its wait is that of the answer', async () => {
  const { channels, ...answer } = await maxBuy({});
  // Ten sales in 395 days; half of those who wait do so for 395 × (2^(1/10) − 1) days.
  expect(answer).toMatchObject({ sales_per_month: 0.77, wait_days: 28.4, value_usd: 100 });
  const mostOf = (assumed: boolean) =>
    Math.max(...channels.filter((c) => c.assumed === assumed).map((c) => c.max_buy_usd ?? 0));
  const best = channels.find(({ channel }) => channel === answer.best_channel);
  expect([answer.reason, best?.assumed, best?.max_buy_usd]).toEqual([null, false, mostOf(false)]);
  expect(mostOf(true)).toBeGreaterThan(mostOf(false));
  expect(new Set(channels.map(({ wait_days }) => wait_days))).toEqual(new Set([28.4]));
});

test('where nothing may be paid, there is no best channel and no wait for it', async () => {
  const answer = await maxBuy({ channel: 'ebay', condition: 'used' });
  expect(answer).toMatchObject({ reason: 'no_value', best_channel: null, wait_days: null });
  const usual = { best_channel: 'ebay', wait_days: 28.4 } as const;
  expect(await maxBuy({ channel: 'ebay' })).toMatchObject(usual);
});

test('a box that nothing may be bid for has no best channel', async () => {
  const ask = async (inboundCents: number): Promise<Evaluation['summary']> => {
    const findBuyingSettings = async () => ({ ...usualSettings, inboundCents });
    const handlers = buyingHandlers({ ...deps, accounts: { findBuyingSettings } as never });
    const body = { items: [{ set: '1' }], cost_usd: 50 };
    const work = handlers.evaluateBox({ params: {}, query: {}, body });
    const answer = await work.read({ accountId: 1 } as never, { used: 0, at: 0 });
    return JSON.parse(String(answer)).summary;
  };
  const bid = await ask(0);
  expect([bid.best_channel, bid.max_bid_usd === null]).toEqual(['bricklink', false]);
  expect(await ask(500_00)).toMatchObject({ max_bid_usd: null, best_channel: null });
});

test('boxes and lists of deals are charged once they are made, also when the caller has left', () => {
  const sent = { items: [{ set: '1' }, { set: '1-1' }, { minifig: '1' }] };
  const box = buyingHandlers(deps).evaluateBox({ params: {}, query: {}, body: sent });
  expect([box.isExpensive, box.items]).toEqual([true, 2]);
  const query = { ...terms, min_tier: 'low', limit: 1, offset: 0 } as const;
  const list = dealsHandlers(deps).listDeals({ params: {}, query, body: null });
  expect(list.isExpensive).toBe(true);
});
