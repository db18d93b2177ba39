/** Rows, columns and costs of spreadsheet files; long ones are read in parts. */
import { expect, test } from 'bun:test';
import { countTurns } from '../../test/support/turns.ts';
import type { SheetContent } from '../accounts/sheet-links/sheet-link.ts';
import { retailRowExample } from '../contract/retail.ts';
import { sheetFiles, sheetNumbersMax, sheetRowsMax } from '../contract/sheet-files.ts';
import { dataOf } from './answer-data.ts';
import { fileMaker } from './sheet-files.ts';

/** Titles and links contain the text that separates rows. */
const rows = Array.from({ length: sheetRowsMax + 700 }, (_, index) => ({
  ...retailRowExample,
  setNumber: String(index),
  title: `}},{"setNumber":"x" \\ ${index}`,
}));

async function numbersOf(list: readonly object[], search: string): Promise<string[]> {
  const work = { read: async () => dataOf(list) };
  const prepare = fileMaker({ listRetailWatch: () => work } as never);
  const file = await prepare('retail-watch', `columns=setNumber&${search}`)({} as never, spent);
  if ('missing' in file) throw new Error(file.missing);
  expect(file.cost).toBe(1);
  return (await file.make()).split('\r\n').slice(1, -1);
}

const spent = { used: 0, at: 0 };
const counted = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => String(from + index));

test.each([
  ['', 0, sheetRowsMax],
  [`offset=${sheetRowsMax}`, sheetRowsMax, rows.length],
  ['limit=1', 0, 1],
  ['limit=501&offset=499', 499, 1000],
  [`offset=${'9'.repeat(20)}`, 0, 0],
])('a retail watch of very many sets is read in parts: %p', async (search, from, to) => {
  expect(await numbersOf(rows, search)).toEqual(counted(from, to));
});

test('a retail watch of one set, and of none', async () => {
  expect(await numbersOf(rows.slice(0, 1), '')).toEqual(['0']);
  expect(await numbersOf([], '')).toEqual([]);
});

test('a long retail watch yields to the event loop', async () => {
  // Ten pieces are read, and ten are written.
  expect(await countTurns(() => numbersOf(rows, ''))).toBe(20);
});

test.each([
  [0, 0, 1],
  [250, 0, 1],
  [251, 0, 2],
  [500, 0, 2],
  [501, 0, 3],
  [501, 251, 1],
  [501, 250, 2],
  [1, 2, 1],
])(
  'a list of %i sales has all of them after %i, at a cost of %i calls',
  async (total, offset, cost) => {
    const listSales = ({ query }: { query: { limit: number; offset: number } }) => ({
      read: async () =>
        dataOf({
          sales: counted(
            Math.min(total, query.offset),
            Math.min(total, query.offset + query.limit),
          ).map((id) => ({
            id,
          })),
          pagination: { total },
        }),
    });
    const prepare = fileMaker({ listSales } as never);
    const file = await prepare('sales', `columns=id&offset=${offset}`)({} as never, spent);
    if ('missing' in file) throw new Error(file.missing);
    expect(file.cost).toBe(cost);
    expect((await file.make()).split('\r\n').slice(1, -1)).toEqual(
      counted(Math.min(offset, total), total),
    );
  },
);

/** The lines of a file, with handlers whose work returns some data. */
async function linesOf(content: SheetContent, search: string, data: unknown) {
  const asked: unknown[] = [];
  const handler = ({ query, body }: { query: object; body: object | null }) => {
    asked.push(body ?? query);
    const answer = typeof data === 'string' ? { missing: data } : dataOf(data);
    return { cost: 3, read: async () => answer };
  };
  const handlers = { getBatch: handler, listEntries: handler, listSales: handler };
  const file = await fileMaker(handlers as never)(content, search)({} as never, spent);
  const lines = 'missing' in file ? file.missing : (await file.make()).split('\r\n');
  return { asked, cost: 'missing' in file ? null : file.cost, lines };
}

test('values have a row for each number as it was sent, and each item is requested once', async () => {
  const sets = [{ found: true, set_number: '1', title: '' }, { set_number: '2' }];
  const data = { sets, minifigs: [{ found: false }] };
  const query = 'sets=1-1,,%202,1&minifigs=a&columns=requested,%20found,set_number,title';
  const { asked, cost, lines } = await linesOf('values', query, data);
  expect(asked).toEqual([{ sets: ['1-1', '2', '1'], minifigs: ['a'] }]);
  expect(cost).toBe(3);
  expect(lines).toEqual([
    'requested,found,set_number,title',
    '1-1,true,1,',
    ',,,',
    '2,,2,',
    '1,true,1,',
    'a,false,,',
    '',
  ]);
  const one = await linesOf('values', 'sets=,&minifigs=&columns=found', { sets: [], minifigs: [] });
  expect(one.lines).toEqual(['found', '""', '""', '']);
});

test('all columns are written unless some are named', async () => {
  const all = sheetFiles.values.columns.join();
  for (const query of ['sets=1', 'sets=1&columns=']) {
    const { lines } = await linesOf('values', query, { sets: [], minifigs: [] });
    expect(lines[0]).toBe(all);
  }
});

test.each([
  ['1,000 numbers', `sets=${'1,'.repeat(sheetNumbersMax - 1)}1`, null],
  [
    '1,001 numbers',
    `minifigs=${'1,'.repeat(sheetNumbersMax)}`,
    "'minifigs' has 1001 numbers; at most 1000 are",
  ],
  ['64 characters', `sets=1,${'9'.repeat(64)}`, null],
  ['65 characters', `sets=1,${'9'.repeat(65)}`, "' in 'sets' is longer than 64 characters."],
  [
    'an unknown column',
    'sets=1&columns=found,fond',
    "There is no column 'fond'; did you mean 'found'?",
  ],
  ['a column twice', 'sets=1&columns=found,title,found', "A column is in 'columns' twice."],
])('the limits of a query of values: %s', async (_, query, message) => {
  const made = linesOf('values', query, { sets: [], minifigs: [] });
  expect(await made.then(() => null, String)).toEqual(
    message === null ? null : expect.stringContaining(message),
  );
});

test('holdings can be those of one collection, which may not exist', async () => {
  const page = { entries: [{ set_number: '1' }], pagination: { total: 1 } };
  const all = await linesOf('holdings', 'columns=set_number&limit=300', page);
  expect(all.asked).toStrictEqual([{ limit: 250, offset: 0 }]);
  expect(all.lines).toEqual(['set_number', '1', '']);
  const some = await linesOf('holdings', 'brickfolio_id=5&limit=20&offset=1', page);
  expect(some.asked).toStrictEqual([{ limit: 20, offset: 1, brickfolio_id: 5 }]);
  expect(await linesOf('holdings', 'brickfolio_id=5', 'There is none.')).toMatchObject({
    lines: 'There is none.',
  });
});

test('a file of another kind of response is a fault', async () => {
  const stream = { headers: {}, start: () => null, release: () => {} };
  const work = { read: async () => stream };
  const handlers = { listSales: () => work, listRetailWatch: () => work };
  const prepare = fileMaker(handlers as never);
  await expect(prepare('sales', '')({} as never, spent)).rejects.toThrow('as JSON');
  const watch = await prepare('retail-watch', '')({} as never, spent);
  await expect('make' in watch && watch.make()).rejects.toThrow('as JSON');
});
