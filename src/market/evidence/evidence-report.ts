/** The evidence behind a value as sentences and tables for people; contains no source rows. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { countText, dayText, monthText, nounText } from '../../kernel/format.ts';
import { toUsd } from '../../kernel/money.ts';
import { type Condition, conditions } from '../source-rows/source-rows.ts';
import {
  type ConditionEvidence,
  type DataTier,
  type Evidence,
  leadCondition,
  type OutcomeCount,
  type PriceDoubt,
  publicSpreads,
} from './evidence.ts';

export interface EvidenceTable {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** How a value was determined, in the order in which it is shown. */
export interface EvidenceReport {
  /** The value of each condition and its sales; no rows if there is no value. */
  readonly values: EvidenceTable;
  readonly noValue: string | null;
  /** How well the value is supported. */
  readonly tier: readonly string[];
  /** Sales by outcome and reason; no rows if there are no sales. */
  readonly outcomes: EvidenceTable;
  readonly channels: EvidenceTable;
  readonly others: readonly string[];
}

export function reportEvidence(kind: ItemKind, evidence: Evidence): EvidenceReport {
  const values = valuesTable(evidence);
  return {
    values,
    noValue: values.rows.length > 0 ? null : noValueText(kind, evidence),
    tier: tierLines(evidence, kind),
    outcomes: outcomesTable(evidence),
    channels: channelsTable(evidence),
    others: [...otherLines(evidence), ...(values.rows.length > 0 ? [modeledLine(evidence)] : [])],
  };
}

const dollars = (cents: number) => `$${toUsd(cents).toFixed(2)}`;

/** A log-scale spread as a percentage, or as a factor if above 100%. */
const percent = (log: number) => {
  const share = Math.abs(Math.expm1(log));
  return share > 1 ? `a factor of ${(1 + share).toFixed(1)}` : `${(100 * share).toFixed(1)}%`;
};

const windowNames = ['Sales in 30 days', '90 days', '180 days', '1 year', 'All time'];

function valuesTable(evidence: Evidence): EvidenceTable {
  const rows = conditions.flatMap((condition) => {
    const found = evidence[condition];
    return found ? [valueRow(conditionNames[condition], found)] : [];
  });
  return { heading: ['Condition', 'Value', 'Range', ...windowNames], rows };
}

/** Why there is no value, in the given condition or in any. */
export function noValueText(
  kind: ItemKind,
  evidence: Evidence | null,
  condition: Condition | null = null,
): string {
  const sold = (evidence?.outcomes ?? []).some(
    (found) => found.outcome !== 'rejected' && (condition ?? found.condition) === found.condition,
  );
  if (sold) return 'Too few sales for a reliable value.';
  if (kind === 'minifig') return 'No sales recorded. A minifig gets a value with its first sale.';
  return evidence?.modeled
    ? 'No sales recorded, and similar sets differ too much for an estimate.'
    : 'No sales recorded, and too little is known about the set for an estimate.';
}

/** The support for a value in one line: `48 sales in 180 days · high confidence`. */
export function supportText(
  kind: ItemKind,
  { found, tier }: { readonly found: ConditionEvidence | null; readonly tier: DataTier },
): string {
  const confidence = tier === 'modeled' ? `estimated from similar ${kind}s` : `${tier} confidence`;
  return `${salesText(found)} · ${confidence}`;
}

function salesText(found: ConditionEvidence | null): string {
  const { ever = 0, days180 = 0 } = found?.sales ?? {};
  if (days180 > 0) return `${nounText(days180, 'sale')} in 180 days`;
  return ever > 0 ? `${nounText(ever, 'sale')}, none in 180 days` : 'No sales recorded';
}

export function accuracyText(evidence: Evidence, found: ConditionEvidence): string {
  const { valueSpread, saleSpread } = publicSpreads(evidence, found);
  return (
    `The value is accurate to about ${percent(valueSpread)}; ` +
    `single sales vary by about ${percent(saleSpread)}.`
  );
}

function valueRow(condition: string, found: ConditionEvidence): (string | number)[] {
  const { sales } = found;
  return [
    condition,
    dollars(found.valueCents),
    `${dollars(found.lowCents)} – ${dollars(found.highCents)}`,
    sales.days30,
    sales.days90,
    sales.days180,
    sales.days365,
    sales.ever,
  ];
}

/** Tiers count effective sales, which matters if sellers repeat. */
function effectiveText({ sales, effectiveSales = sales }: ConditionEvidence): string {
  const { days90, days180 } = effectiveSales;
  if (days180 === sales.days180) return '';
  return `, which count as ${days90.toFixed(1)} and ${days180.toFixed(1)} because sellers repeat`;
}

