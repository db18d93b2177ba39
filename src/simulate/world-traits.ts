/** How worlds differ: A is as values suppose, each of the others breaks a supposition. */
import type { BacktestWorld } from '../domain/market/backtest-market.ts';
import type { Channel } from '../domain/market/source-rows.ts';
import type { Random } from './random.ts';

/** What is peculiar to a world. Deviations and shifts are of logarithms of prices. */
export interface WorldTraits {
  /** How the price of a set strays from what facts explain. */
  readonly randomWalk: RandomWalk;
  /** The only thing that moves the price of a set; null where it has its usual course. */
  readonly jumps: Jumps | null;
  /** How much more often than usual a sale is not what it seems. */
  readonly oddTimes: number;
  /** What is added to the prices of a channel, always and in the second half of the time. */
  readonly channelLog: Readonly<Partial<Record<Channel, number>>>;
  readonly laterLog: Readonly<Partial<Record<Channel, number>>>;
  /** How much more often than usual there are bargains; 0 for a market without them. */
  readonly bargainTimes: number;
  /** How often nobody has looked at an offer for days. */
  readonly overlookedChance: number;
  /** How far a sale lies from the true value, as a multiple of the item's spread. */
  drawNoise(random: Random): number;
}

/** Monthly steps, each on top of what is kept of those before: all of it in a random walk. */
export interface RandomWalk {
  readonly deviationPerMonth: number;
  readonly keptPerMonth: number;
}

/** Sudden changes that stay. */
export interface Jumps {
  readonly perYear: number;
  readonly deviation: number;
}

const usual: WorldTraits = {
  randomWalk: { deviationPerMonth: 0.025, keptPerMonth: 1 },
  jumps: null,
  oddTimes: 1,
  channelLog: {},
  laterLog: {},
  bargainTimes: 0,
  overlookedChance: 0,
  drawNoise: (random) => random.heavyTailed(),
};

/** The traits of each world. */
export const worldTraits: Readonly<Record<BacktestWorld, WorldTraits>> = {
  A: usual,
  B: { ...usual, jumps: { perYear: 0.6, deviation: 0.25 } },
  C: {
    ...usual,
    randomWalk: returning({ deviation: 0.12, halfLifeMonths: 3 }),
    drawNoise: (random) => random.laplace(2.12),
  },
  D: { ...usual, oddTimes: 3 },
  // The fixed price is what a value is about, so it stays where it is.
  E: { ...usual, laterLog: { auction: 0.08, bricklink: -0.1, amazon: 0.08 } },
  F: { ...usual, randomWalk: { deviationPerMonth: 0.08, keptPerMonth: 1 } },
};

/**
 * The demo: its market has bargains, and where something is best sold depends on what it is. With
 * the prices of the other worlds, Amazon would be the best place for everything.
 */
export const demoTraits: WorldTraits = {
  ...usual,
  channelLog: { bricklink: 0.02, amazon: -0.05 },
  bargainTimes: 1,
  overlookedChance: 0.08,
};

/** Strays this far in the long run, and is half-way back after some months. */
function returning(range: { deviation: number; halfLifeMonths: number }): RandomWalk {
  const keptPerMonth = 0.5 ** (1 / range.halfLifeMonths);
  return { keptPerMonth, deviationPerMonth: range.deviation * Math.sqrt(1 - keptPerMonth ** 2) };
}
