/** Wandering and shocks: the part of a price that no fact explains. */
import { dayMs } from '../domain/time.ts';
import type { Random } from './random.ts';
import { monthMs, type World, yearMs } from './world.ts';

/** A shift of a price (in logarithms) as a function of time. */
export type Shift = (at: number) => number;

/** A random walk in monthly steps that begins at an instant; straight lines in between. */
export function makeWalk(
  random: Random,
  world: World,
  options: { readonly deviationPerMonth: number; readonly beganAt: number },
): Shift {
  const { salesFrom, today } = world;
  const monthsBefore = Math.max(0, (salesFrom - options.beganAt) / monthMs);
  const points = [random.normal(0, options.deviationPerMonth * Math.sqrt(monthsBefore))];
  for (let at = salesFrom; at < today; at += monthMs) {
    points.push((points.at(-1) ?? 0) + random.normal(0, options.deviationPerMonth));
  }
  return (at) => {
    const place = Math.min(points.length - 1, Math.max(0, (at - salesFrom) / monthMs));
    const index = Math.floor(place);
    const from = points[index] ?? 0;
    return from + ((points[index + 1] ?? from) - from) * (place - index);
  };
}

/** What may happen to a price out of the blue. */
export interface ShockKind {
  readonly perYear: number;
  readonly log: number;
}

/** The market takes in this share of a shock's remainder each day. */
const absorbedPerMs = 0.03 / dayMs;

/** Shocks between an instant and today. They come rarely, and stay. */
export function makeShocks(
  random: Random,
  kind: ShockKind,
  span: { readonly from: number; readonly to: number },
): Shift {
  const years = Math.max(0, (span.to - span.from) / yearMs);
  const starts = Array.from({ length: random.poisson(years * kind.perYear) }, () =>
    random.between(span.from, span.to),
  );
  return (at) => {
    let shift = 0;
    for (const start of starts) {
      if (at > start) shift += kind.log * (1 - Math.exp(-absorbedPerMs * (at - start)));
    }
    return shift;
  };
}
