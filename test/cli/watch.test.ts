/** `watch`: files in a folder are imported, and moved by the result. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DropFolder } from '../../src/cli/imports/drop-folder.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { programCommand } from '../support/program.ts';
import { until } from '../support/until.ts';
import { storedZip } from '../support/zip.ts';

let place: Workplace;
let drop: string;

beforeEach(() => {
  place = makeWorkplace();
  drop = join(place.folder, 'drop');
  mkdirSync(drop);
});

afterEach(() => place.close());

/** The timestamp before the name of a moved file; the seconds vary. */
const stamp = /^(\d+-)?20261115-1200\d\d-/;
const set = (number: number) =>
  `{"kind":"set","set_number":"${number}","title":"Hut","theme":"Huts"}\n`;
const sold = (item: number, id: string, currency: string) =>
  `{"kind":"sale","source":"shop","source_id":"${id}","item_type":"set","item":"${item}",` +
  `"condition":"sealed","price":5,"currency":"${currency}","sold_at":"2026-11-01T00:00:00Z"}\n`;

function put(name: string, content: string | Uint8Array): void {
  const path = join(drop, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The names in a folder, without timestamps. */
const inside = (name: string) =>
  (existsSync(join(drop, name)) ? readdirSync(join(drop, name)) : [])
    .map((file) => file.replace(stamp, '$1'))
    .sort();

/** The content of a moved file, found by its name without the timestamp. */
function filed(folder: string, name: string): string {
  const file = readdirSync(join(drop, folder)).find((some) => some.replace(stamp, '$1') === name);
  return readFileSync(join(drop, folder, file ?? name), 'utf8');
}

test('a file is imported and moved to done/ with its rejects', async () => {
  put('sets.ndjson', `${set(1)}nonsense\n${set(2)}`);
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran).toMatchObject({
    status: 0,
    stdout: 'sets.ndjson: feed, 3 rows: 2 added, 0 updated, 0 unchanged, 1 rejected.\n',
  });
  expect(inside('done')).toEqual(['sets.ndjson', `sets.ndjson.rejects.ndjson`]);
  expect(JSON.parse(filed('done', 'sets.ndjson.rejects.ndjson'))).toMatchObject({
    reason:
      "the line is not valid JSON at column 1: expected a value, not 'nonsense'; " +
      'the feed is JSON, one object per line',
    row: 'nonsense',
  });
  expect(inside('working')).toEqual([]);
});

test('without a folder, a flag tells that the watcher of files is meant', async () => {
  const { status, stderr } = await place.run(['watch', '--once']);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "DIR is missing. See 'brickmark watch --help'.\n",
  });
});

test('imported data is published', async () => {
  put('sets.ndjson.gz', gzipSync(set(1)));
  await place.run(['watch', 'drop', '--once']);
  const explained = await place.run(['explain', 'set', '1']);
  expect(explained.status).toBe(0);
});

test('a file of unknown format moves to failed/ with the reason, and the others are imported', async () => {
  put('a.txt', 'Dear diary,\n');
  put('b.ndjson', set(1));
  put('c.ndjson.gz', gzipSync(set(2).repeat(100)).subarray(0, 40));
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('2 of 3 files could not be imported. See failed/ for the errors.');
  expect(inside('done')).toEqual([`b.ndjson`]);
  expect(inside('failed')).toEqual([
    `a.txt`,
    `a.txt.error.txt`,
    `c.ndjson.gz`,
    `c.ndjson.gz.error.txt`,
  ]);
  expect(filed('failed', 'a.txt.error.txt')).toBe(
    "Unknown format. Import it by hand with 'brickmark import FORMAT PATH'.\n",
  );
});

test('files of the same name that are done in the same second do not replace each other', () => {
  const folder = new DropFolder(drop);
  put('.brickmark/rejects.ndjson', '');
  for (const number of [1, 2, 3]) {
    put('sets.ndjson', set(number));
    const [dropped] = folder.list();
    const claimed = dropped && folder.claim(dropped);
    if (!claimed) throw new Error('There is no file.');
    folder.file(claimed, { at: Date.UTC(2026, 10, 15, 12), under: 'done', error: null });
  }
  expect(inside('done')).toEqual(['2-sets.ndjson', 'sets.ndjson', '3-sets.ndjson'].sort());
});

