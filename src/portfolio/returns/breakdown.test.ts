/** The composition of a portfolio, and its largest movers. */
import { expect, test } from 'bun:test';
import { gainOf } from '../lots/holdings.ts';
import { countGaps, moversOf, type NamedGroup, sumOfShares, themeShares } from './breakdown.ts';
import type { Position } from './value-history.ts';

const today = 20_000;

const lot = (facts: Partial<Position> = {}): Position => ({
  key: '1',
  condition: 'sealed',
  boughtOn: today - 100,
  quantity: 2,
  priceCents: 10_00,
  isEstimated: false,
  isDated: true,
  exits: [],
  ...facts,
});

/** A set first valued at 10.00 long ago and at 12.00 ten days ago, with a given value today. */
const group = (key: string, liveCents: number | null, more: Partial<NamedGroup> = {}) => ({
  kind: 'set' as const,
  key,
  theme: 'Castles',
  history: {
    early: [
      { day: today - 200, cents: 10_00 },
      { day: today - 10, cents: 12_00 },
    ],
    months: null,
    liveCents,
  },
  tier: 'high' as const,
  positions: [lot()],
  ...more,
});

const sold = { day: today - 1, quantity: 2, netCents: 30_00 };

test('themes are totaled, largest first; units without a value count at cost', () => {
  const groups = [
    group('1', 15_00),
    group('2', null, { theme: 'Trains' }),
    group('3', 90_00, { theme: 'Trains', positions: [lot({ exits: [sold] })] }),
    group('4', 5_00),
  ];
  const shares = themeShares(groups).map(({ theme, valueCents, gainCents }) => [
    theme,
    valueCents,
    gainCents,
  ]);
  expect(shares).toEqual([
    ['Castles', 40_00, 0],
    ['Trains', 20_00, 0],
  ]);
});

test('themes of equal value are ordered by name; themes without value are left out', () => {
  const positions = [lot({ quantity: 1 })];
  const groups = [
    group('1', 0, { theme: 'Nothing', positions }),
    group('2', 1, { theme: 'Cent', positions }),
    group('3', 20_00, { theme: 'B', positions }),
    group('4', 20_00, { theme: 'A', positions }),
    group('5', 30_00, { theme: 'C', positions }),
  ];
  const shares = themeShares(groups);
  expect(shares.map(({ theme }) => theme)).toEqual(['C', 'A', 'B', 'Cent']);
  expect(sumOfShares(shares)).toEqual(gainOf(40_00, 70_01));
  expect(sumOfShares([])).toEqual(gainOf(0, 0));
});

test('lots without a value and with estimates are counted while they have units', () => {
  const positions = [lot(), lot({ exits: [sold] }), lot()];
  const groups = [
    group('1', null, { tier: null, positions }),
    group('2', 9_00, { tier: 'modeled', positions: [lot({ quantity: 1 })] }),
    group('3', 9_00, { tier: 'low', positions: [lot(), lot({ isEstimated: true })] }),
    group('4', 9_00, { positions: [lot({ isEstimated: true, exits: [sold] })] }),
  ];
  expect(countGaps(groups)).toEqual({ notValued: 2, estimatedValue: 1, estimatedCost: 1 });
});

test('movers are ranked in dollars of the units held, since the start of the range or the purchase', () => {
  const groups = [
    group('1', 15_00),
    group('2', 15_00, { positions: [lot({ boughtOn: today - 5 })] }),
    group('3', 1_00),
    group('4', 10_00),
    group('5', 11_00, { positions: [lot({ boughtOn: today - 1 })] }),
    group('6', 9_00, { positions: [lot({ boughtOn: today })] }),
    group('7', 9_00, { positions: [lot({ boughtOn: today + 3 })] }),
  ];
  const { best, worst } = moversOf(groups, { since: today - 30, today, count: 3 });
  // Two units each: from 10 to 15; from 12, five days ago, to 15; from 10 to 1; from 12 to 11.
  // Units bought today have not moved.
  expect(best.map(({ key, changeCents, changePct }) => [key, changeCents, changePct])).toEqual([
    ['1', 10_00, 50],
    ['2', 6_00, 25],
  ]);
  expect(worst.map(({ key, changeCents }) => [key, changeCents])).toEqual([
    ['3', -18_00],
    ['5', -2_00],
  ]);
});

test('each lot moves since its own purchase, and each set by its own values', () => {
  const [old, recent, bought] = [today - 100, today - 5, today].map((boughtOn) =>
    lot({ boughtOn }),
  );
  const positions = [recent, old, bought, recent, old].flatMap((each) => each ?? []);
  const worthMore = { early: [{ day: today - 200, cents: 50_00 }], months: null, liveCents: 51_00 };
  const groups = [
    group('1', 15_00, { positions }),
    // The other condition.
    group('1', 15_00, { positions: positions.slice(0, 1) }),
    group('2', 51_00, { history: worthMore }),
  ];
  const { best } = moversOf(groups, { since: today - 30, today, count: 9 });
  // Two units each: 3 since five days ago and 5 before that, twice, and 3 once more.
  expect(best).toEqual([
    { kind: 'set', key: '1', units: 12, valueCents: 180_00, changeCents: 38_00, changePct: 26.76 },
    { kind: 'set', key: '2', units: 2, valueCents: 102_00, changeCents: 2_00, changePct: 2 },
  ]);
});

test('the requested number of movers is listed, largest first', () => {
  const groups = [...'cab'].map((key) => group(key, 15_00));
  groups.push(group('d', 5_00), group('e', 4_00), group('f', 6_00), group('g', 16_00));
  const { best, worst } = moversOf(groups, { since: today - 30, today, count: 2 });
  expect(best.map(({ key }) => key)).toEqual(['g', 'a']);
  expect(worst.map(({ key }) => key)).toEqual(['e', 'd']);
});

test('a change of a cent for one unit is a move', () => {
  const positions = [lot({ quantity: 1 })];
  const groups = [group('1', 10_01, { positions }), group('2', 9_99, { positions })];
  const { best, worst } = moversOf(groups, { since: today - 30, today, count: 2 });
  expect([...best, ...worst].map(({ changeCents }) => changeCents)).toEqual([1, -1]);
});

test.each<[string, Partial<NamedGroup>]>([
  ['an estimate', { tier: 'modeled' }],
  ['no value', { tier: null }],
  ['no units', { positions: [lot({ exits: [sold] })] }],
])('a group with %s is not a mover', (_, facts) => {
  const { best, worst } = moversOf([group('1', 15_00, facts)], {
    since: today - 30,
    today,
    count: 5,
  });
  expect([best, worst]).toEqual([[], []]);
});

test('moves do not depend on the cost, or on whether it is known', () => {
  const changeOf = (facts: Partial<Position>) => {
    const groups = [group('1', 15_00, { positions: [lot(facts)] })];
    return moversOf(groups, { since: today - 30, today, count: 1 }).best[0];
  };
  const usual = changeOf({});
  expect(usual).toMatchObject({ changeCents: 10_00, changePct: 50 });
  for (const facts of [{ isEstimated: true }, { priceCents: 0 }, { isDated: false }]) {
    expect(changeOf(facts)).toEqual(usual);
  }
});
