/**
 * Our estimate of the revenue from the parts of a set. Marketplaces show the asking prices of all
 * parts, some of which never sell.
 */
import { median } from '../../kernel/median.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Condition, PartOutValue } from '../source-rows/source-rows.ts';

/** The latest row of a source; the amount is in US cents, and null without an exchange rate. */
export interface ShownParts extends Pick<PartOutValue, 'observedAt' | 'lots' | 'units'> {
  readonly amountCents: number | null;
}

export type ItemShownParts = Readonly<Record<Condition, readonly ShownParts[]>>;

/** Our estimates; rows of sources are never shown. */
export interface PartsEstimate {
  /** Revenue from the parts that are assumed to sell, in whole dollars. */
  readonly soldCents: number;
  /** How far off it may be, as a share; more if sources differ. */
  readonly spread: number;
  /** In coarse steps, so that hours of work do not tell them; from the pieces if unknown. */
  readonly lots: number;
  readonly units: number;
  readonly areLotsGuessed: boolean;
}

export type ItemParts = Readonly<Record<Condition, PartsEstimate | null>>;

/** Asking prices of parts change slowly, but older ones say little. */
const validMs = 180 * dayMs;

/**
 * The share of the amount shown that is assumed to be sold within three years, by lots: the more
 * there are, the more of them are parts in rare colors without demand.
 */
const soldShares = [
  { lotsTo: 100, share: 0.8 },
  { lotsTo: 250, share: 0.7 },
  { lotsTo: 500, share: 0.6 },
  { lotsTo: Number.POSITIVE_INFINITY, share: 0.5 },
] as const;

/** How far off an estimate may be, from one source or several that agree. */
const usualSpread = 0.3;

/** More is sold of what is wanted, by the sell-through of the set in percent. */
const wanted = { from: 50, more: 0.1 } as const;
const unwanted = { below: 20, less: 0.1 } as const;

/** Null if no source shows a value for the parts that is recent. */
export function estimateParts(
  rows: readonly ShownParts[],
  set: { readonly pieces: number | null; readonly sellThrough: number | null },
  at: number,
): PartsEstimate | null {
  const recent = rows.filter(({ observedAt }) => at - observedAt <= validMs);
  const amounts = recent.flatMap(({ amountCents }) => amountCents ?? []);
  const shownUnits = medianOf(recent.flatMap((row) => row.units ?? []));
  const units = set.pieces || (shownUnits && coarse(shownUnits));
  if (amounts.length === 0 || !units) return null;
  const shownLots = medianOf(recent.flatMap((row) => row.lots ?? []));
  const lots = coarse(shownLots ?? usualLots(units));
  const middle = median(amounts);
  return {
    soldCents: 100 * Math.round((middle * soldShareOf(lots, set.sellThrough)) / 100),
    spread: Math.max(usualSpread, (Math.max(...amounts) - Math.min(...amounts)) / (2 * middle)),
    lots,
    units,
    areLotsGuessed: shownLots === null,
  };
}

function soldShareOf(lots: number, sellThrough: number | null): number {
  const { share } = soldShares.find(({ lotsTo }) => lots <= lotsTo) ?? soldShares[3];
  const more =
    sellThrough === null
      ? 0
      : sellThrough >= wanted.from
        ? wanted.more
        : sellThrough < unwanted.below
          ? -unwanted.less
          : 0;
  return Math.round(100 * (share + more)) / 100;
}

/** A set of 1,000 pieces has about 300 different parts in each color, one of 100 has 60. */
function usualLots(units: number): number {
  return Math.min(units, 2.4 * units ** 0.7);
}

function medianOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : median(numbers);
}

/** In steps of a quarter, and at least the first. */
function coarse(count: number): number {
  const steps = Math.max(0, Math.round(Math.log(count / firstStep) / Math.log(1.25)));
  return Number((firstStep * 1.25 ** steps).toPrecision(2));
}

const firstStep = 25;
