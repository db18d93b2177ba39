/** What a retailer itself asks for a set, which says something until the first sale does. */
import { dayMs } from '../../domain/kernel/time.ts';
import type { Estimate } from '../prior/prior.ts';

/** A retailer's own price, brought to what the market pays (logarithm). */
export interface OwnPrice {
  readonly at: number;
  readonly log: number;
}

/** The market is a little below a retailer's own price, and follows it loosely. */
const market = { log: -0.03, spread: 0.2 };

/** A price counts for so long. */
const countsMs = 60 * dayMs;

/** What a price says of the market. */
export function ownPriceAt(at: number, priceCents: number): OwnPrice {
  return { at, log: Math.log(priceCents) + market.log };
}

/** A price this far from what sets like it cost (logarithm) is a mistake. */
const mistakenLog = 0.8;

/** An estimate from facts alone together with what a retailer asked lately. */
export function withOwnPrice(
  prior: Estimate | null,
  own: OwnPrice | null,
  at: number,
): Estimate | null {
  if (own === null || at - own.at > countsMs) return prior;
  if (prior === null) return { log: own.log, spread: market.spread };
  if (Math.abs(own.log - prior.log) > mistakenLog) return prior;
  const weight = prior.spread ** 2 / (prior.spread ** 2 + market.spread ** 2);
  return {
    log: prior.log + weight * (own.log - prior.log),
    spread: Math.sqrt(weight) * market.spread,
  };
}
