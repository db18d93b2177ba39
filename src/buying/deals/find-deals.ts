/** Finds, filters and sorts deals by the terms of the caller. */

import { compareText } from '../../catalog/items/numbers.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import type { Page, PageRange } from '../../kernel/page.ts';
import { type GradeShare, wholeShare } from '../../market/grades/grades.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import type { BuyTerms } from '../boxes/quotes.ts';
import { maxBuyCents } from '../prices/max-buy.ts';
import { gradedResale } from '../prices/resale.ts';
import type { FeeTables } from '../prices/selling-channels.ts';
import {
  type BestSale,
  bestSale,
  type Deal,
  type DealCandidate,
  type DealTerms,
  type DealTier,
  isDealTier,
  isDoubtfulDeal,
  isOutdated,
  type Profit,
  partOutRatio,
  profitOf,
  toDeal,
  usualMinTier,
} from './deal.ts';

/** Null: no limit. */
export interface DealFilters {
  readonly retailer: Retailer | null;
  readonly theme: string | null;
  readonly statusId: StatusId | null;
  /** The lowest accepted data tier. */
  readonly minTier: DealTier;
  readonly minProfitCents: number | null;
  readonly minRoiPercent: number | null;
  readonly maxPriceCents: number | null;
  /** Deals without an expected wait are longer than any. */
  readonly maxWaitDays: number | null;
  /** Deals without a value for the parts have none. */
  readonly minPartOutRatio: number | null;
}

export interface DealQuestion extends DealTerms, PageRange {
  readonly filters: DealFilters;
  /** The effect of the grade in which units are sold again. Absent: none. */
  readonly grade?: GradeShare;
}

/** Orders of a list of sets; by profit per month, doubtful deals come last. */
export const dealSorts = [
  'per_month',
  'name',
  'price',
  'max_buy',
  'profit',
  'wait',
  'part_out',
] as const;
export type DealSort = (typeof dealSorts)[number];

export interface SetDealQuestion extends DealQuestion {
  readonly sort: DealSort;
  readonly isDescending: boolean;
  /** Leaves out other offers; all are wanted by default. */
  readonly includes?: (candidate: DealCandidate) => boolean;
}

/** The best deal of a set, and its other offers that are deals too, best first. */
export interface SetDeal extends Deal {
  readonly others: readonly Deal[];
  /** The price of the cheapest current offer of the set, also if the question leaves it out. */
  readonly cheapestCents: number;
}

/** All deals with a well-supported value. */
export const usualFilters: DealFilters = {
  retailer: null,
  theme: null,
  statusId: null,
  minTier: usualMinTier,
  minProfitCents: null,
  minRoiPercent: null,
  maxPriceCents: null,
  maxWaitDays: null,
  minPartOutRatio: null,
};

/** The best sale of a unit of a candidate; null: unknown. */
export type SaleFinder = (candidate: DealCandidate) => BestSale | null;

export function saleFinder(
  tables: FeeTables,
  { terms, at, grade = wholeShare }: DealTerms & Pick<DealQuestion, 'grade'>,
): SaleFinder {
  return ({ resale }) => bestSale(tables, gradedResale(resale, grade), { terms, at });
}

/** One page of deals, one for each offer, highest profit per month first. */
export function findDeals(
  candidates: Iterable<DealCandidate>,
  question: DealQuestion,
  findSale: SaleFinder,
): Page<Deal> {
  const found = findAll(candidates, question, findSale).sort(byRank);
  return pageOf(found, question, (each) => dealOf(each, question));
}

/** One page of sets that have deals, each with its best offer. */
export function findSetDeals(
  candidates: Iterable<DealCandidate>,
  question: SetDealQuestion,
  findSale: SaleFinder,
): Page<SetDeal> {
  const { includes = () => true } = question;
  const offers = [...candidates];
  const found = findAll(offers, question, findSale)
    .filter(({ candidate }) => includes(candidate))
    .sort(byRank);
  const isDoubtful = (each: Found) => isDoubtfulDeal(each.candidate, each, question.at);
  const ranked = [...found.filter((each) => !isDoubtful(each)), ...found.filter(isDoubtful)];
  const sets = [...Map.groupBy(ranked, ({ candidate }) => candidate.setKey).values()];
  const page = pageOf(inOrder(sets, question), question, ([best, ...others]) => {
    const deals = others.map((each) => dealOf(each, question));
    return { ...dealOf(best, question), others: deals };
  });
  const cheapest = cheapestOffers(offers, page.rows, question.at);
  const rows = page.rows.map((deal) => {
    return { ...deal, cheapestCents: cheapest.get(deal.setKey) ?? deal.offer.priceCents };
  });
  return { ...page, rows };
}

