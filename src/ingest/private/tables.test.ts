/** Tables are recognized by their columns. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { readOptions } from '../../../test/support/read-options.ts';
import type { Recognized } from '../format.ts';
import type { SourceItem } from '../located-row.ts';
import { openTable } from '../readers/table.ts';
import { readTable } from './tables.ts';
import type { Writers } from './writers.ts';

const noWriters = {} as Writers;

async function open(text: string) {
  const names: string[] = [];
  const onRecognized = ({ name }: Recognized) => void names.push(name);
  const table = await openTable({ name: 't.csv', stream: Readable.from([Buffer.from(text)]) });
  return { names, read: () => readTable(table, noWriters, { ...readOptions(), onRecognized }) };
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

test('minifigs are rejected, with their units if there are any', async () => {
  const lines = [
    'fig_num,quantity,condition',
    'fig-1,2,New',
    'fig-2,,',
    'fig-3,0,',
    ',1,',
    'fig-5,1,',
  ];
  const { read } = await open(`${lines.join('\n')}\n`);
  const items: SourceItem[] = [];
  for await (const group of read()) items.push(...group);
  const told = items.map((item) =>
    'result' in item && 'reason' in item.result
      ? [item.where, item.result.reason, item.result.minifig ?? null]
      : null,
  );
  const reason = (number: string) => `'${number}' is a minifig; only sets can be imported`;
  expect(told).toEqual([
    ['t.csv:2', reason('fig-1'), { number: 'fig-1', quantity: 2, condition: 'sealed' }],
    ['t.csv:3', reason('fig-2'), { number: 'fig-2', quantity: 1, condition: 'used' }],
    ['t.csv:4', reason('fig-3'), null],
    ['t.csv:5', reason(''), null],
    ['t.csv:6', reason('fig-5'), { number: 'fig-5', quantity: 1, condition: 'used' }],
  ]);
});
