/** The evidence behind a value, without revealing single sales. */

import { dayMs, formatDay, formatMonth, monthOf } from '../../../kernel/time.ts';
import type {
  ChannelOffsets,
  ConditionEvidence,
  DataTier,
  Evidence,
  PriceDoubt,
} from '../../evidence/evidence.ts';
import { type Channel, type Condition, channels } from '../../source-rows/source-rows.ts';
import { latestLearned } from './admit.ts';
import type { Fold } from './fold.ts';
import { referenceChannel } from './parameters.ts';
import { aboveOf } from './range.ts';
import { rateOf } from './rate.ts';
import type { Doubt } from './sale-track.ts';
import type { Valued } from './values.ts';

/** At the current instant of the fold. */
export function evidenceOf(
  fold: Fold,
  found: { readonly values: Valued; readonly tier: DataTier; readonly engine: string },
): Evidence {
  const { subject, inForce, tally } = fold;
  const prior = subject.prior(inForce.parameters, fold.at);
  const offsets = inForce.parameters.offsets[subject.kind];
  const season = inForce.parameters.rates?.season;
  return {
    engine: found.engine,
    parameters: inForce.version,
    inputHash: fold.inputHash(),
    at: fold.at,
    learnedUntil: latestLearned(subject.rows, subject.start),
    tier: found.tier,
    sealed: conditionEvidence(fold, 'sealed', found.values),
    used: conditionEvidence(fold, 'used', found.values),
    modeled: prior && { valueCents: Math.round(Math.exp(prior.log)), spread: prior.spread },
    outcomes: tally.outcomes(),
    channels: [...tally.channels]
      .map(([channel, sales]) => ({ channel, sales, offset: offsets[channel] }))
      .sort((a, b) => b.sales - a.sales || (a.channel < b.channel ? -1 : 1)),
    offsets: learnedOffsets(fold),
    ...(season && { season }),
    retailWeeks: tally.retailWeeks,
    moves: tally.moves,
  };
}

function conditionEvidence(
  fold: Fold,
  condition: Condition,
  values: Valued,
): ConditionEvidence | null {
  const valued = values[condition];
  if (valued === null) return null;
  const { count, firstAt, times } = fold.tracks[condition];
  const growthPerYear = fold.inForce.parameters.growth?.[fold.subject.kind][condition];
  const within = (days: number) => fold.tracks[condition].countSince(fold.at - days * dayMs);
  const effective = (days: number) =>
    round(fold.tracks[condition].effectiveSince(fold.at - days * dayMs));
  const month = (at: number | undefined) => (at === undefined ? null : formatMonth(monthOf(at)));
  return {
    ...valued.value,
    valueSpread: round(valued.valueSpread),
    saleSpread: round(valued.saleSpread),
    doubt: valued.doubt && priceDoubt(valued.doubt),
    soldAbove: aboveOf(valued.quantiles),
    rate: rateOf(fold.selling(condition), fold.at, fold.inForce.parameters.rates),
    ...(growthPerYear !== undefined && { growthPerYear }),
    sales: {
      ever: count,
      days30: within(30),
      days90: within(90),
      days180: within(180),
      days365: within(365),
    },
    sold90: fold.tally.sold.unitsAt(condition, fold.at),
    effectiveSales: { days90: effective(90), days180: effective(180) },
    firstSale: month(firstAt),
    latestSale: month(times.at(-1)),
  };
}

function priceDoubt({ log, sales, sellers, from, expectedSales }: Doubt): PriceDoubt {
  return {
    valueCents: Number(Math.exp(log).toPrecision(2)),
    sales,
    sellers,
    since: formatDay(from),
    expectedSales: Math.round(expectedSales * 10) / 10,
  };
}

/** With fewer pairs, an offset is shrunk to zero by more than half. */
const learnedPairsMin = 30;

/** Learned offsets, and that of the channel that values are based on. */
function learnedOffsets(fold: Fold): ChannelOffsets {
  const { kind } = fold.subject;
  const { offsets, offsetPairs } = fold.inForce.parameters;
  const base = baseChannel(fold);
  const isLearned = (channel: Channel) =>
    channel === base || (offsetPairs?.[kind][channel] ?? 0) >= learnedPairsMin;
  const learned: Partial<Record<Channel, number>> = {};
  for (const channel of channels) {
    if (isLearned(channel)) learned[channel] = round(offsets[kind][channel]);
  }
  return learned;
}

/** Channels whose prices are those of a place to sell. */
const baseChannels = [
  referenceChannel,
  'bricklink',
  'amazon',
] as const satisfies readonly Channel[];

/**
 * The reference channel, unless there are no sales in it: neither of this item, nor of others that
 * offsets were learned from. Then it is the channel in which the item sold most.
 */
function baseChannel({ subject: { kind }, inForce, tally }: Fold): Channel {
  const pairs = Object.values(inForce.parameters.offsetPairs?.[kind] ?? {});
  if (pairs.some((count) => count > 0)) return referenceChannel;
  const salesIn = (channel: Channel) => tally.channels.get(channel) ?? 0;
  if (salesIn(referenceChannel) > 0) return referenceChannel;
  return baseChannels.reduce((most, next) => (salesIn(next) > salesIn(most) ? next : most));
}

function round(spread: number): number {
  return Math.round(spread * 10_000) / 10_000;
}
