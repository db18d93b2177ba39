/** How worlds differ: A matches the assumptions of the engine, the others violate some. */

import type { Channel } from '../../src/market/source-rows/source-rows.ts';
import type { BacktestWorld } from '../backtest/worlds.ts';
import { type Movement, movements } from './movements.ts';
import type { Random } from './random.ts';

/** Deviations and shifts are in log prices. */
export interface WorldTraits {
  /** Unexplained changes of set prices. */
  readonly randomWalk: RandomWalk;
  /** Replaces all other changes of set prices; null if there are none. */
  readonly jumps: Jumps | null;
  /** Large changes of prices on top of all others; null for none. */
  readonly movement: Movement | null;
  /** Frequency of odd sales relative to the usual one. */
  readonly oddTimes: number;
  /** Log offsets of channels, always and in the second half of the period. */
  readonly channelLog: Readonly<Partial<Record<Channel, number>>>;
  readonly laterLog: Readonly<Partial<Record<Channel, number>>>;
  /** Frequency of bargains relative to the usual one; 0 for none. */
  readonly bargainTimes: number;
  /** Chance that an offer was not observed for days. */
  readonly overlookedChance: number;
  /** Deviation of a sale from the true value, in units of the item's spread. */
  drawNoise(random: Random): number;
}

/** Monthly steps; `keptPerMonth` is 1 in a random walk, and less if it is mean-reverting. */
export interface RandomWalk {
  readonly deviationPerMonth: number;
  readonly keptPerMonth: number;
}

/** Sudden, permanent changes. */
export interface Jumps {
  readonly perYear: number;
  readonly deviation: number;
}

const usual: WorldTraits = {
  randomWalk: { deviationPerMonth: 0.025, keptPerMonth: 1 },
  jumps: null,
  movement: null,
  oddTimes: 1,
  channelLog: {},
  laterLog: {},
  bargainTimes: 0,
  overlookedChance: 0,
  drawNoise: (random) => random.heavyTailed(),
};

export const worldTraits: Readonly<Record<BacktestWorld, WorldTraits>> = {
  A: usual,
  B: { ...usual, jumps: { perYear: 0.6, deviation: 0.25 } },
  C: {
    ...usual,
    randomWalk: returning({ deviation: 0.12, halfLifeMonths: 3 }),
    drawNoise: (random) => random.laplace(2.12),
  },
  D: { ...usual, oddTimes: 3 },
  // Fixed prices do not shift, because values are defined by them.
  E: { ...usual, laterLog: { auction: 0.08, bricklink: -0.1, amazon: 0.08 } },
  F: { ...usual, randomWalk: { deviationPerMonth: 0.08, keptPerMonth: 1 } },
  G: { ...usual, movement: movements.reRelease },
  H: { ...usual, movement: movements.fad },
  I: { ...usual, movement: movements.slowFall },
  J: { ...usual, movement: movements.shock },
  K: { ...usual, movement: movements.crash },
};

/**
 * The demo has bargains, and the best channel depends on the item; with the prices of other worlds,
 * it would always be Amazon.
 */
export const demoTraits: WorldTraits = {
  ...usual,
  channelLog: { bricklink: 0.02, amazon: -0.05 },
  bargainTimes: 1,
  overlookedChance: 0.08,
};

/** Mean-reverting (AR(1)), with a stationary standard deviation and a half-life. */
function returning(range: { deviation: number; halfLifeMonths: number }): RandomWalk {
  const keptPerMonth = 0.5 ** (1 / range.halfLifeMonths);
  return { keptPerMonth, deviationPerMonth: range.deviation * Math.sqrt(1 - keptPerMonth ** 2) };
}
