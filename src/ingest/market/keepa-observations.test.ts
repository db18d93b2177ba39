/** The history of a Keepa product as observations. */
import { expect, test } from 'bun:test';
import { listObservations, type Observation, observationsMax } from './keepa-observations.ts';
import { keepaInstant } from './keepa-series.ts';

const amazon = 'ATVPDKIKX0DER';

/** `csv` with some of its series. */
function csv(series: Readonly<Record<number, readonly number[]>>): (readonly number[] | null)[] {
  return Array.from({ length: 36 }, (_, index) => series[index] ?? null);
}

function minutes(looks: readonly Observation[]): number[] {
  return looks.map(({ observedAt }) => observedAt / 60_000 - 21_564_000);
}

/** Price, seller and stock of each observation. */
function told(looks: readonly Observation[]) {
  return looks.map(({ priceCents, sellerType, inStock }) => [priceCents, sellerType, inStock]);
}

test('the seller is the retailer while it has a price, then third parties, then none', () => {
  const looks = listObservations({ csv: csv({ 0: [10, 1299, 20, -1], 1: [10, 1199, 30, -1] }) });
  expect(minutes(looks)).toEqual([10, 20, 30]);
  expect(told(looks)).toEqual([
    [1299, 'retailer', true],
    [1199, 'third_party', true],
    [null, null, false],
  ]);
});

test('third-party prices are the buy box with shipping, or else the lowest new price', () => {
  const series = { 1: [10, 900], 18: [20, 1000, 199, 30, -1, -1] };
  const looks = listObservations({ csv: csv(series) });
  expect(looks.map((look) => [look.priceCents, look.buyBoxCents])).toEqual([
    [900, null],
    [1199, 1199],
    [900, null],
  ]);
});

test('there is no observation without a relevant change', () => {
  const looks = listObservations({
    csv: csv({ 0: [10, 1299, 20, 1299], 1: [10, 1199, 15, 1099], 3: [12, 5, 13, 6] }),
  });
  expect(minutes(looks)).toEqual([10]);
});

test('an observation has list price, lowest FBA price and the number of sellers without Amazon', () => {
  const looks = listObservations({
    csv: csv({ 0: [10, 1299, 40, -1], 4: [20, 1499], 10: [30, 1350], 34: [30, 3] }),
  });
  expect(looks.at(-2)).toEqual({
    observedAt: keepaInstant(30),
    priceCents: 1299,
    sellerType: 'retailer',
    inStock: true,
    listPriceCents: 1499,
    lowestFbaCents: 1350,
    fbaSellers: 2,
    buyBoxCents: null,
  });
  expect(looks.at(-1)).toMatchObject({ priceCents: null, fbaSellers: 3 });
});

test('Amazon sells even if another seller has the buy box', () => {
  const looks = listObservations({
    csv: csv({ 0: [10, 1299], 18: [10, 1199, 0] }),
    buyBoxSellerIdHistory: ['10', 'A2D7JKJIGBZO3G'],
  });
  expect(looks).toHaveLength(1);
  expect(looks[0]).toMatchObject({ priceCents: 1299, sellerType: 'retailer', buyBoxCents: 1199 });
});

test('Amazon in the buy box sells, unless it has left since', () => {
  const looks = listObservations({
    csv: csv({ 0: [10, -1, 30, -1], 1: [10, 1500], 18: [10, 1600, 0, 20, 1299, 0] }),
    buyBoxSellerIdHistory: ['10', 'A2D7JKJIGBZO3G', '20', amazon],
  });
  expect(minutes(looks)).toEqual([10, 20, 30]);
  expect(told(looks).map(([price, seller]) => [price, seller])).toEqual([
    [1600, 'third_party'],
    [1299, 'retailer'],
    [1500, 'third_party'],
  ]);
});

test("the last observation is at Keepa's last update", () => {
  const series = csv({ 0: [10, 1299] });
  expect(minutes(listObservations({ csv: series, lastUpdate: 50, lastPriceChange: 20 }))).toEqual([
    10, 50,
  ]);
  expect(minutes(listObservations({ csv: series, lastUpdate: 10 }))).toEqual([10]);
});

test.each([
  [0, true],
  [1, false],
  [2, null],
  [3, false],
  [4, false],
  [-1, null],
  [undefined, true],
])('availability %p of Amazon only affects the last observation', (availabilityAmazon, inStock) => {
  const looks = listObservations({
    csv: csv({ 0: [10, 1299] }),
    lastUpdate: 50,
    availabilityAmazon,
  });
  expect(looks.map((look) => look.inStock)).toEqual([true, inStock]);
});

test('third-party stock is unknown if the price is hidden', () => {
  const looks = listObservations({
    csv: csv({ 1: [10, 1299] }),
    lastUpdate: 50,
    newPriceIsMAP: true,
  });
  expect(looks.map((look) => look.inStock)).toEqual([true, null]);
});

test('data of today never shares an instant with a change', () => {
  const answer = { csv: csv({ 0: [10, 1299] }), lastUpdate: 10, availabilityAmazon: 1 };
  const looks = listObservations(answer);
  expect(looks.map((look) => look.inStock)).toEqual([true, false]);
  expect((looks[1]?.observedAt ?? 0) - (looks[0]?.observedAt ?? 0)).toBe(1000);
});

