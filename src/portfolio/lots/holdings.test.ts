/** Holdings: cost and value add up to the cent, and the extremes are unambiguous. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { wholeShare } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { UnitValues } from '../../market/values/set-values.ts';
import {
  averageCostCents,
  extremesOf,
  gainOf,
  type Stake,
  totalOf,
  unitValueCents,
  valueTier,
} from './holdings.ts';

type ValuesBySet = ReadonlyMap<string, UnitValues>;

/** Sets with their new and used values. */
function listed(values: Readonly<Record<string, readonly [number | null, number | null]>>) {
  const sets = Object.entries(values).map(([key, [newCents, usedCents]]) => {
    return [key, { newCents, usedCents }] as const;
  });
  return new Map(sets) satisfies ValuesBySet;
}

/** Units of a set and their total cost. */
function stake(
  key: string,
  [units, costCents]: readonly [units: number, costCents: number],
  condition: Condition = 'sealed',
): Stake {
  return { kind: 'set', key, condition, units, costCents };
}

function valued(stakes: readonly Stake[], sets: ValuesBySet) {
  return stakes.map((one) => {
    return { ...one, unitCents: unitValueCents(sets.get(one.key), one.condition, wholeShare) };
  });
}

describe('cost and value', () => {
  test.each([
    ['a gain', 100_00, 150_00, 50_00, 50],
    ['a loss', 120_00, 90_00, -30_00, -25],
    ['neither', 80_00, 80_00, 0, 0],
    ['something that cost nothing', 0, 50_00, 50_00, 0],
    ['something worth nothing', 40_00, 0, -40_00, -100],
    ['nothing at all', 0, 0, 0, 0],
    ['a third', 3_00, 4_00, 1_00, 33.33],
    ['a loss of a third', 3_00, 2_00, -1_00, -33.33],
    // 1 ÷ 800 = 0.125 %: rounded half up, also below 0
    ['half a hundredth more', 8_00, 8_01, 1, 0.13],
    ['half a hundredth less', 8_00, 7_99, -1, -0.12],
  ])('gain is value less cost: %s', (_, costCents, valueCents, gainCents, gainPct) => {
    expect(gainOf(costCents, valueCents)).toEqual({ costCents, valueCents, gainCents, gainPct });
  });

  test('a loss too small for two decimals is 0', () => {
    // −1 ÷ 1,000,000 = −0.0001 %
    const { gainCents, gainPct } = gainOf(10_000_00, 9_999_99);
    expect(gainCents).toBe(-1);
    expect(JSON.stringify(gainPct)).toBe('0');
  });
});

describe('the value of one unit', () => {
  const sets = listed({ both: [90_00, 40_00], new: [90_00, null], free: [0, 0] });

  test.each([
    ['both', 'sealed', 90_00],
    ['both', 'used', 40_00],
    ['new', 'used', null],
    ['free', 'sealed', 0],
    ['other', 'sealed', null],
  ] as const)("the value of one unit of '%s', %s, is %p", (number, condition, cents) => {
    expect(unitValueCents(sets.get(number), condition, wholeShare)).toBe(cents);
  });
});

test.each([
  ['sealed', 'high'],
  ['used', 'modeled'],
] as const)('the tier of the value of one %s unit: %s', (condition, tier) => {
  const values = { newCents: 90_00, usedCents: 40_00 };
  expect(valueTier({ ...values, newTier: 'high', usedTier: null }, condition, wholeShare)).toBe(
    tier,
  );
});

test('without a value there is no tier', () => {
  const set = { newCents: null, usedCents: 0, newTier: 'high', usedTier: 'low' } as const;
  expect(valueTier(set, 'sealed', wholeShare)).toBeNull();
  expect(valueTier(set, 'used', wholeShare)).toBe('low');
  expect(valueTier(undefined, 'used', wholeShare)).toBeNull();
});

