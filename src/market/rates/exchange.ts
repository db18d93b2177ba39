/**
 * Converting money to US dollars. Amounts are hundredths of the unit of their currency, also where
 * the currency has no smaller coin: 500 yen are 50,000. So one rule converts all currencies.
 */
import { centsMax } from '../../kernel/money.ts';
import { dayMs, formatDay, parseDay } from '../../kernel/time.ts';
import type { Offer } from '../source-rows/source-rows.ts';

/**
 * An amount is converted with the rate of its day. Banks publish none on weekends and holidays, so
 * the latest rate before it counts if it is at most this old; a later one never does. Without such
 * a rate, the row waits.
 */
export const rateDaysMax = 7;

/** The oldest day whose rate converts amounts of a day, YYYY-MM-DD. */
export function oldestRateDay(date: string): string {
  return formatDay((parseDay(date) ?? 0) - rateDaysMax * dayMs);
}

/** Amounts from `from` up to, but not including, `to`, in one currency. */
export interface RateWindow {
  readonly currency: string;
  readonly from: number;
  readonly to: number;
}

/** The amounts that a rate converts: until the next rate, if that is not too far away. */
export function rateWindow(
  { currency, date }: { readonly currency: string; readonly date: string },
  nextDate: string | null,
): RateWindow {
  const from = parseDay(date) ?? 0;
  const end = from + (rateDaysMax + 1) * dayMs;
  const next = nextDate === null ? null : parseDay(nextDate);
  return { currency, from, to: next === null ? end : Math.min(next, end) };
}

/** The times in which no rate converts amounts; `dates` are the days with a rate, in order. */
export function uncovered(currency: string, dates: readonly string[]): RateWindow[] {
  const gaps: RateWindow[] = [];
  let from = Number.MIN_SAFE_INTEGER;
  for (const date of dates) {
    const window = rateWindow({ currency, date }, null);
    if (window.from > from) gaps.push({ currency, from, to: window.from });
    from = window.to;
  }
  return [...gaps, { currency, from, to: Number.MAX_SAFE_INTEGER }];
}

/** Joins windows that overlap or touch. */
export function mergeWindows(windows: readonly RateWindow[]): RateWindow[] {
  const merged: RateWindow[] = [];
  for (const some of Map.groupBy(windows, ({ currency }) => currency).values()) {
    for (const window of some.toSorted((a, b) => a.from - b.from)) {
      const last = merged.at(-1);
      if (last?.currency !== window.currency || window.from > last.to) merged.push(window);
      else merged[merged.length - 1] = { ...last, to: Math.max(last.to, window.to) };
    }
  }
  return merged;
}

/** Cuts windows at multiples of a duration, and groups the parts by time, oldest first. */
export function windowSlices(windows: readonly RateWindow[], sliceMs: number): RateWindow[][] {
  const parts = windows.flatMap(({ currency, from, to }) => {
    const first = Math.floor(from / sliceMs);
    return Array.from({ length: Math.ceil(to / sliceMs) - first }, (_, index) => {
      const [start, end] = [(first + index) * sliceMs, (first + index + 1) * sliceMs];
      return { slice: first + index, currency, from: Math.max(from, start), to: Math.min(to, end) };
    });
  });
  return [...Map.groupBy(parts, ({ slice }) => slice)]
    .sort(([a], [b]) => a - b)
    .map(([, some]) => some.map(({ slice: _, ...window }) => window));
}

/** US cents of an amount, rounded half up. */
export function toUsdCents(hundredths: number, usdPerUnit: number): number {
  return Math.round(hundredths * usdPerUnit);
}

export type DollarOffer = Omit<Offer, 'currency'>;

type OfferAmounts = Pick<
  Offer,
  'currency' | 'priceCents' | 'listPriceCents' | 'lowestFbaCents' | 'buyBoxCents'
>;

/**
 * An offer in US dollars; null while it waits for a rate, or if a wrong rate makes it absurd. An
 * amount above 0 stays above 0.
 */
export function offerInDollars<Given extends OfferAmounts>(
  { currency, ...offer }: Given,
  usdPerUnit: number | null,
): Omit<Given, 'currency'> | null {
  if (currency === 'USD') return offer;
  if (usdPerUnit === null) return null;
  const usd = (amount: number | null) =>
    amount === null ? null : Math.max(1, toUsdCents(amount, usdPerUnit));
  const amounts = {
    priceCents: usd(offer.priceCents),
    listPriceCents: usd(offer.listPriceCents),
    lowestFbaCents: usd(offer.lowestFbaCents),
    buyBoxCents: usd(offer.buyBoxCents),
  };
  const isAbsurd = Object.values(amounts).some((cents) => cents !== null && cents > centsMax);
  return isAbsurd ? null : { ...offer, ...amounts };
}

/** Currencies by roughly how many units, at least, make a dollar, if these are many. */
const smallUnits: readonly (readonly [units: number, currencies: string])[] = [
  [10, 'CZK MXN THB TRY TWD UAH UYU ZAR'],
  [100, 'CLP CRC HUF INR ISK JPY KZT LKR PHP PKR RSD RUB'],
  [1_000, 'ARS COP KRW NGN'],
  [10_000, 'IDR VND'],
];

/** The maximum of a single amount, in hundredths; more is an error of the source. */
export function amountMax(currency: string): number {
  if (currency === 'USD') return centsMax;
  const [units] = smallUnits.find(([, currencies]) => currencies.includes(currency)) ?? [1];
  return centsMax * units;
}
