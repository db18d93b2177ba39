/** The options of a simulated world: seed, day, size and time. */
import { dayMs, dayOf } from '../../src/kernel/time.ts';
import { demoTraits, type WorldTraits } from './world-traits.ts';

export interface WorldSize {
  readonly sets: number;
  readonly minifigs: number;
  /** Years of sales. */
  readonly years: number;
  /** In both conditions, over all years; a few sets have most of them. */
  readonly salesPerSet: number;
  readonly salesPerMinifig: number;
  /** Years of offers; 0 for none. */
  readonly offerYears: number;
}

/** Large enough to be believable, small enough to be created in seconds. */
export const demoSize: WorldSize = {
  sets: 2_000,
  minifigs: 1_500,
  years: 5,
  salesPerSet: 38,
  salesPerMinifig: 7,
  offerYears: 2,
};

export interface WorldOptions {
  readonly seed: number;
  /** 00:00 UTC; only the latest offers are later. */
  readonly today: number;
  /** A time on that day, which ends the latest offers; 00:00 by default. */
  readonly now?: number;
  readonly size?: Partial<WorldSize>;
  /** The demo's by default. */
  readonly traits?: WorldTraits;
}

export interface World {
  readonly seed: number;
  readonly today: number;
  /** End of offers. Only the latest offers depend on it. */
  readonly now: number;
  readonly size: WorldSize;
  readonly traits: WorldTraits;
  /** The first day with sales. */
  readonly salesFrom: number;
}

export const yearMs = 365.25 * dayMs;

export const monthMs = yearMs / 12;

export function makeWorld(options: WorldOptions): World {
  const { seed, today, now = today, traits = demoTraits } = options;
  const size = { ...demoSize, ...options.size };
  const salesFrom = dayOf(today - size.years * yearMs) * dayMs;
  return { seed, today, now, size, traits, salesFrom };
}

/** The middle of the sales period. */
export function midway({ salesFrom, today }: World): number {
  return (salesFrom + today) / 2;
}