/** The lowest prices of some sets that are not outdated, by set. */
function cheapestOffers(
  candidates: readonly DealCandidate[],
  deals: readonly Pick<Deal, 'setKey'>[],
  at: number,
): ReadonlyMap<string, number> {
  const prices = new Map(deals.map(({ setKey }) => [setKey, Number.POSITIVE_INFINITY]));
  for (const { setKey, offer } of candidates) {
    const known = prices.get(setKey);
    if (known === undefined || isOutdated(offer, at)) continue;
    prices.set(setKey, Math.min(known, offer.priceCents));
  }
  return prices;
}

function pageOf<Row, Shown>(
  rows: readonly Row[],
  { offset, limit }: PageRange,
  show: (row: Row) => Shown,
): Page<Shown> {
  return { total: rows.length, rows: rows.slice(offset, offset + limit).map(show) };
}

function dealOf(found: Found, question: DealQuestion): Deal {
  const { candidate } = found;
  const resale = gradedResale(candidate.resale, question.grade ?? wholeShare);
  return toDeal({ ...candidate, resale }, found, question);
}

function findAll(
  candidates: Iterable<DealCandidate>,
  question: DealQuestion,
  findSale: SaleFinder,
): Found[] {
  const { terms, filters } = question;
  const found: Found[] = [];
  const isWanted = offerFilter(question);
  for (const candidate of candidates) {
    if (!isWanted(candidate)) continue;
    const sale = findSale(candidate);
    const profit = sale && profitOf(candidate.offer.priceCents, sale, terms);
    if (sale && profit && isEnough(sale, profit, filters)) found.push({ candidate, sale, profit });
  }
  return found;
}

interface Found {
  readonly candidate: DealCandidate;
  readonly sale: BestSale;
  readonly profit: Profit;
}

/** Cheap checks, before any computation. */
function offerFilter({ filters, at }: DealQuestion): (candidate: DealCandidate) => boolean {
  const { retailer, theme, statusId, minTier, maxPriceCents, minPartOutRatio } = filters;
  return (candidate) =>
    (retailer === null || candidate.offer.retailer === retailer) &&
    (theme === null || candidate.theme === theme) &&
    (statusId === null || candidate.statusId === statusId) &&
    (maxPriceCents === null || candidate.offer.priceCents <= maxPriceCents) &&
    (minPartOutRatio === null || (partOutRatio(candidate) ?? -1) >= minPartOutRatio) &&
    isDealTier(candidate.resale.tier, minTier) &&
    !isOutdated(candidate.offer, at);
}

function isEnough(sale: BestSale, profit: Profit, filters: DealFilters): boolean {
  const { minProfitCents, minRoiPercent, maxWaitDays } = filters;
  return (
    (maxWaitDays === null || (sale.waitDays !== null && sale.waitDays <= maxWaitDays)) &&
    (minProfitCents === null || profit.profitCents >= minProfitCents) &&
    (minRoiPercent === null || profit.roiPercent >= minRoiPercent)
  );
}

/** Highest profit per month first, deals without a selling time last; ties by name. */
function byRank(a: Found, b: Found): number {
  // Finite, so that two deals without a selling time compare as equal.
  const perMonth = ({ profit }: Found) => profit.profitPerMonthCents ?? -Number.MAX_VALUE;
  const name = ({ candidate }: Found) => `${candidate.setKey} ${candidate.offer.retailer}`;
  return (
    perMonth(b) - perMonth(a) ||
    b.profit.profitCents - a.profit.profitCents ||
    compareText(name(a), name(b))
  );
}

/** The offers of a set, best first. */
type FoundSet = readonly [Found, ...Found[]];

/** Sets by a column of their best offers. They come in the order that ties keep. */
function inOrder(
  sets: readonly Found[][],
  { sort, isDescending, terms }: SetDealQuestion,
): FoundSet[] {
  const found = sets.flatMap(([best, ...others]): FoundSet[] => (best ? [[best, ...others]] : []));
  if (sort === 'per_month' && isDescending) return found;
  const sign = isDescending ? -1 : 1;
  if (sort === 'name') {
    return found.sort(([a], [b]) => sign * compareText(a.candidate.title, b.candidate.title));
  }
  const read = figures[sort];
  const keyed = found.map((set) => ({ set, figure: read(set[0], terms) }));
  // Unknown figures come last in both directions.
  keyed.sort(({ figure: a }, { figure: b }) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b),
  );
  return keyed.map(({ set }) => set);
}

const figures: Readonly<
  Record<Exclude<DealSort, 'name'>, (found: Found, terms: BuyTerms) => number | null>
> = {
  per_month: ({ profit }) => profit.profitPerMonthCents,
  price: ({ candidate }) => candidate.offer.priceCents,
  max_buy: ({ sale }, terms) => maxBuyCents(sale.netCents, terms, sale.waitDays),
  profit: ({ profit }) => profit.profitCents,
  wait: ({ sale }) => sale.waitDays,
  part_out: ({ candidate }) => partOutRatio(candidate),
};
