/** Sales as learning holds them. */
import { expect, test } from 'bun:test';
import { storedSale } from '../../../test/support/item-inputs.ts';
import { at } from '../../kernel/at.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import { CompactSales, unretracted } from './compact-sales.ts';

/** All fields, also inherited ones. */
function fieldsOf(sale: StoredSale): StoredSale {
  return {
    source: sale.source,
    sourceId: sale.sourceId,
    condition: sale.condition,
    priceCents: sale.priceCents,
    shippingCents: sale.shippingCents,
    currency: sale.currency,
    quantity: sale.quantity,
    soldAt: sale.soldAt,
    channel: sale.channel,
    seller: sale.seller,
    completeness: sale.completeness,
    ingestedAt: sale.ingestedAt,
    retractedAt: sale.retractedAt,
    usdPerUnit: sale.usdPerUnit,
  };
}

const sales = [
  storedSale({ soldAt: 1, sourceId: 'a', seller: 'one', quantity: 2, retractedAt: 5 }),
  storedSale({ soldAt: 2, sourceId: 'b', seller: null, channel: null, completeness: null }),
  storedSale({ soldAt: 3, sourceId: 'c', currency: 'EUR', usdPerUnit: 1.1, condition: 'used' }),
];

test('a compact sale has every field of a sale but its ID', () => {
  const compact = new CompactSales();
  for (const sale of sales) {
    expect(fieldsOf(compact.compact(sale))).toEqual({ ...sale, sourceId: '' });
  }
});

test('a sale before it was retracted is otherwise the same', () => {
  const first = at(sales, 0);
  const before = unretracted(new CompactSales().compact(first));
  expect(fieldsOf(before)).toEqual({ ...first, sourceId: '', retractedAt: null });
});

test('sales share what they have in common, and own no more fields than they need', () => {
  const compact = new CompactSales();
  const [one, two] = ['a', 'b'].map((sourceId) =>
    compact.compact(storedSale({ soldAt: 1, sourceId })),
  );
  const objectsOf = (sale: object = {}) =>
    Object.values(sale).filter((value) => typeof value === 'object' && value !== null);
  expect(objectsOf(one)).toHaveLength(1);
  expect(objectsOf(one)[0]).toBe(objectsOf(two)[0]);
  // Each takes 8 bytes, of every one of hundreds of thousands of sales.
  expect(Object.keys(one ?? {}).length).toBeLessThanOrEqual(8);
});
