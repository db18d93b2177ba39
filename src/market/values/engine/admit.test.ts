/** Every sale becomes a comparable unit price, or is rejected with a reason. */
import { describe, expect, test } from 'bun:test';
import { sold } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { Completeness, Condition, StoredSale } from '../../source-rows/source-rows.ts';
import { admitSales, type Caution, type Row, wasLearned, wasTakenBack, weighIn } from './admit.ts';

function admit(facts: Partial<StoredSale>): Row {
  const [row] = admitSales([sold(facts)]);
  if (!row) throw new Error('The sale has no row.');
  return row;
}

/** The comparable unit price of a sale. */
const centsOf = (facts: Partial<StoredSale>) => Math.exp(admit(facts).log);

test('an ordinary sale has its price and no caution', () => {
  const sale = sold({ channel: 'auction', condition: 'used', seller: 'a' });
  const [row] = admitSales([sale]);
  expect(row).toEqual({
    sale,
    at: sale.soldAt,
    seller: 'a',
    source: null,
    condition: 'used',
    channel: 'auction',
    units: 1,
    log: Math.log(100_00),
    noise: 1,
    caution: null,
    rejection: null,
  });
});

test('rows are in the order of the sales', () => {
  const sales = [sold({ priceCents: 5 }), sold({ priceCents: 3 }), sold({ priceCents: 4 })];
  expect(admitSales(sales).map(({ sale }) => sale)).toEqual(sales);
});

test('without a name, the seller is a source on a day', () => {
  const seller = (days: number) =>
    admit({ seller: null, source: 'shop', soldAt: days * dayMs }).seller;
  expect([3, 3.9, 4].map(seller)).toEqual(['shop 3', 'shop 3', 'shop 4']);
});

test('a missing channel is unknown', () => {
  expect(admit({ channel: null }).channel).toBe('unknown');
});

describe('price', () => {
  test('includes shipping, per unit, in US dollars', () => {
    expect(centsOf({ priceCents: 90_00, shippingCents: 10_00 })).toBeCloseTo(100_00, 6);
    expect(centsOf({ priceCents: 80_00, currency: 'EUR', usdPerUnit: 1.25 })).toBeCloseTo(1e4, 6);
    // Two for 210 including shipping: 105 each, less a discount of 3% of the log of 2.
    const two = centsOf({ priceCents: 200_00, shippingCents: 10_00, quantity: 2 });
    expect(two).toBeCloseTo(105_00 * 2 ** 0.03, 6);
  });

  test('is corrected for the discount of up to five units', () => {
    expect(centsOf({ priceCents: 500_00, quantity: 5 })).toBeCloseTo(100_00 * 5 ** 0.03, 6);
    expect(centsOf({ priceCents: 600_00, quantity: 6 })).toBeCloseTo(100_00 * 5 ** 0.03, 6);
  });

  test('excludes shipping above 25 dollars and a quarter of the price', () => {
    expect(centsOf({ priceCents: 50_00, shippingCents: 25_00 })).toBeCloseTo(75_00, 6);
    expect(centsOf({ priceCents: 50_00, shippingCents: 25_01 })).toBeCloseTo(50_00, 6);
    expect(centsOf({ priceCents: 200_00, shippingCents: 50_00 })).toBeCloseTo(250_00, 6);
    expect(centsOf({ priceCents: 200_00, shippingCents: 50_01 })).toBeCloseTo(200_00, 6);
    // 25 dollars are 20 units of a currency that is worth 1.25.
    const abroad = { priceCents: 40_00, currency: 'EUR', usdPerUnit: 1.25 };
    expect(centsOf({ ...abroad, shippingCents: 20_00 })).toBeCloseTo(75_00, 6);
    expect(centsOf({ ...abroad, shippingCents: 20_01 })).toBeCloseTo(50_00, 6);
  });
});

