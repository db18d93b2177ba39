/** The inventory: filters, orders and totals. */
import { expect, test } from 'bun:test';
import { anInventoryLot } from '../../../test/support/builders.ts';
import { wholeShare } from '../../market/grades/grades.ts';
import {
  everyLot,
  filterInventory,
  type InventoryFilter,
  type InventoryRow,
  type InventorySort,
  sortRows,
  totalOfRows,
} from './inventory.ts';
import type { InventoryLot } from './lots.ts';

const lot = anInventoryLot({
  kind: 'set',
  key: '10',
  number: '10',
  quantity: 1,
  purchaseDate: '2026-01-01',
});

const unvalued = { newCents: null, usedCents: null, newTier: null, usedTier: null };

type Facts = Partial<InventoryLot> & {
  readonly title?: string;
  readonly theme?: string;
  readonly unitCents?: number | null;
  readonly tier?: InventoryRow['tier'];
};

function rowOf(id: number, { title = 'Set', theme = 'Town', ...facts }: Facts): InventoryRow {
  const { unitCents = 15_00, tier = 'high', ...more } = facts;
  const own = { ...lot, ...more, id };
  const units = own.quantity - own.sold;
  return {
    lot: own,
    item: { number: own.number, title, theme, ...unvalued },
    brickfolio: own.brickfolioId === 1 ? 'Shelf' : 'attic',
    units,
    costCents: units * own.priceCents,
    unitCents,
    daysListed: null,
    share: wholeShare,
    tier: unitCents === null ? null : tier,
  };
}

const rows = [
  rowOf(1, { number: '75192', title: 'Éclair Falcon', theme: 'Space', quantity: 3 }),
  rowOf(2, {
    number: '900',
    title: 'barn',
    priceCents: 0,
    purchaseDate: '2025-05-05',
    dateBasis: 'unknown',
  }),
  rowOf(3, { number: 'cas-1', title: 'Crane', unitCents: null, brickfolioId: 2 }),
  rowOf(4, { number: '10', title: 'Dock', tier: 'modeled', condition: 'used', unitCents: 5_00 }),
  rowOf(5, { number: '10', title: 'Dock', isEstimated: true, status: 'listed' }),
  rowOf(6, { number: '10', title: 'Dock', quantity: 2, sold: 2 }),
];

const ids = (found: readonly InventoryRow[]) => found.map((row) => row.lot.id);

test('a complete number finds only that set, not numbers that start with it', () => {
  const longer = [...rows, rowOf(7, { number: '101' }), rowOf(8, { number: '9001' })];
  const found = (text: string) => ids(filterInventory(longer, { ...everyLot, text }));
  expect(found('10')).toEqual([4, 5]);
  expect(found('1')).toEqual([4, 5, 7]);
  expect(found('90')).toEqual([2, 8]);
});

test.each<[Partial<InventoryFilter>, number[]]>([
  [{}, [1, 2, 3, 4, 5]],
  [{ show: 'sold' }, [6]],
  [{ brickfolioId: 2 }, [3]],
  [{ condition: 'used' }, [4]],
  [{ status: 'listed' }, [5]],
  [{ theme: 'Space' }, [1]],
  [{ text: 'ECLAIR fal' }, [1]],
  [{ text: '751' }, [1]],
  [{ text: '192' }, []],
  [{ text: 'dock 10' }, [4, 5]],
  [{ value: 'none' }, [3]],
  [{ value: 'estimated' }, [4]],
  [{ value: 'valued' }, [1, 2, 5]],
  [{ cost: 'estimated' }, [5]],
  [{ cost: 'paid' }, [1, 2, 3, 4]],
  [{ date: 'unknown' }, [2]],
  [{ theme: 'Town', value: 'valued' }, [2, 5]],
])('%j finds the matching lots', (filter, found) => {
  expect(ids(filterInventory(rows, { ...everyLot, ...filter }))).toEqual(found);
});

const held = filterInventory(rows, everyLot);

