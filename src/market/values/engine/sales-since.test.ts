/** Comparable new sales for scoring values. */
import { expect, test } from 'bun:test';
import { aStoredSale } from '../../../../test/support/builders.ts';
import { monthOf } from '../../../kernel/time.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import type { MinifigToValue, SetToValue } from '../estimator.ts';
import { makeEstimator } from './estimator.ts';
import { storeParameters } from './parameter-timeline.ts';
import { defaultParameters, evenOffsets } from './parameters.ts';

const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

const sold = (sourceId: string, dollars: number, facts: Partial<StoredSale> = {}): StoredSale =>
  aStoredSale({
    sourceId,
    priceCents: dollars * 100,
    soldAt: day('2026-11-10'),
    channel: 'fixed',
    completeness: 'complete',
    ingestedAt: day('2026-11-12'),
    ...facts,
  });

const set = (sales: readonly StoredSale[]): SetToValue => ({
  facts: {
    msrpCents: 100_00,
    pieces: 1000,
    minifigs: null,
    theme: null,
    subtheme: null,
    releasedAt: null,
    retiredAt: null,
    weightLbs: null,
    cubicInches: null,
    itemClass: 'set',
  },
  sales,
  retailWeeks: [],
});

/** Auctions have no offset in October, and a log offset of −0.1 from November on. */
const estimator = makeEstimator([
  storeParameters(monthOf(day('2026-10-01')), defaultParameters),
  storeParameters(monthOf(day('2026-11-01')), {
    ...defaultParameters,
    offsets: { set: { ...evenOffsets, auction: -0.1 }, minifig: evenOffsets },
  }),
]);

/** Comparable prices in dollars. */
function found(sales: readonly StoredSale[], learnedAfter = day('2026-11-11'), soldAfter = 0) {
  const comparable = estimator.prepareSet(set(sales)).salesSince({ learnedAfter, soldAfter });
  return comparable.map(({ condition, log }) => [condition, Math.round(Math.exp(log)) / 100]);
}

test('only rows ingested after the instant are returned', () => {
  const sales = [
    sold('old', 90, { soldAt: day('2026-10-01'), ingestedAt: day('2026-11-11') }),
    sold('late', 95, { soldAt: day('2026-10-02') }),
    sold('new', 100),
  ];
  expect(found(sales)).toEqual([
    ['sealed', 95],
    ['sealed', 100],
  ]);
  expect(found(sales, day('2026-11-12'))).toEqual([]);
  expect(found(sales, day('2026-11-11'), day('2026-10-02'))).toEqual([['sealed', 100]]);
});

test('prices are those of a complete unit, in dollars, in the reference channel', () => {
  const sales = [
    sold('shipped', 90, { shippingCents: 10_00 }),
    sold('euros', 100, { currency: 'EUR', usdPerUnit: 1.1 }),
    sold('october', 100, { channel: 'auction', soldAt: day('2026-10-10') }),
    sold('auction', 100, { channel: 'auction' }),
    sold('used', 60, { condition: 'used' }),
  ].sort((a, b) => a.soldAt - b.soldAt);
  expect(found(sales)).toEqual([
    ['sealed', 100],
    ['sealed', 100],
    ['sealed', 110],
    // 100 × e^0.1
    ['sealed', 110.52],
    ['used', 60],
  ]);
});

test('rejected sales are excluded, outliers are not', () => {
  const ordinary = Array.from({ length: 12 }, (_, index) =>
    sold(`plain ${index}`, 100, { ingestedAt: day('2026-11-10') }),
  );
  const seller = { seller: 'somebody', soldAt: day('2026-11-11') };
  const sales = [
    ...ordinary,
    sold('incomplete', 40, { completeness: 'incomplete' }),
    sold('gone', 100, { retractedAt: day('2026-11-13') }),
    sold('odd', 400),
    sold('told', 101, seller),
    sold('told twice', 101, { ...seller, source: 'another' }),
  ];
  expect(found(sales)).toEqual([
    ['sealed', 400],
    ['sealed', 101],
  ]);
});

test('sales of minifigs are returned too', () => {
  const minifig: MinifigToValue = {
    facts: { category: null, releasedAt: null, sets: 1 },
    sales: [sold('new', 5, { condition: 'used' })],
  };
  const [sale] = estimator.prepareMinifig(minifig).salesSince({ learnedAfter: 0, soldAfter: 0 });
  expect(sale).toEqual({ condition: 'used', soldAt: day('2026-11-10'), log: Math.log(500) });
});
