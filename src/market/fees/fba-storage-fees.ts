/**
 * Amazon's storage fees, as dated schedules like those in `fba-fees.ts`. Sources: Amazon's help
 * pages 'Monthly inventory storage fees' and 'Aged inventory surcharge', and its announcement of
 * fees for 2026. The aged inventory surcharge is that of February 15, 2024 (271 to 365 days) with
 * the changes of January 15, 2026 (above 365 days). Fees that depend on the seller rather than the
 * box are left out: the storage utilization surcharge, which small and new sellers do not pay, and
 * the low-inventory fee.
 */

/** Cents per cubic foot and month. */
export interface StorageRates {
  readonly standardSize: number;
  readonly larger: number;
}

/** A monthly surcharge for boxes that have been stored for at least this long. */
export interface AgedRate {
  readonly fromDay: number;
  readonly perCubicFoot: number;
  /** The minimum per unit. */
  readonly minCents: number;
}

export interface StorageSchedule {
  /** In force until the next schedule. */
  readonly effectiveFrom: number;
  /** The price lists that it is taken from. */
  readonly source: string;
  /** January to September. */
  readonly usual: StorageRates;
  /** October to December. */
  readonly peak: StorageRates;
  /** By increasing age; charged for stock on the 15th of a month. */
  readonly aged: readonly AgedRate[];
}

const january2026: StorageSchedule = {
  effectiveFrom: Date.parse('2026-01-15'),
  source: 'Amazon, Monthly inventory storage fees, and Aged inventory surcharge (2026)',
  usual: { standardSize: 78, larger: 56 },
  peak: { standardSize: 240, larger: 140 },
  aged: [
    { fromDay: 181, perCubicFoot: 50, minCents: 0 },
    { fromDay: 211, perCubicFoot: 1_00, minCents: 0 },
    { fromDay: 241, perCubicFoot: 1_50, minCents: 0 },
    { fromDay: 271, perCubicFoot: 5_45, minCents: 0 },
    { fromDay: 301, perCubicFoot: 5_70, minCents: 0 },
    { fromDay: 331, perCubicFoot: 5_90, minCents: 0 },
    { fromDay: 366, perCubicFoot: 6_90, minCents: 30 },
    { fromDay: 456, perCubicFoot: 7_90, minCents: 35 },
  ],
};

/** Earliest first. The first one also applies before its start. */
export const storageSchedules: readonly [StorageSchedule, ...StorageSchedule[]] = [january2026];
