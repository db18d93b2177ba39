/**
 * Attacks: fake sales among honest ones of a set worth $100, and how far they move its value. In
 * addition, honest changes of the price, and how soon the value follows.
 */

import { defaultTerms } from '../../src/buying/boxes/quotes.ts';
import { bestSale, profitOf } from '../../src/buying/deals/deal.ts';
import { type Resale, resaleOf } from '../../src/buying/prices/resale.ts';
import { dayMs, formatDay } from '../../src/kernel/time.ts';
import { builtInFees } from '../../src/market/fees/fee-table.ts';
import { feeTotal, saleFees } from '../../src/market/fees/platform-fees.ts';
import { builtInPostage } from '../../src/market/fees/postage.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type { Estimator, SetValuation } from '../../src/market/values/estimator.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import { fadAt, ramp } from '../market/movements.ts';
import { Random } from '../market/random.ts';
import {
  facts,
  honestCents,
  honestSales,
  medianOf90Days,
  saleOf,
  start,
} from './hundred-dollar-set.ts';

/** Fakes are spread evenly over the days, and sellers take turns. */
export interface Attack extends AttackedPrices {
  readonly sellers: number;
  readonly fakes: number;
  /** The fake price over the honest one. */
  readonly factor: number;
  readonly days: number;
  readonly unitsPerSale: number;
  /** Whether fakes come from sources that name no sellers, one for each seller. */
  readonly isUnnamed: boolean;
  /** Whether they begin at the honest price, and rise to the factor. */
  readonly isRising: boolean;
}

/** The honest sales that fakes are added to. */
interface AttackedPrices {
  /** How long ago the honest price fell by half; null: never. */
  readonly fellDaysAgo: number | null;
  /** Whether honest sales come from the source of the first liar, and name no sellers. */
  readonly isMarketUnnamed: boolean;
}

/** Shares and medians are over all sets. */
export interface AttackResult extends Attack {
  readonly salesPerMonth: number;
  /** The largest distance from the value without fakes, median. */
  readonly largestMove: number;
  /** Share of sets that were a deal at the honest price because of fakes, without a warning. */
  readonly unwarnedDeals: number;
  /** Share of sets with a value more than 25% too high, of tier `high` or `medium`. */
  readonly unwarned: number;
  /** Share of sets with the tier `high` while more than 10% off. */
  readonly high: number;
  /** eBay's fees for the fake sales; the sellers pay the prices to each other. */
  readonly costCents: number;
  /** Days after the last fake until the value stays within 10%, median and largest. */
  readonly backDays: number;
  readonly backDaysMax: number;
}

export interface ChangeResult {
  readonly name: string;
  readonly salesPerMonth: number;
  /** Until the value is within 10% of the price, median. */
  readonly followed: Followed;
  /** Until then or until the value is in doubt, when the lower price decides what to pay. */
  readonly told: Followed;
  /** The same as `followed` for the median of the sales of 90 days. */
  readonly medianFollowed: Followed;
  /** Average distance from the price over 180 days, median. */
  readonly error: number;
}

/** Since the start of a change. */
interface Followed {
  readonly sales: number;
  readonly days: number;
}

export interface AttackReport {
  readonly attacks: readonly AttackResult[];
  readonly changes: readonly ChangeResult[];
}

interface Change {
  readonly name: string;
  /** When it is complete. */
  readonly days: number;
  /** The price over the former one. */
  readonly factorAt: (day: number) => number;
}

const plain = {
  unitsPerSale: 1,
  isUnnamed: false,
  isRising: false,
  fellDaysAgo: null,
  isMarketUnnamed: false,
};

