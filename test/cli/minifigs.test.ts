/** `minifigs …`: uncertain pairs, decisions and usage errors. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

const tsv = (...rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.join('\t')).join('\n');

const header = ['Category ID', 'Category Name', 'Number', 'Name', 'Year Released'];
const inventory = 'Type,Item No,Item Name,Qty,Color ID,Extra?,Alternate?,Match ID,Counterpart?';

const files = {
  'dump/themes.csv': 'id,name,parent_id\n1,Coastline,\n',
  'dump/sets.csv': 'set_num,name,year,theme_id,num_parts\n10482-1,Lighthouse,2020,1,9\n',
  'dump/minifigs.csv':
    'fig_num,name,num_parts,img_url\n' +
    'fig-1,Keeper,4,\nfig-2,"Gull, White",4,\nfig-3,"Gull, White",4,\n' +
    Array.from({ length: 30 }, (_, index) => `fig-9${index},Robot${index},4,\n`).join(''),
  'dump/inventories.csv': 'id,version,set_num\n1,1,10482-1\n',
  'dump/inventory_minifigs.csv': 'inventory_id,fig_num,quantity\n1,fig-1,1\n1,fig-2,1\n1,fig-3,1\n',
  'Minifigures.txt': tsv(
    header,
    ['9', 'Coast', 'cst001', 'Lighthouse Keeper', '2020'],
    ['9', 'Coast', 'cst002', 'Gull', '2020'],
    ['9', 'Coast', 'cst003', 'Mermaid', '?'],
  ),
  'S-10482-1.txt': tsv(
    inventory.split(','),
    ['M', 'cst001', 'Lighthouse Keeper', '1', '0', 'N', 'N', '0', 'N'],
    ['M', 'cst002', 'Gull', '1', '0', 'N', 'N', '0', 'N'],
  ),
};

beforeAll(async () => {
  place = makeWorkplace();
  mkdirSync(join(place.folder, 'dump'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.folder, name), text);
  await place.run(['import', 'rebrickable', 'dump', '--no-value']);
  await place.run(['import', 'bricklink-catalog', 'Minifigures.txt', '--no-value']);
});

afterAll(() => place.close());

test('an import reports how many minifigs are matched, and how many are uncertain', async () => {
  const words = ['import', 'bricklink-inventories', 'S-10482-1.txt', '--no-value'];
  const { stdout } = await place.run(words);
  expect(stdout).toContain(
    '\n1 minifig matched across both catalogs, 1 uncertain. ' +
      "To review them, run 'brickmark minifigs unsure'.\n",
  );
  expect(await place.json(words)).toMatchObject({ minifigs: { joined: 1, unsure: 1 } });
});

test('undoing an import also undoes its matches', async () => {
  const shown = async (number: string) =>
    (await place.json<{ number: string }>(['sources', number, '--minifig'])).number;
  expect(await shown('fig-1')).toBe('cst001');
  await place.json(['import', 'undo', '3', '--no-value']);
  expect(await shown('fig-1')).toBe('fig-1');
  await place.json(['import', 'undo', '2', '--no-value']);
  expect(await shown('fig-1')).toBe('fig-1');
  for (const file of ['bricklink-catalog Minifigures.txt', 'bricklink-inventories S-10482-1.txt']) {
    await place.json(['import', ...file.split(' '), '--no-value']);
  }
  expect(await shown('fig-1')).toBe('cst001');
});

test('unsure pairs are listed with names, years, sets, score and reason', async () => {
  const { status, stdout } = await place.run(['minifigs', 'unsure']);
  expect(status).toBe(0);
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines.slice(0, 5)).toEqual([
    ['1 pair of minifigs may be the same.'],
    [''],
    ['number', 'year', 'name', 'sets', 'score', 'why uncertain'],
    ['cst002', '2020', 'Gull', '10482', expect.any(String), 'fig-3 matches almost as well'],
    ['fig-2', '2020', 'Gull, White', '10482'],
  ]);
  expect(await place.json(['minifigs', 'unsure'])).toEqual({
    pairs: [
      {
        bricklink: { number: 'cst002', name: 'Gull', year: 2020, sets: ['10482'] },
        rebrickable: { number: 'fig-2', name: 'Gull, White', year: 2020, sets: ['10482'] },
        by: 'sets',
        score: expect.any(Number),
        rival: 'fig-3',
      },
    ],
  });
});

test('a decision persists through imports, and its opposite reverts it', async () => {
  expect((await place.run(['minifigs', 'join', 'FIG-3', 'cst002'])).stdout).toBe(
    'FIG-3 and cst002 are now one minifig, shown as cst002.\n',
  );
  expect((await place.run(['minifigs', 'unsure'])).stdout).toBe('No uncertain minifigs.\n');
  expect(await place.json(['minifigs', 'part', 'cst001', 'fig-1'])).toEqual({
    numbers: ['cst001', 'fig-1'],
    shown: ['cst001', 'fig-1'],
    is_one: false,
  });
  await place.run(['import', 'rebrickable', 'dump']);
  expect(await place.json(['sources', 'fig-3', '--minifig'])).toMatchObject({ number: 'cst002' });
  expect(await place.json(['sources', 'fig-1', '--minifig'])).toMatchObject({ number: 'fig-1' });
  expect((await place.run(['minifigs', 'part', 'cst002', 'fig-3'])).stdout).toBe(
    'cst002 and fig-3 are now separate minifigs.\n',
  );
  expect(await place.json(['minifigs', 'join', 'cst001', 'fig-1'])).toMatchObject({ is_one: true });
});

test('minifigs merged through other numbers are reported with a next step', async () => {
  await place.run(['minifigs', 'join', 'cst003', 'fig-90']);
  await place.run(['minifigs', 'join', 'fig-90', 'fig-91']);
  const { stdout } = await place.run(['minifigs', 'part', 'cst003', 'fig-91']);
  expect(stdout).toBe(
    'cst003 and fig-91 are still merged through another number of cst003. Run ' +
      "'brickmark sources cst003 --minifig' to see its numbers, and part those too.\n",
  );
});

test.each([
  [['join', 'cst001'], 2, 'NUMBER is missing.'],
  [['join', 'cst001', 'CST001'], 2, "Give two minifig numbers; got only 'cst001'."],
  [['part', 'a', 'b', 'c'], 2, "Unexpected argument 'c'."],
  [['join', 'cst001', 'cst01'], 1, "No minifig 'cst01'; did you mean 'cst001'?"],
  [['part', 'xxxxxxxxxxxx', 'cst001'], 1, "No minifig 'xxxxxxxxxxxx'. Import minifigs"],
  [['unsure', '--limit', '0'], 2, '--limit'],
])('minifigs %j is rejected in one sentence', async (words, status, sentence) => {
  const refused = await place.run(['minifigs', ...words]);
  expect(refused.status).toBe(status);
  expect(refused.stderr).toContain(sentence);
});
