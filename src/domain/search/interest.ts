/**
 * How much an item is traded and wanted: what decides between equal matches of a search. Sales
 * count from the market; who holds an item and how often it is looked up are totals over all
 * accounts. Where none of that is known, price, size and age stand in for it.
 */

/** Interest in thousandths, so that it is a whole number. */
const unit = 1_000;

/** What tells the interest in a set before anybody has it. */
export interface SetStanding {
  /** Sales in the last year. */
  readonly sold: number;
  readonly msrpCents: number | null;
  readonly pieces: number | null;
  readonly year: number | null;
}

/** The same of a minifig. */
export interface MinifigStanding {
  readonly sold: number;
  readonly valueCents: number | null;
  /** How many sets it is in. */
  readonly sets: number;
  readonly year: number | null;
}

/** How much price, size and age weigh in what stands in; together less than one sale. */
const shares = { price: 0.5, size: 0.35, year: 0.14 } as const;

/** Beyond these, more makes no difference: dollars, pieces, sets. */
const most = { dollars: 1_023, pieces: 16_383, sets: 255 } as const;

/** Years from the first to one that is not reached soon. */
const years = { first: 1950, last: 2050 } as const;

/** About eight pieces cost a dollar, where the price is not known. */
const piecesPerDollar = 8;

/** The interest in a set, as far as the market tells it. */
export function setInterest({ sold, msrpCents, pieces, year }: SetStanding): number {
  const dollars = msrpCents === null ? (pieces ?? 0) / piecesPerDollar : msrpCents / 100;
  const standIn =
    shares.price * scale(dollars, most.dollars) +
    shares.size * scale(pieces ?? 0, most.pieces) +
    shares.year * ageOf(year);
  return Math.round(unit * (Math.log2(1 + sold) + standIn));
}

/** The interest in a minifig, as far as the market tells it. */
export function minifigInterest({ sold, valueCents, sets, year }: MinifigStanding): number {
  const standIn =
    shares.price * scale((valueCents ?? 0) / 100, most.dollars) +
    shares.size * scale(sets, most.sets) +
    shares.year * ageOf(year);
  return Math.round(unit * (Math.log2(1 + sold) + standIn));
}

/** From 0 for nothing to 1 for the most, each doubling counting alike. */
function scale(value: number, top: number): number {
  return Math.log2(1 + Math.min(value, top)) / Math.log2(1 + top);
}

function ageOf(year: number | null): number {
  const known = Math.min(Math.max(year ?? years.first, years.first), years.last);
  return (known - years.first) / (years.last - years.first);
}

/**
 * What is counted of one item over all accounts. A search goes by what was counted before the day
 * began, so that its order is the same all day and on every machine.
 */
export interface WantedCounts {
  /** The day that the latest counts are of, counted from 1970. */
  readonly day: number;
  /** How often it was looked up on that day. */
  readonly lookedUp: number;
  /** Look-ups before that day, the older the less. */
  readonly lookedUpBefore: number;
  /** How many accounts hold it, counted on that day, and before it. */
  readonly held: number;
  readonly heldBefore: number;
  /** How many units they hold together, and one for each that watches it, counted on that day. */
  readonly units: number;
}

/** After so many days, a look-up counts half. */
const halfLifeDays = 30;

/** So many look-ups count as one sale, or as one account that holds the item. */
const lookUpsPerSale = 8;

/** An item that nobody has looked up or held. */
export function nothingWanted(day: number): WantedCounts {
  return { day, lookedUp: 0, lookedUpBefore: 0, held: 0, heldBefore: 0, units: 0 };
}

/** The counts when another day has begun; those of a day that is over stay as they are. */
export function onDay(counts: WantedCounts, day: number): WantedCounts {
  const { lookedUp, lookedUpBefore, held, units } = counts;
  if (day <= counts.day) return counts;
  const fading = 0.5 ** ((day - counts.day) / halfLifeDays);
  const before = (lookedUp + lookedUpBefore) * fading;
  return { day, lookedUp: 0, lookedUpBefore: before, held, heldBefore: held, units };
}

/** The counts with more look-ups on a day. */
export function withLookUps(counts: WantedCounts, day: number, times: number): WantedCounts {
  const now = onDay(counts, day);
  return { ...now, lookedUp: now.lookedUp + times };
}

/** How many accounts hold an item, and how many units they hold or watch together. */
export interface Holders {
  readonly held: number;
  readonly units: number;
}

/** The counts when so many accounts hold the item. */
export function withHolders(counts: WantedCounts, day: number, holders: Holders): WantedCounts {
  const { held, units } = holders;
  return { ...onDay(counts, day), held, units };
}

/** How often the item was looked up by a day, that day too, the longer ago the less. */
export function lookUpsOn(counts: WantedCounts, day: number): number {
  const { lookedUp, lookedUpBefore } = onDay(counts, day);
  return lookedUp + lookedUpBefore;
}

/** What being held and looked up adds to an item's interest on a day. */
export function wantedInterest(counts: WantedCounts, day: number): number {
  const { lookedUpBefore, heldBefore } = onDay(counts, day);
  const lookUps = Math.log2(1 + lookedUpBefore / lookUpsPerSale);
  return Math.round(unit * (Math.log2(1 + heldBefore) + lookUps));
}