test('no file blocks the others, and entries that are not files are ignored', async () => {
  put('a.zip', storedZip('../x.csv', 'a'));
  put('b/sets.csv', 'a');
  const outside = join(place.folder, 'secret');
  writeFileSync(outside, 'secret');
  symlinkSync(outside, join(drop, 'b', 'themes.csv'));
  symlinkSync('nowhere', join(drop, 'c.ndjson'));
  symlinkSync('d.ndjson', join(drop, 'd.ndjson'));
  symlinkSync(outside, join(drop, 'e.ndjson'));
  Bun.spawnSync(['mkfifo', join(drop, 'f.ndjson')]);
  writeFileSync(Buffer.from(`${drop}/g\xff.ndjson`, 'latin1'), set(1));
  put(`${'h'.repeat(240)}.ndjson`, `${set(1)}nonsense\n`);
  put('i.ndjson', set(2));
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran).toMatchObject({
    status: 1,
    stderr: '2 of 4 files could not be imported. See failed/ for the errors.\n',
  });
  const cut = `${'h'.repeat(193)}.ndjson`;
  expect(inside('done')).toEqual([cut, `${cut}.rejects.ndjson`, 'i.ndjson']);
  expect(inside('failed')).toEqual(['a.zip', 'a.zip.error.txt', 'b', 'b.error.txt']);
  expect(filed('failed', 'a.zip.error.txt')).toContain('cannot be unpacked (invalid relative path');
  expect(filed('failed', 'b.error.txt')).toBe(
    "'themes.csv' is neither a file nor a folder. Put the file itself there.\n",
  );
  expect(inside('working')).toEqual([]);
  expect(readdirSync(drop)).toContain('f.ndjson');
});

test('a deleted file is skipped', () => {
  put('a.ndjson', set(1));
  const folder = new DropFolder(drop);
  const [dropped] = folder.list();
  rmSync(join(drop, 'a.ndjson'));
  expect(dropped && folder.claim(dropped)).toBeNull();
  expect(folder.listSettled()).toEqual([]);
});

test('an interrupted import is repeated', async () => {
  put('working/sets.ndjson', set(1));
  put('working/fixed.rejects.ndjson', set(2));
  put('.brickmark/rejects.ndjson', 'of an import that was ended');
  expect(await place.run(['watch', 'drop', '--once'])).toMatchObject({ status: 0 });
  expect(inside('done')).toEqual(['fixed.rejects.ndjson', 'sets.ndjson']);
});

test('a repeated file does not replace a newer one of the same name', () => {
  const mail = 'me@example.com';
  for (const at of ['', 'working/']) {
    put(`${at}a.csv`, `${at}a`);
    put(`${at}a.mapping.json`, `${at}mapping`);
    put(`${at}dump/${at === '' ? 'sets' : 'themes'}.csv`, 'a');
    put(`${at}${mail}/b.csv`, `${at}b`);
  }
  put('working/c.mapping.json', 'its file waits yet');
  new DropFolder(drop).restoreUnfinished();
  const text = (name: string) => readFileSync(join(drop, name), 'utf8');
  expect(['a.csv', '2-a.csv'].map(text)).toEqual(['a', 'working/a']);
  expect(['a.mapping.json', '2-a.mapping.json'].map(text)).toEqual(['mapping', 'working/mapping']);
  expect([inside('dump'), inside('2-dump')]).toEqual([['sets.csv'], ['themes.csv']]);
  expect([`${mail}/b.csv`, `${mail}/2-b.csv`].map(text)).toEqual(['b', 'working/b']);
  expect(text('c.mapping.json')).toBe('its file waits yet');
});

test("an account's folder accepts files of accounts, but no market data", async () => {
  put('me@example.com/sets.ndjson', set(1));
  expect(await place.run(['watch', 'drop', '--once'])).toMatchObject({ status: 1 });
  expect(filed('failed/me@example.com', 'sets.ndjson.error.txt')).toBe(
    "A 'feed' file belongs to no account. Put it into the drop folder itself.\n",
  );
  expect(await place.run(['explain', 'set', '1'])).toMatchObject({ status: 1 });
});

test('a truncated feed imports nothing', async () => {
  // More than one batch.
  const sets = Array.from({ length: 60_000 }, (_, index) => set(index + 1)).join('');
  put('sets.ndjson.gz', gzipSync(sets, { level: 1 }).subarray(0, -1_000));
  expect(await place.run(['watch', 'drop', '--once'])).toMatchObject({ status: 1 });
  expect(inside('failed')).toEqual(['sets.ndjson.gz', 'sets.ndjson.gz.error.txt']);
  expect(await place.run(['explain', 'set', '1'])).toMatchObject({ status: 1 });
});

