/** Fees that are named instead of charged. */
import { expect, test } from 'bun:test';
import { leftOutFees, leftOutOf, leftOutTexts } from './left-out-fees.ts';
import { platforms } from './platforms.ts';

test("Amazon's selling plan counts in both of its channels, inbound placement only at FBA", () => {
  expect(leftOutOf('amazon')).toEqual(['selling_plan']);
  expect(leftOutOf('fba')).toEqual(['selling_plan', 'inbound_placement']);
  for (const platform of platforms) {
    if (platform !== 'amazon') expect(leftOutOf(platform)).toEqual([]);
  }
});

test('each is named with its price', () => {
  for (const fee of leftOutFees) expect(leftOutTexts[fee]).toMatch(/ is not included: .*\$\d/);
});
