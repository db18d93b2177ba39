/** Wandering and shocks: the part of a price that no fact explains. */
import { dayMs } from '../domain/kernel/time.ts';
import type { Random } from './random.ts';
import { monthMs, type World, yearMs } from './world.ts';
import type { Jumps, RandomWalk } from './world-traits.ts';

/** A shift of a price (in logarithms) as a function of time. */
export type Shift = (at: number) => number;

/** Wanders in monthly steps since an instant; straight lines in between. */
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

/** How far it has strayed after some months; what returns has long found its range. */
function deviationAfter({ deviationPerMonth, keptPerMonth }: RandomWalk, months: number): number {
  return keptPerMonth < 1
    ? deviationPerMonth / Math.sqrt(1 - keptPerMonth ** 2)
    : deviationPerMonth * Math.sqrt(months);
}

/** A span of time. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What may happen to a price out of the blue. */
export interface ShockKind {
  readonly perYear: number;
  readonly log: number;
}

/** The market takes in this share of a shock's remainder each day. */
const absorbedPerMs = 0.03 / dayMs;

/** Shocks between an instant and today. They come rarely, and stay. */
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

/** Jumps: each takes effect at once, up or down, and stays. */
export function makeJumps(random: Random, { perYear, deviation }: Jumps, span: Span): Shift {
  const jumps = drawInstants(random, perYear, span).map((start) => ({
    start,
    log: random.normal(0, deviation),
  }));
  return (at) => jumps.reduce((sum, { start, log }) => (at >= start ? sum + log : sum), 0);
}

/** When something happens that happens so often a year, in no order. */
export function drawInstants(random: Random, perYear: number, { from, to }: Span): number[] {
  const years = Math.max(0, (to - from) / yearMs);
  return Array.from({ length: random.poisson(years * perYear) }, () => random.between(from, to));
}
