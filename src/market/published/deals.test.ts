/** When and why a deal ends. */
import { expect, test } from 'bun:test';
import { dealEnding, type PublishedDeal } from './deals.ts';

const opened = { priceCents: 50_00 };
const found: PublishedDeal = {
  retailer: 'retailer_a',
  priceCents: 50_00,
  body: null,
  usual: { reason: 'too_dear' },
};

test('a deal lasts while it has a prediction', () => {
  const usual = { predict: () => '{}' };
  expect(dealEnding(opened, { ...found, priceCents: 60_00, usual })).toBeNull();
});

test('at a higher price the price ended it, otherwise the value', () => {
  const at = (priceCents: number) => dealEnding(opened, { ...found, priceCents });
  expect([50_01, 50_00, 49_99].map(at)).toEqual(['price_up', 'value_down', 'value_down']);
});

const ownReasons = ['no_offer', 'not_seen', 'no_value', 'low_tier'] as const;
test.each(ownReasons)('%s is its own reason', (reason) => {
  expect(dealEnding(opened, { ...found, priceCents: 60_00, usual: { reason } })).toBe(reason);
});

test('a retailer that never listed the set has no offer', () => {
  expect(dealEnding(opened, undefined)).toBe('no_offer');
});