describe('totals', () => {
  test('are zero without holdings', () => {
    expect(totalOf([])).toEqual({
      distinctCount: 0,
      itemCount: 0,
      costCents: 0,
      valueCents: 0,
      gainCents: 0,
      gainPct: 0,
    });
  });

  test('count units, and each set once, with each unit at the value of its condition', () => {
    const sets = listed({ 1: [90_00, 40_00], 2: [10_01, null] });
    const stakes = [
      stake('1', [2, 100_00]),
      stake('1', [3, 60_00], 'used'),
      stake('1', [1, 70_00]),
      stake('2', [3, 20_00]),
    ];
    expect(totalOf(valued(stakes, sets))).toEqual({
      distinctCount: 2,
      itemCount: 9, // 2 + 3 + 1 + 3
      costCents: 250_00, // 100 + 60 + 70 + 20
      valueCents: 420_03, // 2 × 90 + 3 × 40 + 1 × 90 + 3 × 10.01
      gainCents: 170_03,
      gainPct: 68.01, // 170.03 ÷ 250 = 0.68012
    });
  });

  test('use the cost where there is no value', () => {
    const sets = listed({ 1: [null, 5_00], 2: [30_00, null] });
    const stakes = [stake('1', [2, 66_67]), stake('2', [1, 20_00], 'used'), stake('3', [1, 9_99])];
    expect(totalOf(valued(stakes, sets))).toMatchObject({
      distinctCount: 3,
      costCents: 96_66, // 66.67 + 20 + 9.99
      valueCents: 96_66,
      gainCents: 0,
      gainPct: 0,
    });
  });

  test('use a value of 0 instead of the cost', () => {
    expect(totalOf(valued([stake('1', [2, 50_00])], listed({ 1: [0, null] })))).toMatchObject({
      costCents: 50_00,
      valueCents: 0,
      gainCents: -50_00,
      gainPct: -100,
    });
  });
});

describe('the extremes', () => {
  /** The gainer and the loser, each with its percentage. */
  function extremes(stakes: readonly Stake[], sets: ValuesBySet) {
    const { gainer, loser } = extremesOf(valued(stakes, sets));
    return [gainer, loser].map((found) => found && [found.key, found.gain.gainPct]);
  }

  /** One unit of each set, with its cost and value. */
  function each(facts: Readonly<Record<string, readonly [costCents: number, valueCents: number]>>) {
    const stakes = Object.entries(facts).map(([number, [cost]]) => stake(number, [1, cost]));
    const values = Object.entries(facts).map(([number, [, value]]) => {
      return [number, [value, null]] as const;
    });
    return extremes(stakes, listed(Object.fromEntries(values)));
  }

  test.each([
    ['nothing held', {}, [null, null]],
    // +20 % beats +50 dollars; −25 % beats −40 dollars
    [
      'the percentage decides, not the amount',
      { a: [10_00, 12_00], b: [500_00, 550_00], c: [8_00, 6_00], d: [400_00, 360_00] },
      [
        ['a', 20],
        ['c', -25],
      ],
    ],
    ['only gains have no loser', { a: [10_00, 11_00], b: [10_00, 12_00] }, [['b', 20], null]],
    ['only losses have no gainer', { a: [10_00, 9_00], b: [10_00, 8_00] }, [null, ['b', -20]]],
    ['an unchanged value is neither', { a: [10_00, 10_00] }, [null, null]],
    ['without a cost there is no percentage', { a: [0, 10_00] }, [null, null]],
    ['a total loss', { a: [10_00, 0], b: [10_00, 1] }, [null, ['a', -100]]],
    // 1 ÷ 1,000,000 = 0.0001 %, which two decimals do not show
    [
      'less than two decimals show',
      { a: [10_000_00, 10_000_01], b: [10_000_00, 9_999_99] },
      [null, null],
    ],
    // 1 ÷ 20,000 = 0.005 % is 0.01; −3 ÷ 40,000 = −0.0075 % is −0.01
    [
      'just enough for two decimals',
      { a: [200_00, 200_01], b: [400_00, 399_97] },
      [
        ['a', 0.01],
        ['b', -0.01],
      ],
    ],
    [
      'of the same percentage, the larger amount',
      { a: [10_00, 11_00], b: [30_00, 33_00], c: [10_00, 9_00], d: [30_00, 27_00] },
      [
        ['b', 10],
        ['d', -10],
      ],
    ],
    [
      'of the same percentage, the larger amount, whichever comes first',
      { a: [30_00, 33_00], b: [10_00, 11_00], c: [30_00, 27_00], d: [10_00, 9_00] },
      [
        ['a', 10],
        ['c', -10],
      ],
    ],
    [
      'of the same percentage and amount, the first number',
      { d: [10_00, 9_00], b: [10_00, 11_00], c: [10_00, 9_00], a: [10_00, 11_00] },
      [
        ['a', 10],
        ['c', -10],
      ],
    ],
  ] as const)('finds the items that gained and lost most: %s', (_, facts, expected) => {
    expect<unknown>(each(facts)).toEqual(expected);
  });

  test('are found by set, with all its stakes in both conditions together', () => {
    const sets = listed({ 1: [30_00, 10_00], 2: [21_00, null] });
    const stakes = [
      stake('1', [1, 10_00]), // 20 up: 200 % alone
      stake('1', [4, 80_00], 'used'), // 40 down: −50 % alone
      stake('2', [1, 20_00]), // 1 up: 5 %
    ];
    // Together 1 is worth 70 at a cost of 90: −20 ÷ 90 = −0.2222…
    expect<unknown>(extremes(stakes, sets)).toEqual([
      ['2', 5],
      ['1', -22.22],
    ]);
  });

  test('exclude sets without a value, but include sets with a value for some stakes', () => {
    const unknown = stake('1', [1, 50_00], 'used');
    const sets = listed({ 1: [60_00, null] });
    expect(extremes([unknown], sets)).toEqual([null, null]);
    // 60 + 50 at a cost of 40 + 50: 20 ÷ 90
    expect(extremes([unknown, stake('1', [1, 40_00])], sets)).toEqual([['1', 22.22], null]);
  });
});

