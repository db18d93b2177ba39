/**
 * Net proceeds of a sale fulfilled by Amazon (FBA): the price less selling and fulfillment fees.
 * Storage, delivery to Amazon and the cost of the set are not included.
 */

import type { Box } from '../../catalog/items/catalog.ts';
import { dayMs, formatDay, monthOf } from '../../kernel/time.ts';
import {
  type FeeSchedule,
  feeSchedules,
  peakSeason,
  type SizeLimits,
  type SizeTier,
  standardTiers,
  type WeightStep,
} from './fba-fees.ts';

/**
 * Sides are in thousandths of an inch and weights in ten-thousandths of a pound, in which an ounce
 * is an integer too, so that comparisons at a limit are exact.
 */
const inch = 1_000;
const pound = 10_000;
const ounce = pound / 16;

/** The divisor for dimensional weight. */
export const cubicInchesPerPound = 139;

/** A box in integer units, with sorted sides. */
interface Parcel {
  readonly longest: number;
  readonly median: number;
  readonly shortest: number;
  readonly weight: number;
}

/** Net proceeds without holiday peak fees; negative for a loss, null if the box is unknown. */
export function netFbaCents(priceCents: number, box: Box, at: number): number | null {
  const fees = fbaFees(priceCents, box, at);
  return fees && priceCents - fees.referralCents - fees.fulfilmentCents;
}

export interface FbaFees {
  readonly referralCents: number;
  readonly fulfilmentCents: number;
  /** The holiday peak fee; 0 in the rest of the year. */
  readonly peakCents: number;
}

export function fbaFees(priceCents: number, box: Box, at: number): FbaFees | null {
  return fbaBoxFees(box, at)?.(priceCents) ?? null;
}

/** Computes fees by price for a box at an instant; null if the box is unknown. */
export function fbaBoxFees(box: Box, at: number): ((priceCents: number) => FbaFees) | null {
  const parcel = measure(box);
  if (parcel === null) return null;
  const schedule = scheduleAt(feeSchedules, at);
  const found = findTier(parcel, schedule);
  if (found === null) return null;
  const { tier, row, weight } = found;
  const step = stepCents(weight, tier.step);
  const peak = isPeak(at) ? peakCents(weight, tier) : 0;
  return (priceCents) => ({
    referralCents: referralCents(priceCents, schedule),
    fulfilmentCents: withSurcharge(row[priceColumn(priceCents, schedule)] + step, schedule),
    peakCents: peak,
  });
}

export interface StoredBox {
  readonly cubicInches: number;
  readonly isStandardSize: boolean;
}

/** Null if the box is unknown. */
export function storedBox(box: Box, at: number): StoredBox | null {
  const parcel = measure(box);
  const found = parcel && findTier(parcel, scheduleAt(feeSchedules, at));
  if (!parcel || !found) return null;
  return {
    cubicInches: (parcel.longest * parcel.median * parcel.shortest) / inch ** 3,
    isStandardSize: standardTiers.has(found.tier),
  };
}

function isPeak(at: number): boolean {
  const day = formatDay(at).slice(5);
  // The season spans the turn of the year.
  return day >= peakSeason.from || day <= peakSeason.to;
}

function peakCents(weight: number, { peak }: SizeTier): number {
  const row = peak.find(([upToOz]) => weight <= upToOz * ounce) ?? peak.at(-1);
  return row?.[1] ?? 0;
}

/** When the next schedule starts; null if none is known. */
export function nextFeeChange(at: number): number | null {
  // The first schedule also applies before its start, so it is no change.
  const next = feeSchedules.slice(1).find(({ effectiveFrom }) => effectiveFrom > at);
  return next?.effectiveFrom ?? null;
}

