/** What a made-up world depends on: a seed, a day, a size and, for its latest news, an instant. */
import { dayMs, dayOf } from '../domain/kernel/time.ts';
import { demoTraits, type WorldTraits } from './world-traits.ts';

/** How much there is in a world. */
export interface WorldSize {
  readonly sets: number;
  readonly minifigs: number;
  /** How far back sales go. */
  readonly years: number;
  /** On average, in both conditions, over all the years; a few sets have most of them. */
  readonly salesPerSet: number;
  readonly salesPerMinifig: number;
  /** How far back retailers' offers go; 0 for a world without them. */
  readonly offerYears: number;
}

/** The size of the demo: large enough to be believable, small enough to be ready in seconds. */
export const demoSize: WorldSize = {
  sets: 2_000,
  minifigs: 1_500,
  years: 5,
  salesPerSet: 38,
  salesPerMinifig: 7,
  offerYears: 2,
};

/** A world to be. */
export interface WorldOptions {
  readonly seed: number;
  /** An instant at 00:00 UTC: nothing has happened at or after it, save for the latest offers. */
  readonly today: number;
  /** An instant on that day, just before which retailers' latest news lies; without it, 00:00. */
  readonly now?: number;
  readonly size?: Partial<WorldSize>;
  /** Those of the demo unless given. */
  readonly traits?: WorldTraits;
}

/** A world with every choice made. */
export interface World {
  readonly seed: number;
  readonly today: number;
  /** No offer is seen at or after it. Only the latest offers depend on it. */
  readonly now: number;
  readonly size: WorldSize;
  readonly traits: WorldTraits;
  /** The first day with sales. */
  readonly salesFrom: number;
}

/** A year, as long as years are on average. */
export const yearMs = 365.25 * dayMs;

/** A month, as long as months are on average. */
export const monthMs = yearMs / 12;

/** The world that the options describe. */
export function makeWorld(options: WorldOptions): World {
  const { seed, today, now = today, traits = demoTraits } = options;
  const size = { ...demoSize, ...options.size };
  const salesFrom = dayOf(today - size.years * yearMs) * dayMs;
  return { seed, today, now, size, traits, salesFrom };
}

/** Half-way through the time with sales. */
export function midway({ salesFrom, today }: World): number {
  return (salesFrom + today) / 2;
}