export const attacks: readonly Attack[] = [
  ...[1.2, 1.5, 2.5, 0.5].flatMap((factor) =>
    [1, 10, 80].map((days) => ({ ...plain, sellers: 1, fakes: 10, factor, days })),
  ),
  ...[2, 3].flatMap((sellers) =>
    [1.5, 2.5].flatMap((factor) =>
      [1, 7].map((days) => ({ ...plain, sellers, fakes: 5, factor, days })),
    ),
  ),
  { ...plain, sellers: 5, fakes: 10, factor: 1.5, days: 30 },
  { ...plain, sellers: 10, fakes: 20, factor: 1.5, days: 90 },
  { ...plain, sellers: 2, fakes: 4, factor: 2.5, days: 7, unitsPerSale: 10 },
  { ...plain, sellers: 3, fakes: 5, factor: 2.5, days: 1, isUnnamed: true },
  ...[2, 3].map((sellers) => ({
    ...plain,
    sellers,
    fakes: sellers,
    factor: 2,
    days: 7,
    fellDaysAgo: 120,
  })),
  ...[false, true].map((isMarketUnnamed) => ({
    ...plain,
    sellers: 1,
    fakes: 20,
    factor: 2.1,
    days: 60,
    isUnnamed: true,
    isRising: true,
    isMarketUnnamed,
  })),
  ...[3, 10].map((sellers) => ({
    ...plain,
    sellers,
    fakes: 20,
    factor: 1.8,
    days: 60,
    isRising: true,
  })),
];

const changes: readonly Change[] = [
  { name: 'retirement', days: 90, factorAt: (day) => 1 + 0.3 * ramp(day, 0, 90) },
  { name: 're-release', days: 30, factorAt: (day) => 1 - 0.4 * ramp(day, 0, 30) },
  { name: 'fall', days: 0, factorAt: (day) => (day < 0 ? 1 : 0.6) },
  { name: 'slow fall', days: 180, factorAt: (day) => 1 - 0.4 * ramp(day, 0, 180) },
  { name: 'fad', days: 60, factorAt: (day) => fadAt(day, 0.5) },
  { name: 'supply shock', days: 0, factorAt: (day) => (day < 0 ? 1 : 1.6) },
];

const watchedDays = 180;
const fakeSpread = 0.02;

/** A value is off if it differs by more than this share. */
const offShare = 0.1;

/** Farther above the value without fakes, it would mislead a buyer. */
const misleadingShare = 0.25;

export interface AttackOptions {
  readonly seed: number;
  readonly attacks: readonly Attack[];
  /** Honest sales per month. */
  readonly rates: readonly number[];
  /** Sets for each attack and rate of sale. */
  readonly sets: number;
  onProgress?(done: number, total: number): void;
}

export function measureAttacks(estimator: Estimator, options: AttackOptions): AttackReport {
  const { seed, sets, rates, onProgress } = options;
  const total = rates.length * (options.attacks.length + changes.length);
  const found = { attacks: [] as AttackResult[], changes: [] as ChangeResult[] };
  const advance = () => onProgress?.(found.attacks.length + found.changes.length, total);
  for (const salesPerMonth of rates) {
    const kinds = new Map<string, AttackedMarket[]>();
    for (const attack of options.attacks) {
      const { fellDaysAgo, isMarketUnnamed } = attack;
      const kind = `${fellDaysAgo} ${isMarketUnnamed}`;
      const markets =
        kinds.get(kind) ??
        Array.from({ length: sets }, (_, index) => {
          const random = new Random(seed, 'attack', index);
          return new AttackedMarket(estimator, { ...attack, salesPerMonth }, random);
        });
      kinds.set(kind, markets);
      const watched = markets.map((market) => market.watch(attack));
      found.attacks.push({ ...attack, salesPerMonth, ...summarize(watched) });
      advance();
    }
    for (const change of changes) {
      const watched = Array.from({ length: sets }, (_, index) =>
        watchChange(estimator, change, salesPerMonth, new Random(seed, change.name, index)),
      );
      found.changes.push({ name: change.name, salesPerMonth, ...medians(watched) });
      advance();
    }
  }
  return found;
}

interface Watched {
  readonly largestMove: number;
  readonly wasUnwarnedDeal: boolean;
  readonly wasUnwarned: boolean;
  readonly wasHigh: boolean;
  readonly backDays: number;
  readonly costCents: number;
}

