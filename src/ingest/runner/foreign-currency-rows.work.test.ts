/** Counting the rows of an import that wait for an exchange rate. */
import { expect, test } from 'bun:test';
import { anOffer, aSale } from '../../../test/support/builders.ts';
import type { RateQuery } from '../../market/source-rows/market-ingest.ts';
import { ForeignCurrencyRows } from './foreign-currency-rows.work.ts';

const sold = (currency: string, day: string) =>
  ({ kind: 'sale', sale: aSale({ currency, soldAt: Date.parse(`${day}T23:59:59Z`) }) }) as const;
const offered = (currency: string, day: string) =>
  ({ kind: 'offer', offer: anOffer({ currency, observedAt: Date.parse(day) }) }) as const;

/** A market with rates of some days; lookups are recorded. */
function makeMarket(known: readonly string[]) {
  const asked: string[] = [];
  const findRates = async (queries: readonly RateQuery[]) =>
    queries.map(({ currency, date }) => {
      asked.push(`${currency} ${date}`);
      return known.includes(`${currency} ${date}`) ? 1.1 : null;
    });
  return { asked, findRates };
}

test('sales and offers without a rate are counted by currency, with their first and last day', async () => {
  const rows = new ForeignCurrencyRows();
  rows.add(offered('EUR', '2026-11-03'));
  rows.add(sold('EUR', '2026-11-01'));
  rows.add(sold('EUR', '2026-11-02'));
  rows.add(sold('EUR', '2026-11-03'));
  rows.add(sold('GBP', '2026-11-01'));
  rows.add(sold('CHF', '2026-11-01'));
  const market = makeMarket(['EUR 2026-11-01', 'CHF 2026-11-01']);
  expect(await rows.listWaiting(market)).toEqual([
    { currency: 'EUR', count: 3, firstDate: '2026-11-02', lastDate: '2026-11-03' },
    { currency: 'GBP', count: 1, firstDate: '2026-11-01', lastDate: '2026-11-01' },
  ]);
  // Each day is looked up once.
  expect(market.asked).toHaveLength(5);
});

test('dollars and other rows are not looked up', async () => {
  const rows = new ForeignCurrencyRows();
  rows.add(sold('USD', '2026-11-01'));
  rows.add(offered('USD', '2026-11-01'));
  rows.add({ kind: 'fx', rate: { currency: 'EUR', date: '2026-11-01', usdPerUnit: 1.1 } });
  const findRates = () => Promise.reject(new Error('It was asked.'));
  expect(await rows.listWaiting({ findRates })).toEqual([]);
});
