/** The evidence behind a value as JSON: dollars, instants, never a source row. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import { toUsd } from '../domain/kernel/money.ts';
import { formatInstant } from '../domain/kernel/time.ts';
import { type ConditionEvidence, hashText } from '../domain/market/evidence.ts';
import type { Explained } from './explain-text.ts';

/** One object with everything that `explain` tells. */
export function evidenceJson(kind: ItemKind, { number, name, isStale, evidence }: Explained) {
  const { modeled } = evidence;
  return {
    kind,
    number,
    name,
    stale: isStale,
    calculated_at: formatInstant(evidence.at),
    rows_until: evidence.learnedUntil === 0 ? null : formatInstant(evidence.learnedUntil),
    data_tier: evidence.tier,
    values: {
      sealed: conditionJson(evidence.sealed),
      used: conditionJson(evidence.used),
    },
    without_sales: modeled && {
      value_usd: toUsd(modeled.valueCents),
      spread: rounded(modeled.spread),
    },
    outcomes: evidence.outcomes,
    channels: evidence.channels.map((found) => ({ ...found, offset: rounded(found.offset) })),
    retail_weeks: evidence.retailWeeks,
    moves: evidence.moves,
    versions: {
      engine: evidence.engine,
      parameters: evidence.parameters,
      inputs: hashText(evidence.inputHash),
    },
  };
}

/** More digits than these would say nothing. */
const rounded = (log: number) => Number(log.toFixed(4));

function conditionJson(condition: ConditionEvidence | null) {
  if (condition === null) return null;
  const { sales } = condition;
  return {
    value_usd: toUsd(condition.valueCents),
    low_usd: toUsd(condition.lowCents),
    high_usd: toUsd(condition.highCents),
    value_spread: condition.valueSpread,
    sale_spread: condition.saleSpread,
    sales: {
      ever: sales.ever,
      days_30: sales.days30,
      days_90: sales.days90,
      days_180: sales.days180,
      days_365: sales.days365,
    },
    first_sale: condition.firstSale,
    latest_sale: condition.latestSale,
  };
}