test.each<[InventorySort, number[], number[]]>([
  ['name', [2, 3, 4, 5, 1], [1, 4, 5, 3, 2]],
  ['number', [4, 5, 2, 1, 3], [3, 1, 2, 4, 5]],
  ['theme', [1, 3, 4, 5, 2], [3, 4, 5, 2, 1]],
  ['collection', [3, 1, 4, 5, 2], [1, 4, 5, 2, 3]],
  ['date', [2, 1, 3, 4, 5], [1, 3, 4, 5, 2]],
  ['quantity', [3, 4, 5, 2, 1], [1, 3, 4, 5, 2]],
  ['condition', [1, 3, 5, 2, 4], [4, 1, 3, 5, 2]],
  ['status', [1, 3, 4, 2, 5], [5, 1, 3, 4, 2]],
  ['cost', [2, 3, 4, 5, 1], [1, 3, 4, 5, 2]],
  // Unknown values come last in both directions.
  ['value', [4, 5, 2, 1, 3], [1, 5, 2, 4, 3]],
  ['gain', [4, 5, 1, 2, 3], [1, 2, 5, 4, 3]],
  // Without a cost there is no percentage.
  ['gain_pct', [4, 1, 5, 3, 2], [1, 5, 4, 3, 2]],
])('by %s, ascending and descending; ties newest first', (sort, up, down) => {
  expect(ids(sortRows(held, { sort, isDescending: false }))).toEqual(up);
  expect(ids(sortRows(held, { sort, isDescending: true }))).toEqual(down);
});

test('held lots are sorted by remaining units, and sold-out lots by their original units', () => {
  const partlySold = [
    rowOf(1, { quantity: 3, sold: 3, priceCents: 10_00 }),
    rowOf(2, { quantity: 9, sold: 8, priceCents: 10_00 }),
    rowOf(3, { quantity: 2, sold: 2, priceCents: 20_00 }),
    rowOf(4, { quantity: 2, priceCents: 10_00 }),
  ];
  const sorted = (sort: InventorySort) => ids(sortRows(partlySold, { sort, isDescending: false }));
  expect(sorted('quantity')).toEqual([2, 3, 4, 1]);
  expect(sorted('cost')).toEqual([2, 4, 1, 3]);
});

test('totals count lots without a value at cost', () => {
  expect(totalOfRows(held)).toEqual({
    lots: 5,
    withoutValue: 1,
    distinctCount: 1,
    itemCount: 7,
    costCents: 60_00,
    valueCents: 45_00 + 15_00 + 10_00 + 5_00 + 15_00,
    gainCents: 30_00,
    gainPct: 50,
  });
});

test('lots are found by their grade, tags, place and words of their details', () => {
  const known = [
    rowOf(1, { grade: 'incomplete_85', condition: 'used', tags: 'gift, rare', place: 'A › 1' }),
    rowOf(2, { grade: 'parts', condition: 'used', place: 'A', ownFields: '{"Buyer":"Zoë"}' }),
    rowOf(3, { notes: 'A dent', boughtAt: 'Fair', place: 'AB' }),
  ];
  const found = (filter: Partial<InventoryFilter>) =>
    ids(filterInventory(known, { ...everyLot, ...filter }));
  expect(found({ grade: 'incomplete' })).toEqual([1]);
  expect(found({ tag: 'rare' })).toEqual([1]);
  expect(found({ tag: 'rar' })).toEqual([]);
  expect(found({ place: 'A' })).toEqual([1, 2]);
  expect(found({ about: 'zoe' })).toEqual([2]);
  expect(found({ about: 'fair DENT' })).toEqual([3]);
});

test('lots are sorted by their details, unknown ones last', () => {
  const known = [
    rowOf(1, { grade: 'parts', askingCents: 5, ownFields: '{"Code":"b"}' }),
    rowOf(2, {}),
    rowOf(3, { grade: 'incomplete_85', askingCents: 9, ownFields: '{"Code":"a"}' }),
    rowOf(4, { grade: 'incomplete_90', askingCents: 7 }),
  ];
  const own = [{ id: 6, name: 'Code' }];
  const sorted = (sort: InventorySort | 'own6' | 'own7', isDescending = false) =>
    ids(sortRows(known, { sort, isDescending }, own));
  expect(sorted('grade')).toEqual([4, 3, 1, 2]);
  expect(sorted('asking_price', true)).toEqual([3, 4, 1, 2]);
  expect(sorted('own6')).toEqual([3, 1, 2, 4]);
  expect(sorted('own7')).toEqual([1, 2, 3, 4]);
});
