/**
 * How often items of a group sell, and how much they differ in that: the Gamma distribution of
 * rates with which the sales of half a year would best have foretold those of the next.
 * Learned from what came later, it allows for whatever a count alone is wrong about: markets that
 * grow, and items that are hardly ever sold.
 */
import { dayMs } from '../../domain/kernel/time.ts';
import {
  countUntil,
  type RateGroup,
  type RatePrior,
  type SellingItem,
  salesSeen,
} from '../engine/rate.ts';

/** So many days are foretold, at so many instants that follow each other: seasons even out. */
const aheadDays = 90;
const aheadMs = aheadDays * dayMs;
const instants = 4;

/** Fewer items than this say nothing of others. */
const itemsMin = 200;

/** Beside more sales than this a prior counts for nothing, and nothing is learned of it. */
const salesMax = 30;

/** Items that were seen for about as long are taken together. */
const daysStep = 15;

/** Within these the prior is looked for, in ever smaller steps of logarithms. */
const bounds = { salesMin: 0.05, salesMax: 20, daysMin: 1, daysMax: 2_000 };
const steps = { first: 1, last: 0.05 };

/** The sales of items up to an instant, by group. */
export class RateCounts {
  readonly #groups = new Map<string, Counts>();
  readonly #until: number;

  constructor(until: number) {
    this.#until = until;
  }

  /** Adds an item that was first sold at some time, in whatever condition. */
  add(item: SellingItem, firstSoldAt: number, since: number | null): void {
    let before = countUntil(item.times, this.#until);
    for (let instant = 1; instant <= instants; instant++) {
      const at = this.#until - instant * aheadMs;
      // What was first sold later would not have been known.
      if (firstSoldAt > at) return;
      const { sales, days, known, group } = salesSeen(item, at, since);
      if (days === 0) return;
      if (sales <= salesMax) this.#countsOf(group).add(sales, days, before - known);
      before = known;
    }
  }

  /** What is known of each group that has enough items. */
  priors(): Record<string, RatePrior> {
    for (const counts of [...this.#groups.values()]) {
      const { all } = counts.group;
      this.#countsOf({ name: all, nearest: all, all }).addAll(counts);
    }
    const priors: Record<string, RatePrior> = {};
    for (const name of [...this.#groups.keys()].sort()) {
      const prior = this.#groups.get(name)?.prior();
      if (prior) priors[name] = prior;
    }
    return priors;
  }

  #countsOf(group: RateGroup): Counts {
    let counts = this.#groups.get(group.name);
    if (!counts) {
      counts = new Counts(group);
      this.#groups.set(group.name, counts);
    }
    return counts;
  }
}

/** Items that were seen for about as many days, added up. */
interface Exposure {
  readonly days: number;
  items: number;
  sales: number;
  next: number;
}

/** The sales of the items of one group, added up as far as the likelihood allows. */
class Counts {
  readonly group: RateGroup;
  /** How many items had no more than so many sales, and more than that with the next ones. */
  readonly #passed: number[] = [];
  readonly #exposures = new Map<number, Exposure>();
  #items = 0;

  constructor(group: RateGroup) {
    this.group = group;
  }

  /** Adds an item: its sales in so many days, and those that came next. */
  add(sales: number, days: number, next: number): void {
    for (let count = sales; count < sales + next; count++) this.#pass(count, 1);
    this.#expose({ days: Math.ceil(days / daysStep) * daysStep, items: 1, sales, next });
  }

  addAll(other: Counts): void {
    for (const [count, items] of other.#passed.entries()) this.#pass(count, items);
    for (const exposure of other.#exposures.values()) this.#expose(exposure);
  }

  prior(): RatePrior | null {
    return this.#items < itemsMin ? null : highest((prior) => this.#likelihood(prior));
  }

  #pass(count: number, items: number): void {
    while (this.#passed.length <= count) this.#passed.push(0);
    this.#passed[count] = (this.#passed[count] ?? 0) + items;
  }

  #expose({ days, items, sales, next }: Exposure): void {
    let exposure = this.#exposures.get(days);
    if (!exposure) {
      exposure = { days, items: 0, sales: 0, next: 0 };
      this.#exposures.set(days, exposure);
    }
    exposure.items += items;
    exposure.sales += sales;
    exposure.next += next;
    this.#items += items;
  }

  /** The logarithm of how likely the next sales were, up to what no prior changes. */
  #likelihood(prior: RatePrior): number {
    let sum = 0;
    for (let count = 0; count < this.#passed.length; count++) {
      const items = this.#passed[count] ?? 0;
      if (items > 0) sum += items * Math.log(prior.sales + count);
    }
    for (const { days, items, sales, next } of this.#exposures.values()) {
      const known = prior.days + days;
      sum += (items * prior.sales + sales) * Math.log(known / (known + aheadDays));
      sum -= next * Math.log(known + aheadDays);
    }
    return sum;
  }
}

/** Where a function of the prior is highest, found by going uphill. */
function highest(of: (prior: RatePrior) => number): RatePrior {
  let best = { sales: 1, days: 30 };
  let height = of(best);
  for (let step = steps.first; step > steps.last; step /= 2) {
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      for (const [up, along] of directions) {
        const sales = within(best.sales * Math.exp(up * step), bounds.salesMin, bounds.salesMax);
        const days = within(best.days * Math.exp(along * step), bounds.daysMin, bounds.daysMax);
        const found = of({ sales, days });
        if (found <= height) continue;
        best = { sales, days };
        height = found;
        hasMoved = true;
      }
    }
  }
  return { sales: rounded(best.sales), days: rounded(best.days) };
}

/** More sales and more days together change the mean least: the ridge runs that way. */
const directions = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
] as const;

function within(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
