/** Changes of lots, as one of many: which lots they apply to, and their result. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import {
  type EditableLot,
  editLot,
  editLotsMax,
  editsKept,
  editsKeptMs,
  type LotChange,
} from './lot-edits.ts';

const lot: EditableLot = {
  quantity: 2,
  priceCents: 10_00,
  askingCents: null,
  condition: 'sealed',
  ownFields: '{"A":"1","B":"2"}',
  sold: 0,
  firstSale: null,
};

const edited = (change: LotChange, facts: Partial<EditableLot> = {}) =>
  editLot({ ...lot, ...facts }, change);

test('a purchase date after the first sale is refused', () => {
  const change = { kind: 'date', purchaseDate: '2026-05-06' } as const;
  const dated = { purchaseDate: '2026-05-06', dateBasis: 'known' } as const;
  expect(edited(change)).toEqual(dated);
  expect(edited(change, { firstSale: '2026-05-06' })).toEqual(dated);
  expect(edited(change, { firstSale: '2026-05-05' })).toBe('sold earlier');
});

test('sold-out lots cannot be listed', () => {
  const list = { kind: 'status', status: 'listed' } as const;
  expect(edited(list, { sold: 1 })).toEqual({ status: 'listed' });
  expect(edited(list, { sold: 2 })).toBe('sold out');
  expect(edited({ kind: 'status', status: 'owned' }, { sold: 2 })).toEqual({ status: 'owned' });
});

test('a price applies only if the lot still has the price that was seen', () => {
  const price = { kind: 'price', priceCents: 5_00 } as const;
  const priced = { priceCents: 5_00, isEstimated: false };
  expect([edited(price), edited({ ...price, seenCents: 10_00 })]).toEqual([priced, priced]);
  expect(edited({ ...price, seenCents: 9_99 })).toBe('changed');
});

test('so does an asking price, which may be new or removed', () => {
  const asking = { kind: 'asking', askingCents: 20_00, seenCents: null } as const;
  expect(edited(asking)).toEqual({ askingCents: 20_00 });
  expect(edited(asking, { askingCents: 15_00 })).toBe('changed');
  const none = { kind: 'asking', askingCents: null, seenCents: 15_00 } as const;
  expect(edited(none, { askingCents: 15_00 })).toEqual({ askingCents: null });
});

test('5,000 lots can be edited at once, and the last 20 edits can be undone for a day', () => {
  expect([editLotsMax, editsKept, editsKeptMs]).toEqual([5_000, 20, dayMs]);
});

test('details are changed together; own fields of other names stay', () => {
  const change = {
    details: { place: 'Attic', grade: 'damaged_box' },
    own: [
      ['B', null],
      ['C', '3'],
    ],
  } as const;
  expect(edited({ kind: 'details', change })).toEqual({
    place: 'Attic',
    grade: 'damaged_box',
    ownFields: '{"A":"1","C":"3"}',
  });
  expect(edited({ kind: 'details', change }, { condition: 'used' })).toBe('other condition');
  const plain = { details: { notes: null }, own: [] };
  expect(edited({ kind: 'details', change: plain })).toEqual({ notes: null });
});
