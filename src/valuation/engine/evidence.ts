/** The evidence behind a value, without showing a single sale. */

import { dayMs, formatMonth, monthOf } from '../../domain/kernel/time.ts';
import type {
  ChannelOffsets,
  ConditionEvidence,
  DataTier,
  Evidence,
} from '../../domain/market/evidence.ts';
import { type Channel, type Condition, channels } from '../../domain/market/source-rows.ts';
import type { Fold } from './fold.ts';
import { referenceChannel } from './parameters.ts';
import { aboveOf } from './range.ts';
import { rateOf } from './rate.ts';
import type { Valued } from './values.ts';

/** The evidence at the moment that the fold has reached. */
export function evidenceOf(
  fold: Fold,
  found: { readonly values: Valued; readonly tier: DataTier; readonly engine: string },
): Evidence {
  const { subject, inForce, tally } = fold;
  const prior = subject.prior(inForce.parameters, fold.at);
  const offsets = inForce.parameters.offsets[subject.kind];
  return {
    engine: found.engine,
    parameters: inForce.version,
    inputHash: fold.inputHash(),
    at: fold.at,
    learnedUntil: learnedUntil(fold),
    tier: found.tier,
    sealed: conditionEvidence(fold, 'sealed', found.values),
    used: conditionEvidence(fold, 'used', found.values),
    modeled: prior && { valueCents: Math.round(Math.exp(prior.log)), spread: prior.spread },
    outcomes: tally.outcomes(),
    channels: [...tally.channels]
      .map(([channel, sales]) => ({ channel, sales, offset: offsets[channel] }))
      .sort((a, b) => b.sales - a.sales || (a.channel < b.channel ? -1 : 1)),
    offsets: learnedOffsets(fold),
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
  const { times } = fold.tracks[condition];
  const within = (days: number) => fold.tracks[condition].countSince(fold.at - days * dayMs);
  const month = (at: number | undefined) => (at === undefined ? null : formatMonth(monthOf(at)));
  return {
    ...valued.value,
    valueSpread: round(valued.valueSpread),
    saleSpread: round(valued.saleSpread),
    soldAbove: aboveOf(valued.quantiles),
    rate: rateOf(fold.selling(condition), fold.at, fold.inForce.parameters.rates),
    sales: {
      ever: times.length,
      days30: within(30),
      days90: within(90),
      days180: within(180),
      days365: within(365),
    },
    firstSale: month(times[0]),
    latestSale: month(times.at(-1)),
  };
}

/** From so many pairs of sales on, a channel's offset was learned, and not only believed. */
const learnedPairsMin = 30;

/** The offsets that were learned, and that of the channel which values are about. */
function learnedOffsets({ subject: { kind }, inForce }: Fold): ChannelOffsets {
  const { offsets, offsetPairs } = inForce.parameters;
  const isLearned = (channel: Channel) =>
    channel === referenceChannel || (offsetPairs?.[kind][channel] ?? 0) >= learnedPairsMin;
  const told: Partial<Record<Channel, number>> = {};
  for (const channel of channels) {
    if (isLearned(channel)) told[channel] = round(offsets[kind][channel]);
  }
  return told;
}

/** When the latest of the rows came in. */
function learnedUntil({ subject }: Fold): number {
  let latest = 0;
  for (const { sale } of subject.rows) {
    latest = Math.max(latest, sale.ingestedAt, sale.retractedAt ?? 0);
  }
  return latest;
}

function round(spread: number): number {
  return Math.round(spread * 10_000) / 10_000;
}
