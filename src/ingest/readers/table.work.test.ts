/** Tables: columns by name, locations of rows, and errors. */
import { describe, expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import type { TableShape } from './csv-records.work.ts';
import { SourceFileError } from './source-file.work.ts';
import { checkColumns, findTable, openTable, type TableRow } from './table.work.ts';

async function readAll(content: string | Buffer, shape?: TableShape): Promise<TableRow[]> {
  const table = await findTable(part(content), shape);
  const rows: TableRow[] = [];
  for await (const group of table?.rows() ?? []) {
    expect(group).not.toBeEmpty();
    rows.push(...group);
  }
  return rows;
}

/** In small chunks, so that values span them; large files in larger chunks. */
function part(content: string | Buffer) {
  const bytes = Buffer.from(content);
  const length = bytes.length > 100_000 ? 1009 : 7;
  const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
  return { name: 'f.csv', stream: Readable.from(pieces, { objectMode: true }) };
}

const values = (rows: readonly TableRow[], ...names: string[]) =>
  rows.map((row) => names.map((name) => row.text(name)));

test('columns are found by name, ignoring order, case and spaces', async () => {
  const rows = await readAll('Set  Number,QTY\n60393-1, 2 \n"a ""b"", c",\n');
  expect(values(rows, 'qty', 'set number', 'nothing')).toEqual([
    ['2', '60393-1', null],
    [null, 'a "b", c', null],
  ]);
  expect(rows.map((row) => row.where)).toEqual(['f.csv:2', 'f.csv:3']);
  expect(rows[1]?.line).toBe('"a ""b"", c",');
});

test.each([
  ['semicolons', 'a;b\n1;2\n'],
  ['tabs', 'a\tb\n1\t2\n'],
  ['a byte order mark', '\ufeffa,b\n1,2\n'],
  ['carriage returns and blank lines', '\r\n\r\na,b\r\n\r\n1,2\r\n'],
  ['no final newline', 'a,b\n1,2'],
  ['empty cells beyond the header', 'a,b\n1,2,,\n'],
])('a table with %s', async (_, content) => {
  const rows = await readAll(content);
  expect(values(rows, 'a', 'b')).toEqual([['1', '2']]);
  expect(rows[0]?.mismatch).toBeNull();
});

test('quotes can be ordinary characters', async () => {
  const rows = await readAll('a\tb\n6" disc\t"x\n', { delimiter: '\t', hasQuotes: false });
  expect(values(rows, 'a', 'b')).toEqual([['6" disc', '"x']]);
});

test.each(['\n', '\r\n'])('a row is located at its first line, with %j line ends', async (end) => {
  const lines = ['a,b', '"one', 'two', 'three",2', '', '3,4', '"5', '6",7', ''];
  const rows = await readAll(lines.join(end));
  expect(rows.map((row) => row.where)).toEqual(['f.csv:2', 'f.csv:6', 'f.csv:7']);
});

test('the first of several columns with the same name counts', async () => {
  const rows = await readAll('Note 2,Note,Note,,\n1,2,3,4,5\n');
  expect(values(rows, 'note', 'note 2')).toEqual([['2', '1']]);
  expect(rows[0]?.mismatch).toBeNull();
});

test('a table may have no rows', async () => {
  expect(await readAll('a,b\n')).toEqual([]);
});

test('an empty file has no table, and opening it throws', async () => {
  expect(await findTable(part(''))).toBeNull();
  await expect(openTable(part(''))).rejects.toThrow(new SourceFileError('f.csv is empty.'));
});

test('missing columns are named, with the existing ones', async () => {
  const table = await openTable(part('x,y\n1,2\n'));
  const check = () => table && checkColumns(table, ['set_num', 'y'], "Rebrickable's sets.csv");
  expect(check).toThrow(SourceFileError);
  expect(check).toThrow(
    "f.csv:1: the header has no 'set_num'; is this Rebrickable's sets.csv? It has 'x', 'y'.",
  );
});

test('eight columns of the header are shown, cut to forty characters', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(41));
  const shown = async (count: number) => {
    const table = await openTable(part(`${names.slice(0, count).join(',')}\n`));
    const check = () => checkColumns(table, ['a'], 'it');
    const words = names.slice(0, Math.min(8, count)).map((name) => `'${name.slice(0, 40)}'`);
    return { check, has: `It has ${words.join(', ')}` };
  };
  const [eight, nine, ten] = [await shown(8), await shown(9), await shown(10)];
  expect(eight.check).toThrow(`${eight.has}.`);
  expect(nine.check).toThrow(`${nine.has} and 1 more.`);
  expect(ten.check).toThrow(`${ten.has} and 2 more.`);
});

