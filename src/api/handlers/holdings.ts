/** Holdings and recorded sales of the caller, of sets and minifigs. */

import type {
  HoldingsQuery,
  HoldingsSummary,
  OwnHoldingPage,
  RecordedSalePage,
} from '../../contract/plus/holdings.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { allDays } from '../../kernel/page.ts';
import { dayOf } from '../../kernel/time.ts';
import type { SaleEntry } from '../../portfolio/lots/collection.work.ts';
import type { HoldingsTotal } from '../../portfolio/lots/holdings.ts';
import { daysListed, ownValues, tagsOf } from '../../portfolio/lots/lot-details.ts';
import {
  findNumbered,
  type HoldingEntry,
  readHoldings,
  readSalesAfter,
  readTotals,
} from '../../portfolio/lots/own-holdings.work.ts';
import type { PortfolioData } from '../../portfolio/returns/portfolio-data.work.ts';
import type { Question } from '../account-answer-cache.ts';
import { dataOf } from '../answer-data.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { presentSaleFields } from './ledger.ts';

export function holdingHandlers(deps: HandlerDeps) {
  const { market, answers } = deps;
  return {
    listHoldings: listHoldings(deps),
    getHoldingsSummary: ({ query }) =>
      answers.cachedWork(
        { endpoint: 'getHoldingsSummary', input: { query } },
        async (accountId) => {
          const { brickfolio_id: brickfolioId = null } = query;
          const collection = await findCollectionId(market.portfolio, accountId, brickfolioId);
          if (collection === 'missing') return noCollection;
          const { all, set, minifig } = await readTotals(market.portfolio, accountId, collection);
          const summary: HoldingsSummary = {
            all: presentTotal(all),
            sets: presentTotal(set),
            minifigs: presentTotal(minifig),
          };
          return dataOf(summary);
        },
      ),
    listRecordedSales: ({ query }) =>
      answers.cachedWork({ endpoint: 'listRecordedSales', input: { query } }, async (accountId) => {
        const { number, after = 0, limit } = query;
        const filter = {
          kind: query.item_type ?? null,
          items: number === undefined ? null : await findNumbered(market.store, number),
          condition: query.condition ?? null,
          platform: query.platform ?? null,
          span: spanOf(query.sold_from, query.sold_to),
        };
        const found = await readSalesAfter(market.portfolio, accountId, { after, limit, filter });
        const page: RecordedSalePage = {
          sales: found.rows.map(presentSale),
          next: found.next,
          has_more: found.hasMore,
        };
        return dataOf(page);
      }),
  } satisfies Partial<Handlers>;
}

/** `GET /holdings` */
function listHoldings({ market, answers, clock }: HandlerDeps): Handler<'listHoldings'> {
  const make = async (accountId: number, query: HoldingsQuery, today: number) => {
    const { brickfolio_id: brickfolioId = null, number } = query;
    const collection = await findCollectionId(market.portfolio, accountId, brickfolioId);
    if (collection === 'missing') return noCollection;
    const filter = {
      kind: query.item_type ?? null,
      items: number === undefined ? null : await findNumbered(market.store, number),
      brickfolioId: collection,
      condition: query.condition ?? null,
      status: query.status ?? null,
      span: spanOf(query.purchased_from, query.purchased_to),
    };
    const { after = 0, limit } = query;
    const found = await readHoldings(market.portfolio, accountId, { after, limit, filter });
    const page: OwnHoldingPage = {
      holdings: found.rows.map((entry) => presentHolding(entry, today)),
      next: found.next,
      has_more: found.hasMore,
    };
    return dataOf(page);
  };
  return ({ query }) => ({
    isExpensive: true,
    read: (caller) => {
      const day = dayOf(clock());
      const question: Question = { endpoint: 'listHoldings', input: { query }, day };
      return answers.find(caller, question, () => make(caller.accountId, query, day));
    },
  });
}

/** The same message as for another account's collection. */
const noCollection = { missing: 'You have no collection with this brickfolio_id.' };

/** Null: all collections. Numbers beyond the safe range are texts, which no collection has. */
async function findCollectionId(
  { accounts }: PortfolioData,
  accountId: number,
  brickfolioId: number | string | null,
): Promise<number | null | 'missing'> {
  if (brickfolioId === null) return null;
  const own = await accounts.listBrickfolios(accountId);
  return own.find(({ id }) => id === brickfolioId)?.id ?? 'missing';
}

function spanOf(from = allDays.from, to = allDays.to) {
  return { from, to };
}

/** `today` is a day since 1970. */
function presentHolding(entry: HoldingEntry, today: number): OwnHoldingPage['holdings'][number] {
  const { lot, item, unitCents, gain, tier } = entry;
  // Without a value, the entry counts at cost.
  const known = <T>(value: T) => (tier === null ? null : value);
  return {
    id: lot.id,
    item_type: lot.kind,
    number: item.number,
    title: item.title,
    theme: item.theme,
    brickfolio_id: lot.brickfolioId,
    quantity: lot.units,
    quantity_bought: lot.quantity,
    condition: lot.condition,
    status: lot.status,
    purchase_price_usd: toUsd(lot.priceCents),
    price_is_estimated: lot.isEstimated,
    purchase_date: lot.purchaseDate,
    purchase_date_is: lot.dateBasis,
    current_value_usd: known(toUsd(unitCents)),
    data_tier: tier,
    total_current_value_usd: known(toUsd(gain.valueCents)),
    unrealized_gain_loss_usd: known(toUsd(gain.gainCents)),
    unrealized_gain_loss_pct: known(gain.gainPct),
    grade: lot.grade,
    notes: lot.notes,
    tags: tagsOf(lot.tags),
    place: lot.place,
    bought_at: lot.boughtAt,
    asking_price_usd: toUsdOrNull(lot.askingCents),
    listing_url: lot.listingUrl,
    listed_at: lot.listedAt,
    days_listed: daysListed(lot, today),
    own_fields: Object.entries(ownValues(lot.ownFields)).map(([name, value]) => ({ name, value })),
  };
}

function presentTotal(total: HoldingsTotal): HoldingsSummary['all'] {
  return {
    distinct_count: total.distinctCount,
    item_count: total.itemCount,
    total_cost_basis_usd: toUsd(total.costCents),
    total_current_value_usd: toUsd(total.valueCents),
    unrealized_gain_loss_usd: toUsd(total.gainCents),
    unrealized_gain_loss_pct: total.gainPct,
  };
}

function presentSale(entry: SaleEntry): RecordedSalePage['sales'][number] {
  const { sale, item } = entry;
  return {
    id: sale.id,
    item_type: sale.kind,
    number: item.number,
    title: item.title,
    condition: sale.condition,
    ...presentSaleFields(entry),
    cost_basis_usd: toUsd(sale.costCents),
  };
}
