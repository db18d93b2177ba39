/**
 * What an answer is worth: by how much it is expected to make what people own and look up more
 * certain, in cents. Pure; the planner only orders by it.
 */
import { nounText } from '../kernel/format.ts';
import { salesDays, type Uncertainty } from '../market/uncertainty.ts';

/** How much an item is wanted: totals over all accounts. */
export interface Wanted {
  /** Units that accounts hold; one for each account that watches it. */
  readonly units: number;
  /** Look-ups of about a month. */
  readonly lookUps: number;
}

/** What is known of a question when it is ranked. */
export interface QuestionFacts {
  /** Null: an answer tells nothing of a value, so that its age alone counts. */
  readonly uncertainty: Uncertainty | null;
  readonly wanted: Wanted;
  /** How many days ago it was answered last; null: never. */
  readonly askedDays: number | null;
  /** Whether the source knew the item when it was asked last. */
  readonly isKnown: boolean;
  /** How many days back an answer reaches. */
  readonly reachDays: number;
  /** For how many days after an answer it is not asked again. */
  readonly restDays: number;
}

/** So many look-ups count as one unit that somebody holds. */
const lookUpsPerUnit = 8;

/** Everything counts as if a quarter of a unit were held: somebody may want it tomorrow. */
const unitsAtLeast = 0.25;

/** How often items like it are sold counts as much as so many days of its own. */
const usualDays = 60;

/** A rate is never told from fewer days than this. */
const seenDaysMin = 30;

/** So many days before an answer no longer reaches back to the one before, it is asked for. */
const marginDays = 10;

/** At most this share of the reach is kept as a margin. */
const marginShare = 1 / 3;

/** What people have at stake in an item, in cents. */
export function interestOf(valueCents: number, { units, lookUps }: Wanted): number {
  return valueCents * (units + lookUps / lookUpsPerUnit + unitsAtLeast);
}

/**
 * How uncertain a value is after so many more sales: each counts as one more measurement, which
 * scatters like the others.
 */
export function spreadAfter(
  { valueSpread, saleSpread }: Pick<Uncertainty, 'valueSpread' | 'saleSpread'>,
  sales: number,
): number {
  return 1 / Math.sqrt(1 / valueSpread ** 2 + sales / saleSpread ** 2);
}

/**
 * How many sales an answer is expected to bring. What is known of the item's own sales counts the
 * more the more days they were looked for; the rest is how often items like it are sold.
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
 * By how much an answer is expected to reduce the uncertainty of a value: the chance that there was
 * a sale at all, times what those sales would tell. (That many sales for certain would tell more
 * than as many on average: half of the answers about a rare item bring nothing.)
 */
export function expectedGain(uncertainty: Uncertainty, expected: number): number {
  if (expected <= 0) return 0;
  const chance = -Math.expm1(-expected);
  const after = spreadAfter(uncertainty, expected / chance);
  return chance * (uncertainty.valueSpread - after);
}

/** After how many days a question is asked whatever it is worth. */
export function dueAfterDays(reachDays: number): number {
  return reachDays - Math.min(marginDays, reachDays * marginShare);
}

/** For how many days after an answer a question is not asked again. */
export function waitDays({
  isKnown,
  reachDays,
  restDays,
}: Pick<QuestionFacts, 'isKnown' | 'reachDays' | 'restDays'>): number {
  // What the source did not know is asked again when everything is.
  return isKnown ? restDays : dueAfterDays(reachDays);
}

/** How a question ranks: those that are due first, then by worth; null: it is not asked now. */
export interface Standing {
  readonly isDue: boolean;
  /** In cents. */
  readonly worth: number;
}

/** How a question ranks. */
export function standingOf(facts: QuestionFacts): Standing | null {
  const { uncertainty, wanted, askedDays, reachDays } = facts;
  if (askedDays !== null && askedDays < waitDays(facts)) return null;
  const isDue = askedDays !== null && askedDays >= dueAfterDays(reachDays);
  if (uncertainty === null) {
    const age = Math.min(1, (askedDays ?? reachDays) / reachDays);
    return { isDue, worth: interestOf(1, wanted) * age };
  }
  const gain = expectedGain(uncertainty, expectedSales(uncertainty, facts));
  return { isDue, worth: interestOf(uncertainty.valueCents, wanted) * gain };
}

/** Why a question is asked, for an operator. */
export function reasonOf(facts: QuestionFacts): string {
  const { uncertainty, askedDays } = facts;
  const when =
    askedDays === null ? 'never asked' : `asked ${nounText(Math.floor(askedDays), 'day')} ago`;
  const parts = [when, ...wantedWords(facts.wanted)];
  if (uncertainty !== null) {
    const sales = expectedSales(uncertainty, facts);
    parts.push(`about ${rounded(sales)} new sales`, certainty(uncertainty.valueSpread));
  }
  return parts.join(', ');
}

function wantedWords({ units, lookUps }: Wanted): string[] {
  const looks = Math.round(lookUps);
  return [
    ...(units > 0 ? [`${nounText(units, 'unit')} held`] : []),
    ...(looks > 0 ? [nounText(looks, 'look-up')] : []),
  ];
}

function rounded(sales: number): string {
  return sales < 10 ? String(Math.round(sales * 10) / 10) : String(Math.round(sales));
}

/** Nobody calls it a value when it is as uncertain as this. */
const unknownSpread = 0.9;

/** A spread of logarithms as people say it. */
function certainty(spread: number): string {
  return spread >= unknownSpread ? 'value unknown' : `± ${Math.round(100 * Math.expm1(spread))}%`;
}
