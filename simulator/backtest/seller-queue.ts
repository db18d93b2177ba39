/**
 * A queue of sellers with one unit each, at about the same price. A buyer takes the unit that seems
 * cheapest to them; a new seller replaces the one whose unit was taken.
 */
import type { RandomSource } from './probes.ts';

/** Scatter of asking prices, and of what buyers make of them: shipping, photos, trust (log). */
const askSpread = 0.03;
const tasteSpread = 0.1;

/** Buyers per rival before your unit is listed. */
const earlierBuyers = 5;

export class SellerQueue {
  readonly #asks: number[];

  constructor(
    rivals: number,
    private readonly random: RandomSource,
  ) {
    this.#asks = Array.from({ length: rivals }, () => this.#newAsk());
    for (let buyer = 0; buyer < rivals * earlierBuyers; buyer++)
      this.takesYours(Number.POSITIVE_INFINITY);
  }

  /** Whether the next buyer takes your unit, at a log price relative to the usual one. */
  takesYours(ask: number): boolean {
    let [cheapest, least] = [-1, ask + this.#taste()];
    for (const [index, ask] of this.#asks.entries()) {
      const seeming = ask + this.#taste();
      if (seeming < least) [cheapest, least] = [index, seeming];
    }
    if (cheapest === -1) return true;
    this.#asks[cheapest] = this.#newAsk();
    return false;
  }

  #newAsk(): number {
    return this.random.normal(0, askSpread);
  }

  #taste(): number {
    return this.random.normal(0, tasteSpread);
  }
}
