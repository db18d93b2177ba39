/** Corrections of rows, in every kind of file. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { readFeedLine } from '../feed/feed.work.ts';
import { brickOwlApi } from '../own-files/brick-owl.work.ts';
import { toOrder } from '../own-files/bricklink-order.work.ts';
import { correctedRecord } from '../own-files/brickmark-export.work.ts';
import { readBrickStore } from '../own-files/brickstore.work.ts';
import { openTable } from '../readers/table.work.ts';
import { Corrector, columnsNamed, correctedTable } from './corrections.work.ts';

const texts = (where: string, given: Record<string, string>) =>
  new Corrector(new Map([[where, { texts: given, isSkipped: false }]]));

const part = (text: string) => ({ name: 'f', stream: Readable.from([Buffer.from(text)]) });

async function rowsOf(text: string, corrector: Corrector) {
  const table = await openTable(part(text));
  const corrected = correctedTable(
    table,
    columnsNamed(table, ['Number', 'Paid', 'Other']),
    corrector,
  );
  const rows = [];
  for await (const group of corrected.rows()) rows.push(...group);
  return rows;
}

test('cells of a table are replaced by their corrections, and the other rows stay', async () => {
  const corrector = texts('f:2', { 0: '75192', 1: '' });
  const rows = await rowsOf('Number,Paid,Note\nx,1,a\ny,2,b', corrector);
  expect(rows.map(({ line }) => line)).toEqual(['75192,,a', 'y,2,b']);
  expect(corrector.fieldsOf('f:2')).toEqual([
    { key: '0', name: 'Number', text: '75192' },
    { key: '1', name: 'Paid', text: '' },
  ]);
  expect(corrector.fieldsOf('f:9')).toEqual([]);
});

test('a row that does not fit the header keeps only what was corrected', async () => {
  const text = 'Number,Paid,Note\nx,1,000,a\n';
  const [same] = await rowsOf(text, texts('f:2', { 0: 'x', 1: '1' }));
  expect(same?.mismatch).toContain('4 columns');
  const [fixed] = await rowsOf(text, texts('f:2', { 0: 'x', 1: '1000' }));
  expect([fixed?.mismatch, fixed?.line]).toEqual([null, 'x,1000,']);
});

test('items of XML files are corrected, also if several are in one line', async () => {
  const about = '<ItemTypeID>S</ItemTypeID><Qty>1</Qty><Condition>N</Condition>';
  const item = (id: string) => `<Item><ItemID>${id}</ItemID>${about}</Item>`;
  const xml = `<BrickStoreXML><Inventory>${item('a')}${item('b')}</Inventory></BrickStoreXML>`;
  const corrector = texts('f:1.2', { ITEMID: '75192' });
  const drafts = [];
  for await (const some of readBrickStore(part(xml), corrector)) drafts.push(...some);
  expect(drafts).toMatchObject([
    { where: 'f:1', number: 'a' },
    { where: 'f:1.2', number: '75192' },
  ]);
});

test('items of orders and records of exports and feeds are corrected', () => {
  const item = { where: 'f:3', text: '', fields: { ITEMID: 'x', QTY: '2', PRICE: '5' } };
  const order = { where: 'f:2', fields: { BUYER: 'b' }, items: [item] };
  expect(toOrder(order, texts('f:3', { ITEMID: '75192', QTY: '3' })).items).toMatchObject([
    { set: { number: '75192' }, quantity: 3, weight: 150_000 },
  ]);
  const owl = { where: 'o#1.1', value: { type: 'Set', name: 'Falcon', ordered_quantity: '2' } };
  const read = brickOwlApi(texts('o#1.1', { number: '75192', quantity: '1', price: '10' }));
  expect(read.read({ where: 'o#1', value: { order_id: 1 } }, [owl]).items).toMatchObject([
    { set: { number: '75192' }, quantity: 1, weight: 100_000 },
  ]);
  const line = '{"kind":"holding","quantity":"x"}';
  const corrector = texts('f:1', { quantity: '3' });
  const seen: unknown[] = [];
  readFeedLine(line, 0, (record) => {
    const corrected = correctedRecord('f:1', record, corrector);
    seen.push(corrected);
    return corrected;
  });
  expect(seen).toEqual([{ kind: 'holding', quantity: 3 }]);
});