test('a newer response repeats all observations at changes', () => {
  const older = listObservations({
    csv: csv({ 0: [10, 1299, 20, 1199], 34: [15, 3] }),
    lastUpdate: 25,
  });
  const newer = listObservations({
    csv: csv({ 0: [10, 1299, 20, 1199, 30, -1], 34: [15, 3, 35, 4] }),
    lastUpdate: 40,
  });
  expect(newer.slice(0, 3)).toEqual(older.slice(0, 3));
  expect(minutes(newer)).toEqual([10, 15, 20, 30, 35, 40]);
});

test('statistics replace missing series at the last observation', () => {
  const current = Array.from({ length: 36 }, () => -1);
  Object.assign(current, { 0: -1, 1: 1500, 10: 1450, 34: 2 });
  const stats = { current, buyBoxPrice: 1550, buyBoxShipping: 50, buyBoxIsAmazon: false };
  const [look, ...more] = listObservations({ csv: null, lastUpdate: 50, stats });
  expect(more).toEqual([]);
  expect(look).toMatchObject({
    observedAt: keepaInstant(50),
    priceCents: 1600,
    sellerType: 'third_party',
    lowestFbaCents: 1450,
    fbaSellers: 2,
    buyBoxCents: 1600,
  });
  const known = listObservations({
    csv: csv({ 1: [10, 1300] }),
    lastUpdate: 50,
    stats: { current },
  });
  expect(known.map(({ priceCents }) => priceCents)).toEqual([1300, 1300]);
});

test('a buy box without a price is no offer', () => {
  const current = [-1, 1500];
  for (const buyBoxPrice of [0, -1, null]) {
    const stats = { current, buyBoxPrice, buyBoxShipping: 499 };
    const [look] = listObservations({ csv: null, lastUpdate: 50, stats });
    expect(look).toMatchObject({ priceCents: 1500, buyBoxCents: null });
  }
});

test('Amazon in the buy box of the statistics counts too', () => {
  const stats = { buyBoxPrice: 1299, buyBoxShipping: -2, buyBoxIsAmazon: true };
  const [look] = listObservations({ csv: csv({}), lastUpdate: 50, stats });
  expect(look).toMatchObject({ priceCents: 1299, sellerType: 'retailer' });
});

test('a response for some days is read from the start of complete data', () => {
  const series = csv({ 0: [30, 1299], 1: [20, 1199, 40, 1099] });
  expect(minutes(listObservations({ csv: series, trackingSince: 5 }))).toEqual([30]);
  expect(minutes(listObservations({ csv: series, trackingSince: 20 }))).toEqual([20, 30]);
});

test.each([
  [{}, 'it has no prices'],
  [{ csv: null, lastUpdate: 50 }, 'it has no prices'],
  [{ csv: { 0: [] } }, "'csv' must be a list of series"],
])('%j is rejected', (product, message) => {
  expect(() => listObservations(product)).toThrow(message);
});

test('too many observations are reduced to changes of price, seller or list price', () => {
  const counts = Array.from({ length: observationsMax }, (_, i) => [100 + i, i % 2]).flat();
  const looks = listObservations({ csv: csv({ 1: [10, 1299, 500, 1199], 34: counts }) });
  expect(minutes(looks)).toEqual([10, 500, 100 + observationsMax - 1]);
  const prices = Array.from({ length: observationsMax + 1 }, (_, i) => [
    100 + i,
    1000 + (i % 2),
  ]).flat();
  expect(() => listObservations({ csv: csv({ 1: prices }) })).toThrow(
    'its price changed 20,001 times',
  );
});

test('the current list price completes a history without one', () => {
  const current = Array.from({ length: 36 }, (_, index) => (index === 4 ? 1499 : -1));
  const looks = listObservations({
    csv: csv({ 0: [10, 1299] }),
    lastUpdate: 20,
    stats: { current },
  });
  expect(looks.map(({ listPriceCents }) => listPriceCents)).toEqual([null, 1499]);
});

test('current prices without any time are no history', () => {
  const product = { csv: csv({}), stats: { current: [1299] } };
  expect(() => listObservations(product)).toThrow('it has no prices; use history=1');
  expect(listObservations({ ...product, lastUpdate: 20, trackingSince: 1 })).toHaveLength(1);
});

test.each([
  [{ 1: 1199, 10: 1300, 18: 1250, 34: 0 }, [1250, 1250, 1300, 0]],
  [{ 1: 1199, 34: 2 }, [1199, null, null, 2]],
  [{ 0: 1299, 1: 1199 }, [1299, null, null, null]],
])('without a history, prices are the current ones: %j', (given, expected) => {
  const prices: Readonly<Record<number, number>> = given;
  const current = Array.from({ length: 36 }, (_, index) => prices[index] ?? -1);
  const looks = listObservations({ csv: csv({}), lastUpdate: 20, stats: { current } });
  expect(
    looks.map((look) => [look.priceCents, look.buyBoxCents, look.lowestFbaCents, look.fbaSellers]),
  ).toEqual([expected]);
});
