/** Finds, filters and sorts deals by the terms of the caller. */

import type { FeeTables } from '../domain/buying/channels.ts';
import {
  type BestSale,
  bestSale,
  type Deal,
  type DealCandidate,
  type DealTerms,
  isDoubtfulDeal,
  isOutdated,
  type Profit,
  profitOf,
  toDeal,
} from '../domain/buying/deal.ts';
import { compareText } from '../domain/catalog/numbers.ts';
import type { StatusId } from '../domain/catalog/status.ts';
import type { Page, PageRange } from '../domain/kernel/page.ts';
import { type DataTier, dataTiers } from '../domain/market/evidence.ts';
import type { Retailer } from '../domain/market/source-rows.ts';

/** Null: no limit. */
export interface DealFilters {
  readonly retailer: Retailer | null;
  readonly theme: string | null;
  readonly statusId: StatusId | null;
  /** The lowest accepted data tier. A deal is never based on a modeled value. */
  readonly minTier: Exclude<DataTier, 'modeled'>;
  readonly minProfitCents: number | null;
  readonly minRoiPercent: number | null;
  readonly maxPriceCents: number | null;
}

export interface DealQuestion extends DealTerms, PageRange {
  readonly filters: DealFilters;
  /** Whether doubtful deals are sorted after all others. */
  readonly isDoubtLast?: boolean;
}

/** All deals with a well-supported value. */
export const usualFilters: DealFilters = {
  retailer: null,
  theme: null,
  statusId: null,
  minTier: 'medium',
  minProfitCents: null,
  minRoiPercent: null,
  maxPriceCents: null,
};

/** The best sale of a unit of a candidate; null: unknown. */
export type SaleFinder = (candidate: DealCandidate) => BestSale | null;

export function saleFinder(tables: FeeTables, { terms, at }: DealTerms): SaleFinder {
  return ({ resale }) => bestSale(tables, resale, { terms, at });
}

/** One page of deals, highest profit per month first; doubtful ones last if requested. */
export function findDeals(
  candidates: Iterable<DealCandidate>,
  question: DealQuestion,
  findSale: SaleFinder,
): Page<Deal> {
  const { terms, filters, limit, offset } = question;
  const found: Found[] = [];
  const isWanted = offerFilter(question);
  for (const candidate of candidates) {
    if (!isWanted(candidate)) continue;
    const sale = findSale(candidate);
    const profit = sale && profitOf(candidate.offer.priceCents, sale, terms);
    if (sale && profit && isEnough(profit, filters)) found.push({ candidate, sale, profit });
  }
  const isDoubtful = ({ candidate, sale, profit }: Found) =>
    isDoubtfulDeal(candidate, { sale, profit }, question.at);
  found.sort(byRank);
  const ranked = question.isDoubtLast
    ? [...found.filter((each) => !isDoubtful(each)), ...found.filter(isDoubtful)]
    : found;
  const rows = ranked.slice(offset, offset + limit);
  return { total: found.length, rows: rows.map((row) => toDeal(row.candidate, row, question)) };
}

interface Found {
  readonly candidate: DealCandidate;
  readonly sale: BestSale;
  readonly profit: Profit;
}

/** Cheap checks, before any computation. */
function offerFilter({ filters, at }: DealQuestion): (candidate: DealCandidate) => boolean {
  const { retailer, theme, statusId, minTier, maxPriceCents } = filters;
  const tiers = dataTiers.slice(0, dataTiers.indexOf(minTier) + 1);
  return (candidate) =>
    (retailer === null || candidate.offer.retailer === retailer) &&
    (theme === null || candidate.theme === theme) &&
    (statusId === null || candidate.statusId === statusId) &&
    (maxPriceCents === null || candidate.offer.priceCents <= maxPriceCents) &&
    tiers.includes(candidate.resale.tier) &&
    !isOutdated(candidate.offer, at);
}

function isEnough(profit: Profit, { minProfitCents, minRoiPercent }: DealFilters): boolean {
  return (
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
