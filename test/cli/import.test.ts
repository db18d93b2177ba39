/** `import feed`: counts, repetition, dry runs, strict mode and compressed files. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formats } from '../../src/ingest/runner/formats.work.ts';
import { hasHiddenCharacters } from '../../src/kernel/text.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { onTables } from '../support/tables.ts';
import { storedZip } from '../support/zip.ts';

let place: Workplace;

beforeEach(() => {
  place = makeWorkplace();
});

afterEach(() => place.close());

interface Report {
  readonly import_id?: number;
  readonly read: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly rejects: { where: string; reason: string }[];
  readonly warned: number;
  readonly warnings: { where: string; reason: string }[];
}

const line = (index: number) =>
  JSON.stringify({ kind: 'set', set_number: String(1000 + index), title: 'Hut', theme: 'Huts' });

const feed = (count: number) => Array.from({ length: count }, (_, index) => line(index)).join('\n');

function write(name: string, content: string | Uint8Array): string {
  const path = join(place.folder, name);
  writeFileSync(path, content);
  return path;
}

test('a feed with one bad line in a hundred imports 99 and reports the other', async () => {
  const lines = feed(100).split('\n');
  lines[41] = '{"kind":"set","set_number":"1","title":"No theme"}';
  const path = write('sets.ndjson', lines.join('\n'));
  expect(await place.json<Report>(['import', 'feed', path])).toEqual({
    import_id: 1,
    read: 100,
    added: 99,
    updated: 0,
    unchanged: 0,
    rejected: 1,
    rejects: [{ where: `${path}:42`, reason: "'theme' is missing" }],
    warned: 0,
    warnings: [],
  });
});

test('bidirectional overrides are removed from titles, and control characters escaped in reasons', async () => {
  const { key } = await stockedKey();
  const sets = [
    { kind: 'set', set_number: '2000', title: '\u202eHut\u2066', theme: 'Huts' },
    { kind: 'set', set_number: '2001', title: 'Hut', theme: 'Huts', 'x\u001b[2J\u202e': 1 },
  ];
  const path = write('sets.ndjson', sets.map((set) => JSON.stringify(set)).join('\n'));
  const { status, stdout } = await place.run(['import', 'feed', path]);
  expect(status).toBe(0);
  expect(stdout).toContain('1 added, 0 updated, 0 unchanged, 1 rejected');
  expect(hasHiddenCharacters(stdout.replaceAll('\n', ''))).toBe(false);
  const server = await place.serve();
  const answer = await server.get('/set/2000', key);
  expect(await answer.json()).toMatchObject({ data: { title: 'Hut' } });
});

async function stockedKey(): Promise<{ key: string }> {
  await place.json(['account', 'add', 'ann@example.com', '--plan', 'reseller']);
  return place.json(['key', 'add', 'ann@example.com']);
}

test('importing the same feed twice changes nothing the second time', async () => {
  const path = write('sets.ndjson', feed(30));
  expect(await place.json<Report>(['import', 'feed', path])).toMatchObject({ added: 30 });
  const again = await place.json<Report>(['import', 'feed', path]);
  expect(again).toMatchObject({ read: 30, added: 0, updated: 0, unchanged: 30, rejected: 0 });
});

test('standard input, .gz and .zip give the same result', async () => {
  const gz = write('sets.ndjson.gz', gzipSync(feed(10)));
  const zip = write('sets.zip', storedZip('sets.ndjson', feed(10)));
  const stdin = feed(10);
  expect(await place.json<Report>(['import', 'feed', '-'], { stdin })).toMatchObject({ added: 10 });
  expect(await place.json<Report>(['import', 'feed', gz])).toMatchObject({ unchanged: 10 });
  expect(await place.json<Report>(['import', 'feed', zip])).toMatchObject({ unchanged: 10 });
});

test('a broken .gz fails with a sentence', async () => {
  const broken = write('broken.gz', gzipSync(feed(2000)).subarray(0, 60));
  const { status, stderr } = await place.run(['import', 'feed', broken]);
  expect(status).toBe(1);
  expect(stderr).toContain('cannot be unpacked');
});

test('rows without an exchange rate are counted as waiting, and come in with the rate', async () => {
  const sold = { source: 'shop', item_type: 'set', item: '1000', condition: 'sealed', price: 5 };
  const sale = (id: string, currency: string) =>
    JSON.stringify({
      kind: 'sale',
      ...sold,
      source_id: id,
      currency,
      sold_at: '2026-11-01T00:00Z',
    });
  const sales = write('sales.ndjson', [line(0), sale('a', 'EUR'), sale('b', 'USD')].join('\n'));
  const first = await place.run(['import', 'feed', sales]);
  expect(first.stdout).toStartWith(
    '3 rows: 3 added, 0 updated, 0 unchanged, 0 rejected, 1 waiting.\n' +
      '1 row waits for exchange rates: EUR of Nov 1, 2026. Importing the rates brings it in.\n',
  );
  expect(await place.json<Report>(['import', 'feed', sales, '--strict'])).toMatchObject({
    unchanged: 3,
    waiting: 1,
  });
  expect((await place.run(['explain', '1000'])).stdout).toContain('no exchange rate');
  const status = await place.run(['sync', 'status']);
  expect(status.stdout).toContain('1 row waits for exchange rates: EUR of Nov 1, 2026.');
  const { imports } = await place.json<{ imports: object[] }>(['import', 'log']);
  expect(imports).toMatchObject([{ waiting: 1 }, { waiting: 1 }]);
  const rate = '{"kind":"fx","date":"2026-10-25","currency":"EUR","usd_per_unit":1.1}';
  const rates = write('rates.ndjson', rate);
  const dry = await place.json<object>(['import', 'feed', rates, '--dry-run']);
  expect(dry).toMatchObject({ added: 1, arrived: 1 });
  const second = await place.run(['import', 'feed', rates]);
  expect(second.stdout).toContain('1 row that waited for exchange rates came in.');
  expect((await place.run(['explain', '1000'])).stdout).not.toContain('no exchange rate');
  expect(await place.json<Report>(['import', 'feed', sales])).not.toHaveProperty('waiting');
});

test('--dry-run shows what would change without changing anything', async () => {
  const path = write('sets.ndjson', `${feed(5)}\nnonsense`);
  const dry = await place.json<Report>(['import', 'feed', path, '--dry-run']);
  expect(dry).toMatchObject({ added: 5, rejected: 1 });
  expect(await place.json<Report>(['import', 'feed', path])).toMatchObject({ added: 5 });
});

test('--strict fails on a rejected row, and then nothing is written', async () => {
  const text = `${feed(5)}\nnonsense`;
  for (const [words, stdin] of [
    [['import', 'feed', write('sets.ndjson', text), '--strict'], ''],
    [['import', 'feed', '-', '--strict'], text],
  ] as const) {
    const { status, stderr } = await place.run(words, { stdin });
    expect(status).toBe(1);
    expect(stderr).toContain('not valid JSON');
  }
  const path = write('good.ndjson', feed(5));
  const report = await place.json<Report>(['import', 'feed', path, '--strict']);
  expect(report).toMatchObject({ added: 5, rejected: 0 });
});

test('--max-rejects fails if more rows are rejected, and the others are written', async () => {
  const path = write('sets.ndjson', `${feed(5)}\nnonsense\nmore`);
  const words = ['import', 'feed', path, '--max-rejects'];
  const dry = await place.run([...words, '1', '--dry-run']);
  expect([dry.status, dry.stderr]).toEqual([
    1,
    '2 rows rejected, more than --max-rejects 1; nothing was changed.\n',
  ]);
  const beyond = await place.run([...words, '1', '--json']);
  expect(beyond.status).toBe(1);
  expect(beyond.stderr).toContain('the other rows were imported.');
  expect(JSON.parse(beyond.stdout)).toMatchObject({ added: 5, rejected: 2 });
  const within = await place.run([...words, '2', '--json']);
  expect(within.status).toBe(0);
  expect(JSON.parse(within.stdout)).toMatchObject({ unchanged: 5, rejected: 2 });
  expect((await place.run([...words, 'x'])).status).toBe(2);
});

test('help lists every format', async () => {
  const { stdout } = await place.run(['import', '--help']);
  for (const name of Object.keys(formats))
    expect(stdout).toMatch(new RegExp(`^  ${name}  +\\S`, 'm'));
});

test('an invalid field of a foreign file is a warning; --strict fails on it', async () => {
  const csv = 'Number,Theme,Year,Set name,UPC\n10482-1,Coastline,2026,Pier,673419000018\n';
  const path = write('sets.csv', csv);
  const problem = "'10482-1': UPC '673419000018' has check digit 8, not 7";
  const strict = await place.run(['import', 'brickset', path, '--strict']);
  expect(strict.status).toBe(1);
  expect(strict.stderr).toContain(problem);
  expect(strict.stderr).toContain('1 warning; nothing was imported (--strict).');
  const { status, stdout } = await place.run(['import', 'brickset', path]);
  expect(status).toBe(0);
  expect(stdout).toContain('1 row: 1 added, 0 updated, 0 unchanged, 0 rejected, 1 warning.');
  expect(stdout).toContain(`Imported with warnings:\n  ${path}:2: ${problem}`);
  expect(await place.json<Report>(['import', 'brickset', path])).toMatchObject({
    unchanged: 1,
    warned: 1,
    warnings: [{ where: `${path}:2`, reason: problem }],
  });
});

test('--strict rejects a pipe, which cannot be read twice', async () => {
  const pipe = join(place.folder, 'pipe');
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
  const { status, stderr } = await place.run(['import', 'feed', pipe, '--strict']);
  expect(status).toBe(2);
  expect(stderr).toContain('Use a file');
});

test('the next import repairs the theme list of a killed one', async () => {
  await place.json(['import', 'feed', write('sets.ndjson', feed(3))]);
  await onTables(place.data, 'UPDATE theme_list SET body = \'{"themes":[]}\'');
  await place.json(['import', 'feed', write('sets.ndjson', feed(3))]);
  await place.json(['account', 'add', 'a@example.com', '--plan', 'reseller']);
  const { key } = await place.json<{ key: string }>(['key', 'add', 'a@example.com']);
  const server = await place.serve();
  const body = (await (await server.get('/catalog/themes', key)).json()) as { data: object };
  expect(body.data).toEqual({ themes: [{ theme: 'Huts', set_count: 3 }] });
});

test('the report lists the first 100 rejects; --rejects keeps all of them with their rows', async () => {
  const path = write('bad.ndjson', Array.from({ length: 150 }, () => '{"kind":"shoe"}').join('\n'));
  const rejects = join(place.folder, 'rejects.ndjson');
  const { stdout } = await place.run(['import', 'feed', path, '--rejects', rejects, '--json']);
  const report: Report = JSON.parse(stdout);
  expect(report.rejected).toBe(150);
  expect(report.rejects).toHaveLength(100);
  const kept = readFileSync(rejects, 'utf8').trim().split('\n');
  expect(kept).toHaveLength(150);
  expect(JSON.parse(kept[149] ?? '')).toMatchObject({
    where: `${path}:150`,
    reason: expect.stringContaining('unknown kind "shoe"'),
    row: '{"kind":"shoe"}',
  });
});

test.each([
  ['an empty file', '', 'No rows found.'],
  ['one bad line', 'oops', 'the only row was rejected (the line is not valid JSON at column 1: '],
  [
    'only bad lines',
    ['oops', '{"kind":"retract","source":"a","source_id":"1"}', 'oops', 'oops'].join('\n'),
    'all 4 rows were rejected, most for one reason (the line is not valid JSON at column 1: ',
  ],
])('%s has status 1 and an error message', async (_, lines, message) => {
  const path = write('bad.ndjson', lines);
  for (const flags of [[], ['--dry-run']]) {
    const { status, stderr } = await place.run(['import', 'feed', path, ...flags]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  }
});

test('an empty folder fails, whatever the format', async () => {
  mkdirSync(join(place.folder, 'empty'));
  for (const format of ['feed', 'rebrickable', 'brickset', 'bricklink-catalog', 'keepa']) {
    const { status, stderr } = await place.run(['import', format, join(place.folder, 'empty')]);
    expect([format, status]).toEqual([format, 1]);
    expect(stderr).not.toContain('unexpected');
  }
});

test('--no-value skips publishing, and `value` catches up', async () => {
  const path = write('sets.ndjson', feed(3));
  await place.json(['import', 'feed', path, '--no-value']);
  await place.json(['account', 'add', 'a@example.com', '--plan', 'reseller']);
  const { key } = await place.json<{ key: string }>(['key', 'add', 'a@example.com']);
  const server = await place.serve();
  expect((await server.get('/set/1000', key)).status).toBe(404);
  expect(await place.json<object>(['value'])).toEqual({ documents: 3 });
  expect((await server.get('/set/1000', key)).status).toBe(200);
});

test('rejects never overwrite an input file', async () => {
  const path = write('sets.ndjson', feed(2));
  const ran = await place.run(['import', 'feed', 'sets.ndjson', '--rejects', path]);
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain('is one of the files to import. Choose another file.');
  expect(readFileSync(path, 'utf8')).toBe(feed(2));
});

test('text output has counts and the first rejects, and standard output only the result', async () => {
  const { stdout, stderr } = await place.run(['import', 'feed', '-'], {
    stdin: `oops\n${line(1)}`,
  });
  expect(stdout).toContain('2 rows: 1 added, 0 updated, 0 unchanged, 1 rejected.');
  expect(stdout).toContain('-:1: the line is not valid JSON');
  expect(stderr).toBe('');
});
