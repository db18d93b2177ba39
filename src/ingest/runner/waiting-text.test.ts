/** Describing rows that wait for exchange rates. */
import { expect, test } from 'bun:test';
import { waitingCount, waitingText } from './waiting-text.ts';

const euros = { currency: 'EUR', count: 1, firstDate: '2026-03-13', lastDate: '2026-03-13' };
const pounds = { currency: 'GBP', count: 1_200, firstDate: '2022-09-04', lastDate: '2024-02-15' };

test('rows of all currencies are counted', () => {
  expect([waitingCount([]), waitingCount([euros, pounds])]).toEqual([0, 1_201]);
});

test('a sentence has the currencies and days', () => {
  expect(waitingText([euros])).toBe(
    '1 row waits for exchange rates: EUR of Mar 13, 2026. Importing the rates brings it in.',
  );
  expect(waitingText([euros, pounds])).toBe(
    '1,201 rows wait for exchange rates: EUR of Mar 13, 2026, GBP of Sep 4, 2022 to Feb 15, 2024' +
      '. Importing the rates brings them in.',
  );
});
