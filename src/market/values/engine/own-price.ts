/** The retailer's own price of a set, which is evidence until the first sale. */
import { dayMs } from '../../../kernel/time.ts';
import type { Estimate } from '../prior/prior.ts';

/** The market value that a retailer's own price suggests (log). */
export interface OwnPrice {
  readonly at: number;
  readonly log: number;
}

/** Market prices are slightly below a retailer's own price, with this spread. */
const market = { log: -0.03, spread: 0.2 };

/** A price is evidence for this long. */
const countsMs = 60 * dayMs;

export function ownPriceAt(at: number, priceCents: number): OwnPrice {
  return { at, log: Math.log(priceCents) + market.log };
}

/** Prices farther than this (log) from the prior are data errors. */
const mistakenLog = 0.8;

/** Combines the prior with a recent price, weighted by precision. */
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
