/** Amounts in other currencies, in US dollars of their day. */
import { dayText } from '../../domain/kernel/format.ts';
import type { MarketLookups } from '../../domain/market/market-lookups.ts';
import { RowError } from '../fields.ts';
import type { LooseMoney } from '../loose.ts';

/** An amount and its day; null stays null. */
interface DatedMoney {
  readonly money: LooseMoney | null;
  readonly date: string;
  /** The day whose rate is taken where there is none for the first one. */
  readonly fallbackDate: string;
}

/** US cents of each; the error instead where there is no rate. No currency means US dollars. */
export async function toDollars(
  market: Pick<MarketLookups, 'findRates'>,
  amounts: readonly DatedMoney[],
): Promise<(number | RowError | null)[]> {
  const currencyOf = ({ money }: DatedMoney) => money?.currency ?? 'USD';
  const rates = await findRates(market, [
    ...amounts.map((each) => ({ currency: currencyOf(each), date: each.date })),
    ...amounts.map((each) => ({ currency: currencyOf(each), date: each.fallbackDate })),
  ]);
  return amounts.map(({ money }, index) => {
    const fallback = rates[amounts.length + index] ?? 1;
    const rate = typeof rates[index] === 'number' ? rates[index] : fallback;
    if (money === null || rate instanceof RowError) return money && (rate as RowError);
    return Math.round(money.cents * rate);
  });
}

/** US dollars for one unit of a currency on a day; the error instead where that is not known. */
export async function findRates(
  market: Pick<MarketLookups, 'findRates'>,
  queries: readonly { readonly currency: string; readonly date: string }[],
): Promise<(number | RowError)[]> {
  const foreign = queries.filter(({ currency }) => currency !== 'USD' && isCode(currency));
  const found = foreign.length === 0 ? [] : await market.findRates(foreign);
  let next = 0;
  return queries.map(({ currency, date }) => {
    if (currency === 'USD') return 1;
    if (!isCode(currency)) return new RowError(noCode(currency));
    const rate = found[next++] ?? null;
    if (rate !== null) return rate;
    return new RowError(
      `there is no ${currency} exchange rate on or before ${dayText(date)}; import the rate, ` +
        'or use US dollars',
    );
  });
}

/** Whatever else stands there is not asked for: not every store takes any text. */
function isCode(currency: string): boolean {
  return /^[A-Z]{3}$/.test(currency);
}

function noCode(currency: string): string {
  // Escaped, because it may have what no terminal should be sent.
  const shown = JSON.stringify(currency).slice(1, -1);
  return `the currency must be a code such as EUR; it is '${shown}'`;
}
