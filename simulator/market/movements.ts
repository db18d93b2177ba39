/** Large changes of prices that nothing announces, of single sets or of the whole market. */

export interface Movement {
  /** How often it begins for a set; null if it begins once, for all sets at the same time. */
  readonly perYear: number | null;
  /** Of its days, those on which prices fall, or change at once. */
  readonly from: number;
  readonly to: number;
  /** The price over the one before, some days after the beginning; half of them are `up`. */
  factorAt(day: number, up: boolean): number;
}

/** From 0 to 1 between two days. */
export function ramp(day: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (day - from) / (to - from)));
}

/** A fad: prices rise by 150% in 60 days, and lose a share of that in the next 90. */
export function fadAt(day: number, lost: number): number {
  return 1 + 1.5 * (ramp(day, 0, 60) - lost * ramp(day, 60, 150));
}

export const movements = {
  reRelease: { perYear: 0.1, from: 0, to: 30, factorAt: (day) => 1 - 0.4 * ramp(day, 0, 30) },
  fad: { perYear: 0.1, from: 60, to: 150, factorAt: (day) => fadAt(day, 1) },
  slowFall: { perYear: 0.1, from: 0, to: 365, factorAt: (day) => 1 - 0.35 * ramp(day, 0, 365) },
  shock: { perYear: 0.1, from: 0, to: 0, factorAt: (_day, up) => (up ? 1.6 : 0.6) },
  crash: { perYear: null, from: 0, to: 90, factorAt: (day) => 1 - 0.35 * ramp(day, 0, 90) },
} as const satisfies Readonly<Record<string, Movement>>;
