/** The evidence behind a value in words and tables, for people. Never a source row. */
import {
  type ConditionEvidence,
  type Evidence,
  hashText,
  type OutcomeCount,
} from '../domain/evidence.ts';
import { conditions } from '../domain/market.ts';
import type { ItemEvidence } from '../domain/market-store.ts';
import { toUsd } from '../domain/money.ts';
import type { ItemKind } from '../domain/numbers.ts';
import { formatInstant } from '../domain/time.ts';
import { table } from './table.ts';

/** An item that has evidence. */
export interface Explained extends ItemEvidence {
  readonly name: string;
  readonly evidence: Evidence;
}

/** Everything that is known of how the value came about. */
export function evidenceText(kind: ItemKind, item: Explained): string {
  const { evidence } = item;
  return [
    `${kind === 'set' ? 'Set' : 'Minifig'} ${item.number}, ${item.name}`,
    '',
    ...valueLines(evidence),
    ...tierLines(evidence, kind),
    ...outcomeLines(evidence),
    ...channelLines(evidence),
    ...otherLines(evidence),
    '',
    `As of ${formatInstant(evidence.at)}. Engine ${evidence.engine}, parameters ` +
      `${evidence.parameters}, inputs ${hashText(evidence.inputHash)}.`,
  ].join('\n');
}

const dollars = (cents: number) => `$${toUsd(cents).toFixed(2)}`;

/** A spread of logarithms, as the share that it is about; a factor where that is clearer. */
const percent = (log: number) => {
  const share = Math.abs(Math.expm1(log));
  return share > 1 ? `a factor of ${(1 + share).toFixed(1)}` : `${(100 * share).toFixed(1)} %`;
};

function valueLines(evidence: Evidence): string[] {
  const rows = conditions.flatMap((condition) => {
    const found = evidence[condition];
    return found ? [valueRow(condition, found)] : [];
  });
  if (rows.length === 0) {
    const isModeled = evidence.modeled !== null;
    return [
      isModeled
        ? 'A minifig has a value from the first sale on that counts.'
        : 'Nothing is known that a value could be made of.',
    ];
  }
  return [table(['condition', 'value', 'range', ...windowNames], rows)];
}

const windowNames = ['sold in 30 days', '90 days', '180 days', 'a year', 'ever'];

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
  if (found === null) return ['', `Data tier ${evidence.tier}.`];
  const { sales } = found;
  return [
    '',
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

/** What outcomes mean, in the order in which they are told. */
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

function outcomeLines({ outcomes }: Evidence): string[] {
  if (outcomes.length === 0) return ['', 'It was never sold.'];
  const rows = Object.entries(outcomeNames).flatMap(([outcome, name]) =>
    outcomes
      .filter((found) => found.outcome === outcome)
      .map(({ condition, reason, count }) => [name, condition, count, reasonName(reason)]),
  );
  return ['', table(['sales', 'condition', 'count', 'because'], rows)];
}

function reasonName(reason: string | null): string {
  if (reason === null) return 'ordinary';
  return reasonNames[reason] ?? reason.replaceAll('_', ' ');
}

function channelLines({ channels }: Evidence): string[] {
  if (channels.length === 0) return [];
  const rows = channels.map(({ channel, sales, offset }) => [channel, sales, offsetText(offset)]);
  return ['', table(['channel', 'counted', 'prices there, against a fixed price'], rows)];
}

function offsetText(offset: number): string {
  if (Math.abs(offset) < 0.0005) return 'no different';
  return `${percent(offset)} ${offset > 0 ? 'above' : 'below'}`;
}

function otherLines({ retailWeeks, moves, modeled }: Evidence): string[] {
  const levels = moves.filter(({ why }) => why === 'level').map(({ month }) => month);
  const drifts = moves.filter(({ why }) => why === 'drift').map(({ month }) => month);
  const lines = [
    retailWeeks > 0
      ? `Before the first sale, the price of a retailer itself was seen in ${retailWeeks} ` +
        `${retailWeeks === 1 ? 'week' : 'weeks'}; it counts for 60 days.`
      : null,
    levels.length > 0 ? `Sales agreed on a new level in ${levels.join(', ')}.` : null,
    drifts.length > 0 ? `The value followed a drift faster in ${drifts.join(', ')}.` : null,
    modeled
      ? `Without any sale it would be ${dollars(modeled.valueCents)}, known to about ` +
        `${percent(modeled.spread)}.`
      : 'Without any sale there would be no value.',
  ].filter((line) => line !== null);
  return ['', ...lines];
}
