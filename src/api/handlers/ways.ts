/** `GET /set/{number}/ways-to-sell` */

import { type BuyingSettings, tablesOf, termsOf } from '../../buying/prices/buying-settings.ts';
import { costOf } from '../../buying/prices/max-buy.ts';
import { type FoundWays, findWays } from '../../buying/ways/find-ways.work.ts';
import { losesEachWay, ordersOf, type SoldLine, type Way } from '../../buying/ways/ways.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import type { WaysToSell } from '../../contract/plus/ways.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { sumOf } from '../../kernel/sum.ts';
import { shortText } from '../../kernel/text.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { dataOf } from '../answer-data.ts';
import { ownSettings, presentDays, roundTo } from '../buying-terms.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function wayHandlers(deps: HandlerDeps) {
  return {
    getWaysToSell: ({ params: { number }, query }) => ({
      read: async (caller) => {
        const settings = await ownSettings(deps, caller);
        const tables = tablesOf(deps.tables, settings);
        const { condition } = query;
        const question = { condition, tables, work: settings, at: deps.clock() };
        const key = itemKey('set', number);
        const found = (await findWays(deps.market.store, [key], question)).get(key);
        if (!found) return { missing: `There is no set '${shortText(number)}'.` };
        return dataOf(
          presentWays(found, { condition, settings, costCents: cost(query, settings) }),
        );
      },
    }),
  } satisfies Partial<Handlers>;
}

function cost(
  { price_usd: price }: EndpointInput<'getWaysToSell'>['query'],
  settings: BuyingSettings,
): number | null {
  return price === undefined ? null : costOf(Math.round(price * 100), termsOf(settings).costs);
}

interface Terms {
  readonly condition: Condition;
  readonly settings: BuyingSettings;
  /** Null if no price was sent. */
  readonly costCents: number | null;
}

function presentWays(
  { set, ways, missing, best, noBestReason }: FoundWays,
  terms: Terms,
): WaysToSell {
  const { condition, settings, costCents } = terms;
  const parts = set.parts[condition];
  return {
    set_number: set.number,
    title: set.title,
    condition,
    best: best?.name ?? null,
    no_best_reason: noBestReason,
    loses_each_way: losesEachWay(ways, costCents ?? 0),
    ways: ways.map((way) => presentWay(way, costCents)),
    missing: missing.map(({ name, reason }) => ({ way: name, reason })),
    parts: parts && {
      sold_usd: toUsd(parts.soldCents),
      orders: ordersOf(parts.soldCents),
    },
    work: {
      hour_usd: toUsd(settings.hourCents),
      seconds_per_lot: settings.secondsPerLot,
      seconds_per_piece: settings.secondsPerPiece,
    },
  };
}

function presentWay(way: Way, costCents: number | null): WaysToSell['ways'][number] {
  return {
    way: way.name,
    sold: presentLines(way),
    revenue_usd: toUsd(way.revenueCents),
    fees_usd: toUsd(way.feesCents),
    postage_usd: toUsd(way.postageCents),
    hours: way.hours,
    work_usd: toUsd(way.workCents),
    net_usd: toUsd(way.netCents),
    profit_usd: toUsdOrNull(costCents === null ? null : way.netCents - costCents),
    uncertainty_usd: toUsd(way.uncertaintyCents),
    half_days: presentDays(way.halfDays),
    most_days: presentDays(way.mostDays),
    data_tier: way.tier,
    rest_value_pct: way.restShare === undefined ? null : roundTo(100 * way.restShare, 8),
    assumed: [...way.assumed],
  };
}

/** Minifigs are one line: their own prices are those of other calls. */
function presentLines({ name, sold }: Way): WaysToSell['ways'][number]['sold'] {
  if (name !== 'minifigs') return [presentSold(name === 'parts' ? 'parts' : 'set', sold)];
  const rest = sold.filter(({ minifig }) => minifig === null);
  const minifigs = sold.filter(({ minifig }) => minifig !== null);
  return [
    presentSold('minifigs', minifigs),
    ...(rest.length === 0 ? [] : [presentSold('rest', rest)]),
  ];
}

function presentSold(
  what: WaysToSell['ways'][number]['sold'][number]['what'],
  lines: readonly SoldLine[],
) {
  const [first, ...others] = lines;
  const isOne = others.every(({ channel }) => channel === first?.channel);
  return {
    what,
    units: lines.length,
    channel: isOne ? (first?.channel ?? null) : null,
    price_usd: toUsd(sumOf(lines, ({ priceCents }) => priceCents)),
    fees_usd: toUsd(sumOf(lines, ({ feesCents }) => feesCents)),
    postage_usd: toUsd(sumOf(lines, ({ postageCents }) => postageCents)),
  };
}
