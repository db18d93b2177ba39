/** The record of a minifig. */
import { expect, test } from 'bun:test';
import { aMinifig } from '../../test/support/builders.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import { minifigDocument, minifigSearchResult } from './minifig-document.ts';

const inputs = { number: 'cas001', related: ['1', '2'] } as unknown as ItemInputs;

test('a minifig has its value with the range, its sets, and its color if known', () => {
  const value = { valueCents: 9_50, lowCents: 8_00, highCents: 11_00 };
  const facts = aMinifig({ color: 'Red', category: 'Castle', yearReleased: 1990 });
  expect(minifigDocument(inputs, facts, value)).toEqual({
    minifig_number: 'cas001',
    name: 'Knight',
    category: 'Castle',
    color: 'Red',
    year_released: 1990,
    image_url: null,
    current_value_usd: 9.5,
    value_range: { low: 8, high: 11 },
    set_count: 2,
    sets: ['1', '2'],
  });
});

test('without a value and a color, the value is null and there is no color', () => {
  const document = minifigDocument(inputs, aMinifig(), null);
  expect(document).toMatchObject({ current_value_usd: null, value_range: null });
  expect('color' in document).toBe(false);
  expect(minifigSearchResult('cas001', aMinifig())).toEqual({
    minifig_number: 'cas001',
    name: 'Knight',
    category: null,
    year_released: null,
    image_url: null,
  });
});
