/**
 * Ways to sell, with three sets worked out by hand from the price lists, to the cent. The median
 * price of a unit is its value, and eBay is the only channel with learned prices.
 */
import { describe, expect, test } from 'bun:test';
import { soldWell } from '../../../test/support/deals.ts';
import { unknownBox } from '../../catalog/items/catalog.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { assumedEffects } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { usualSettings } from '../prices/buying-settings.ts';
import type { Resale } from '../prices/resale.ts';
import type { ResaleItem } from '../prices/resale-item.work.ts';
import { type WayName, type WaysQuestion, waysToSell } from './ways.ts';

const question: WaysQuestion = {
  condition: 'sealed',
  tables: { fees: builtInFees, postage: builtInPostage },
  work: usualSettings,
  at: Date.UTC(2026, 5, 1),
};

type Facts = Partial<ResaleItem> & {
  readonly values: Partial<Record<Condition, number>>;
  readonly pieces?: number;
  readonly box?: readonly [number, number, number, number];
};

function anItem({ values, pieces, box, ...facts }: Facts): ResaleItem {
  const [widthIn = null, heightIn = null, depthIn = null, weightLbs = null] = box ?? [];
  const count = pieces ?? null;
  const parcel = {
    sealed: { box: { widthIn, heightIn, depthIn, weightLbs }, pieces: count },
    used: { box: unknownBox, pieces: count },
  };
  const of = (condition: Condition): Resale | null => {
    const valueCents = values[condition];
    if (valueCents === undefined) return null;
    const price = { ...soldWell.price, valueCents };
    return { ...soldWell, price, offsets: { fixed: 0 }, parcel: parcel[condition] };
  };
  return {
    kind: 'set',
    key: '1',
    number: '1',
    title: 'Castle',
    theme: 'Castles',
    msrpCents: null,
    parcel,
    resale: { sealed: of('sealed'), used: of('used') },
    range: { sealed: null, used: null },
    offer: null,
    minifigs: [],
    minifigsCount: facts.minifigs?.length ?? 0,
    parts: { sealed: null, used: null },
    ...facts,
  };
}

const aMinifig = (number: string, values: Facts['values']) =>
  anItem({ kind: 'minifig', key: number, number, values });

const someParts = (soldCents: number, lots: number, units: number) => {
  const estimate = { soldCents, spread: 0.3, lots, units, areLotsGuessed: false };
  return { sealed: estimate, used: estimate };
};

const effects = assumedEffects;

