/**
 * How much an item is traded and wanted, which orders equal matches of a search. Combines sales in
 * the market with holdings and lookups of all accounts. Price, size and age serve as a proxy if
 * there are none.
 */
import type { ItemRef } from '../items/numbers.ts';

/** Interest is stored in thousandths, as an integer. */
const unit = 1_000;

/** The market data from which interest in a set is computed. */
export interface SetStanding {
  /** In the last year. */
  readonly sold: number;
  readonly msrpCents: number | null;
  readonly pieces: number | null;
  readonly year: number | null;
}

export interface MinifigStanding {
  readonly sold: number;
  readonly valueCents: number | null;
  /** The number of sets that contain it. */
  readonly sets: number;
  readonly year: number | null;
}

/** Weights of the proxy; together less than one sale. */
const shares = { price: 0.5, size: 0.35, year: 0.14 } as const;

/** The number of doublings at which the proxy saturates: 1,023 dollars, 16,383 pieces, 255 sets. */
const most = { dollars: 10, pieces: 14, sets: 8 } as const;

/** The range of years for the age score. */
const years = { first: 1950, last: 2050 } as const;

/** Estimates the price from the pieces if it is unknown. */
const piecesPerDollar = 8;

export function setInterest({ sold, msrpCents, pieces, year }: SetStanding): number {
  const dollars = msrpCents === null ? (pieces ?? 0) / piecesPerDollar : msrpCents / 100;
  return interestOf({ sold, dollars, size: scale(pieces ?? 0, most.pieces), year });
}

export function minifigInterest({ sold, valueCents, sets, year }: MinifigStanding): number {
  const dollars = (valueCents ?? 0) / 100;
  return interestOf({ sold, dollars, size: scale(sets, most.sets), year });
}

function interestOf(item: { sold: number; dollars: number; size: number; year: number | null }) {
  const { sold, dollars, size, year } = item;
  const price = scale(dollars, most.dollars);
  const proxy = shares.price * price + shares.size * size + shares.year * ageOf(year);
  return Math.round(unit * (Math.log2(1 + sold) + proxy));
}

/** Logarithmic, from 0 to 1 after the number of doublings. */
function scale(value: number, doublings: number): number {
  return Math.min(Math.log2(1 + value), doublings) / doublings;
}

function ageOf(year: number | null): number {
  const known = Math.min(Math.max(year ?? years.first, years.first), years.last);
  return (known - years.first) / (years.last - years.first);
}

/**
 * Usage of one item, totaled over all accounts. Searches use the counts from before the current
 * day, so that the order is the same all day and on every node.
 */
export interface InterestCounts {
  /** The day of the latest counts, in days since 1970. */
  readonly day: number;
  /** Lookups on that day. */
  readonly lookedUp: number;
  /** Lookups before that day, with exponential decay. */
  readonly lookedUpBefore: number;
  /** The number of accounts that hold it, as counted on that day, and before it. */
  readonly held: number;
  readonly heldBefore: number;
  /** Units held by all accounts, plus one per account that watches it. */
  readonly units: number;
}

/** The half-life of a lookup. */
const halfLifeDays = 30;

/** This many lookups count as one sale or one holder. */
const lookUpsPerSale = 8;

export function noInterest(day: number): InterestCounts {
  return { day, lookedUp: 0, lookedUpBefore: 0, held: 0, heldBefore: 0, units: 0 };
}

/** Advances the counts to a later day; for an earlier day they stay unchanged. */
export function onDay(counts: InterestCounts, day: number): InterestCounts {
  const { lookedUp, lookedUpBefore, held, units } = counts;
  if (day <= counts.day) return counts;
  const fading = 0.5 ** ((day - counts.day) / halfLifeDays);
  const before = (lookedUp + lookedUpBefore) * fading;
  return { day, lookedUp: 0, lookedUpBefore: before, held, heldBefore: held, units };
}

export function withLookUps(counts: InterestCounts, day: number, times: number): InterestCounts {
  const now = onDay(counts, day);
  return { ...now, lookedUp: now.lookedUp + times };
}

/** Accounts that hold an item, and units held or watched by all of them. */
export interface Holders {
  readonly held: number;
  readonly units: number;
}

export function withHolders(counts: InterestCounts, day: number, holders: Holders): InterestCounts {
  const { held, units } = holders;
  return { ...onDay(counts, day), held, units };
}

/** Lookups up to and including a day, with exponential decay. */
export function lookUpsOn(counts: InterestCounts, day: number): number {
  const { lookedUp, lookedUpBefore } = onDay(counts, day);
  return lookedUp + lookedUpBefore;
}

/** The contribution of holdings and lookups to an item's interest on a day. */
export function countedInterest(counts: InterestCounts, day: number): number {
  const { lookedUpBefore, heldBefore } = onDay(counts, day);
  const lookUps = Math.log2(1 + lookedUpBefore / lookUpsPerSale);
  return Math.round(unit * (Math.log2(1 + heldBefore) + lookUps));
}

export interface LookUpCount extends ItemRef {
  readonly times: number;
}

export interface HolderCount extends ItemRef, Holders {}