describe('completeness', () => {
  const table: [Condition, Completeness | null, number, number, Caution | null][] = [
    ['sealed', 'complete', 0, 1, null],
    ['sealed', null, 0, 1, null],
    ['sealed', 'unknown', 0, 1, null],
    ['sealed', 'damaged_box', 0.1, 2, 'damaged_box'],
    ['sealed', 'no_box', 0, 2, 'box_or_instructions_missing'],
    ['sealed', 'no_instructions', 0, 2, 'box_or_instructions_missing'],
    ['used', 'complete', 0, 1, null],
    ['used', null, 0, 2, 'completeness_unknown'],
    ['used', 'unknown', 0, 2, 'completeness_unknown'],
    ['used', 'damaged_box', 0, 1, null],
    ['used', 'no_box', 0.05, 1.5, 'box_or_instructions_missing'],
    ['used', 'no_instructions', 0.05, 1.5, 'box_or_instructions_missing'],
  ];

  for (const [condition, completeness, log, noise, caution] of table) {
    test(`${completeness} of a ${condition} unit adds ${log} and makes ${noise} times the noise`, () => {
      const row = admit({ condition, completeness });
      expect(row.log - Math.log(100_00)).toBeCloseTo(log, 12);
      expect(row).toMatchObject({ noise, caution, rejection: null });
    });
  }

  test('an incomplete unit is rejected', () => {
    for (const condition of ['sealed', 'used'] as const) {
      expect(admit({ condition, completeness: 'incomplete' }).rejection).toBe('incomplete');
    }
  });
});

describe('noise and caution', () => {
  test('combine all reasons by multiplication', () => {
    const foreign = { noise: 2, caution: 'foreign_currency' } as const;
    expect(weighIn(admit({ currency: 'EUR' }), 'USD')).toEqual(foreign);
    expect(admit({ shippingCents: 90_00 })).toMatchObject({
      noise: 2,
      caution: 'shipping_not_believed',
    });
    const all = { shippingCents: 900_00, currency: 'EUR', quantity: 6 };
    // 1.5 for the box, 2 each for currency, lot and shipping.
    const row = admit({ ...all, condition: 'used', completeness: 'no_box' });
    const caution = 'shipping_not_believed';
    expect(weighIn(row, 'USD')).toEqual({ noise: 12, caution });
    expect(weighIn(row, 'EUR')).toEqual({ noise: 6, caution });
  });

  test('only US dollars and the main currency of the market are not foreign', () => {
    const noiseOf = (currency: string) => weighIn(admit({ currency }), 'GBP').noise;
    expect(['USD', 'GBP', 'EUR'].map(noiseOf)).toEqual([1, 1, 2]);
  });

  test('several units have less noise, up to four', () => {
    const noises = [2, 3, 4, 5].map((quantity) => admit({ quantity }).noise);
    expect(noises).toEqual([1 / Math.sqrt(2), 1 / Math.sqrt(3), 0.5, 0.5]);
    expect(admit({ quantity: 5 }).caution).toBeNull();
    expect(admit({ quantity: 6 })).toMatchObject({ noise: 2, caution: 'wholesale_lot' });
  });

  test('the first reason that applies is reported', () => {
    const damaged = { completeness: 'damaged_box' } as const;
    expect(admit({ ...damaged, quantity: 2 }).caution).toBe('damaged_box');
    const wholesale = admit({ ...damaged, quantity: 6, currency: 'EUR' });
    expect(weighIn(wholesale, 'USD').caution).toBe('foreign_currency');
    expect(weighIn(wholesale, 'EUR').caution).toBe('wholesale_lot');
  });
});

describe('rejected is', () => {
  test('a price of 0, or less than a cent per unit', () => {
    expect(admit({ priceCents: 0 }).rejection).toBe('no_price');
    expect(admit({ priceCents: 5, quantity: 6 }).rejection).toBe('no_price');
    expect(admit({ priceCents: 5, quantity: 5 }).rejection).toBeNull();
  });

  test('a sale without an exchange rate', () => {
    for (const usdPerUnit of [0, Number.NaN]) {
      expect(admit({ currency: 'XYZ', usdPerUnit }).rejection).toBe('no_exchange_rate');
    }
  });
});

test('a row was known, and retracted, before an instant or not', () => {
  const row = admit({ ingestedAt: 50, retractedAt: 70 });
  expect([50, 51, null].map((before) => wasLearned(row, before))).toEqual([false, true, true]);
  expect([70, 71, null].map((before) => wasTakenBack(row, before))).toEqual([false, true, true]);
  expect([71, null].map((before) => wasTakenBack(admit({}), before))).toEqual([false, false]);
});