describe('40478 Mini Disney Castle, sealed', () => {
  const set = anItem({
    values: { sealed: 100_00, used: 60_00 },
    pieces: 567,
    box: [10.31, 7.52, 3.58, 1.22],
    minifigs: ['a', 'b', 'c'],
    parts: someParts(148_00, 240, 570),
  });
  const minifigs = [aMinifig('a', { used: 20_00 }), aMinifig('b', { used: 4_00 })];
  const found = waysToSell({ set, minifigs, effects }, question);
  const way = (name: WayName) => found.ways.find((each) => each.name === name);

  test('sealed', () => {
    // (100.00 + 7.50 tax) × 13.6 % = 14.62, + 0.40. 2.03 lb: 10.75 + 1.00. 40 seconds: no hours.
    expect(way('sealed')).toMatchObject({
      revenueCents: 100_00,
      feesCents: 15_02,
      postageCents: 11_75,
      hours: 0,
      netCents: 73_23,
      uncertaintyCents: 6_00,
      assumed: [],
    });
  });

  test('used and complete', () => {
    // 64.50 × 13.6 % = 8.77, + 0.40. 567 pieces: 1.95 lb, 2.30 with packing: 10.75 + 1.00.
    const sums = { feesCents: 9_17, postageCents: 11_75, netCents: 39_08 };
    expect(way('used')).toMatchObject({ ...sums, assumed: ['opened_set'] });
  });

  test('minifigs apart, without the one that costs more than it brings', () => {
    // 20.00: 21.50 × 13.6 % = 2.92, + 0.40; 5.25 + 1.00: 10.43 net. 4.00: 0.88 and 6.25: −3.13.
    // The rest is 1 − 20 ÷ 60 = 67 % complete: 0.3 + 0.35 × 67 ÷ 80 = 59.3125 % of 60.00 = 35.59;
    // 38.26 × 13.6 % = 5.20, + 0.40; 11.75: 18.24 net.
    expect(way('minifigs')).toMatchObject({
      restShare: 0.593125,
      revenueCents: 55_59,
      feesCents: 8_92,
      postageCents: 18_00,
      hours: 0,
      netCents: 28_67,
      assumed: ['rest_value', 'minifigs_without_value', 'minifigs_left_in'],
    });
    expect(way('minifigs')?.sold.map(({ minifig }) => minifig?.number)).toEqual(['a', undefined]);
  });

  test('parts', () => {
    // Six orders of 24.67: 3 % = 0.74; with 5.00 shipping and 2.23 tax, 31.90 × 3.49 % = 1.11,
    // + 0.49: 6 × 2.34. 240 lots × 40 s + 570 pieces × 3 s = 3.14 hours: 3 at $15.00.
    expect(way('parts')).toMatchObject({
      revenueCents: 148_00,
      feesCents: 14_04,
      postageCents: 6_00,
      hours: 3,
      workCents: 45_00,
      netCents: 82_96,
      uncertaintyCents: 44_40,
      halfDays: 270,
      mostDays: 900,
      tier: null,
    });
  });

  test('none is best: $9.73 more is less than the uncertainty of parts', () => {
    expect(found).toMatchObject({ best: null, noBestReason: 'too_close' });
    // Without counting hours, parts bring $127.96: more than $44.80 above sealed.
    const work = { ...usualSettings, hourCents: 0 };
    const idle = waysToSell({ set, minifigs, effects }, { ...question, work });
    expect(idle.best).toMatchObject({ name: 'parts', netCents: 127_96 });
  });
});

test('30510 90 Years of Cars, used, loses money each way', () => {
  const set = anItem({ values: { used: 9_00 }, pieces: 71, parts: someParts(3_00, 30, 71) });
  const found = waysToSell({ set, minifigs: [], effects }, { ...question, condition: 'used' });
  // Used: 9.68 × 13.6 % = 1.32, + 0.30; 0.74 lb: 7.25 + 1.00.
  // Parts: 0.09 + 0.30 + 0.49; one order: 1.00; 1,413 seconds: half an hour.
  expect(found.ways.map(({ name, netCents }) => [name, netCents])).toEqual([
    ['used', -87],
    ['parts', -6_38],
  ]);
  expect(found.missing).toEqual([
    { name: 'sealed', reason: 'not_sealed' },
    { name: 'minifigs', reason: 'no_minifigs' },
  ]);
  expect(found).toMatchObject({ best: null, noBestReason: 'all_lose' });
});

test('10497 Galaxy Explorer with four minifigs of $60.00 is best taken apart', () => {
  const minifigs = ['a', 'b', 'c', 'd'].map((number) => aMinifig(number, { sealed: 60_00 }));
  const set = anItem({
    values: { sealed: 210_00, used: 200_00 },
    pieces: 1254,
    box: [21.18, 11.02, 3.43, 3.87],
    minifigs: ['a', 'b', 'c', 'd'],
  });
  const found = waysToSell({ set, minifigs, effects }, question);
  // Sealed: 225.75 × 13.6 % = 30.70, + 0.40; 5.18 lb: 15.50 + 1.00. Used: 29.64; 13.00 + 1.00.
  // Minifigs: 4 × (60.00 − 9.17 − 6.25). They are worth more than the used set, so the rest counts
  // as nothing. 15.92 more than sealed, where hypot(12.60, 7.20) = 14.51 is uncertain.
  expect(found.ways.map(({ name, netCents }) => [name, netCents])).toEqual([
    ['sealed', 162_40],
    ['used', 156_36],
    ['minifigs', 178_32],
  ]);
  expect(found.best?.name).toBe('minifigs');
  expect(found.missing).toEqual([{ name: 'parts', reason: 'no_parts_value' }]);
});

