/** A box is looked up, added up, and its cost shared out. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { assumedEffects } from '../../market/grades/grades.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import { lotsOf } from '../../portfolio/purchases/box-lots.work.ts';
import { type EnteredItem, type EvaluatedItem, evaluateBox, uniqueItems } from './evaluate.work.ts';
import { defaultTerms } from './quotes.ts';
import { unitCosts } from './split-cost.ts';

const at = Date.UTC(2026, 5, 1);

function evidence(sealedCents: number | null, usedCents: number | null): Evidence {
  const valued = (valueCents: number | null) =>
    valueCents === null
      ? null
      : {
          valueCents,
          lowCents: valueCents,
          highCents: valueCents,
          valueSpread: 0.06,
          saleSpread: 0.08,
          sales: { ever: 12, days30: 1, days90: 3, days180: 6, days365: 12 },
          firstSale: null,
          latestSale: null,
        };
  return {
    engine: 'e',
    parameters: 'p',
    inputHash: 1,
    at,
    learnedUntil: at,
    tier: 'high',
    sealed: valued(sealedCents),
    used: valued(usedCents),
    modeled: null,
    outcomes: [],
    channels: [],
    retailWeeks: 0,
    moves: [],
    offsets: { fixed: 0 },
  };
}

const noBox = { width_in: null, height_in: null, depth_in: null, weight_lbs: null };

function record(kind: ItemKind, number: string, of: Evidence | null, msrp: number | null = null) {
  const body =
    kind === 'set'
      ? { title: `Set ${number}`, pieces: 500, box: noBox, msrp_usd: msrp }
      : { name: `Minifig ${number}` };
  const key = itemKey(kind, number);
  return { key, number, body: JSON.stringify(body), evidence: of, retail: null };
}

const falcon = record('set', '75192', evidence(800_00, 600_00), 849.99);
const plain = record('set', '10', null, 20);
const bare = record('set', '11', null);
const luke = record('minifig', 'sw0001a', evidence(null, 12_00));

const markets: Readonly<Record<ItemKind, Readonly<Record<string, ResaleRecord>>>> = {
  set: { '75192': falcon, '10': plain, '11': bare },
  // A minifig with two numbers.
  minifig: { sw0001a: luke, 'fig-000001': luke },
};

const deps = {
  tables: { fees: builtInFees, postage: builtInPostage },
  market: {
    findGradeEffects: async () => assumedEffects,
    findResaleRecords: async (kind: ItemKind, keys: readonly string[]) =>
      new Map(
        keys.flatMap((key) => {
          const found = markets[kind][key];
          return found ? [[key, found] as const] : [];
        }),
      ),
  },
};

function evaluate(items: readonly EnteredItem[], costCents: number | null = null) {
  const question = { costCents, terms: defaultTerms, at, withModeled: false };
  return evaluateBox(deps, { ...question, items });
}

const sealed = (number: string, quantity = 1): EnteredItem => {
  return { kind: 'set', number, condition: 'sealed', quantity };
};
const fig = (number: string, quantity = 1): EnteredItem => {
  return { kind: 'minifig', number, condition: 'used', quantity };
};

test('every item has what is known about it, and missing items are listed', async () => {
  const { items } = await evaluate([sealed('75192-1', 2), fig('SW0001A', 3), sealed(' 999999 ')]);
  expect(items).toEqual([
    {
      kind: 'set',
      number: '75192',
      condition: 'sealed',
      grade: null,
      quantity: 2,
      isFound: true,
      title: 'Set 75192',
      msrpCents: 849_99,
      unitValueCents: 800_00,
      totalValueCents: 1600_00,
      tier: 'high',
      costCents: null,
      mostSoldDays: null,
    },
    {
      kind: 'minifig',
      number: 'sw0001a',
      condition: 'used',
      grade: null,
      quantity: 3,
      isFound: true,
      title: 'Minifig sw0001a',
      msrpCents: null,
      unitValueCents: 12_00,
      totalValueCents: 36_00,
      tier: 'high',
      costCents: null,
      mostSoldDays: null,
    },
    {
      kind: 'set',
      number: '999999',
      condition: 'sealed',
      grade: null,
      quantity: 1,
      isFound: false,
      title: null,
      msrpCents: null,
      unitValueCents: null,
      totalValueCents: null,
      tier: null,
      costCents: null,
      mostSoldDays: null,
    },
  ]);
});

test('an item without a value has neither value nor tier', async () => {
  const { items, unitsValued } = await evaluate([sealed('10', 2)]);
  const unknown = { isFound: true, unitValueCents: null, totalValueCents: null, tier: null };
  expect(items).toMatchObject([{ ...unknown, quantity: 2 }]);
  expect(unitsValued).toBe(0);
});

test('an item in one condition is one row, in any form of its number', async () => {
  const stated: EnteredItem[] = [
    sealed('75192', 2),
    fig('sw0001a'),
    { ...sealed('75192-1'), condition: 'used' },
    fig('fig-000001', 4),
    sealed('75192-1', 3),
    sealed('999999'),
    sealed('999999-1'),
  ];
  const { items, units } = await evaluate(stated);
  expect(items.map(({ number, condition, quantity }) => [number, condition, quantity])).toEqual([
    ['75192', 'sealed', 5],
    ['sw0001a', 'used', 5],
    ['75192', 'used', 1],
    ['999999', 'sealed', 2],
  ]);
  expect(units).toBe(13);
  // Aliases of a minifig are only known after the lookup.
  expect(uniqueItems(stated)).toHaveLength(5);
});

const unitsOf = (all: readonly { quantity: number }[]) =>
  all.reduce((sum, { quantity }) => sum + quantity, 0);

test('items that do not exist have no cost; the others share all of it', async () => {
  const costs = async (items: readonly EnteredItem[]) =>
    (await evaluate(items, 836_00)).items.map(({ costCents }) => costCents);
  // By value and retail price: 1,600.00, 12.00 and 60.00 of 1,672.00.
  const stated = [sealed('75192', 2), sealed('999999'), fig('sw0001a'), sealed('10', 3)];
  expect(await costs(stated)).toEqual([800_00, null, 6_00, 30_00]);
  expect(await costs([sealed('999999', 3)])).toEqual([null]);
});

test('the costs of items add up to the cost of the box, for any box', async () => {
  const numbers = ['75192', '75192-1', '10', '11', '999999', '999998'];
  const stated = fc.record({
    kind: fc.constantFrom<ItemKind>('set', 'minifig'),
    number: fc.constantFrom(...numbers, 'sw0001a', 'fig-000001'),
    condition: fc.constantFrom('sealed' as const, 'used' as const),
    quantity: fc.integer({ min: 1, max: 999 }),
  });
  const boxes = fc.array(stated, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1_000_000_00 }), boxes, async (cost, box) => {
      const { items } = await evaluate(box, cost);
      const found = items.filter(({ isFound }) => isFound);
      for (const item of items) expect(item.costCents === null).toBe(!item.isFound);
      const lots = lotsOfBox(items, cost);
      expect(unitsOf(lots)).toBe(unitsOf(found));
      if (found.length === 0) return;
      const costs = found.map(({ costCents }) => costCents ?? -1);
      expect(Math.min(...costs)).toBeGreaterThanOrEqual(0);
      expect(costs.reduce((sum, cents) => sum + cents, 0)).toBe(cost);
      const each = found.flatMap((item) => unitCosts(item.costCents ?? -1, item.quantity));
      expect(each.reduce((sum, lot) => sum + lot.quantity * lot.unitCents, 0)).toBe(cost);
      expect(each.reduce((sum, lot) => sum + lot.quantity, 0)).toBe(unitsOf(found));
      expect(lots.reduce((sum, lot) => sum + lot.quantity * lot.priceCents, 0)).toBe(cost);
    }),
    { seed: 18 },
  );
});

/** The lots of a box that was bought. */
function lotsOfBox(items: readonly EvaluatedItem[], totalCents: number) {
  const units = items
    .filter(({ isFound }) => isFound)
    .map((item, index) => {
      const value = { valueCents: item.unitValueCents, priceCents: null };
      return { ...item, ...value, row: String(index + 1) };
    });
  const bought = lotsOf(units, { totalCents, taxCents: 0, shippingCents: 0 });
  return 'problem' in bought ? [] : bought.lots.map(({ row: _, ...lot }) => lot);
}

