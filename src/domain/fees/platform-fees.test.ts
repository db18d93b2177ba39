/** Preset fees: by brackets, rounded once, never for nothing. */

import { expect, test } from 'bun:test';
import { feePresets, presetFees, presetsOn } from './platform-fees.ts';
import { platforms } from './platforms.ts';

const day = '2026-11-15';

test.each([
  ['ebay', 100_00, 14_00, 0],
  ['ebay', 99_99, 14_00, 0],
  ['bricklink', 100_00, 3_00, 3_98],
  ['bricklink', 500_00, 15_00, 17_94],
  ['bricklink', 1_200_00, 27_00, 42_37],
  ['brick_owl', 100_00, 2_50, 3_20],
  ['amazon', 1_00, 30, 0],
  ['amazon', 100_00, 15_00, 0],
  ['facebook', 5_00, 80, 0],
  ['local', 100_00, 0, 0],
] as const)('%s takes of %d cents %d, and the payment %d', (platform, gross, fees, payment) => {
  expect(presetFees(platform, gross, day)).toEqual({
    platformFeesCents: fees,
    paymentFeesCents: payment,
  });
});

test('nothing is taken from nothing', () => {
  for (const platform of platforms) {
    expect(presetFees(platform, 0, day)).toEqual({ platformFeesCents: 0, paymentFeesCents: 0 });
  }
});

test('schedules are in order, and the first stands for the time before it', () => {
  const days = feePresets.map(({ effectiveFrom }) => effectiveFrom);
  expect(days).toEqual(days.toSorted());
  expect(presetsOn('1999-01-01')).toBe(feePresets[0]);
});

test('a fee is exact to the cent also of very high prices, and has no least where there is none', () => {
  const paid = presetFees('bricklink', 1_000_000_00, '2026-06-01');
  const { payment } = presetsOn('2026-06-01').fees.bricklink;
  expect(paid.paymentFeesCents).toBe(100 * payment.basisPoints * 100 + payment.fixedCents);
  expect(presetsOn('2026-06-01').fees.ebay.minCents).toBe(0);
});

test('presets that were released stay as they are, so that a day can be done again', () => {
  // New prices are new presets, and a new line here; these never change.
  const digests = feePresets.map((presets) =>
    new Bun.CryptoHasher('sha256').update(JSON.stringify(presets)).digest('hex').slice(0, 12),
  );
  expect(digests).toEqual(['03cc578ac580']);
});
