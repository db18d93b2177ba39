/** Evidence behind the values of a set or minifig: counts, reasons and terms, never a sale. */

import {
  cautiousCents,
  isAssumed,
  isAtAmazon,
  offsetIn,
  type Resale,
} from '../../buying/prices/resale.ts';
import { toItem } from '../../buying/prices/resale-item.work.ts';
import { sellingChannels } from '../../buying/prices/selling-channels.ts';
import { type SalesQueue, salesQueueOf } from '../../buying/prices/your-wait.ts';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import type { ItemEvidence } from '../../contract/plus/evidence.ts';
import { at as itemAt } from '../../kernel/at.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { shortText } from '../../kernel/text.ts';
import { formatInstant } from '../../kernel/time.ts';
import { type Evidence, hashText, rowOutcomes } from '../../market/evidence/evidence.ts';
import { reportEvidence } from '../../market/evidence/evidence-report.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { type Liquidity, liquidityOf, sellThroughOf } from '../../market/values/liquidity.ts';
import { soldShares } from '../../market/values/price.ts';
import { dataOf } from '../answer-data.ts';
import { itemBatch } from '../batch-items.ts';
import type { Handler, Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function evidenceHandlers(deps: HandlerDeps) {
  return {
    getSetEvidence: ({ params }) => evidenceWork(deps, 'set', params.number),
    getMinifigEvidence: ({ params }) => evidenceWork(deps, 'minifig', params.number),
    getEvidenceBatch: getEvidenceBatch(deps),
  } satisfies Partial<Handlers>;
}

function evidenceWork(deps: HandlerDeps, kind: ItemKind, number: string): Work {
  return {
    read: async () => {
      const key = itemKey(kind, number);
      const record = (await deps.market.store.findResaleRecords(kind, [key])).get(key);
      if (!record) return { missing: `There is no ${kind} '${shortText(number)}'.` };
      return dataOf(presentEvidence(kind, record, deps.clock()));
    },
  };
}

/** `POST /evidence/batch` */
function getEvidenceBatch({ market: { store }, clock }: HandlerDeps): Handler<'getEvidenceBatch'> {
  return ({ body }) =>
    itemBatch(['set', 'minifig'], body, async (keys, kind) => {
      const records = await store.findResaleRecords(kind, keys);
      return (key) => {
        const record = records.get(key);
        return record ? presentEvidence(kind, record, clock()) : null;
      };
    });
}

function presentEvidence(kind: ItemKind, record: ResaleRecord, at: number): ItemEvidence {
  const { evidence } = record;
  const { number, title, resale } = toItem(kind, record);
  const terms = (condition: Condition) => resale[condition] && presentTerms(resale[condition], at);
  return {
    item_type: kind,
    number,
    title,
    data_tier: evidence?.tier ?? 'modeled',
    tier_reasons: evidence ? [...reportEvidence(kind, evidence).tier] : [],
    sealed: { ...presentCondition(evidence, 'sealed', at), terms: terms('sealed') },
    used: { ...presentCondition(evidence, 'used', at), terms: terms('used') },
    channels: (evidence?.channels ?? []).map(({ channel, sales, offset }) => ({
      channel,
      sales,
      // A difference of logarithms as a percentage with two decimals.
      offset_pct: Math.round(Math.expm1(offset) * 10_000) / 100,
    })),
    season: evidence?.season ? [...evidence.season] : null,
    engine: evidence?.engine ?? null,
    parameters: evidence?.parameters ?? null,
    input_hash: evidence && hashText(evidence.inputHash),
    calculated_at: evidence && formatInstant(evidence.at),
  };
}

type PresentedCondition = ItemEvidence['sealed'];

function presentCondition(
  evidence: Evidence | null,
  condition: Condition,
  at: number,
): Omit<PresentedCondition, 'terms'> {
  const found = evidence?.[condition] ?? null;
  const counts = (evidence?.outcomes ?? []).filter((row) => row.condition === condition);
  const reasons = rowOutcomes.flatMap((outcome) =>
    counts
      .filter((row) => row.outcome === outcome)
      .map(({ reason, count }) => ({ outcome, reason, count })),
  );
  const total = (outcome: (typeof rowOutcomes)[number]) =>
    reasons.filter((row) => row.outcome === outcome).reduce((sum, { count }) => sum + count, 0);
  return {
    value_usd: found && toUsd(found.valueCents),
    range: found && { low: toUsd(found.lowCents), high: toUsd(found.highCents) },
    sales: found && {
      days_30: found.sales.days30,
      days_90: found.sales.days90,
      days_180: found.sales.days180,
      days_365: found.sales.days365,
      ever: found.sales.ever,
    },
    rows: {
      accepted: total('accepted'),
      down_weighted: total('down_weighted'),
      quarantined: total('quarantined'),
      rejected: total('rejected'),
    },
    reasons,
    liquidity: presentLiquidity(evidence && liquidityOf(evidence, condition, at)),
  };
}

function presentLiquidity(liquidity: Liquidity | null): PresentedCondition['liquidity'] {
  return (
    liquidity && {
      sold_90d: liquidity.sold,
      units_per_month: liquidity.perMonth,
      sellers_90d: liquidity.sellers,
      sell_through_pct: liquidity.sellThrough,
      channels: liquidity.channels.map((each) => ({
        ...each,
        sell_through_pct: sellThroughOf(each),
      })),
    }
  );
}

/** Everything that a price, its net and a max buy price are computed from, besides fees. */
function presentTerms(resale: Resale, at: number): NonNullable<PresentedCondition['terms']> {
  const { price, rate } = resale;
  return {
    data_tier: resale.tier,
    level_usd: toUsd(cautiousCents(resale)),
    value_spread: price.valueSpread,
    sale_spread: price.saleSpread,
    quantiles: soldShares.map((share, index) => {
      return { share, quantile: itemAt(price.soldAbove, index) };
    }),
    growth_per_year: resale.growthPerYear,
    rate: rate && {
      sales: rate.sales,
      counted_sales: rate.countedSales ?? rate.sales,
      days: rate.days,
      prior_sales: rate.priorSales,
      prior_days: rate.priorDays,
      season_index: rate.seasonIndex ?? 1,
    },
    channels: sellingChannels.map((channel) => ({
      channel,
      offset: offsetIn(resale, channel),
      assumed: isAssumed(resale, channel),
      price_max_usd: toUsdOrNull(isAtAmazon(channel) ? resale.amazonAskCents : null),
      queue: rate && presentQueue(salesQueueOf(resale, rate, { channel, at })),
    })),
  };
}

function presentQueue(queue: SalesQueue) {
  return {
    sales_share: queue.share,
    rivals: queue.rivals,
    supply_months: queue.supplyMonths,
    cheapest: queue.cheaper === 0,
    assumed: queue.isAssumed,
  };
}
