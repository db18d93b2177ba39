/**
 * What the retailer charges for keeping a third party's box until it is sold, as dated tables like
 * those of `fba-fees.ts`. The source is Amazon's help pages 'Monthly inventory storage fees' and
 * 'Aged inventory surcharge' and its announcement of fees for 2026. Left out is what depends on the
 * seller and not on the box: the surcharge on whoever stores far more than he sells, which small
 * and new sellers do not pay, and the one for too little stock.
 */

/** What a month costs, in cents per cubic foot. */
export interface StorageRates {
  readonly standardSize: number;
  readonly larger: number;
}

/** What is added each month for a box that has been there for so many days. */
export interface AgedRate {
  readonly fromDay: number;
  readonly perCubicFoot: number;
  /** For a unit, at the least. */
  readonly minCents: number;
}

/** All storage fees of one period. */
export interface StorageSchedule {
  /** Its first instant; it holds until the next schedule begins. */
  readonly effectiveFrom: number;
  /** January to September. */
  readonly usual: StorageRates;
  /** October to December. */
  readonly peak: StorageRates;
  /** The youngest first; charged for what is there on the 15th of a month. */
  readonly aged: readonly AgedRate[];
}

const january2026: StorageSchedule = {
  effectiveFrom: Date.parse('2026-01-15'),
  usual: { standardSize: 78, larger: 56 },
  peak: { standardSize: 240, larger: 140 },
  aged: [
    { fromDay: 181, perCubicFoot: 50, minCents: 0 },
    { fromDay: 211, perCubicFoot: 1_00, minCents: 0 },
    { fromDay: 241, perCubicFoot: 1_50, minCents: 0 },
    { fromDay: 271, perCubicFoot: 3_80, minCents: 0 },
    { fromDay: 301, perCubicFoot: 4_00, minCents: 0 },
    { fromDay: 331, perCubicFoot: 4_20, minCents: 0 },
    { fromDay: 366, perCubicFoot: 6_90, minCents: 30 },
    { fromDay: 456, perCubicFoot: 7_90, minCents: 35 },
  ],
};

/** Every schedule, the earliest first. The first one also stands for the time before it. */
export const storageSchedules: readonly [StorageSchedule, ...StorageSchedule[]] = [january2026];
