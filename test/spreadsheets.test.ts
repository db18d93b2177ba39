/** The script and the recipe of docs/spreadsheets.md, with a real server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sheetLinksMax } from '../src/accounts/sheet-links/sheet-link.ts';
import { endpoints } from '../src/contract/endpoints.ts';
import { batchItemsMax } from '../src/contract/limits.ts';
import { setExample } from '../src/contract/set.ts';
import { sheetFiles, sheetRowsMax } from '../src/contract/sheet-files.ts';
import { type ScriptThread, startScript } from './support/apps-script.ts';
import { setWorth } from './support/person.ts';
import { batch, startWorld, type World } from './support/world.ts';

const examples = join(import.meta.dir, '..', 'docs', 'examples');
const read = (name: string) => readFileSync(join(examples, name), 'utf8');

let world: World;

beforeAll(async () => {
  world = await startWorld();
  const sets = Array.from({ length: 120 }, (_, index) =>
    setWorth(String(1000 + index), { sealed: 50 + index }),
  );
  const minifig = { kind: 'minifig', minifig_number: 'cas001', name: 'Knight' };
  await world.load([...sets.flat(), minifig]);
});

afterAll(() => world.close());

let persons = 0;

async function newKey(options: { allowance?: number; plan?: 'free' } = {}) {
  const email = `sheet-${++persons}@example.com`;
  await world.addAccount(email, options.plan);
  const key = await world.addKey(email, options);
  const used = async () => (await world.store.accounts.listKeys(email, world.now))?.[0]?.usedToday;
  return { email, key, used };
}

test('docs/spreadsheets.md has every file of a link, its parameters and its limits', () => {
  const page = readFileSync(join(examples, '..', 'spreadsheets.md'), 'utf8');
  for (const [name, { query }] of Object.entries(sheetFiles)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}.csv\` |`)) ?? '';
    expect(Object.keys(query.properties).filter((each) => !row.includes(`\`${each}\``))).toEqual(
      [],
    );
  }
  expect(page).toContain(`up to ${sheetRowsMax.toLocaleString('en')} rows`);
  expect(page).toContain(`up to ${sheetLinksMax} links`);
  expect(page).toContain(`up to ${batchItemsMax} unique ones`);
});

describe('the script for Google Sheets', () => {
  let script: ScriptThread;
  const threads: ScriptThread[] = [];

  /** The script after an address and a key were entered in its menu. */
  async function withKey(key: string, url = `${world.url}/`): Promise<ScriptThread> {
    // The menu requires https, which the test server does not have.
    const code = read('sheets.gs').replace('/^https:', '/^http:');
    const thread = startScript(code, { prompts: [url, ` ${key} `] });
    threads.push(thread);
    expect(await thread.call('setBrickmarkKey')).toEqual([expect.stringMatching(/^Saved/)]);
    return thread;
  }

  let mine: Awaited<ReturnType<typeof newKey>>;

  beforeEach(async () => {
    mine = await newKey();
    script = await withKey(mine.key);
  });

  afterEach(() => {
    for (const thread of threads.splice(0)) thread.stop();
  });

  const column = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => [from + index]);

  test('has a row for each number, in batches of 100; recalculating costs nothing', async () => {
    const values = await script.call('BRICKMARK', column(1000, 120), 'new_value_usd');
    expect(values).toEqual(column(50, 120));
    expect(script.fetched.map(({ options }) => JSON.parse(options.payload).sets.length)).toEqual([
      100, 20,
    ]);
    expect(await mine.used()).toBe(120);
    const titles = await script.call('BRICKMARK', [[1000], ['1000-1'], [1119]], 'title, found');
    expect(titles).toEqual([
      ['Set 1000', true],
      ['Set 1000', true],
      ['Set 1119', true],
    ]);
    expect(await mine.used()).toBe(120);
    expect(new Set(Object.values(await script.kept()))).toEqual(new Set([21_600]));
    await script.forget();
    expect(await script.call('BRICKMARK', 1000)).toEqual([[50]]);
    expect(await mine.used()).toBe(121);
  });

  test('distinguishes empty cells, unknown numbers, dates and unknown fields', async () => {
    const cells = [['1000'], [''], ['nobody'], [new Date(0)], ['1000-1'], [null], ['a\tb']];
    const rows = await script.call('BRICKMARK', cells, 'value_range.low,used_value_usd,nothing');
    expect(rows).toEqual([
      [45, '', 'No field nothing'],
      ['', '', ''],
      ['Not found', 'Not found', 'Not found'],
      ['This is a date: format the cell as plain text', '', ''],
      [45, '', 'No field nothing'],
      ['', '', ''],
      ['Not a valid number', '', ''],
    ]);
    expect(await mine.used()).toBe(2);
    expect(await script.call('BRICKMARK_MINIFIGS', 'CAS001', 'name')).toEqual([['Knight']]);
  });

  test('shows all fields of one set in two columns', async () => {
    const rows = (await script.call('BRICKMARK_SET', '1003')) as [string, unknown][];
    const shown = Object.fromEntries(rows);
    expect(shown).toMatchObject({ set_number: '1003', new_value_usd: 53, 'barcodes.upc': '' });
    expect(rows.map(([name]) => name.split('.')[0])).toEqual(
      expect.arrayContaining(Object.keys(setExample)),
    );
    expect(await script.call('BRICKMARK_SET', '')).toEqual([[expect.any(String)]]);
  });

  test('shows errors in the cells, and keeps what was fetched before', async () => {
    const poor = await newKey({ allowance: 105 });
    const thread = await withKey(poor.key);
    const rows = (await thread.call('BRICKMARK', column(1000, 120))) as unknown[][];
    expect(rows.slice(0, 100)).toEqual(column(50, 100));
    const refused = expect.stringMatching(/needs 20 .*and 5 are left/);
    expect(rows.slice(100)).toEqual(Array(20).fill([refused]));
    expect(await poor.used()).toBe(100);
    // Only the rest is requested again.
    expect(await thread.call('BRICKMARK', column(1098, 4))).toEqual([[148], [149], [150], [151]]);
    const free = await withKey((await newKey({ plan: 'free' })).key);
    expect(await free.call('BRICKMARK', 1000)).toEqual([
      ['The account is not on the Reseller plan'],
    ]);
    const wrong = await withKey(`bmk_${'0'.repeat(48)}`);
    expect(await wrong.call('BRICKMARK', 1000)).toEqual([
      ['Invalid key: choose Brickmark > Set address and key'],
    ]);
    await wrong.call('removeBrickmarkKey');
    expect(await wrong.call('BRICKMARK', 1000)).toEqual([
      ['Choose Brickmark > Set address and key'],
    ]);
  });

  test('fetches nothing if another formula holds the lock', async () => {
    await script.call('BRICKMARK', 1000);
    await script.lock();
    expect(await script.call('BRICKMARK', column(1000, 2))).toEqual([
      [50],
      ['Busy: try again in a minute'],
    ]);
    expect(await mine.used()).toBe(1);
  });

  test("shows the status of an error that is not in the API's format", async () => {
    const fetch = () => new Response('<html>', { status: 429 });
    const proxy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
    const thread = await withKey(mine.key, proxy.url.href);
    expect(await thread.call('BRICKMARK', 1000)).toEqual([
      ['Brickmark returned 429; try again later'],
    ]);
    await proxy.stop(true);
  });

  test('sends no batch after one that was refused', async () => {
    const thread = await withKey((await newKey({ allowance: 5 })).key);
    const rows = (await thread.call('BRICKMARK', column(1000, 120))) as unknown[][];
    expect(new Set(rows.flat()).size).toBe(1);
    expect(thread.fetched).toHaveLength(1);
  });

  test('accepts only an https address and a key in its menu', async () => {
    for (const prompts of [
      [`http://x.example`, mine.key],
      ['https://x.example', 'secret'],
    ]) {
      const thread = startScript(read('sheets.gs'), { prompts });
      threads.push(thread);
      expect(await thread.call('setBrickmarkKey')).not.toEqual([expect.stringMatching(/^Saved/)]);
      expect(await thread.call('BRICKMARK', 1000)).toEqual([
        ['Choose Brickmark > Set address and key'],
      ]);
    }
  });
});

