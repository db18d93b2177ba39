/** BrickLink's inventories: regular minifigs only, and complete lists only. */
import { expect, test } from 'bun:test';
import { factsOf, readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { bricklinkInventories } from './bricklink-inventories.work.ts';

const header =
  'Type\tItem No\tItem Name\tQty\tColor ID\tExtra?\tAlternate?\tMatch ID\tCounterpart?\r\n';

/** BrickLink ends its rows with a tab. */
const row = (type: string, number: string, name: string, quantity = '1', flags = 'NNN') =>
  `${type}\t${number}\t${name}\t${quantity}\t0\t${flags[0]}\t${flags[1]}\t0\t${flags[2]}\t\r\n`;

const keeper = row('M', 'cst001', 'Keeper');

const read = (files: Readonly<Record<string, string>>) => readFiles(bricklinkInventories, files);

const subset = (type: string, no: string, more: object = {}) => ({
  item: { no, name: `The ${no}`, type, category_id: 9 },
  quantity: 1,
  extra_quantity: 0,
  is_alternate: false,
  is_counterpart: false,
  ...more,
});

const answer = (...groups: readonly (readonly unknown[])[]) =>
  JSON.stringify({
    meta: { description: 'OK', message: 'OK', code: 200 },
    data: groups.map((entries, match_no) => ({ match_no, entries })),
  });

test('a download lists the regular minifigs of the set', async () => {
  const items = await read({
    'S-10482-1.txt':
      `${header}\r\n${row('P', '3001', 'Brick 2 x 4', '12')}${keeper}` +
      row('M', 'cst002', 'Gull &#40;white&#41;', '3') +
      row('M', 'cst006', '"Old gull') +
      row('M', 'cst003', 'Extra', '1', 'YNN') +
      row('M', 'cst004', 'Alternate', '1', 'NYN') +
      row('M', 'cst005', 'Counterpart', '1', 'NNY') +
      row('S', '10483-1', 'A set'),
  });
  expect(rejectsOf(items)).toEqual([]);
  expect(factsOf(items)).toMatchObject({
    10482: { title: null, theme: null, minifigs: ['cst001', 'cst002', 'cst006'], minifigsCount: 5 },
    cst001: { name: 'Keeper', category: null, yearReleased: null },
    cst002: { name: 'Gull (white)' },
    cst006: { name: '"Old gull' },
  });
  expect(items).toHaveLength(4);
});

test('an API response lists the same minifigs', async () => {
  const items = await read({
    'S-10482-2.json': answer(
      [subset('PART', '3001'), subset('MINIFIG', 'cst001', { quantity: 2 })],
      [subset('MINIFIG', 'cst002'), subset('MINIFIG', 'cst004', { is_alternate: true })],
      [subset('MINIFIG', 'cst005', { is_counterpart: true })],
      [subset('MINIFIG', 'cst003', { quantity: 0, extra_quantity: 1 })],
    ),
  });
  expect(rejectsOf(items)).toEqual([]);
  expect(factsOf(items)).toMatchObject({
    '10482-2': { minifigs: ['cst001', 'cst002'], minifigsCount: 3 },
    cst001: { name: 'The cst001' },
  });
});

test('a set without minifigs has an empty list', async () => {
  const items = await read({ 'S-10482-1.txt': header + row('P', '3001', 'Brick') });
  expect(factsOf(items)).toMatchObject({ 10482: { minifigs: [], minifigsCount: 0 } });
});

test.each([
  's-10482-1.TXT',
  '10482-1.txt',
  'S-10482-1.txt.gz.txt',
  'SET_10482-1_subsets.txt',
  'subsets-10482-1.txt',
])('%s is the inventory of set 10482-1', async (name) => {
  expect(factsOf(await read({ [name]: header + keeper }))).toHaveProperty('10482');
});

test.each(['inventory.txt', 'S-10482.txt'])('the file name %s has no set number', async (name) => {
  await expect(read({ [name]: header + keeper })).rejects.toThrow('must contain the set number');
});

test.each([
  ['a quantity that is not a number', header + keeper + row('M', 'cst002', 'Gull', 'x'), 'S.txt:3'],
  ['a quantity of 0', header + keeper + row('M', 'cst002', 'Gull', '0'), 'S.txt:3'],
  ['a minifig without a name', header + keeper + row('M', 'cst002', ''), 'S.txt:3'],
  ['an incomplete row', `${header}M\tcst002\tGull\r\n${keeper}`, 'S.txt:2'],
])('%s does not change the minifigs of the set', async (_, text, where) => {
  const items = await read({ 'S-10482-1.txt': text });
  expect(items.map((item) => ('where' in item ? item.where : null))).toHaveLength(2);
  expect(rejectsOf(items)).toEqual([
    expect.stringContaining(`${where.replace('S.', 'S-10482-1.')}: `),
  ]);
  expect(factsOf(items)).not.toHaveProperty('10482');
});

test.each([
  ['an empty download', 'S-10482-1.txt', header, 'the inventory is empty'],
  ['an empty response', '10482-1.json', answer(), 'the inventory is empty'],
  [
    'an error',
    '10482-1.json',
    JSON.stringify({ meta: { code: 404, message: 'RESOURCE_NOT_FOUND' } }),
    'BrickLink answered with an error (404): RESOURCE_NOT_FOUND',
  ],
  ['another object', '10482-1.json', '{"a": 1}', "it has no 'entries', so it is not an inventory"],
  ['no item', '10482-1.json', answer([{ quantity: 1 }]), "'item' is missing"],
  [
    'no number',
    '10482-1.json',
    answer([subset('MINIFIG', '', { item: { type: 'MINIFIG' } })]),
    "'item.no' must be text",
  ],
])('%s is one rejected row', async (_, name, text, reason) => {
  const items = await read({ [name]: text });
  expect(items).toHaveLength(1);
  expect(rejectsOf(items)).toEqual([expect.stringContaining(reason)]);
});

test('other tables are rejected', async () => {
  await expect(read({ 'S-10482-1.txt': 'Number\tName\r\n1\t2\r\n' })).rejects.toThrow(
    "is this BrickLink's inventory of a set?",
  );
});
