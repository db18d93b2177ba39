/** Spreadsheets of any shape, with guessed columns. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { type FilePlace, makeFilePlace, me } from '../../../test/support/private-files.ts';
import { readOptions } from '../../../test/support/read-options.ts';
import { openTable } from '../readers/table.work.ts';
import type { OwnAnswers, Recognized } from '../runner/format.work.ts';
import { findOwner } from './account.work.ts';
import { LotWriter } from './lot-writer.work.ts';
import { readMappedTable } from './mapped-table.work.ts';

let place: FilePlace;

beforeAll(async () => {
  place = await makeFilePlace();
});

afterAll(() => place.close());

const open: OwnAnswers = { columns: null, dayOrder: null, purchaseDate: null, priceCents: null };

/** The lots or reject reasons of each row, shortened. */
async function read(text: string, given: Partial<OwnAnswers> = {}): Promise<string[]> {
  const answers = { ...open, ...given };
  const options = { ...readOptions({ store: place.store, settings: { account: me } }), answers };
  const lots = new LotWriter(options, await findOwner(options));
  const table = await openTable({ name: 'f.csv', stream: Readable.from([Buffer.from(text)]) });
  const shown: string[] = [];
  for await (const items of readMappedTable(table, lots, options)) {
    for (const item of items) {
      if (!('result' in item)) continue;
      const { result } = item;
      if ('reason' in result) shown.push(result.reason);
      else if (result.row.kind === 'holding') {
        const { facts } = result.row;
        const { number, quantity, condition, priceCents, purchaseDate } = facts;
        const about = [quantity, condition, priceCents, purchaseDate, facts.brickfolio];
        shown.push([number, ...about, facts.status, facts.dateBasis].join(' '));
      }
    }
  }
  return shown;
}

test('separators, decimal commas, totals, collectors’ terms and collections are read', async () => {
  const text = [
    'Set;Qty;Total paid;Bought;State;Collection;Status',
    '10482-1;2;"240,50";31.12.24;MISB;Attic;for sale',
    'LEGO 10483 Keeper from 2024;;$10;2024/1/5;opened;;',
    '10484.0;1;5;2024-01-06;;;sold',
    '10484;0;5;2024-01-06;;;',
    '10484;1;5;soon;;;',
  ].join('\r\n');
  expect(await read(text)).toEqual([
    '10482-1 2 sealed 12025 2024-12-31 Attic listed known',
    '10483 1 used 1000 2024-01-05 My collection owned known',
    "the status is 'sold', so there is nothing to add",
    'the quantity is 0, so there is nothing to add',
    "the date must look like 2025-12-31, not 'soon'",
  ]);
});

test('lots add up to the total paid, to the cent', async () => {
  const text = 'Set,Qty,Total paid,Date\n10482,3,10.00,2024-01-05\n10483,2,0.01,2024-01-05\n';
  expect(await read(text)).toEqual([
    '10482 1 sealed 334 2024-01-05 My collection owned known',
    '10482 2 sealed 333 2024-01-05 My collection owned known',
    '10483 1 sealed 1 2024-01-05 My collection owned known',
    '10483 1 sealed 0 2024-01-05 My collection owned known',
  ]);
});

test('gaps have the answered values; tabs and tables without a header are read', async () => {
  const answers = { purchaseDate: '2023-05-06', priceCents: 700 };
  expect(await read('10482\t2\n10483\t1\n', answers)).toEqual([
    '10482 1 sealed 700 2023-05-06 My collection owned known',
    '10483 1 sealed 700 2023-05-06 My collection owned known',
  ]);
});

test('a set number after a word is not that of a minifig', async () => {
  const text = 'Set,Paid,Date\nLEGO6080,5,2024-01-05\nSet6080,5,2024-01-05\nno1234,5,2024-01-05\n';
  expect(await read(`${text}Nr1234,5,2024-01-05\nsw1234,5,2024-01-05\n`)).toEqual([
    "set '6080' is not in the catalog",
    "set '6080' is not in the catalog",
    "set '1234' is not in the catalog",
    "set '1234' is not in the catalog",
    "minifig 'sw1234' is not in the catalog",
  ]);
});

