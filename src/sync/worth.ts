/**
 * The expected value of an answer in cents: how much it reduces the uncertainty of what people own
 * and look up. Pure; planning only orders by it.
 */
import { nounText } from '../kernel/format.ts';
import { salesDays, type Uncertainty } from '../market/values/uncertainty.ts';

/** Demand for an item, as totals over all accounts. */
export interface ItemInterest {
  /** Units held by accounts, plus one per account that watches it. */
  readonly units: number;
  /** Lookups of about a month. */
  readonly lookUps: number;
}

export interface QuestionFacts {
  /** Null: the answer does not affect a value, so only its age counts. */
  readonly uncertainty: Uncertainty | null;
  readonly interest: ItemInterest;
  /** Days since the last answer; null: never. */
  readonly askedDays: number | null;
  /** Whether the source knew the item when it was last asked. */
  readonly isKnown: boolean;
  /** The number of past days that an answer covers. */
  readonly reachDays: number;
  /** The minimum number of days between two answers. */
  readonly restDays: number;
}

/** This many lookups count as one held unit. */
const lookUpsPerUnit = 8;

/** A minimum demand for every item, which someone may want tomorrow. */
const unitsAtLeast = 0.25;

/** The weight of the typical rate of similar items, in days of own observations. */
const usualDays = 60;

/** The minimum period for estimating a rate. */
const seenDaysMin = 30;

/** Questions are due this many days before sales would fall out of an answer's reach. */
const marginDays = 10;

/** The maximum margin as a share of the reach. */
const marginShare = 1 / 3;

/** The value at stake, in cents. */
export function interestOf(valueCents: number, { units, lookUps }: ItemInterest): number {
  return valueCents * (units + lookUps / lookUpsPerUnit + unitsAtLeast);
}

/**
 * The uncertainty of a value after more sales: each is an independent measurement with the scatter
 * of a sale (inverse-variance weighting).
 */
export function spreadAfter(
  { valueSpread, saleSpread }: Pick<Uncertainty, 'valueSpread' | 'saleSpread'>,
  sales: number,
): number {
  return 1 / Math.sqrt(1 / valueSpread ** 2 + sales / saleSpread ** 2);
}

/**
 * The expected number of sales in an answer: the item's own rate, weighted by the days for which it
 * was observed, combined with that of similar items.
 */
export function expectedSales(
  { sales, usualRate }: Pick<Uncertainty, 'sales' | 'usualRate'>,
  { askedDays, reachDays }: Pick<QuestionFacts, 'askedDays' | 'reachDays'>,
): number {
  const unseen = Math.min(askedDays ?? reachDays, reachDays);
  const seen = askedDays === null ? (sales > 0 ? salesDays : 0) : salesDays - askedDays;
  const days = seen === 0 ? 0 : Math.max(seenDaysMin, seen);
  return (unseen * (sales + usualRate * usualDays)) / (days + usualDays);
}

/**
 * The expected reduction of a value's uncertainty: the probability of any sale (Poisson), times the
 * effect of the expected number of sales given that there is one. Using the mean directly would
 * overestimate it, as many answers about rare items are empty.
 */
export function expectedGain(uncertainty: Uncertainty, expected: number): number {
  if (expected <= 0) return 0;
  const chance = -Math.expm1(-expected);
  const after = spreadAfter(uncertainty, expected / chance);
  return chance * (uncertainty.valueSpread - after);
}

/** The age in days at which a question is asked regardless of its worth. */
export function dueAfterDays(reachDays: number): number {
  return reachDays - Math.min(marginDays, reachDays * marginShare);
}

/** The minimum number of days between two answers. */
export function waitDays({
  isKnown,
  reachDays,
  restDays,
}: Pick<QuestionFacts, 'isKnown' | 'reachDays' | 'restDays'>): number {
  // Items unknown to the source are asked about again only when due.
  return isKnown ? restDays : dueAfterDays(reachDays);
}

/** Due questions first, then by worth; null: not to be asked now. */
export interface Standing {
  readonly isDue: boolean;
  /** In cents. */
  readonly worth: number;
}

export function standingOf(facts: QuestionFacts): Standing | null {
  const { uncertainty, interest, askedDays, reachDays } = facts;
  if (askedDays !== null && askedDays < waitDays(facts)) return null;
  const isDue = askedDays !== null && askedDays >= dueAfterDays(reachDays);
  if (uncertainty === null) {
    const age = Math.min(1, (askedDays ?? reachDays) / reachDays);
    return { isDue, worth: interestOf(1, interest) * age };
  }
  const gain = expectedGain(uncertainty, expectedSales(uncertainty, facts));
  return { isDue, worth: interestOf(uncertainty.valueCents, interest) * gain };
}

/** Why a question is asked, for operators. */
export function reasonOf(facts: QuestionFacts): string {
  const { uncertainty, askedDays } = facts;
  const when =
    askedDays === null ? 'never asked' : `asked ${nounText(Math.floor(askedDays), 'day')} ago`;
  const parts = [when, ...interestWords(facts.interest)];
  if (uncertainty !== null) {
    const sales = expectedSales(uncertainty, facts);
    parts.push(`about ${rounded(sales)} new sales`, certainty(uncertainty.valueSpread));
  }
  return parts.join(', ');
}

function interestWords({ units, lookUps }: ItemInterest): string[] {
  const looks = Math.round(lookUps);
  return [
    ...(units > 0 ? [`${nounText(units, 'unit')} held`] : []),
    ...(looks > 0 ? [nounText(looks, 'look-up')] : []),
  ];
}

function rounded(sales: number): string {
  return sales < 10 ? String(Math.round(sales * 10) / 10) : String(Math.round(sales));
}

/** With this uncertainty, a value counts as unknown. */
const unknownSpread = 0.9;

/** Formats a log-scale spread. */
function certainty(spread: number): string {
  return spread >= unknownSpread ? 'value unknown' : `± ${Math.round(100 * Math.expm1(spread))}%`;
}
