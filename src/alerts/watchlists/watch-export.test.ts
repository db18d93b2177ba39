/** Watch lists as files. */
import { expect, test } from 'bun:test';
import { watchListCsv, watchListXml } from './watch-export.ts';
import type { WatchedItem } from './watch-list.ts';

const item = (facts: Partial<WatchedItem> = {}): WatchedItem => ({
  id: 1,
  listId: 1,
  kind: 'set',
  key: '100',
  number: '100',
  targetCents: null,
  note: '',
  addedAt: Date.UTC(2026, 10, 15),
  ...facts,
});

const items = [
  { item: item({ targetCents: 49_99, note: '=1+1' }), named: { number: '100', name: 'Ferry' } },
  { item: item({ number: '100-2', note: 'a < b & c > d' }), named: null },
  { item: item({ kind: 'minifig', number: 'old1' }), named: { number: 'cas1', name: 'Knight' } },
];

test('CSV has the current number, and no formulas', () => {
  expect(watchListCsv(items).split('\r\n')).toEqual([
    'item_type,number,name,target_usd,note,added_at',
    `set,100,Ferry,49.99,'=1+1',2026-11-15T00:00:00.000Z`,
    'set,100-2,,,a < b & c > d,2026-11-15T00:00:00.000Z',
    'minifig,cas1,Knight,,,2026-11-15T00:00:00.000Z',
    '',
  ]);
});

test('a BrickLink wanted list has the variant, and omits what is unknown', () => {
  expect(watchListXml(items).split('\n')).toEqual([
    '<INVENTORY>',
    '<ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>100-1</ITEMID><MAXPRICE>49.99</MAXPRICE>' +
      '<REMARKS>=1+1</REMARKS></ITEM>',
    '<ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>100-2</ITEMID>' +
      '<REMARKS>a &lt; b &amp; c &gt; d</REMARKS></ITEM>',
    '<ITEM><ITEMTYPE>M</ITEMTYPE><ITEMID>cas1</ITEMID></ITEM>',
    '</INVENTORY>',
    '',
  ]);
});
