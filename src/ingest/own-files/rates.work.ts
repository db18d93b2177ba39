/** Converts amounts of lots and sales, which are in US dollars, by the rate of their day. */

import { at } from '../../kernel/at.ts';
import { dayText } from '../../kernel/format.ts';
import { toUsdCents } from '../../market/rates/exchange.ts';
import { MissingError, RowError } from '../runner/fields.ts';
import type { LooseMoney } from '../runner/loose.ts';
import type { MarketIngest } from '../runner/market-ingest.store.ts';

interface DatedMoney {
  readonly money: LooseMoney | null;
  readonly date: string;
  /** Used if there is no rate for `date`. */
  readonly fallbackDate: string;
}

/** US cents; null without an amount, an error without a rate. US dollars by default. */
export async function toDollars(
  market: Pick<MarketIngest, 'findRates'>,
  amounts: readonly DatedMoney[],
): Promise<(number | RowError | null)[]> {
  const currencyOf = ({ money }: DatedMoney) => money?.currency ?? 'USD';
  const rates = await findRates(market, [
    ...amounts.map((each) => ({ currency: currencyOf(each), date: each.date })),
    ...amounts.map((each) => ({ currency: currencyOf(each), date: each.fallbackDate })),
  ]);
  return amounts.map(({ money }, index) => {
    if (money === null) return null;
    const own = at(rates, index);
    const rate = typeof own === 'number' ? own : at(rates, amounts.length + index);
    return typeof rate === 'number' ? toUsdCents(money.cents, rate) : rate;
  });
}

/** US dollars per unit, or an error if unknown. */
export async function findRates(
  market: Pick<MarketIngest, 'findRates'>,
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
    return new MissingError(
      `there is no ${currency} exchange rate for ${dayText(date)} or the week before it; import ` +
        'one, or write the amount in US dollars',
    );
  });
}

/** Other texts are not looked up, since not every store accepts them. */
function isCode(currency: string): boolean {
  return /^[A-Z]{3}$/.test(currency);
}

function noCode(currency: string): string {
  // Escaped, because it may contain control characters.
  const shown = JSON.stringify(currency).slice(1, -1);
  return `the currency must be a code such as EUR, not '${shown}'`;
}