function tierLines(evidence: Evidence, kind: ItemKind): string[] {
  const lead = leadCondition(kind, evidence);
  const found = evidence[lead];
  if (found === null) return [`Data tier ${evidence.tier}.`];
  const { sales } = found;
  return [
    `Data tier ${evidence.tier}: ${nounText(sales.days90, `${lead} sale`)} in 90 days, ` +
      `${countText(sales.days180)} in 180 days${effectiveText(found)}. ` +
      accuracyText(evidence, found),
    ...conditions.flatMap((condition) => {
      const { doubt } = evidence[condition] ?? {};
      return doubt ? [doubtText(condition, doubt)] : [];
    }),
    ...conditions.flatMap((condition) => {
      const { firstSale, latestSale } = evidence[condition] ?? {};
      if (!firstSale || !latestSale) return [];
      const first = firstSale === latestSale ? '' : `${monthText(firstSale)} to `;
      return [`${conditionNames[condition]} sales counted: ${first}${monthText(latestSale)}.`];
    }),
  ];
}

function doubtText(condition: Condition, doubt: PriceDoubt): string {
  const { valueCents, sales, sellers, since, expectedSales } = doubt;
  const expected = expectedSales < 0.1 ? 'fewer than 0.1' : String(expectedSales);
  return (
    `Possible jump: ${nounText(sales, `${condition} sale`)} by ` +
    `${nounText(sellers, 'independent seller')} since ${dayText(since)} at about ` +
    `$${countText(Math.round(toUsd(valueCents)))}, where ${expected} were expected. Until more ` +
    'sales confirm or contradict it, the tier is at most low, the range covers both prices, and ' +
    'max buy prices use the lower one.'
  );
}

/** In the order in which outcomes are listed. */
const outcomeNames: Readonly<Record<OutcomeCount['outcome'], string>> = {
  accepted: 'Counted',
  down_weighted: 'Counted at lower weight',
  quarantined: 'Set aside',
  rejected: 'Excluded',
};

const reasonNames: Readonly<Record<string, string>> = {
  retracted: 'withdrawn by the source',
  incomplete: 'incomplete',
  duplicate: 'same sale reported by another source',
  no_exchange_rate: 'no exchange rate',
  no_price: 'no price',
  shipping_not_believed: 'implausible shipping cost',
  foreign_currency: 'paid in another currency',
  wholesale_lot: 'wholesale lot',
  damaged_box: 'damaged box',
  box_or_instructions_missing: 'box or instructions missing',
  completeness_unknown: 'completeness not stated',
  same_seller_again: 'same seller again within three months',
  new_level: 'several sales agree on a new price',
  does_not_fit: 'out of line with other sales',
};

export const rowReasons = Object.keys(reasonNames);

function outcomesTable({ outcomes }: Evidence): EvidenceTable {
  const rows = Object.entries(outcomeNames).flatMap(([outcome, name]) =>
    outcomes
      .filter((found) => found.outcome === outcome)
      .map(({ condition, reason, count }) => [
        name,
        conditionNames[condition],
        count,
        reasonName(reason),
      ]),
  );
  return { heading: ['Sales', 'Condition', 'Count', 'Reason'], rows };
}

function reasonName(reason: string | null): string {
  if (reason === null) return 'typical sale';
  return reasonNames[reason] ?? reason.replaceAll('_', ' ');
}

const channelNames: Readonly<Record<Evidence['channels'][number]['channel'], string>> = {
  fixed: 'Fixed price',
  auction: 'Auction',
  bricklink: 'BrickLink',
  amazon: 'Amazon',
  other: 'Other',
  unknown: 'Unknown',
};

const conditionNames: Readonly<Record<Condition, string>> = { sealed: 'Sealed', used: 'Used' };

function channelsTable({ channels }: Evidence): EvidenceTable {
  const rows = channels.map(({ channel, sales, offset }) => [
    channelNames[channel],
    sales,
    offsetText(offset),
  ]);
  return { heading: ['Channel', 'Sales', 'Prices compared with fixed price'], rows };
}

function offsetText(offset: number): string {
  if (Math.abs(offset) < 0.0005) return 'same';
  return `${percent(offset)} ${offset > 0 ? 'above' : 'below'}`;
}

function otherLines({ sharedWith, retailWeeks, moves }: Evidence): string[] {
  const levels = moves.filter(({ why }) => why === 'level').map(({ month }) => monthText(month));
  const drifts = moves.filter(({ why }) => why === 'drift').map(({ month }) => monthText(month));
  return [
    sharedWith
      ? `Includes the sales of ${sharedWith.kind} ${sharedWith.number}, which is the same ` +
        'collectible minifig and has the same value.'
      : null,
    retailWeeks > 0
      ? `Retailer prices of ${nounText(retailWeeks, 'week')} before the first sale count ` +
        'for 60 days.'
      : null,
    levels.length > 0 ? `New price level in ${levels.join(', ')}.` : null,
    drifts.length > 0 ? `Faster price change in ${drifts.join(', ')}.` : null,
  ].filter((line) => line !== null);
}

/** The value without sales. Only shown with a value. */
function modeledLine({ modeled }: Evidence): string {
  if (modeled === null) return 'Without sales there would be no value.';
  return (
    `Without sales, the estimate would be ${dollars(modeled.valueCents)}, ` +
    `accurate to about ${percent(modeled.spread)}.`
  );
}
