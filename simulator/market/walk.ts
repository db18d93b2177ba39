/** Random walks and shocks: the part of a price that facts do not explain. */
import { dayMs } from '../../src/kernel/time.ts';
import type { Random } from './random.ts';
import { monthMs, type World, yearMs } from './world.ts';
import type { Jumps, RandomWalk } from './world-traits.ts';

/** A log price shift over time. */
export type Shift = (at: number) => number;

/** Monthly steps with linear interpolation. */
export function makeWalk(
  random: Random,
  world: World,
  options: { readonly randomWalk: RandomWalk; readonly startedAt: number },
): Shift {
  const { salesFrom, today } = world;
  const monthsBefore = Math.max(0, (salesFrom - options.startedAt) / monthMs);
  const { deviationPerMonth, keptPerMonth } = options.randomWalk;
  const points = [random.normal(0, deviationAfter(options.randomWalk, monthsBefore))];
  for (let at = salesFrom; at < today; at += monthMs) {
    points.push((points.at(-1) ?? 0) * keptPerMonth + random.normal(0, deviationPerMonth));
  }
  return (at) => {
    const position = Math.min(points.length - 1, Math.max(0, (at - salesFrom) / monthMs));
    const index = Math.floor(position);
    const from = points[index] ?? 0;
    return from + ((points[index + 1] ?? from) - from) * (position - index);
  };
}

/** Standard deviation after a number of months; mean-reverting walks start stationary. */
function deviationAfter({ deviationPerMonth, keptPerMonth }: RandomWalk, months: number): number {
  return keptPerMonth < 1
    ? deviationPerMonth / Math.sqrt(1 - keptPerMonth ** 2)
    : deviationPerMonth * Math.sqrt(months);
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ShockKind {
  readonly perYear: number;
  readonly log: number;
}

/** Rate of an exponential approach: 3% of the remaining shock per day. */
const absorbedPerMs = 0.03 / dayMs;

/** Rare and permanent shocks, which take effect gradually. */
export function makeShocks(random: Random, kind: ShockKind, span: Span): Shift {
  const starts = drawInstants(random, kind.perYear, span);
  return (at) => {
    let shift = 0;
    for (const start of starts) {
      if (at > start) shift += kind.log * (1 - Math.exp(-absorbedPerMs * (at - start)));
    }
    return shift;
  };
}

/** Immediate and permanent, up or down. */
export function makeJumps(random: Random, { perYear, deviation }: Jumps, span: Span): Shift {
  const jumps = drawInstants(random, perYear, span).map((start) => ({
    start,
    log: random.normal(0, deviation),
  }));
  return (at) => jumps.reduce((sum, { start, log }) => (at >= start ? sum + log : sum), 0);
}

/** Poisson events, unordered. */
export function drawInstants(random: Random, perYear: number, { from, to }: Span): number[] {
  const years = Math.max(0, (to - from) / yearMs);
  return Array.from({ length: random.poisson(years * perYear) }, () => random.between(from, to));
}