function summarize(watched: readonly Watched[]) {
  const share = (holds: (each: Watched) => boolean) =>
    watched.filter(holds).length / watched.length;
  return {
    largestMove: median(watched, ({ largestMove }) => largestMove),
    costCents: median(watched, ({ costCents }) => costCents),
    unwarnedDeals: share((each) => each.wasUnwarnedDeal),
    unwarned: share((each) => each.wasUnwarned),
    high: share((each) => each.wasHigh),
    backDays: median(watched, (each) => each.backDays),
    backDaysMax: Math.max(...watched.map((each) => each.backDays)),
  };
}

/** The honest sales of a set, to which attacks add fakes. */
class AttackedMarket {
  readonly #honest: readonly StoredSale[];
  readonly #values = new Map<number, SetValuation>();
  readonly #honestCents: number;

  constructor(
    private readonly estimator: Estimator,
    market: AttackedPrices & { readonly salesPerMonth: number },
    private readonly random: Random,
  ) {
    const { salesPerMonth, fellDaysAgo, isMarketUnnamed } = market;
    const fellOn = fellDaysAgo === null ? Number.POSITIVE_INFINITY : -fellDaysAgo;
    const factorAt = (day: number) => (day < fellOn ? 1 : 0.5);
    this.#honestCents = honestCents * factorAt(0);
    const sales = honestSales(random, { salesPerMonth, days: watchedDays, factorAt });
    this.#honest = isMarketUnnamed
      ? sales.map((sale) => ({ ...sale, seller: null, source: shopOf(0) }))
      : sales;
  }

