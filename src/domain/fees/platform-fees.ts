/**
 * What platforms take from a sale, as dated presets: what their price lists say to an ordinary
 * seller in the United States. Contracts, shops and categories differ, so that whoever records a
 * sale can always write what was really charged. New prices are a new schedule at the end.
 */
import type { Platform } from './platforms.ts';

/** A share of a price up to an amount, in hundredths of a percent. */
export interface FeeStep {
  /** Null takes everything above the step before. */
  readonly upToCents: number | null;
  readonly basisPoints: number;
}

/** What one platform takes from one sale. */
export interface PlatformFees {
  /** Each share counts for its part of the price, like brackets of a tax. */
  readonly steps: readonly FeeStep[];
  /** Charged for the sale, whatever its price. */
  readonly fixedCents: number;
  /** What the share and the fixed part come to at least; nothing is charged for a price of 0. */
  readonly minCents: number;
  /** What whoever carries the payment takes. */
  readonly payment: { readonly basisPoints: number; readonly fixedCents: number };
  /** The preset for people to read. */
  readonly description: string;
}

/** The fees of all platforms in one period. */
export interface FeePresets {
  /** The day from which they are meant; they hold until the next ones begin. */
  readonly effectiveFrom: string;
  readonly fees: Readonly<Record<Platform, PlatformFees>>;
}

const free = { basisPoints: 0, fixedCents: 0 };
const nothing: PlatformFees = {
  steps: [],
  fixedCents: 0,
  minCents: 0,
  payment: free,
  description: 'nothing',
};
/** Business payments with a wallet. */
const wallet = { basisPoints: 349, fixedCents: 49 };
/** Payments with a card. */
const card = { basisPoints: 290, fixedCents: 30 };

const january2026: FeePresets = {
  effectiveFrom: '2026-01-01',
  fees: {
    ebay: {
      steps: [{ upToCents: null, basisPoints: 1_360 }],
      fixedCents: 40,
      minCents: 0,
      payment: free,
      description: '13.6 % and $0.40, the payment included',
    },
    bricklink: {
      steps: [
        { upToCents: 500_00, basisPoints: 300 },
        { upToCents: 1_000_00, basisPoints: 200 },
        { upToCents: null, basisPoints: 100 },
      ],
      fixedCents: 0,
      minCents: 0,
      payment: wallet,
      description: '3 % to $500, 2 % to $1,000, 1 % above; payment 3.49 % and $0.49',
    },
    brick_owl: {
      steps: [{ upToCents: null, basisPoints: 250 }],
      fixedCents: 0,
      minCents: 0,
      payment: card,
      description: '2.5 %; payment 2.9 % and $0.30',
    },
    amazon: {
      steps: [{ upToCents: null, basisPoints: 1_500 }],
      fixedCents: 0,
      minCents: 30,
      payment: free,
      description: '15 %, at least $0.30, when you ship yourself',
    },
    facebook: {
      steps: [{ upToCents: null, basisPoints: 1_000 }],
      fixedCents: 0,
      minCents: 80,
      payment: free,
      description: '10 %, at least $0.80, when it is shipped',
    },
    local: nothing,
    other: nothing,
  },
};

/** Every schedule, the earliest first. The first one also stands for the time before it. */
export const feePresets: readonly [FeePresets, ...FeePresets[]] = [january2026];

/** The presets of a day, given as YYYY-MM-DD. */
export function presetsOn(day: string): FeePresets {
  return feePresets.findLast(({ effectiveFrom }) => effectiveFrom <= day) ?? feePresets[0];
}

/** What a platform and the payment take from a price. */
export interface Fees {
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
}

/** The preset fees of a sale on a day. */
export function presetFees(platform: Platform, grossCents: number, day: string): Fees {
  if (grossCents === 0) return { platformFeesCents: 0, paymentFeesCents: 0 };
  const { steps, fixedCents, minCents, payment } = presetsOn(day).fees[platform];
  const share = Math.round(feeOfSteps(steps, grossCents) / 10_000) + fixedCents;
  const paid = Math.round((grossCents * payment.basisPoints) / 10_000) + payment.fixedCents;
  return { platformFeesCents: Math.max(share, minCents), paymentFeesCents: paid };
}

/** The shares of all steps, in ten-thousandths of a cent so that they are rounded once. */
function feeOfSteps(steps: readonly FeeStep[], grossCents: number): number {
  let from = 0;
  let sum = 0;
  for (const { upToCents, basisPoints } of steps) {
    const to = Math.min(grossCents, upToCents ?? grossCents);
    if (to > from) sum += (to - from) * basisPoints;
    from = Math.max(from, to);
  }
  return sum;
}
