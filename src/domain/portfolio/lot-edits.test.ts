/** Bulk edits of lots: which lots they apply to, and their result. */
import { expect, test } from 'bun:test';
import { dayMs } from '../kernel/time.ts';
import {
  type EditableLot,
  editedLotIds,
  editLotsMax,
  editsKept,
  editsKeptMs,
  lotEditor,
} from './lot-edits.ts';

const lot: EditableLot = {
  id: 1,
  brickfolioId: 1,
  quantity: 2,
  priceCents: 10_00,
  isEstimated: true,
  purchaseDate: '2026-03-04',
  status: 'owned',
  condition: 'sealed',
  ownFields: '{"A":"1","B":"2"}',
  sold: 0,
  firstSale: null,
};
const lotIds = [1];

test('each lot is edited once, even if named several times', () => {
  expect(editedLotIds({ kind: 'delete', lotIds: [3, 1, 3] })).toEqual([3, 1]);
  const prices = [2, 2, 1].map((lotId) => ({ lotId, priceCents: 1 }));
  expect(editedLotIds({ kind: 'price', prices })).toEqual([2, 1]);
});

test('a purchase date after the first sale is refused', () => {
  const edit = lotEditor({ kind: 'date', lotIds, purchaseDate: '2026-05-06' });
  const dated = { purchaseDate: '2026-05-06', dateBasis: 'known' } as const;
  expect(edit(lot)).toEqual(dated);
  expect(edit({ ...lot, firstSale: '2026-05-06' })).toEqual(dated);
  expect(edit({ ...lot, firstSale: '2026-05-05' })).toBe('sold earlier');
});

test('sold-out lots cannot be listed, and lots with sales cannot be deleted', () => {
  const list = lotEditor({ kind: 'status', lotIds, status: 'listed' });
  expect(list({ ...lot, sold: 1 })).toEqual({ status: 'listed' });
  expect(list({ ...lot, sold: 2 })).toBe('sold out');
  const own = lotEditor({ kind: 'status', lotIds, status: 'owned' });
  expect(own({ ...lot, sold: 2 })).toEqual({ status: 'owned' });
  const remove = lotEditor({ kind: 'delete', lotIds });
  expect([remove(lot), remove({ ...lot, sold: 1 })]).toEqual([{}, 'sold']);
});

test('a price applies only to its lot, and only if the lot still has the price that was seen', () => {
  const price = (seenCents?: number) =>
    lotEditor({ kind: 'price', prices: [{ lotId: 1, priceCents: 5_00, seenCents }] } as never);
  const priced = { priceCents: 5_00, isEstimated: false };
  expect([price()(lot), price(10_00)(lot)]).toEqual([priced, priced]);
  expect(price(9_99)(lot)).toBe('changed');
  expect(price()({ ...lot, id: 2 })).toBe('missing');
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
  const edit = lotEditor({ kind: 'details', lotIds, change });
  expect(edit(lot)).toEqual({
    place: 'Attic',
    grade: 'damaged_box',
    ownFields: '{"A":"1","C":"3"}',
  });
  expect(edit({ ...lot, condition: 'used' })).toBe('other condition');
  const plain = lotEditor({
    kind: 'details',
    lotIds,
    change: { details: { notes: null }, own: [] },
  });
  expect(plain(lot)).toEqual({ notes: null });
});