test('without a header, columns are named by position', async () => {
  const table = (await openTable(part('1,2\n3,4\n'))).headerless();
  const rows: TableRow[] = [];
  for await (const group of table.rows()) rows.push(...group);
  expect(values(rows, 'Column 1', 'Column 2')).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('a row that does not fit the header says so', async () => {
  const rows = await readAll('a,b\njunk\n1,2,3\n1,2\n');
  expect(rows.map((row) => row.mismatch)).toEqual([
    'the row has 1 column and the header 2',
    'the row has 3 columns and the header 2',
    null,
  ]);
});

test('a closed table is not read further', async () => {
  let given = 0;
  const lines = function* () {
    yield Buffer.from('a,b\n');
    for (; ; given++) yield Buffer.from('1,2\n'.repeat(1000));
  };
  const stream = Readable.from(lines());
  const table = await openTable({ name: 'f.csv', stream });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  await table?.close();
  await closed;
  expect(given).toBeLessThan(100);
});

test('a file of junk is rejected early', async () => {
  const lines = function* () {
    yield Buffer.from('a,b\n');
    for (let i = 0; i < 1_000_000; i++) yield Buffer.from('junk\n'.repeat(1000));
  };
  const table = await openTable({ name: 'f.csv', stream: Readable.from(lines()) });
  const read = async () => {
    for await (const _ of table?.rows() ?? []);
  };
  await expect(read()).rejects.toThrow(
    'f.csv:1001: the row has 1 column and the header 2, like 999 rows before it.',
  );
});

test('an unclosed quote is located at its row', async () => {
  await expect(readAll('a,b\n1,2\n"3,4\n5,6\n')).rejects.toThrow(
    'f.csv:3: the row that begins here has a quote that is never closed.',
  );
  await expect(readAll(`a,b\n1,2\n"3,4\n${'5,6\n'.repeat(400_000)}`)).rejects.toThrow(
    'f.csv:3: the row that begins here is longer than 1048576 bytes',
  );
});

test('a file that ends in the middle of a row is rejected', async () => {
  await expect(readAll('a,b,c\n1,2,3\n4,5')).rejects.toThrow(
    'f.csv:3: the file ends in the middle of a row; is it complete?',
  );
  expect(await readAll('a,b,c\n1,2\n1,2,3')).toHaveLength(2);
  await expect(readAll('a,b,c\n1,2,3\n4,"5')).rejects.toThrow('f.csv:3: the row that begins here');
});

test('text that is not UTF-8 fails with its line', async () => {
  await expect(readAll(Buffer.from('a,b\n1,2\n3,caf\xe9\n', 'latin1'))).rejects.toThrow(
    'f.csv:3: the text is not UTF-8',
  );
  await expect(readAll(Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'))).rejects.toThrow(
    'f.csv:1: the file is UTF-16',
  );
});

describe('oversized tables are rejected with a location before they fill the memory', () => {
  const cells = (count: number) => ','.repeat(count - 1).concat('\n');
  const tooWide = 'the row has more than 1000 columns; is it the right file?';

  test('a thousand columns are read', async () => {
    const rows = await readAll(cells(1000).replace(',', 'a,') + cells(1000));
    expect(rows).toHaveLength(1);
  });

  test.each([
    ['a wider header', cells(1001), `f.csv:1: ${tooWide}`],
    ['a header with ten thousand columns', cells(10_000), `f.csv:1: ${tooWide}`],
    ['a row with ten thousand columns', `a,b\n1,2\n${cells(10_000)}`, `f.csv:3: ${tooWide}`],
    ['a row with quoted newlines', `a\n${`"\n"${','.repeat(400)}`.repeat(3)}\n`, tooWide],
    ['an endless text', `a,b\n1,${'x'.repeat(1_100_000)}`, 'f.csv:2: the row that begins'],
  ])('rejects %s', async (_, text, fault) => {
    await expect(readAll(text)).rejects.toThrow(fault);
  });

  test('an endless row of empty cells', async () => {
    let given = 0;
    const pieces = function* () {
      for (; given < 10_000; given++) yield Buffer.from(','.repeat(64 * 1024));
    };
    const opened = openTable({ name: 'f.csv', stream: Readable.from(pieces()) });
    await expect(opened).rejects.toThrow(`f.csv:1: ${tooWide}`);
    expect(given).toBeLessThan(100);
  });
});
