/** The locale and the exchange rate of a page. */
import { expect, test } from 'bun:test';
import type { ExchangeRate } from '../../market/source-rows/source-rows.ts';
import { findRegion, readLocale } from './region.ts';

const at = Date.parse('2026-11-18T12:00:00Z');

const marketWith = (...rates: readonly ExchangeRate[]) => ({
  findLatestRates: async (currencies: readonly string[]) =>
    rates.filter(({ currency }) => currencies.includes(currency)),
});

test('the browser’s best language with formats counts', () => {
  expect(readLocale('de-DE,de;q=0.9,en;q=0.8')).toBe('de-DE');
  expect(readLocale('en;q=0.5, fr-CH')).toBe('fr-CH');
  expect(readLocale('xx-XX, de;q=0')).toBe(null);
  // Calendars and digits of extensions do not.
  expect(readLocale('th-TH-u-ca-buddhist-nu-thai')).toBe('th');
  expect(readLocale('pt-BR-u-nu-thai')).toBe('pt-BR');
  for (const header of [null, '', '*', ';', '%', 'a'.repeat(5_000), ',,;q=x']) {
    expect(readLocale(header)).toBe(null);
  }
});

test('made-up countries and languages have no formats of their own', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  const countries = new Set(pairs.map((country) => readLocale(`en-${country}`)));
  const english = ['en-AU', 'en-CA', 'en-GB', 'en-IE', 'en-IN', 'en-NZ', 'en-US'];
  expect([...countries].sort()).toEqual(['en', ...english]);
  expect(readLocale('qx-QX')).toBe(null);
});

test('the account’s locale comes before the browser’s, and the browser’s before the US one', async () => {
  const localeOf = async (locale: string | null, languages: string | null) => {
    const who = { locale, currency: null };
    return (await findRegion(marketWith(), { who, languages, at })).formats.locale;
  };
  expect(await localeOf('sv-SE', 'de')).toBe('sv-SE');
  expect(await localeOf(null, 'de')).toBe('de');
  expect(await localeOf(null, null)).toBe('en-US');
});

test('a rate converts for seven days, then amounts are in dollars', async () => {
  const shown = (date: string) => {
    const who = { locale: null, currency: 'EUR' };
    const market = marketWith({ currency: 'EUR', date, usdPerUnit: 1.25 });
    return findRegion(market, { who, languages: null, at });
  };
  const { formats, missingRate } = await shown('2026-11-11');
  expect(formats.exchange).toEqual({ currency: 'EUR', perUsd: 0.8, date: '2026-11-11' });
  expect(missingRate).toBe(null);
  const old = await shown('2026-11-10');
  expect(old.formats.exchange).toBe(null);
  expect(old.missingRate).toEqual({ currency: 'EUR', date: '2026-11-10' });
});
