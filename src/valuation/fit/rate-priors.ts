/**
 * How often items of a group sell, and how much they differ in that: a Gamma distribution of rates
 * under which the sales that were counted are most likely (a negative binomial of counts).
 */
import type { SalesRate } from '../../domain/market/evidence.ts';
import type { RatePrior } from '../engine/rate.ts';

/** Fewer items than this say nothing of others. */
const itemsMin = 100;

/** Between these the shape of the distribution is looked for, down to this ratio. */
const shapes = { min: 0.05, max: 20, ratio: 1.01 };

/** The sales of items, by group. */
export class RateCounts {
  readonly #groups = new Map<string, Counts>();

  /** Adds an item to its groups. */
  add(groups: readonly string[], { sales, days }: Pick<SalesRate, 'sales' | 'days'>): void {
    if (days <= 0) return;
    for (const name of groups) {
      const group = this.#groups.get(name) ?? new Counts();
      this.#groups.set(name, group);
      group.add(sales, days);
    }
  }

  /** What is known of each group that has enough items. */
  priors(): Record<string, RatePrior> {
    const names = [...this.#groups.keys()].sort();
    return Object.fromEntries(
      names.flatMap((name) => {
        const prior = this.#groups.get(name)?.prior();
        return prior ? [[name, prior]] : [];
      }),
    );
  }
}

/** The sales of the items of one group. */
class Counts {
  /** How many items had more than so many sales. */
  readonly #above: number[] = [];
  /** How many items were seen for so many whole days, and their sales. */
  readonly #exposures = new Map<number, { items: number; sales: number }>();
  #items = 0;
  #sales = 0;
  #days = 0;

  add(sales: number, days: number): void {
    for (let count = 0; count < sales; count++) this.#above[count] = (this.#above[count] ?? 0) + 1;
    const exposure = this.#exposures.get(days) ?? { items: 0, sales: 0 };
    exposure.items++;
    exposure.sales += sales;
    this.#exposures.set(days, exposure);
    this.#items++;
    this.#sales += sales;
    this.#days += days;
  }

  prior(): RatePrior | null {
    if (this.#items < itemsMin) return null;
    // Where nothing was sold at all, something will be.
    const perDay = Math.max(1, this.#sales) / this.#days;
    const shape = highest((sales) => this.#likelihood({ sales, days: sales / perDay }));
    return { sales: rounded(shape), days: rounded(shape / perDay) };
  }

  /** The logarithm of how likely the counts are, up to what does not depend on the prior. */
  #likelihood({ sales, days }: RatePrior): number {
    let sum = 0;
    for (const [count, items] of this.#above.entries()) sum += items * Math.log(sales + count);
    for (const [seen, exposure] of this.#exposures) {
      sum += exposure.items * sales * Math.log(days / (days + seen));
      sum -= exposure.sales * Math.log(days + seen);
    }
    return sum;
  }
}

/** Where a function of the shape that rises and then falls is highest. */
function highest(of: (shape: number) => number): number {
  let [low, high] = [Math.log(shapes.min), Math.log(shapes.max)];
  const tolerance = Math.log(shapes.ratio);
  while (high - low > tolerance) {
    const third = (high - low) / 3;
    if (of(Math.exp(low + third)) < of(Math.exp(high - third))) low += third;
    else high -= third;
  }
  return Math.exp((low + high) / 2);
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
