/**
 * What the retailer charges for selling and fulfilling a third party's box, as dated tables.
 * New prices are a new schedule at the end; the old ones stay, so that a day can be done again.
 * What is added over the holidays is kept apart: a net that is compared over the year leaves it
 * out, because it would make the same box look worse for one quarter.
 */

/** Ounces in a pound, so that rows can be written as the price list prints them. */
const lb = 16;

/** The weight a row reaches, in ounces, and its fee in cents at a low, middle and high price. */
export type FeeRow = readonly [upToOz: number, low: number, middle: number, high: number];

/** The weight a row reaches, in ounces, and what is added to its fee over the holidays. */
export type PeakRow = readonly [upToOz: number, cents: number];

/** The largest box of a size tier, whichever way round it lies. */
export interface SizeLimits {
  readonly longestIn: number;
  readonly medianIn: number;
  readonly shortestIn: number;
  /** Longest side and the way around the other two; null for no limit. */
  readonly lengthAndGirthIn: number | null;
}

/** Charged on top of the row for every started step of weight above a threshold. */
export interface WeightStep {
  readonly aboveOz: number;
  readonly everyOz: number;
  readonly cents: number;
}

/** A box belongs to the first tier that has room for it and a row for its weight. */
export interface SizeTier {
  /** Null takes any size. */
  readonly limits: SizeLimits | null;
  /**
   * A light but large box is charged by its volume, in which the two shorter sides count as at
   * least this much. Null charges by what the box really weighs.
   */
  readonly volumeSideMinIn: number | null;
  /** From light to heavy; the last one is the most that the tier takes. */
  readonly rows: readonly FeeRow[];
  /** What is added over the holidays, from light to heavy. */
  readonly peak: readonly PeakRow[];
  readonly step: WeightStep | null;
}

/** All fees of one period. */
export interface FeeSchedule {
  /** Its first instant; it holds until the next schedule begins. */
  readonly effectiveFrom: number;
  readonly referralPercent: number;
  readonly referralMinCents: number;
  /** A price below the first is low, one above the second is high. */
  readonly middlePriceCents: { readonly from: number; readonly to: number };
  /** Added to the fulfilment fee, in thousandths of it. */
  readonly surchargePerMille: number;
  readonly tiers: readonly SizeTier[];
}

const smallStandard: SizeTier = {
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
  limits: { longestIn: 37, medianIn: 28, shortestIn: 20, lengthAndGirthIn: 130 },
  volumeSideMinIn: 2,
  rows: [[50 * lb, 678, 755, 755]],
  peak: [[50 * lb, 104]],
  step: { aboveOz: 1 * lb, everyOz: lb, cents: 38 },
};

const largeBulky: SizeTier = {
  limits: { longestIn: 59, medianIn: 33, shortestIn: 33, lengthAndGirthIn: 130 },
  volumeSideMinIn: 2,
  rows: [[50 * lb, 858, 935, 935]],
  peak: [[50 * lb, 104]],
  step: { aboveOz: 1 * lb, everyOz: lb, cents: 38 },
};

/** What is too large or too heavy for the others. The heaviest are charged by real weight. */
const extraLarge: readonly SizeTier[] = [
  {
    limits: null,
    volumeSideMinIn: 2,
    rows: [[50 * lb, 2556, 2633, 2633]],
    peak: [[50 * lb, 281]],
    step: { aboveOz: 1 * lb, everyOz: lb, cents: 38 },
  },
  {
    limits: null,
    volumeSideMinIn: 2,
    rows: [[70 * lb, 3655, 3732, 3732]],
    peak: [[70 * lb, 281]],
    step: { aboveOz: 51 * lb, everyOz: lb, cents: 75 },
  },
  {
    limits: null,
    volumeSideMinIn: 2,
    rows: [[150 * lb, 5055, 5132, 5132]],
    peak: [[150 * lb, 281]],
    step: { aboveOz: 71 * lb, everyOz: lb, cents: 75 },
  },
  {
    limits: null,
    volumeSideMinIn: null,
    rows: [[Number.POSITIVE_INFINITY, 19418, 19495, 19495]],
    peak: [[Number.POSITIVE_INFINITY, 281]],
    step: { aboveOz: 151 * lb, everyOz: lb, cents: 19 },
  },
];

const january2026: FeeSchedule = {
  effectiveFrom: Date.parse('2026-01-15'),
  referralPercent: 15,
  referralMinCents: 30,
  middlePriceCents: { from: 10_00, to: 50_00 },
  surchargePerMille: 0,
  tiers: [smallStandard, largeStandard, smallBulky, largeBulky, ...extraLarge],
};

/** The fuel and logistics surcharge; the price list below it is the same. */
const april2026: FeeSchedule = {
  ...january2026,
  effectiveFrom: Date.parse('2026-04-17'),
  surchargePerMille: 35,
};

/** The tiers of standard size; all others are bulky, or larger still. */
export const standardTiers: ReadonlySet<SizeTier> = new Set([smallStandard, largeStandard]);

/** Every schedule, the earliest first. The first one also stands for the time before it. */
export const feeSchedules: readonly [FeeSchedule, ...FeeSchedule[]] = [january2026, april2026];

/** The days of a year, MM-DD, between which fees of the holidays apply; both are part of it. */
export const peakSeason = { from: '10-15', to: '01-14' } as const;
