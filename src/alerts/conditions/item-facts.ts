/** Published data of an item, as alert rules use it. */

import { isOutdated } from '../../buying/deals/deal.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import type { RetailRow } from '../../contract/retail.ts';
import type { SetRecord } from '../../contract/set.ts';
import { toCentsOrNull } from '../../kernel/money.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import { retailers, usualCondition } from '../../market/source-rows/source-rows.ts';
import { liquidityOf } from '../../market/values/liquidity.ts';
import type { ItemFacts, OfferFacts } from './is-met.ts';

export function itemFacts(kind: ItemKind, record: ResaleRecord, at: number): ItemFacts {
  return kind === 'set' ? setFacts(record, at) : minifigFacts(record, at);
}

function setFacts({ key, number, body, retail, evidence }: ResaleRecord, at: number): ItemFacts {
  const record: SetRecord = JSON.parse(body);
  return {
    kind: 'set',
    key,
    number,
    title: record.title,
    theme: record.theme,
    values: {
      sealed: toCentsOrNull(record.new_value_usd),
      used: toCentsOrNull(record.used_value_usd),
    },
    sellThrough: sellThroughNow('set', evidence, at),
    offers: retail === null ? [] : offersOf(record, JSON.parse(retail), at),
  };
}

function minifigFacts({ key, number, body, evidence }: ResaleRecord, at: number): ItemFacts {
  const { name, current_value_usd: value }: MinifigRecord = JSON.parse(body);
  const values = { sealed: evidence?.sealed?.valueCents ?? null, used: toCentsOrNull(value) };
  const sellThrough = sellThroughNow('minifig', evidence, at);
  return {
    kind: 'minifig',
    key,
    number,
    title: name,
    theme: null,
    values,
    sellThrough,
    offers: [],
  };
}

function sellThroughNow(kind: ItemKind, evidence: Evidence | null, at: number): number | null {
  return (evidence && liquidityOf(evidence, usualCondition(kind), at))?.sellThrough ?? null;
}

/** Offers that can be bought: not known to be out of stock, and checked recently. */
function offersOf({ retailers: summaries }: SetRecord, row: RetailRow, at: number): OfferFacts[] {
  return retailers.flatMap((retailer) => {
    const summary = summaries.find((each) => each.retailer === retailer);
    if (!summary) return [];
    const { price, inStock, atLowest } = row[retailer];
    const observedAt = Date.parse(summary.last_checked_at);
    const isThere = inStock !== false && !isOutdated({ observedAt }, at);
    return [{ retailer, priceCents: isThere ? toCentsOrNull(price) : null, isAtLowest: atLowest }];
  });
}
