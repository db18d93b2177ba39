/**
 * Amazon's fees for selling and fulfillment (FBA), as dated schedules. New prices are appended as a
 * new schedule; old ones stay, so that past days can be recomputed. Holiday peak fees are separate,
 * because net proceeds that are compared over the year exclude them.
 */

/** Ounces per pound, so that rows can be written as in the price list. */
const lb = 16;

/** The maximum weight of a row in ounces, and its fee in cents at a low, middle and high price. */
export type FeeRow = readonly [upToOz: number, low: number, middle: number, high: number];

/** The maximum weight of a row in ounces, and the holiday peak fee. */
export type PeakRow = readonly [upToOz: number, cents: number];

/** The maximum size of a tier, in any orientation. */
export interface SizeLimits {
  readonly longestIn: number;
  readonly medianIn: number;
  readonly shortestIn: number;
  /** Longest side plus the girth of the other two; null for no limit. */
  readonly lengthAndGirthIn: number | null;
}

/** A fee for every started step of weight above a threshold. */
export interface WeightStep {
  readonly aboveOz: number;
  readonly everyOz: number;
  readonly cents: number;
}

/** A box belongs to the first tier that fits its size and has a row for its weight. */
export interface SizeTier {
  readonly name: string;
  /** Null accepts any size. */
  readonly limits: SizeLimits | null;
  /**
   * Large but light boxes are charged by dimensional weight, in which the two shorter sides count
   * as at least this much. Null charges by actual weight.
   */
  readonly volumeSideMinIn: number | null;
  /** From light to heavy; the last one is the maximum of the tier. */
  readonly rows: readonly FeeRow[];
  /** Holiday peak fees, from light to heavy. */
  readonly peak: readonly PeakRow[];
  readonly step: WeightStep | null;
}

export interface FeeSchedule {
  /** In force until the next schedule. */
  readonly effectiveFrom: number;
  /** The price lists that it is taken from. */
  readonly source: string;
  readonly referralPercent: number;
  readonly referralMinCents: number;
  /** Prices below `from` are low, above `to` high. */
  readonly middlePriceCents: { readonly from: number; readonly to: number };
  /** Added to the fulfillment fee, in thousandths of it. */
  readonly surchargePerMille: number;
  readonly tiers: readonly SizeTier[];
}

const smallStandard: SizeTier = {
  name: 'small standard',
  limits: { longestIn: 15, medianIn: 12, shortestIn: 0.75, lengthAndGirthIn: null },
  volumeSideMinIn: null,
  rows: [
    [2, 243, 332, 358],
    [4, 249, 342, 368],
    [6, 256, 345, 371],
    [8, 266, 354, 380],
    [10, 277, 368, 394],
    [12, 282, 378, 404],
    [14, 292, 391, 417],
    [16, 295, 396, 422],
  ],
  peak: [
    [4, 19],
    [6, 20],
    [10, 21],
    [16, 22],
  ],
  step: null,
};

const largeStandard: SizeTier = {
  name: 'large standard',
  limits: { longestIn: 18, medianIn: 14, shortestIn: 8, lengthAndGirthIn: null },
  volumeSideMinIn: 0,
  rows: [
    [4, 291, 373, 399],
    [8, 313, 395, 421],
    [12, 338, 420, 446],
    [16, 378, 460, 486],
    [1.25 * lb, 422, 504, 530],
    [1.5 * lb, 460, 542, 568],
    [1.75 * lb, 475, 557, 583],
    [2 * lb, 500, 582, 608],
    [2.25 * lb, 510, 592, 618],
    [2.5 * lb, 528, 610, 636],
    [2.75 * lb, 544, 626, 652],
    [3 * lb, 585, 667, 693],
    [20 * lb, 615, 697, 723],
  ],
  peak: [
    [1 * lb, 20],
    [2 * lb, 33],
    [20 * lb, 41],
  ],
  step: { aboveOz: 3 * lb, everyOz: 4, cents: 8 },
};

const smallBulky: SizeTier = {
  name: 'small bulky',
  limits: { longestIn: 37, medianIn: 28, shortestIn: 20, lengthAndGirthIn: 130 },
  volumeSideMinIn: 2,
  rows: [[50 * lb, 678, 755, 755]],
  peak: [[50 * lb, 104]],
  step: { aboveOz: 1 * lb, everyOz: lb, cents: 38 },
};

const largeBulky: SizeTier = {
  name: 'large bulky',
  limits: { longestIn: 59, medianIn: 33, shortestIn: 33, lengthAndGirthIn: 130 },
  volumeSideMinIn: 2,
  rows: [[50 * lb, 858, 935, 935]],
  peak: [[50 * lb, 104]],
  step: { aboveOz: 1 * lb, everyOz: lb, cents: 38 },
};

/** Boxes too large or heavy for the others. The heaviest are charged by actual weight. */
const extraLarge: readonly SizeTier[] = [
  {
    name: 'extra-large, up to 50 lb',
    limits: null,
    volumeSideMinIn: 2,
    rows: [[50 * lb, 2556, 2633, 2633]],
    peak: [[50 * lb, 281]],
    step: { aboveOz: 1 * lb, everyOz: lb, cents: 38 },
  },
  {
    name: 'extra-large, 50 to 70 lb',
    limits: null,
    volumeSideMinIn: 2,
    rows: [[70 * lb, 3655, 3732, 3732]],
    peak: [[70 * lb, 281]],
    step: { aboveOz: 51 * lb, everyOz: lb, cents: 75 },
  },
  {
    name: 'extra-large, 70 to 150 lb',
    limits: null,
    volumeSideMinIn: 2,
    rows: [[150 * lb, 5055, 5132, 5132]],
    peak: [[150 * lb, 281]],
    step: { aboveOz: 71 * lb, everyOz: lb, cents: 75 },
  },
  {
    name: 'extra-large, above 150 lb',
    limits: null,
    volumeSideMinIn: null,
    rows: [[Number.POSITIVE_INFINITY, 19418, 19495, 19495]],
    peak: [[Number.POSITIVE_INFINITY, 281]],
    step: { aboveOz: 151 * lb, everyOz: lb, cents: 19 },
  },
];

const january2026: FeeSchedule = {
  effectiveFrom: Date.parse('2026-01-15'),
  source:
    'Amazon, FBA fulfillment fees for products other than apparel in the United States (2026), ' +
    'and referral fees, Toys and Games',
  referralPercent: 15,
  referralMinCents: 30,
  middlePriceCents: { from: 10_00, to: 50_00 },
  surchargePerMille: 0,
  tiers: [smallStandard, largeStandard, smallBulky, largeBulky, ...extraLarge],
};

/** Adds the fuel and logistics surcharge; the price list is unchanged. */
const april2026: FeeSchedule = {
  ...january2026,
  effectiveFrom: Date.parse('2026-04-17'),
  source: `${january2026.source}, with the fuel and logistics surcharge`,
  surchargePerMille: 35,
};

/** All other tiers are bulky or extra-large. */
export const standardTiers: ReadonlySet<SizeTier> = new Set([smallStandard, largeStandard]);

/** Earliest first. The first one also applies before its start. */
export const feeSchedules: readonly [FeeSchedule, ...FeeSchedule[]] = [january2026, april2026];

/** The first and last day of the holiday peak season, MM-DD. */
export const peakSeason = { from: '10-15', to: '01-14' } as const;