describe('the recipe for Excel', () => {
  const recipe = read('brickmark.pq').replaceAll(/^\s*\/\/.*$/gm, '');
  const textsIn = (name: string) => {
    const [, list = ''] = new RegExp(`${name} = \\{([^}]*)\\}`).exec(recipe) ?? [];
    return [...list.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
  };

  test('has the fields of a set in a batch, and a type for every column', () => {
    const known = [...Object.keys(setExample), 'found'];
    const columns = textsIn('Columns');
    expect(columns.length).toBeGreaterThan(10);
    expect(columns.filter((name) => !known.includes(name))).toEqual([]);
    const range = textsIn('RangeColumns');
    expect(range).toEqual(Object.keys(setExample.value_range ?? {}));
    expect(textsIn('RangeNames')).toEqual(range.map((name) => `value_range.${name}`));
    const typed = [...recipe.matchAll(/\{"([\w.]+)", (?:type|Int64|Currency)/g)];
    const shown = [...columns.filter((name) => name !== 'value_range'), ...textsIn('RangeNames')];
    expect(typed.map(([, name]) => name)).toEqual(shown);
  });

  test('makes a call that Brickmark accepts', async () => {
    expect(recipe).toContain(`List.Split(Numbers, ${batchItemsMax})`);
    const { prefix, path } = endpoints.getBatch;
    expect(recipe).toContain(`RelativePath = "${`${prefix}${path}`.slice(1)}"`);
    const [, body] = /Json\.FromValue\(\[(\w+) = numbers\]\)/.exec(recipe) ?? [];
    const { key } = await newKey();
    const answer = await world.call(path, key, batch({ [body ?? '']: ['1000', 'nobody'] }));
    const { data } = (await answer.json()) as { data: { sets: { found: boolean }[] } };
    expect(data.sets.map(({ found }) => found)).toEqual([true, false]);
    expect(recipe).toContain('Document[data][sets]');
    const refused = await world.call(path, `${key.slice(0, -1)}x`, batch({ sets: ['1000'] }));
    expect((await refused.json()) as object).toHaveProperty('error.message');
    expect(recipe).toContain('Document[error][message]');
  });
});
