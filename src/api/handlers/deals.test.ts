/** Filters of deals in a query. */
import { expect, test } from 'bun:test';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import type { DealQuestion } from '../../buying/deals/find-deals.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { dealsHandlers } from './deals.ts';

test('amounts are compared in cents; absent ones do not filter', async () => {
  const questions: DealQuestion[] = [];
  const find = async (_: unknown, question: DealQuestion) => {
    questions.push(question);
    return { total: 0, rows: [] };
  };
  const { listDeals }: Pick<Handlers, 'listDeals'> = dealsHandlers({
    accounts: { findBuyingSettings: async () => usualSettings },
    market: { deals: { find } },
    tables: builtInTables,
    clock: () => 0,
  } as unknown as HandlerDeps);
  for (const amounts of [{}, { min_profit_usd: 12.34, max_price_usd: 0.29 }]) {
    const query = { min_tier: 'low', limit: 10, offset: 0, ...amounts } as never;
    const caller = { accountId: 1, scopes: 15 } as never;
    await listDeals({ params: {}, query, body: null }).read(caller, { used: 0, at: 0 });
  }
  expect(questions.map(({ filters }) => filters)).toMatchObject([
    { minProfitCents: null, maxPriceCents: null },
    { minProfitCents: 1234, maxPriceCents: 29 },
  ]);
});
