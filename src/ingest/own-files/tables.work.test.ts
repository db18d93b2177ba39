/** Tables are recognized by their columns. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { readOptions } from '../../../test/support/read-options.ts';
import { openTable } from '../readers/table.work.ts';
import type { Recognized } from '../runner/format.work.ts';
import type { Rejection } from '../runner/located-row.ts';
import type { LotDraft, LotWriter } from './lot-writer.work.ts';
import { readTable } from './tables.work.ts';
import type { Writers } from './writers.work.ts';

async function open(text: string, lots?: LotWriter) {
  const writers = { lots } as Writers;
  const names: string[] = [];
  const onRecognized = ({ name }: Recognized) => void names.push(name);
  const table = await openTable({ name: 't.csv', stream: Readable.from([Buffer.from(text)]) });
  return { names, read: () => readTable(table, writers, { ...readOptions(), onRecognized }) };
}

test.each([
  ['Order Number,Item Title,Custom Label,Sold For', 'eBay orders'],
  ['Number,Paid,Condition', 'BrickEconomy collection'],
  ['Number,Qty owned', 'Brickset collection'],
  ['Set Number,Quantity,Includes Spares', 'Rebrickable set list'],
  ['name,minifig_number', 'Minifig list'],
  ['fig_num,quantity', 'Minifig list'],
])('%s is reported as %s', async (header, name) => {
  const { names, read } = await open(`${header}\n`);
  read();
  expect(names).toEqual([name]);
});

test('without answers, an unknown table fails with the supported ones', async () => {
  const { names, read } = await open('a,b\n1,2\n');
  expect(read).toThrow('t.csv:1: the columns match no supported file: Brickmark export (');
  expect(names).toEqual([]);
});

test('lists of minifigs are lots of minifigs, used unless they say otherwise', async () => {
  const lines = [
    'list,fig_num,quantity,condition,six_month_avg_usd,date_added',
    'for_sale,fig-1,2,new,1.25,2026-04-15',
    'personal,fig-2,,,,',
    'personal,fig-3,0,,,',
    'personal,,1,,,',
  ];
  const drafts: (LotDraft | Rejection)[] = [];
  const toRows = async (given: typeof drafts) => {
    drafts.push(...given);
    return [];
  };
  const { read } = await open(`${lines.join('\n')}\n`, { toRows } as unknown as LotWriter);
  for await (const _ of read());
  expect(drafts).toMatchObject([
    {
      kind: 'minifig',
      number: 'fig-1',
      quantity: 2,
      condition: 'sealed',
      status: 'listed',
      price: null,
      retailCents: 125,
      date: '2026-04-15',
    },
    {
      kind: 'minifig',
      number: 'fig-2',
      quantity: 1,
      condition: 'used',
      status: 'owned',
      date: null,
    },
    { reason: "'quantity' is 0, so there is nothing to add" },
    { reason: "'fig_num' is empty" },
  ]);
});
