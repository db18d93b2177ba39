/**
 * True values over time in the simulated market. Sales and offers scatter around these paths, and
 * backtests compare estimates with them.
 */
import { yearsBetween } from '../../src/kernel/time.ts';
import type { MarketSet } from './catalog.ts';
import type { MarketMinifig } from './minifigs.ts';
import { movesOf } from './moves.ts';
import { Random } from './random.ts';
import { makeJumps, makeShocks, makeWalk, type Span } from './walk.ts';
import type { World } from './world.ts';

/** Logs of US cents. */
export interface ValuePath {
  sealedLog(at: number): number;
  usedLog(at: number): number;
}

const reRelease = { perYear: 0.02, log: -0.35 };
const hype = { perYear: 0.03, log: 0.2 };

/** Time constant of the temporary growth after retirement. */
const settlingYears = 2.5;

/** Delay of steady growth after retirement. */
const growthDelayYears = 0.3;

/** Bounds of steady growth. */
const growthPerYear = { min: -0.05, max: 0.22 };

/** Worlds with jumps have no other changes. */
export function setPath(world: World, set: MarketSet): ValuePath {
  const random = new Random(world.seed, 'path', set.index);
  const theme = themeEffect(world, set.theme.index);
  const base = Math.log(set.msrpCents) + random.normal(-0.12, 0.1);
  const jump = random.normal(0.12, 0.1);
  const settled = random.normal(0, 0.18) + theme.level;
  const perYear = clamp(random.normal(0.11, 0.05) + theme.slope, growthPerYear);
  const usedRatio = Math.min(-0.03, random.normal(-0.23, 0.25));
  const { releasedAt, retiredAt } = set;
  const { randomWalk, jumps } = world.traits;
  if (jumps) {
    const shift = makeJumps(random, jumps, { from: releasedAt, to: world.today });
    const sealedLog = (at: number) => base + shift(at);
    return { sealedLog, usedLog: (at) => sealedLog(at) + usedRatio };
  }
  const walk = makeWalk(random, world, { randomWalk, startedAt: releasedAt });
  const hypes = makeShocks(random, hype, spanFrom(world, releasedAt));
  const reReleases = makeShocks(random, reRelease, spanFrom(world, retiredAt));
  const moves = movesOf(world, set.index);
  const sealedLog = (at: number) => {
    const years = yearsBetween(retiredAt, at);
    const since = Math.max(0, years);
    const retirement =
      jump / (1 + Math.exp(2 - 12 * years)) +
      settled * (1 - Math.exp(-since / settlingYears)) +
      perYear * Math.max(0, years - growthDelayYears);
    return base + retirement + walk(at) + hypes(at) + reReleases(at) + moves.logAt(at);
  };
  const usedLog = (at: number) =>
    sealedLog(at) + usedRatio - 0.04 * Math.max(0, yearsBetween(releasedAt, at));
  return { sealedLog, usedLog };
}

function clamp(value: number, bounds: { min: number; max: number }): number {
  return Math.min(bounds.max, Math.max(bounds.min, value));
}

function spanFrom(world: World, from: number): Span {
  return { from: Math.max(world.salesFrom, from), to: world.today };
}

function themeEffect(world: World, index: number): { level: number; slope: number } {
  const random = new Random(world.seed, 'theme', index);
  return { level: random.normal(0, 0.3) * 0.6, slope: random.normal(0, 0.03) };
}

/** A used minifig that is in one set, in its first year. */
const minifigBaseCents = 550;

/** New over used (log). */
const newMinifigLog = 0.25;

/** The same in every world. */
const minifigWalk = { deviationPerMonth: 0.03, keptPerMonth: 1 };

/** Rare minifigs are worth more, and all gain slowly. */
export function minifigPath(world: World, minifig: MarketMinifig): ValuePath {
  const random = new Random(world.seed, 'minifig path', minifig.index);
  const theme = themeEffect(world, minifig.theme.index);
  const rarity = -0.35 * Math.log(Math.max(1, minifig.setCount));
  const base = Math.log(minifigBaseCents) + 2 * theme.level + rarity + random.normal(0, 0.7);
  const { releasedAt } = minifig;
  const walk = makeWalk(random, world, { randomWalk: minifigWalk, startedAt: releasedAt });
  const usedLog = (at: number) => {
    const years = Math.max(0, yearsBetween(releasedAt, at));
    return base + 0.1 * Math.log(1 + years) + 0.03 * years + walk(at);
  };
  return { usedLog, sealedLog: (at) => usedLog(at) + newMinifigLog };
}
