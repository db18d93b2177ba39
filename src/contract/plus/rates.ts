/** The stored exchange rates. */
import type { Static } from 'typebox';
import { day, decimal, exactly, filterDay, listOf, record, text } from '../fields.ts';

export const RatesQuery = exactly({
  date: filterDay('Rates of this day; today in UTC if omitted.', '2026-11-15'),
});

export const ExchangeRates = record('ExchangeRates', {
  date: day('The requested day.'),
  rates: listOf(
    record('ExchangeRate', 'The rate of one currency.', {
      currency: text('ISO 4217 code.'),
      date: day('Day of the rate: the requested one, or the latest before it.'),
      usd_per_unit: decimal('US dollars per unit of the currency.'),
    }),
    'By currency, without US dollars; may be empty.',
  ),
});

export type ExchangeRates = Static<typeof ExchangeRates>;

/** Example for the OpenAPI document. */
export const exchangeRatesExample: ExchangeRates = {
  date: '2026-11-15',
  rates: [
    { currency: 'EUR', date: '2026-11-13', usd_per_unit: 1.0842 },
    { currency: 'GBP', date: '2026-11-13', usd_per_unit: 1.2711 },
  ],
};