test('control characters and line breaks in names are escaped', async () => {
  put('a\u001b[2J\nb.ndjson: feed, 1 row\u202e.txt', 'Dear diary,\n');
  const { stdout } = await place.run(['watch', 'drop', '--once']);
  expect(stdout).toStartWith('a\\u{1b}[2J\\u{a}b.ndjson: feed, 1 row\\u{202e}.txt: Unknown format');
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

test('a file that is still being written is ignored', async () => {
  for (const name of ['.sets.ndjson', 'sets.ndjson.part', 'sets.ndjson~']) put(name, set(1));
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran).toMatchObject({ status: 0, stdout: '' });
  expect(ran.stderr).toContain('Nothing to import.');
});

test('a running watcher waits until a file stops growing, and ends on a signal', async () => {
  const child = Bun.spawn([...(await programCommand()), 'watch', drop, '--json'], {
    env: await place.env(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const { value: said } = await child.stderr.getReader().read();
  expect(new TextDecoder().decode(said)).toStartWith('Watching ');
  put('sets.ndjson', set(1));
  // In a child process, so that it continues while this one is busy.
  const grow = 'while [ -e "$0" ]; do printf "%s" "$1" >> "$0"; sleep 0.2; done';
  const growing = Bun.spawn(['sh', '-c', grow, join(drop, 'sets.ndjson'), set(2)]);
  await Bun.sleep(3_000);
  expect(await place.run(['watch', 'drop', '--once'])).toMatchObject({
    status: 1,
    stderr: "'drop' is already being watched by another process.\n",
  });
  expect(inside('done')).toEqual([]);
  growing.kill();
  await growing.exited;
  await until(() => inside('done').length > 0);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  const [line = ''] = (await new Response(child.stdout).text()).trim().split('\n');
  expect(JSON.parse(line)).toMatchObject({
    name: 'sets.ndjson',
    filed: expect.stringMatching(/^done\/20261115-12\d{4}-sets.ndjson$/),
    format: 'feed',
    error: null,
    report: { added: 2, rejected: 0 },
  });
});

test.each([
  [['watch', 'nowhere'], 1, "No folder 'nowhere'. Create it first.\n"],
  [['watch', '--once'], 2, "DIR is missing. See 'brickmark watch --help'.\n"],
] as const)('%p: one sentence and a next step', async (words, status, stderr) => {
  expect(await place.run(words)).toMatchObject({ status, stderr });
});

test('lots of an account are imported before its sales', async () => {
  put('sets.ndjson', set(1000));
  await place.run(['account', 'add', 'me@example.com']);
  const sale = 'Sales Record Number,Order Number,Item Number,Item Title,Custom Label,Quantity,';
  put(
    'me@example.com/a-orders.csv',
    `${sale}Sold For,Shipping And Handling,Total Price,Sale Date\n1,o-1,7,Hut 1000,1000,1,$30.00,` +
      '$0.00,$30.00,Oct-31-26\n',
  );
  put('me@example.com/b-lots.csv', 'Number,Paid,Condition,Date\n1000,$10.00,New,2026-01-02\n');
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran.stdout).toContain('b-lots.csv: collection, 1 row: 1 added');
  expect(ran.stdout).toContain('a-orders.csv: sales, 1 row: 1 added');
});

describe('files that depend on each other', () => {
  const rate = '{"kind":"fx","date":"2026-10-30","currency":"EUR","usd_per_unit":1.1}\n';

  test('are imported in the order rates, catalogs, sales, whatever their names', async () => {
    put('a-sales.ndjson', sold(1, 'a', 'EUR'));
    put('b-sets.ndjson', set(1));
    put('c-rates.ndjson', rate);
    const { status, stdout } = await place.run(['watch', 'drop', '--once']);
    expect(status).toBe(0);
    expect(stdout.match(/^\S+(?=: feed, 1 row: 1 added)/gm)).toEqual([
      'c-rates.ndjson',
      'b-sets.ndjson',
      'a-sales.ndjson',
    ]);
  });

  test('wait for missing items, and are retried when those arrive', async () => {
    put('sales.ndjson', sold(1, 'a', 'EUR') + sold(2, 'b', 'USD'));
    const first = await place.run(['watch', 'drop', '--once']);
    expect(first.status).toBe(0);
    expect(first.stdout).toContain('2 rejected. Waiting for an item or an exchange rate: 2 rows.');
    expect(inside('waiting')).toEqual(['sales.ndjson', 'sales.ndjson.rejects.ndjson']);
    put('sets.ndjson', set(1) + set(2));
    const second = await place.run(['watch', 'drop', '--once']);
    expect(second.stdout).toContain('sales.ndjson: feed, 2 rows: 2 added, 0 updated, 0 unchanged');
    expect(inside('waiting')).toEqual([]);
    expect(inside('done')).toEqual(['sales.ndjson', 'sets.ndjson']);
  });

  test('do not wait for rates themselves: their rows do', async () => {
    put('sets.ndjson', set(1));
    put('sales.ndjson', sold(1, 'a', 'EUR'));
    const first = await place.run(['watch', 'drop', '--once']);
    expect(first.stdout).toContain('1 added, 0 updated, 0 unchanged, 0 rejected, 1 waiting.');
    expect(inside('done')).toEqual(['sales.ndjson', 'sets.ndjson']);
    const { waiting } = await place.json<{ waiting: object[] }>(['sync', 'status']);
    expect(waiting).toMatchObject([{ currency: 'EUR', rows: 1 }]);
    put('rates.ndjson', rate);
    await place.run(['watch', 'drop', '--once']);
    expect(await place.json<object>(['sync', 'status'])).toMatchObject({ waiting: [] });
  });

  test('of accounts wait for rates, because lots are recorded in dollars', async () => {
    put('sets.ndjson', set(1000));
    await place.run(['account', 'add', 'me@example.com']);
    const lots = 'Number,Paid,Condition,Date\n1000,€10.00,New,2026-01-02\n';
    put('me@example.com/lots.csv', lots);
    const first = await place.run(['watch', 'drop', '--once']);
    expect(first.stdout).toContain('1 rejected. Waiting for an item or an exchange rate: 1 row.');
    put('rates.ndjson', rate.replace('2026-10-30', '2025-12-31'));
    const second = await place.run(['watch', 'drop', '--once']);
    expect(second.stdout).toContain('lots.csv: collection, 1 row: 1 added');
  });

  test('are given up after 30 days', async () => {
    put('sales.ndjson', sold(1, 'a', 'USD'));
    await place.run(['watch', 'drop', '--once']);
    put('other.ndjson', set(2));
    await place.run(['watch', 'drop', '--once'], { now: '2026-12-16T12:00:00Z' });
    expect(inside('waiting')).toEqual([]);
    expect(inside('failed')).toContain('sales.ndjson.error.txt');
  });
});

describe('an imported file', () => {
  const days = (count: number) => new Date(Date.UTC(2026, 10, 15 + count, 12, 0, 30)).toISOString();
  const watch = (now: string, ...flags: string[]) =>
    place.run(['watch', 'drop', '--once', ...flags], { now });
  const mail = 'me@example.com';

  async function fill() {
    put('sets.ndjson', `${set(1)}nonsense\n`);
    put('bad.txt', 'Dear diary,\n');
    put('wait.ndjson', sold(9, 'a', 'USD'));
    put(`${mail}/mine.csv`, 'Number,Paid,Condition\n1,$9.00,New\n77,$9.00,New\n');
    await place.run(['account', 'add', mail]);
    await watch(days(0));
    put('done/notes.txt', 'not ours');
    put('done/prices.csv', 'not ours either');
  }

  test('stays in done/ for 30 days; failed and waiting files stay forever', async () => {
    await fill();
    const kept = () => [inside('failed'), inside('waiting')];
    const before = kept();
    expect(before).toEqual([
      ['bad.txt', 'bad.txt.error.txt'],
      ['wait.ndjson', 'wait.ndjson.rejects.ndjson'],
    ]);
    const notOurs = [mail, 'notes.txt', 'prices.csv'];
    expect(inside('done')).toEqual([...notOurs, 'sets.ndjson', 'sets.ndjson.rejects.ndjson']);
    expect(inside(`done/${mail}`)).toHaveLength(2);
    expect((await watch(days(29))).stderr).not.toContain('Removed');
    expect(inside('done')).toContain('sets.ndjson');
    const ran = await watch(days(31));
    expect(ran.stderr).toContain('Removed 2 files from done/ after 30 days.');
    expect(inside('done')).toEqual(notOurs);
    expect(inside(`done/${mail}`)).toEqual([]);
    expect(kept()).toEqual(before);
  });

  test('stays for --keep-days, or forever', async () => {
    await fill();
    await watch(days(400), '--keep-days', '0');
    expect(inside('done')).toContain('sets.ndjson');
    await watch(days(3), '--keep-days', '2');
    expect(inside('done')).not.toContain('sets.ndjson');
    expect(await watch(days(3), '--keep-days', 'two')).toMatchObject({ status: 2 });
  });

  test('is kept from the day it was done, not from when it started to wait', async () => {
    put('sets.ndjson', set(1));
    put('sales.ndjson', sold(2, 'a', 'USD'));
    await watch(days(0));
    expect(inside('waiting')).toContain('sales.ndjson');
    put('more.ndjson', set(2));
    await watch(days(25));
    const [done = ''] = inside('done').filter((name) => name.endsWith('-sales.ndjson'));
    expect(done).toStartWith('20261210-');
    await watch(days(40));
    expect(inside('done')).toContain(done);
  });
});