test('a value that is only modeled is compared, and never named as best', () => {
  const set = anItem({ values: { sealed: 500_00, used: 50_00 }, pieces: 100 });
  const sealed = set.resale.sealed && { ...set.resale.sealed, tier: 'modeled' as const };
  const modeled = { ...set, resale: { ...set.resale, sealed } };
  expect(waysToSell({ set, minifigs: [], effects }, question).best?.name).toBe('sealed');
  const found = waysToSell({ set: modeled, minifigs: [], effects }, question);
  expect([found.ways.length, found.noBestReason]).toEqual([2, 'modeled_value']);
});

test('times are those of the units that are sold, and unknown without a sales rate', () => {
  const set = anItem({ values: { sealed: 100_00 }, pieces: 100 });
  const timesOf = (item: ResaleItem) => {
    const [way] = waysToSell({ set: item, minifigs: [], effects }, question).ways;
    return [way?.halfDays, way?.mostDays];
  };
  const [half = 0, most = 0] = timesOf(set);
  // One unit: nine tenths of a chance take log₂ 10 times as long as a half.
  expect((most ?? 0) / (half ?? 1)).toBeCloseTo(Math.log2(10), 6);
  const sealed = set.resale.sealed && { ...set.resale.sealed, rate: null };
  expect(timesOf({ ...set, resale: { sealed, used: null } })).toEqual([null, null]);
});

test('minifigs without values, or that bring nothing, are no way', () => {
  const set = anItem({ values: { used: 50_00 }, pieces: 100, minifigs: ['a'] });
  const why = (minifigs: readonly ResaleItem[]) =>
    waysToSell({ set, minifigs, effects }, question).missing.find(({ name }) => name === 'minifigs')
      ?.reason;
  expect(why([])).toBe('no_value');
  expect(why([aMinifig('a', { used: 1_00 })])).toBe('minifigs_bring_nothing');
});

test('of listed variants, no more are sold than the set has, the cheapest first', () => {
  const listed = ['a', 'b', 'c'];
  const minifigs = [30_00, 20_00, 40_00].map((used, index) => {
    return aMinifig(listed[index] ?? '', { used });
  });
  const set = anItem({ values: { used: 200_00 }, pieces: 500, minifigs: listed });
  const soldOf = (minifigsCount: number) => {
    const found = waysToSell({ set: { ...set, minifigsCount }, minifigs, effects }, question);
    const way = found.ways.find(({ name }) => name === 'minifigs');
    const numbers = way?.sold.flatMap(({ minifig }) => minifig?.number ?? []);
    return [numbers, way?.assumed.includes('one_of_each_minifig'), way?.uncertaintyCents];
  };
  const [all, isAssumed, uncertainty] = soldOf(3);
  expect([all, isAssumed]).toEqual([['b', 'a', 'c'], false]);
  expect(soldOf(2).slice(0, 2)).toEqual([['b', 'a'], true]);
  // One of six copies each is sold: three of $30.00 on average are not counted.
  expect(soldOf(6).slice(0, 2)).toEqual([['b', 'a', 'c'], true]);
  expect(soldOf(6)[2]).toBeGreaterThan(Math.max(90_00, Number(uncertainty)));
});

test('a value that is doubted is sold at the lower price, and leaves no clear winner', () => {
  const set = anItem({ values: { sealed: 200_00, used: 130_00 }, pieces: 100 });
  const sealed = set.resale.sealed && { ...set.resale.sealed, doubtedCents: 100_00 };
  const doubted = { ...set, resale: { ...set.resale, sealed } };
  expect(waysToSell({ set, minifigs: [], effects }, question).best?.name).toBe('sealed');
  const found = waysToSell({ set: doubted, minifigs: [], effects }, question);
  expect(found.ways[0]?.revenueCents).toBe(100_00);
  expect(found.noBestReason).toBe('too_close');
});