test('the reason for a missing price mentions no flags', async () => {
  expect(await read('Set,Qty\n10484,1\n')).toEqual(['there is no price, and no MSRP of 10484']);
});

/** The recognized columns and gaps. */
async function readGaps(text: string, given: Partial<OwnAnswers> = {}) {
  const answers = { ...open, ...given };
  const recognized: Recognized[] = [];
  const options = {
    ...readOptions({ store: place.store, settings: { account: me } }),
    answers,
    onRecognized: (what: Recognized) => void recognized.push(what),
  };
  const lots = new LotWriter(options, await findOwner(options));
  const table = await openTable({ name: 'f.csv', stream: Readable.from([Buffer.from(text)]) });
  const days: unknown[] = [];
  for await (const items of readMappedTable(table, lots, options)) {
    for (const item of items) if ('result' in item) days.push(item.result.gaps?.unclearDay);
  }
  return { days, recognized };
}

test('only ambiguous dates are asked about', async () => {
  const rows = ['10482,1/2/2024', '10483,2024-01-02', '10482,2/2/2024'];
  const text = `Set,Date\n${rows.join('\n')}\n`;
  expect((await readGaps(text)).days).toEqual(['1/2/2024', null, null]);
  expect((await readGaps(`${text}10483,13/2/2024\n`)).days).toEqual([null, null, null, null]);
});

test('columns are reported with the first three rows', async () => {
  const rows = ['10482,1', '10483,2', '10484,3', '10482,4'];
  const { recognized } = await readGaps(`Set,Qty\n${rows.join('\n')}\n`);
  expect(recognized).toEqual([
    {
      name: 'Spreadsheet',
      columns: {
        header: ['Set', 'Qty'],
        rows: [
          ['10482', '1'],
          ['10483', '2'],
          ['10484', '3'],
        ],
        mapping: { number: 0, quantity: 1 },
      },
    },
  ]);
});

test('a spreadsheet without a column of numbers has no rows', async () => {
  expect(await read('Color,Size\nred,1\n')).toEqual([]);
});

const about = 'sealed 500 2024-01-05 My collection';
test.each([
  ['10482 x2,,', `10482 2 ${about} owned known`],
  ['3x 10482,,', `10482 3 ${about} owned known`],
  ['10482 x2,4,', `10482 4 ${about} owned known`],
  ['10482,,keep', `10482 1 ${about} owned known`],
  ['10482,,Selling', `10482 1 ${about} listed known`],
  ['10482,,wish list', "the status is 'wish list', so there is nothing to add"],
  ['10482,,odd', "the status must be owned or listed, not 'odd'"],
  ['10482,x,', "the quantity must be a whole number, not 'x'"],
  ['10482 and 10483,,', "'10482 and 10483' names several sets: 10482, 10483"],
  [',,', 'there is no set number'],
])('%s becomes %s', async (row, expected) => {
  const text = `Set,Qty,Status,Price,Date\n${row},5,2024-01-05\n10482,1,,5,2024-01-05\n`;
  expect((await read(text))[0]).toBe(expected);
});

test.each([
  ['0', 0],
  ['119.99', 119_99],
])('a price of %s is valid', async (price, cents) => {
  const [row] = await read(`Set,Price,Date\n10482,${price},2024-01-05\n`);
  expect(row).toBe(`10482 1 sealed ${cents} 2024-01-05 My collection owned known`);
});

test.each(['-1', 'free'])('a price of %s is invalid', async (price) => {
  const [row] = await read(`Set,Price,Date\n10482,${price},2024-01-05\n`);
  expect(row).toBe(`the price must be an amount such as 119.99, not '${price}'`);
});