test.each([
  ['an even price', 4, 100_00, 25_00],
  ['a third: 33.333…', 3, 100_00, 33_33],
  ['two thirds: 66.666…', 3, 200_00, 66_67],
  ['half a cent is rounded up', 2, 19_99, 10_00],
  ['a present', 3, 0, 0],
  ['a single unit', 1, 12_34, 12_34],
])('the average cost of %s', (_, units, costCents, expected) => {
  expect(averageCostCents({ units, costCents })).toBe(expected);
});

const keys = ['1', '2', '3', '4'];
const anyStakes = fc.array(
  fc
    .tuple(
      fc.constantFrom(...keys),
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 50 })),
      fc.constantFrom('sealed' as const, 'used' as const),
    )
    .map(([key, amounts, condition]) => stake(key, amounts, condition)),
  { maxLength: 12 },
);
const cents = fc.option(fc.nat({ max: 20 }));
const anySets = fc
  .tuple(...keys.map(() => fc.tuple(cents, cents)))
  .map((values) => listed(Object.fromEntries(keys.map((n, i) => [n, values[i] ?? [null, null]]))));

test('totals are additive and independent of order', () => {
  const shuffled = anyStakes.chain((stakes) =>
    fc.tuple(fc.constant(stakes), fc.shuffledSubarray(stakes, { minLength: stakes.length })),
  );
  fc.assert(
    fc.property(shuffled, anySets, ([stakes, others], sets) => {
      const total = totalOf(valued(stakes, sets));
      const single = stakes.map((one) => totalOf(valued([one], sets)));
      const sum = (of: 'costCents' | 'valueCents' | 'gainCents' | 'itemCount') =>
        single.reduce((all, one) => all + one[of], 0);
      expect(total).toMatchObject({
        costCents: sum('costCents'),
        valueCents: sum('valueCents'),
        gainCents: sum('gainCents'),
        itemCount: sum('itemCount'),
      });
      expect(totalOf(valued(others, sets))).toEqual(total);
      expect(extremesOf(valued(others, sets))).toEqual(extremesOf(valued(stakes, sets)));
    }),
    { seed: 12, numRuns: 300 },
  );
});

test('no set gained more than the gainer, none lost more than the loser', () => {
  fc.assert(
    fc.property(anyStakes, anySets, (stakes, sets) => {
      const { gainer, loser } = extremesOf(valued(stakes, sets));
      const percentages = keys.map((number) => {
        const ofSet = stakes.filter((one) => one.key === number);
        return totalOf(valued(ofSet, sets)).gainPct;
      });
      expect(gainer?.gain.gainPct ?? 0).toBe(Math.max(0, ...percentages));
      expect((loser?.gain.gainPct ?? 0) + 0).toBe(Math.min(0, ...percentages) + 0);
    }),
    { seed: 13, numRuns: 300 },
  );
});
