/** The evidence behind a value as sentences and tables, for people. Never a source row. */

import type { ItemKind } from '../catalog/numbers.ts';
import { toUsd } from '../kernel/money.ts';
import type { ConditionEvidence, Evidence, OutcomeCount } from './evidence.ts';
import { conditions } from './source-rows.ts';

/** A small table: names of columns, and rows of cells. */
export interface EvidenceTable {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Everything that people see of how a value was made, in this order. */
export interface EvidenceReport {
  /** The value of each condition and the sales behind it; no rows when there is no value. */
  readonly values: EvidenceTable;
  /** Said where there is no value. */
  readonly noValue: string | null;
  /** How well the value is known. */
  readonly tier: readonly string[];
  /** What became of sales, and why; no rows when it was never sold. */
  readonly outcomes: EvidenceTable;
  readonly channels: EvidenceTable;
  readonly others: readonly string[];
}

/** The evidence for people to read. */
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

/** A spread of logarithms, as the share that it is about; a factor where that is clearer. */
const percent = (log: number) => {
  const share = Math.abs(Math.expm1(log));
  return share > 1 ? `a factor of ${(1 + share).toFixed(1)}` : `${(100 * share).toFixed(1)}%`;
};

const windowNames = ['sold in 30 days', '90 days', '180 days', 'a year', 'ever'];

function valuesTable(evidence: Evidence): EvidenceTable {
  const rows = conditions.flatMap((condition) => {
    const found = evidence[condition];
    return found ? [valueRow(condition, found)] : [];
  });
  return { heading: ['condition', 'value', 'range', ...windowNames], rows };
}

function noValueText(kind: ItemKind, { modeled, outcomes }: Evidence): string {
  if (modeled === null) return 'Nothing is known that a value could be made of.';
  const isUnsold = !outcomes.some(({ outcome }) => outcome !== 'rejected');
  return kind === 'minifig' && isUnsold
    ? 'A minifig has a value from the first sale on that counts.'
    : 'Too little is known: the range would be too wide to act on.';
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

function tierLines(evidence: Evidence, kind: ItemKind): string[] {
  const lead = kind === 'set' ? 'sealed' : 'used';
  const found = evidence[lead];
  if (found === null) return [`Data tier ${evidence.tier}.`];
  const { sales } = found;
  return [
    `Data tier ${evidence.tier}: ${lead} sales are ${sales.days90} in 90 days and ` +
      `${sales.days180} in 180; the value is known to about ${percent(found.valueSpread)}, and ` +
      `single sales scatter by about ${percent(found.saleSpread)} around it.`,
    ...conditions.flatMap((condition) => {
      const { firstSale, latestSale } = evidence[condition] ?? {};
      if (!firstSale || !latestSale) return [];
      return [`The ${condition} sales that count are from ${firstSale} to ${latestSale}.`];
    }),
  ];
}

/** What outcomes mean, in the order in which they are listed. */
const outcomeNames: Readonly<Record<OutcomeCount['outcome'], string>> = {
  accepted: 'counted',
  down_weighted: 'counted with less weight',
  quarantined: 'put aside',
  rejected: 'left out',
};

/** Why a sale counts less, or not at all. */
const reasonNames: Readonly<Record<string, string>> = {
  retracted: 'taken back by its source',
  incomplete: 'incomplete',
  duplicate: 'the same sale from another source',
  no_exchange_rate: 'no exchange rate',
  no_price: 'no price',
  shipping_not_believed: 'shipping that cannot be right',
  foreign_currency: 'paid in another currency',
  wholesale_lot: 'a wholesale lot',
  damaged_box: 'a damaged box',
  box_or_instructions_missing: 'box or instructions missing',
  completeness_unknown: 'nobody says whether it was complete',
  same_seller_again: 'the same seller again within a week',
  new_level: 'several sales that agree on a new level',
  does_not_fit: 'does not fit the others, and none agrees with it yet',
};

/** The codes of these reasons. */
export const rowReasons = Object.keys(reasonNames);

function outcomesTable({ outcomes }: Evidence): EvidenceTable {
  const rows = Object.entries(outcomeNames).flatMap(([outcome, name]) =>
    outcomes
      .filter((found) => found.outcome === outcome)
      .map(({ condition, reason, count }) => [name, condition, count, reasonName(reason)]),
  );
  return { heading: ['sales', 'condition', 'count', 'because'], rows };
}

function reasonName(reason: string | null): string {
  if (reason === null) return 'ordinary';
  return reasonNames[reason] ?? reason.replaceAll('_', ' ');
}

function channelsTable({ channels }: Evidence): EvidenceTable {
  const rows = channels.map(({ channel, sales, offset }) => [channel, sales, offsetText(offset)]);
  return { heading: ['channel', 'counted', 'prices there, against a fixed price'], rows };
}

function offsetText(offset: number): string {
  if (Math.abs(offset) < 0.0005) return 'no different';
  return `${percent(offset)} ${offset > 0 ? 'above' : 'below'}`;
}

function otherLines({ retailWeeks, moves }: Evidence): string[] {
  const levels = moves.filter(({ why }) => why === 'level').map(({ month }) => month);
  const drifts = moves.filter(({ why }) => why === 'drift').map(({ month }) => month);
  return [
    retailWeeks > 0
      ? `Before the first sale, the price of a retailer itself was seen in ${retailWeeks} ` +
        `${retailWeeks === 1 ? 'week' : 'weeks'}; it counts for 60 days.`
      : null,
    levels.length > 0 ? `Sales agreed on a new level in ${levels.join(', ')}.` : null,
    drifts.length > 0 ? `The value followed a drift faster in ${drifts.join(', ')}.` : null,
  ].filter((line) => line !== null);
}

/** What it would be worth without its sales. Where no value is given, none is given here either. */
function modeledLine({ modeled }: Evidence): string {
  if (modeled === null) return 'Without any sale there would be no value.';
  return (
    `Without any sale it would be ${dollars(modeled.valueCents)}, ` +
    `known to about ${percent(modeled.spread)}.`
  );
}
