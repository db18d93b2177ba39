/** Guessing columns of unknown spreadsheets. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnRoles, guessColumns, isHeaderless } from './column-guess.ts';

/** Names of guessed columns. */
function guessed(header: string, ...rows: readonly string[]) {
  const cells = (line: string) => line.split(',');
  const mapping = guessColumns(cells(header), rows.map(cells));
  const names = Object.entries(mapping).map(([role, at]) => [role, cells(header)[at]]);
  return Object.fromEntries(names);
}

test.each([
  [
    'Item,Qty,Paid,When',
    ['75192,1,650,2024-05-04'],
    { number: 'Item', quantity: 'Qty', price: 'Paid', date: 'When' },
  ],
  [
    'Set #,Set Name,Cost,Purchase Date,Location',
    ['10255-1,Square,199.99,1/2/2021,Attic'],
    {
      number: 'Set #',
      name: 'Set Name',
      price: 'Cost',
      date: 'Purchase Date',
      place: 'Location',
    },
  ],
  [
    'Set,Item no,Total paid,Price,Retail price',
    ['Millennium Falcon,75192,1300,650,849.99'],
    { number: 'Item no', total: 'Total paid', price: 'Price' },
  ],
  [
    'Setnummer,Anzahl,Kaufpreis,Kaufdatum,Zustand',
    ['75192,1,"650",04.05.2024,neu'],
    {
      number: 'Setnummer',
      quantity: 'Anzahl',
      price: 'Kaufpreis',
      date: 'Kaufdatum',
      condition: 'Zustand',
    },
  ],
  [
    'setNumber,pricePaid,purchaseDate,status',
    ['75192,1,2024-05-04,owned'],
    { number: 'setNumber', price: 'pricePaid', date: 'purchaseDate', status: 'status' },
  ],
  ['A,B,C', ['Falcon,75192,2'], { number: 'B' }],
  [
    'Item,Number of pieces,Market value,Release date,Sold price',
    ['75192 Millennium Falcon,7541,900,2017-10-01,950'],
    { number: 'Item' },
  ],
  ['Name,Color', ['Falcon,Gray'], { name: 'Name' }],
])('guesses what the columns %p are', (header, rows, mapping) => {
  expect(guessed(header, ...rows)).toEqual(mapping);
});

test('a first line with a set number in it is a row', () => {
  expect(isHeaderless(['75192-1', '1'])).toBe(true);
  expect(isHeaderless(['Item', '2024'.slice(2)])).toBe(false);
});

test('a number column has numbers in at least half of its cells', () => {
  const rows = ['75192,a', '75193,b', 'x,75194', 'y,75195'];
  expect(guessed('Set,Other', ...rows)).toEqual({ number: 'Set' });
  expect(guessed('Set,Other', ...rows, 'z,75196')).toEqual({ number: 'Other' });
});

test('without rows, no column is guessed by its contents', () => {
  expect(guessed('Color,Size')).toEqual({});
});

test('every role is in docs/formats.md, by names of which each is recognized', () => {
  const docs = readFileSync(join(import.meta.dir, '../../../docs/formats.md'), 'utf8');
  const [, table = ''] = /### Any spreadsheet\n([\s\S]*?)\n###/.exec(docs) ?? [];
  const detected = [...table.matchAll(/^\| [^|`]+ \| ([^|]+)/gm)].map(([, cell = '']) => cell);
  const names = detected.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const roles = names.map((name = '') => [name, ...Object.keys(guessed(name, '75192-1'))]);
  expect(roles.filter(({ length }) => length !== 2)).toEqual([]);
  expect([...new Set(roles.map(([, role]) => role))].sort()).toEqual([...columnRoles].sort());
});