test('lots are created for items that exist, and have the whole cost', async () => {
  const stated = [sealed('75192', 2), fig('sw0001a'), sealed('10', 3), sealed('999999')];
  const { items } = await evaluate(stated);
  // By value and retail price: 1,600.00, 12.00 and 60.00 of 1,672.00 are half of that of 836.00.
  expect(lotsOfBox(items, 836_00)).toEqual([
    {
      kind: 'set',
      number: '75192',
      condition: 'sealed',
      grade: null,
      quantity: 2,
      priceCents: 400_00,
    },
    {
      kind: 'minifig',
      number: 'sw0001a',
      condition: 'used',
      grade: null,
      quantity: 1,
      priceCents: 6_00,
    },
    { kind: 'set', number: '10', condition: 'sealed', grade: null, quantity: 3, priceCents: 10_00 },
  ]);
  // A cost that does not divide evenly results in two lots.
  expect(lotsOfBox(items.slice(0, 1), 99_99)).toEqual([
    {
      kind: 'set',
      number: '75192',
      condition: 'sealed',
      grade: null,
      quantity: 1,
      priceCents: 50_00,
    },
    {
      kind: 'set',
      number: '75192',
      condition: 'sealed',
      grade: null,
      quantity: 1,
      priceCents: 49_99,
    },
  ]);
  expect(lotsOfBox(items.slice(3), 5_00)).toEqual([]);
});
