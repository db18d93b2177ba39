/** Ways to sell: by what is left, with the same fees as elsewhere. */
import { expect, test } from 'bun:test';
import { netFbaCents } from './fba.ts';
import { presetFees } from './platform-fees.ts';
import { sellingOptions } from './selling-options.ts';

const at = Date.UTC(2026, 10, 15);
const box = { widthIn: 15, heightIn: 10, depthIn: 3, weightLbs: 2.5 };
const unknown = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };
const unit = { priceCents: 100_00, shippingCents: 12_00, box, at };

test('the way that leaves most comes first', () => {
  const nets = sellingOptions(unit).map(({ netCents }) => netCents ?? 0);
  expect(nets).toEqual(nets.toSorted((a, b) => b - a));
  expect(sellingOptions(unit)[0]).toMatchObject({ platform: 'local', netCents: 100_00 });
});

test('what is left is the price less fees and shipping, by hand without shipping', () => {
  const { platformFeesCents: fees } = presetFees('ebay', 100_00, '2026-11-15');
  const ebay = sellingOptions(unit).find(({ platform }) => platform === 'ebay');
  expect(ebay).toMatchObject({ feesCents: fees, netCents: 100_00 - fees - 12_00 });
});

test('fulfilment counts where the box is known, and is last where it is not', () => {
  const known = sellingOptions(unit).find(({ name }) => name.includes('fulfilled'));
  expect(known?.netCents).toBe(netFbaCents(100_00, box, at));
  expect(known?.shippingCents).toBe(0);
  expect(sellingOptions({ ...unit, box: unknown }).at(-1)).toMatchObject({
    name: 'Amazon, fulfilled by Amazon',
    feesCents: null,
    netCents: null,
  });
});
