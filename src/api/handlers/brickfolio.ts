/** Collections, holdings and analytics of the caller. */

import type {
  Analytics as AnalyticsData,
  BrickfolioList,
  HoldingPage,
} from '../../contract/brickfolio.ts';
import { toUsd } from '../../kernel/money.ts';
import { rangeOf } from '../../kernel/page.ts';
import { dayMs, dayOf, formatDay, formatInstant, formatMonth } from '../../kernel/time.ts';
import {
  type BrickfolioSummary,
  type Entry,
  readBrickfolios,
  readEntries,
} from '../../portfolio/lots/collection.work.ts';
import { gainOf, type ItemGain } from '../../portfolio/lots/holdings.ts';
import { type Analytics, readAnalytics } from '../../portfolio/returns/analytics.work.ts';
import type { DaySum } from '../../portfolio/returns/value-history.ts';
import type { Question } from '../account-answer-cache.ts';
import { dataOf } from '../answer-data.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { paginationOf } from '../pagination.ts';

export function brickfolioHandlers(deps: HandlerDeps) {
  const { market, answers } = deps;
  const { portfolio } = market;
  return {
    listBrickfolios: () =>
      answers.cachedWork({ endpoint: 'listBrickfolios', input: {} }, async (accountId) => {
        const { brickfolios, purchases } = await readBrickfolios(portfolio, accountId, 'set');
        const list: BrickfolioList = {
          brickfolios: brickfolios.map(presentBrickfolio),
          monthly_periods: purchases.map((purchase) => ({
            month: formatMonth(purchase.month),
            entry_count: purchase.lots,
            items: purchase.units,
            cost_basis_usd: toUsd(purchase.costCents),
          })),
        };
        return dataOf(list);
      }),
    listEntries: ({ query }) => {
      const { brickfolio_id: brickfolioId = null } = query;
      const question: Question = { endpoint: 'listEntries', input: { query } };
      return answers.cachedWork(question, async (accountId) => {
        const isPossible = typeof brickfolioId !== 'string';
        const found =
          isPossible &&
          (await readEntries(portfolio, accountId, { brickfolioId, ...rangeOf(query) }));
        // The same message as for another account's collection.
        if (!found) return { missing: 'You have no collection with this brickfolio_id.' };
        const page: HoldingPage = {
          entries: found.entries.map(presentEntry),
          pagination: paginationOf(found.total, query),
        };
        return dataOf(page);
      });
    },
    getAnalytics: getAnalytics(deps),
  } satisfies Partial<Handlers>;
}

function presentBrickfolio(brickfolio: BrickfolioSummary): BrickfolioList['brickfolios'][number] {
  const { total } = brickfolio;
  return {
    id: brickfolio.id,
    name: brickfolio.name,
    description: brickfolio.description,
    is_default: brickfolio.isDefault,
    owned_set_count: total.distinctCount,
    owned_item_count: total.itemCount,
    total_cost_basis_usd: toUsd(total.costCents),
    total_current_value_usd: toUsd(total.valueCents),
    unrealized_gain_loss_usd: toUsd(total.gainCents),
    created_at: formatInstant(brickfolio.createdAt),
  };
}

function presentEntry({ lot, item, unitCents, gain }: Entry): HoldingPage['entries'][number] {
  return {
    brickfolio_id: lot.brickfolioId,
    set_number: item.number,
    title: item.title,
    theme: item.theme,
    quantity: lot.units,
    condition: lot.condition,
    purchase_price_usd: toUsd(lot.priceCents),
    purchase_date: lot.purchaseDate,
    status: lot.status,
    current_value_usd: toUsd(unitCents),
    total_current_value_usd: toUsd(gain.valueCents),
    unrealized_gain_loss_usd: toUsd(gain.gainCents),
    unrealized_gain_loss_pct: gain.gainPct,
  };
}

/** `GET /brickfolio/analytics` */
function getAnalytics({ market, answers, clock }: HandlerDeps): Handler<'getAnalytics'> {
  return ({ query }) => ({
    isExpensive: true,
    read: (caller) => {
      const { period } = query;
      const at = clock();
      const question: Question = { endpoint: 'getAnalytics', input: { query }, day: dayOf(at) };
      return answers.find(caller, question, async () => {
        const analytics = await readAnalytics(market.portfolio, caller.accountId, { period, at });
        const data: AnalyticsData = {
          period,
          summary: presentSummary(analytics),
          value_history: analytics.points.map(presentPoint),
        };
        return dataOf(data);
      });
    },
  });
}

function presentSummary({ total, gainer, loser, sets }: Analytics): AnalyticsData['summary'] {
  const identity = ({ key }: ItemGain) => ({
    set_number: sets.get(key)?.number ?? null,
    title: sets.get(key)?.title ?? null,
  });
  return {
    total_sets: total.distinctCount,
    total_items: total.itemCount,
    total_cost_basis_usd: toUsd(total.costCents),
    total_current_value_usd: toUsd(total.valueCents),
    unrealized_gain_loss_usd: toUsd(total.gainCents),
    unrealized_gain_loss_pct: total.gainPct,
    top_gainer: gainer && { ...identity(gainer), gain_pct: gainer.gain.gainPct },
    top_loser: loser && { ...identity(loser), loss_pct: loser.gain.gainPct },
  };
}

function presentPoint({ day, ...sum }: DaySum): AnalyticsData['value_history'][number] {
  const worth = gainOf(sum.costCents, sum.valueCents);
  return {
    date: formatDay(day * dayMs),
    total_value_usd: toUsd(worth.valueCents),
    cost_basis_usd: toUsd(worth.costCents),
    gain_loss_usd: toUsd(worth.gainCents),
    gain_loss_pct: worth.gainPct,
  };
}
