/** Long files: no more rows than a file has, and read so that others get their turn. */
import { expect, test } from 'bun:test';
import { retailRowExample } from '../contract/retail.ts';
import { sheetRowsMax } from '../contract/sheet-files.ts';
import { fileMaker } from './sheet-files.ts';

/** Titles and links hold what rows are told apart by. */
const rows = Array.from({ length: sheetRowsMax + 700 }, (_, index) => ({
  ...retailRowExample,
  setNumber: String(index),
  title: `}},{"setNumber":"x" \\ ${index}`,
}));

async function numbersOf(list: readonly object[], search: string): Promise<string[]> {
  const work = { read: async () => JSON.stringify(list) };
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

test('others get their turn while a long retail watch is read', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await numbersOf(rows, '');
  isDone = true;
  // Ten pieces are read, and ten are written.
  expect(turns).toBeGreaterThanOrEqual(18);
});
