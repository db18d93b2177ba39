/** The movement that large changes add to the price of a set, over time. */
import { dayMs } from '../../src/kernel/time.ts';
import { Random } from './random.ts';
import { drawInstants } from './walk.ts';
import { monthMs, type World } from './world.ts';

/** A crash begins this long before the end. */
const crashMs = 18 * monthMs;

/** Prices are watched for so long after they stay again. */
const watchedDays = 180;

/** The movements of one set. */
export interface Moves {
  /** Their movement of the price (log). */
  logAt(at: number): number;
  /** Days since the last one began to fall or jumped, until `watchedDays` after it ended. */
  daysSince(at: number): number | null;
}

export function movesOf(world: World, index: number): Moves {
  const { movement } = world.traits;
  if (movement === null) return { logAt: () => 0, daysSince: () => null };
  const { perYear, from, to, factorAt } = movement;
  const random = new Random(world.seed, 'movements', index);
  const span = { from: world.salesFrom, to: world.today };
  const starts = perYear === null ? [world.today - crashMs] : drawInstants(random, perYear, span);
  const drawn = starts.map((start) => ({ start, up: random.chance(0.5) }));
  return {
    logAt: (at) =>
      drawn.reduce(
        (sum, { start, up }) =>
          at < start ? sum : sum + Math.log(factorAt((at - start) / dayMs, up)),
        0,
      ),
    daysSince: (at) => {
      const days = starts.map((start) => (at - start) / dayMs - from);
      const recent = days.filter((day) => day >= 0 && day < to - from + watchedDays);
      return recent.length === 0 ? null : Math.min(...recent);
    },
  };
}
