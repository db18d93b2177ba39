/** Asking prices by a rule: a part of the value or cost, plus an amount, rounded, with a floor. */

import { centsMax } from '../../kernel/money.ts';
import type { Platform } from '../../market/fees/platforms.ts';

export const askingBases = ['value', 'cost'] as const;
export const askingRoundings = ['none', 'to_99', 'to_5'] as const;
export type AskingRounding = (typeof askingRoundings)[number];

export interface AskingRule {
  readonly base: (typeof askingBases)[number];
  /** Of the base, in hundredths of a percent. */
  readonly factorBasisPoints: number;
  readonly plusCents: number;
  readonly rounding: AskingRounding;
  /** Whether prices that do not leave the margin are raised. */
  readonly keepsMargin: boolean;
}

/** Rounded prices in cents: the lowest, and the distance between two of them. */
const roundedPrices = {
  none: { lowest: 1, step: 1 },
  to_99: { lowest: 99, step: 100 },
  to_5: { lowest: 500, step: 500 },
} as const satisfies Readonly<Record<AskingRounding, object>>;

/** The price by the rule, without its floor: the nearest rounded one, half up. */
export function ruledCents(
  baseCents: number,
  { factorBasisPoints, plusCents, rounding }: Omit<AskingRule, 'base' | 'keepsMargin'>,
): number {
  const partCents = Math.round((baseCents * factorBasisPoints) / 10_000);
  return roundWith(Math.round, partCents + plusCents, rounding);
}

/** Even if fees take 90% of a raise, this is more than enough. */
const raisesMax = 1_000;

/**
 * The lowest rounded price from a price on that is not short of the proceeds needed; null if there
 * is none. Fees do not fall as the price rises, so a price that is short is raised by at least what
 * is missing, and no lower one would be enough.
 */
export function raisedCents(
  fromCents: number,
  rounding: AskingRounding,
  shortCents: (priceCents: number) => number,
): number | null {
  let priceCents = fromCents;
  for (let raises = 0; raises < raisesMax && priceCents <= centsMax; raises++) {
    const missing = shortCents(priceCents);
    if (missing <= 0) return priceCents;
    priceCents = roundWith(Math.ceil, priceCents + missing, rounding);
  }
  return null;
}

function roundWith(
  round: (steps: number) => number,
  cents: number,
  rounding: AskingRounding,
): number {
  const { lowest, step } = roundedPrices[rounding];
  return lowest + step * Math.max(0, round((cents - lowest) / step));
}

/** Whether a price is below the value by more than a tenth. */
export function isBehindMarket(askingCents: number, valueCents: number): boolean {
  return askingCents * 10 < valueCents * 9;
}

/** By a name in the host of their pages. */
const listingHosts: ReadonlyMap<string, Platform> = new Map([
  ['ebay', 'ebay'],
  ['bricklink', 'bricklink'],
  ['brickowl', 'brick_owl'],
  ['amazon', 'amazon'],
  ['walmart', 'walmart'],
  ['facebook', 'facebook'],
  ['mercari', 'mercari'],
  ['whatnot', 'whatnot'],
]);

export function channelOfLink(url: string | null): Platform | null {
  const names = url === null ? [] : (URL.parse(url)?.hostname.split('.') ?? []);
  return names.map((name) => listingHosts.get(name)).find((each) => each !== undefined) ?? null;
}