  watch(attack: Attack): Watched {
    const fakes = fakeSales(this.random, attack, this.#honestCents);
    const sales = inOrder([...this.#honest, ...fakes]);
    const attacked = this.estimator.prepareSet({ facts, sales, retailWeeks: [] });
    let [largestMove, backDays] = [0, 0];
    let [wasUnwarnedDeal, wasUnwarned, wasHigh] = [false, false, false];
    for (const day of watchDays(attack.days)) {
      const at = start + day * dayMs;
      const [found, honest] = [attacked.valueAt(at), this.#honestAt(at)];
      const rise = (found.sealed?.valueCents ?? 0) / this.#centsOf(honest) - 1;
      const move = Math.abs(rise);
      largestMove = Math.max(largestMove, move);
      if (move > offShare) backDays = Math.max(0, day + 1 - attack.days);
      if (move > offShare && found.tier === 'high') wasHigh = true;
      if (rise > misleadingShare && !isWarned(found)) wasUnwarned = true;
      const isDeal = (of: SetValuation) => isUnwarnedDeal(of, at, this.#honestCents);
      if (isDeal(found) && !isDeal(honest)) wasUnwarnedDeal = true;
    }
    const costCents = fakes.reduce((sum, fake) => sum + feeCents(fake), 0);
    return { largestMove, wasUnwarnedDeal, wasUnwarned, wasHigh, backDays, costCents };
  }

  /** Without fakes. */
  #honestAt(at: number): SetValuation {
    const known = this.#values.get(at);
    if (known !== undefined) return known;
    const honest = this.estimator.prepareSet({ facts, sales: this.#honest, retailWeeks: [] });
    const value = honest.valueAt(at);
    this.#values.set(at, value);
    return value;
  }

  #centsOf({ sealed }: SetValuation): number {
    return sealed?.valueCents ?? this.#honestCents;
  }
}

const tables = { fees: builtInFees, postage: builtInPostage };
const noBox = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

function feeCents({ priceCents: paidCents, quantity, soldAt }: StoredSale): number {
  const sale = { paidCents, shippingCents: 0, quantity, day: formatDay(soldAt), payment: null };
  return feeTotal(saleFees(builtInFees, { ...sale, platform: 'ebay' }));
}

const parcel = { box: noBox, pieces: facts.pieces };

/** A unit of the attacked set; null without a value. */
export function resaleOfUnit({ evidence }: SetValuation): Resale | null {
  return resaleOf(evidence, 'sealed', { parcel, fbaSellers: null, amazonAskCents: null });
}

function isInDoubt({ evidence }: SetValuation): boolean {
  return Boolean(evidence.sealed?.doubt);
}

/** By a doubt, or by a low tier. */
function isWarned(found: SetValuation): boolean {
  return isInDoubt(found) || found.tier === 'low' || found.tier === 'modeled';
}

/** Whether a unit at the honest price would be a deal that looks safe. */
function isUnwarnedDeal(found: SetValuation, at: number, cents: number): boolean {
  const resale = resaleOfUnit(found);
  if (resale === null || isWarned(found)) return false;
  const sale = bestSale(tables, resale, { terms: defaultTerms, at });
  return sale !== null && profitOf(cents, sale, defaultTerms) !== null;
}

/** Daily through the attack and a month after it, then every five days. */
function* watchDays(attackDays: number): Generator<number> {
  const daily = attackDays + 35;
  for (let day = 1; day <= watchedDays; day += day < daily ? 1 : 5) yield day;
}

type WatchedChange = Omit<ChangeResult, 'name' | 'salesPerMonth'>;

function medians(watched: readonly WatchedChange[]): WatchedChange {
  const followed = (of: (each: WatchedChange) => Followed) => ({
    sales: median(watched, (each) => of(each).sales),
    days: median(watched, (each) => of(each).days),
  });
  return {
    followed: followed((each) => each.followed),
    told: followed((each) => each.told),
    medianFollowed: followed((each) => each.medianFollowed),
    error: median(watched, ({ error }) => error),
  };
}

function watchChange(
  estimator: Estimator,
  change: Change,
  salesPerMonth: number,
  random: Random,
): WatchedChange {
  const { factorAt } = change;
  const sales = honestSales(random, { salesPerMonth, days: watchedDays, factorAt });
  const prepared = estimator.prepareSet({ facts, sales, retailWeeks: [] });
  const distance = (cents: number, at: number) =>
    Math.abs(cents / (honestCents * factorAt((at - start) / dayMs)) - 1);
  const distanceOf = ({ sealed }: SetValuation, at: number) =>
    distance(sealed?.valueCents ?? 0, at);
  const later = sales.filter(({ soldAt }) => soldAt >= start);
  const end = start + change.days * dayMs;
  const firstSale = (holds: (found: SetValuation, at: number) => boolean): Followed => {
    const found = later.findIndex(
      ({ soldAt }) => soldAt >= end && holds(prepared.valueAt(soldAt), soldAt),
    );
    const index = found < 0 ? later.length - 1 : found;
    const at = later[index]?.soldAt ?? start;
    return { sales: index + 1, days: (at - start) / dayMs };
  };
  const isFollowed = (found: SetValuation, at: number) => distanceOf(found, at) <= offShare;
  const days = Array.from(
    { length: watchedDays / 5 },
    (_, index) => start + (5 * index + 1) * dayMs,
  );
  const errors = days.map((at) => distanceOf(prepared.valueAt(at), at));
  return {
    followed: firstSale(isFollowed),
    told: firstSale((found, at) => isFollowed(found, at) || isInDoubt(found)),
    medianFollowed: firstSale((_, at) => distance(medianOf90Days(sales, at), at) <= offShare),
    error: errors.reduce((sum, error) => sum + error, 0) / errors.length,
  };
}

function fakeSales(random: Random, attack: Attack, usualCents: number): StoredSale[] {
  const { fakes, sellers, days, unitsPerSale: quantity, isUnnamed, isRising } = attack;
  return Array.from({ length: fakes }, (_, index) => {
    const factor = attack.factor ** (isRising ? (index + 1) / fakes : 1);
    const cents = random.logNormal(usualCents * factor * quantity, fakeSpread);
    const seller = index % sellers;
    const fake = saleOf(`fake-${index}`, ((index + 0.5) / fakes) * days, cents, -1 - seller);
    const names = isUnnamed ? { seller: null, source: shopOf(seller) } : {};
    return { ...fake, ...names, quantity };
  });
}

function shopOf(seller: number): string {
  return `shop-${seller}`;
}

export function inOrder(sales: readonly StoredSale[]): StoredSale[] {
  return sales.toSorted((a, b) => a.soldAt - b.soldAt);
}

function median<Each>(of: readonly Each[], value: (each: Each) => number): number {
  return quantile(of.map(value), 0.5);
}