/** When the holiday peak season next starts or ends. */
export function nextPeakChange(at: number): number {
  const year = Math.floor(monthOf(at) / 12);
  for (const day of [peakSeason.to, peakSeason.from]) {
    const change = Date.parse(`${year}-${day}`) + (day === peakSeason.to ? dayMs : 0);
    if (change > at) return change;
  }
  return Date.parse(`${year + 1}-${peakSeason.to}`) + dayMs;
}

function measure({ widthIn, heightIn, depthIn, weightLbs }: Box): Parcel | null {
  if (!isKnown(widthIn) || !isKnown(heightIn) || !isKnown(depthIn) || !isKnown(weightLbs)) {
    return null;
  }
  const width = Math.round(widthIn * inch);
  const height = Math.round(heightIn * inch);
  const depth = Math.round(depthIn * inch);
  const longest = Math.max(width, height, depth);
  const shortest = Math.min(width, height, depth);
  const median = width + height + depth - longest - shortest;
  return { longest, median, shortest, weight: Math.round(weightLbs * pound) };
}

/** Some sources report 0 for unknown sizes. */
function isKnown(size: number | null): size is number {
  return size !== null && size > 0;
}

/** The schedule in force; the first one also applies before its start. */
export function scheduleAt<Schedule extends Pick<FeeSchedule, 'effectiveFrom'>>(
  schedules: readonly [Schedule, ...Schedule[]],
  at: number,
): Schedule {
  return schedules.findLast(({ effectiveFrom }) => effectiveFrom <= at) ?? schedules[0];
}

/** The first tier that accepts the box, and its row; null if there is none. */
function findTier(parcel: Parcel, { tiers }: FeeSchedule) {
  for (const tier of tiers) {
    if (!fits(parcel, tier.limits)) continue;
    const weight = shippingWeight(parcel, tier.volumeSideMinIn);
    const row = tier.rows.find(([upToOz]) => weight <= upToOz * ounce);
    if (row) return { tier, row, weight };
  }
  return null;
}

/** The index of the fee in a row. */
function priceColumn(priceCents: number, { middlePriceCents }: FeeSchedule): 1 | 2 | 3 {
  if (priceCents < middlePriceCents.from) return 1;
  return priceCents <= middlePriceCents.to ? 2 : 3;
}

function fits({ longest, median, shortest }: Parcel, limits: SizeLimits | null): boolean {
  if (limits === null) return true;
  const { longestIn, medianIn, shortestIn, lengthAndGirthIn } = limits;
  const lengthAndGirth = longest + 2 * (median + shortest);
  return (
    longest <= longestIn * inch &&
    median <= medianIn * inch &&
    shortest <= shortestIn * inch &&
    (lengthAndGirthIn === null || lengthAndGirth <= lengthAndGirthIn * inch)
  );
}

/** The greater of actual and dimensional weight, if the tier uses the latter. */
function shippingWeight(parcel: Parcel, sideMinIn: SizeTier['volumeSideMinIn']): number {
  if (sideMinIn === null) return parcel.weight;
  const median = Math.max(parcel.median, sideMinIn * inch);
  const shortest = Math.max(parcel.shortest, sideMinIn * inch);
  const volume = parcel.longest * median * shortest;
  // Rounding up is harmless, as everything below rounds up to multiples of this unit.
  const volumeWeight = Math.ceil(volume / ((cubicInchesPerPound * inch ** 3) / pound));
  return Math.max(parcel.weight, volumeWeight);
}

/** A started step counts fully. */
function stepCents(weight: number, step: WeightStep | null): number {
  if (step === null) return 0;
  const steps = Math.ceil((weight - step.aboveOz * ounce) / (step.everyOz * ounce));
  return Math.max(0, steps) * step.cents;
}

function withSurcharge(cents: number, { surchargePerMille }: FeeSchedule): number {
  return Math.round((cents * (1_000 + surchargePerMille)) / 1_000);
}

function referralCents(priceCents: number, schedule: FeeSchedule): number {
  const share = Math.round((priceCents * schedule.referralPercent) / 100);
  return Math.max(share, schedule.referralMinCents);
}
