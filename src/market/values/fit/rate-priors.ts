/**
 * Learns Gamma priors of sales rates by empirical Bayes: the prior with which the sales of half a
 * year best predict those of the next 90 days (a negative binomial likelihood). Learning from later
 * sales accounts for effects that counts miss, such as growing markets and items that hardly sell.
 */
import { dayMs } from '../../../kernel/time.ts';
import {
  countUntil,
  type RateGroup,
  type RatePrior,
  type SellingItem,
  salesSeen,
} from '../engine/rate.ts';

/** Days predicted, at several consecutive instants to average over seasons. */
const aheadDays = 90;
const aheadMs = aheadDays * dayMs;
const instants = 4;

/** Groups with fewer observations (an item at an instant) have no prior. */
const itemsMin = 200;

/** Observations with more sales are skipped, because the prior hardly matters for them. */
const salesMax = 30;

/** Bin size of observed days. */
const daysStep = 15;

/** Search bounds and step sizes (log). */
const bounds = { salesMin: 0.05, salesMax: 20, daysMin: 1, daysMax: 2_000 };
const steps = { first: 1, last: 0.05 };

/** Sales of items up to an instant, by group. */
export class RateCounts {
  readonly #groups = new Map<string, Counts>();

  constructor(private readonly until: number) {}

  /** `firstSoldAt` is the item's first sale in any condition. */
  add(item: SellingItem, firstSoldAt: number, since: number | null): void {
    let before = countUntil(item.times, this.until);
    for (let instant = 1; instant <= instants; instant++) {
      const at = this.until - instant * aheadMs;
      // An item first sold later was not known yet.
      if (firstSoldAt > at) return;
      const { sales, days, known, group } = salesSeen(item, at, since);
      if (days === 0) return;
      if (sales <= salesMax) this.#countsOf(group).add(sales, days, before - known);
      before = known;
    }
  }

  /** Of all groups with enough observations. */
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
    return this.#groups.getOrInsertComputed(group.name, () => new Counts(group));
  }
}

/** Totals of observations with about the same observed days. */
interface Exposure {
  readonly days: number;
  items: number;
  sales: number;
  next: number;
}

/** Sufficient statistics of a group's likelihood. */
class Counts {
  /** At each count: observations with `sales <= count < sales + next`. */
  readonly #passed: number[] = [];
  readonly #exposures = new Map<number, Exposure>();
  #items = 0;

  constructor(readonly group: RateGroup) {}

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
    const exposure = this.#exposures.getOrInsertComputed(days, () => {
      return { days, items: 0, sales: 0, next: 0 };
    });
    exposure.items += items;
    exposure.sales += sales;
    exposure.next += next;
    this.#items += items;
  }

  /** Log likelihood of the following sales, up to a constant. */
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

/** Maximizes by pattern search on the log scale, with halved steps. */
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

/** Sales and days together change the mean least, so the ridge runs in that direction. */
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
