/** Converting amounts in other currencies. */
import { expect, test } from 'bun:test';
import { RowError } from '../runner/fields.ts';
import { findRates, toDollars } from './rates.work.ts';

/** A euro is $1.10 from 2026-02-01 on; lookups are recorded. */
function makeMarket() {
  const asked: string[] = [];
  return {
    asked,
    findRates: async (queries: readonly { currency: string; date: string }[]) =>
      queries.map(({ currency, date }) => {
        asked.push(`${currency} ${date}`);
        return currency === 'EUR' && date >= '2026-02-01' ? 1.1 : null;
      }),
  };
}

const messages = (results: readonly unknown[]) =>
  results.map((result) => (result instanceof RowError ? result.message : result));

test('US dollars and invalid codes are not looked up', async () => {
  const market = makeMarket();
  const queries = ['USD', 'EUR', 'eur', 'GBP'].map((currency) => {
    return { currency, date: '2026-03-01' };
  });
  expect(messages(await findRates(market, queries))).toEqual([
    1,
    1.1,
    "the currency must be a code such as EUR, not 'eur'",
    'there is no GBP exchange rate for Mar 1, 2026 or the week before it; import one, ' +
      'or write the amount in US dollars',
  ]);
  expect(market.asked).toEqual(['EUR 2026-03-01', 'GBP 2026-03-01']);
});

test('without foreign currencies, there is no lookup', async () => {
  const findNone = () => Promise.reject(new Error('It was asked.'));
  expect(await findRates({ findRates: findNone }, [{ currency: 'USD', date: '' }])).toEqual([1]);
});

test('control characters in a currency are escaped', async () => {
  const [result] = await findRates(makeMarket(), [{ currency: '\u001b"', date: '' }]);
  expect(messages([result])[0]).toEndWith(`not '\\u001b\\"'`);
});

test('an amount is converted by the rate of its day, or of the fallback, or is an error', async () => {
  const euros = (cents: number) => ({ cents, currency: 'EUR' });
  const day = (date: string, fallbackDate = date) => ({ date, fallbackDate });
  const results = await toDollars(makeMarket(), [
    { money: euros(10_05), ...day('2026-02-01') },
    { money: euros(10_00), ...day('2026-01-01', '2026-03-01') },
    { money: euros(10_00), ...day('2026-01-01') },
    { money: { cents: 7_00, currency: null }, ...day('2026-01-01') },
    { money: null, ...day('2026-01-01') },
  ]);
  expect(messages(results)).toEqual([
    11_06,
    11_00,
    'there is no EUR exchange rate for Jan 1, 2026 or the week before it; import one, ' +
      'or write the amount in US dollars',
    7_00,
    null,
  ]);
});
