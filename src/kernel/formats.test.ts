/** Amounts, numbers and dates by locale and currency. */
import { expect, test } from 'bun:test';
import { currencyName, Formats } from './formats.ts';

/** With plain spaces: locales use several kinds. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

const euros = { currency: 'EUR', perUsd: 0.5, date: '2026-11-14' };

test('numbers have the marks of the locale, and Latin digits', () => {
  const german = new Formats('de-DE');
  expect(german.count(1_234_567)).toBe('1.234.567');
  expect(german.percent(12.34)).toBe('+12,3%');
  expect(german.decimal(-1234.5, 2)).toBe('-1.234,50');
  expect(german.decimal(-0.001, 2)).toBe('0,00');
  expect(plain(german.money(123_450))).toBe('1.234,50 $');
  expect(new Formats('ar-EG').count(1_234)).toMatch(/^1.234$/);
});

test('dates have the order of the locale, and English names', () => {
  const day = '2026-11-04';
  expect(new Formats('en-US').day(day)).toBe('Nov 4, 2026');
  expect(new Formats('de-DE').day(day)).toBe('4 Nov 2026');
  expect(new Formats('sv-SE').day(day)).toBe(day);
  // The Gregorian calendar and Latin digits, whatever is usual there.
  expect(new Formats('th-TH').day(day)).toBe('4 Nov 2026');
  expect(new Formats('fr-FR').dayOfYear(day)).toBe('4 Nov');
  expect(new Formats('ja-JP').dayOfYear(day)).toBe('11-04');
  expect(new Formats('ja-JP').month('2026-11')).toBe('2026-11');
  const at = Date.parse('2026-11-04T23:05:00Z');
  expect(new Formats('en-GB').moment(at, 'UTC')).toBe('4 Nov 2026, 23:05 UTC');
  expect(new Formats('sv-SE').moment(at, 'Asia/Tokyo')).toBe('2026-11-05, 08:05 GMT+9');
});

test('converted amounts are marked, and rounded to the coins of the currency', () => {
  const shown = new Formats('en-US', euros);
  expect(plain(shown.money(24_690))).toBe('≈ €123.45');
  expect(plain(shown.money(-200))).toBe('≈ -€1.00');
  expect(plain(shown.gain(200))).toBe('≈ +€1.00');
  // Too little to be a gain in euros.
  expect(plain(shown.gain(0.4))).toBe('≈ €0.00');
  expect(plain(new Formats('de-DE', euros).money(24_690))).toBe('≈ 123,45 €');
  const yen = { currency: 'JPY', perUsd: 151.5, date: '2026-11-14' };
  expect(plain(new Formats('en-US', yen).money(10_000))).toBe('≈ ¥15,150');
});

test('amounts that stay in dollars say so among converted ones', () => {
  const text = '12% up to $7,500, plus $0.30; Min profit ($)';
  expect(new Formats('en-US').inDollars(text)).toBe(text);
  const marked = '12% up to US$7,500, plus US$0.30; Min profit (US$)';
  expect(new Formats('en-US', euros).inDollars(text)).toBe(marked);
  expect(new Formats('en-US', euros).inDollars(marked)).toBe(marked);
  expect(new Formats('en-US', euros).inDollars('C$5 or $4')).toBe('C$5 or US$4');
});

test('axes have short amounts in the currency shown', () => {
  expect(
    [950, 1_500, 20_000, 3_000_000, -2.5].map((each) => new Formats().shortMoney(each)),
  ).toEqual(['$950', '$1,500', '$20K', '$3M', '-$2.50']);
  expect(plain(new Formats('de-DE', euros).shortMoney(12_500))).toBe('12,5K €');
});

test('the same formats have the same key, others another', () => {
  const keys = [
    new Formats(),
    new Formats('de-DE'),
    new Formats('de-DE', euros),
    new Formats('de-DE', { ...euros, perUsd: 0.6 }),
  ].map(({ key }) => key);
  expect(new Set(keys).size).toBe(4);
  expect(new Formats('de-DE', { ...euros }).key).toBe(keys[2] ?? '');
});

test('currencies have English names', () => {
  expect(['EUR', 'GBP', 'JPY'].map(currencyName)).toEqual([
    'euros',
    'British pounds',
    'Japanese yen',
  ]);
});
