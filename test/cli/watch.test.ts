/** `watch`: what is put into a folder is imported, and filed with what became of it. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let drop: string;

beforeEach(() => {
  place = makeWorkplace();
  drop = join(place.folder, 'drop');
  mkdirSync(drop);
});

afterEach(() => place.close());

/** What a filed name begins with; the second differs from run to run. */
const stamp = /^(\d+-)?20261115-1200\d\d-/;
const set = (number: number) =>
  `{"kind":"set","set_number":"${number}","title":"Hut","theme":"Huts"}\n`;

function put(name: string, content: string | Uint8Array): void {
  const path = join(drop, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The names in a folder, without their stamps. */
const inside = (name: string) =>
  (existsSync(join(drop, name)) ? readdirSync(join(drop, name)) : [])
    .map((file) => file.replace(stamp, '$1'))
    .sort();

/** What is in the file of a folder that has this name, but for its stamp. */
function filed(folder: string, name: string): string {
  const file = readdirSync(join(drop, folder)).find((some) => some.replace(stamp, '$1') === name);
  return readFileSync(join(drop, folder, file ?? name), 'utf8');
}

test('a file is imported and filed with its rejects beside it', async () => {
  put('sets.ndjson', `${set(1)}nonsense\n${set(2)}`);
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran).toMatchObject({
    status: 0,
    stdout: 'sets.ndjson: feed, 3 rows: 2 added, 0 updated, 0 unchanged, 1 rejected.\n',
  });
  expect(inside('done')).toEqual(['sets.ndjson', `sets.ndjson.rejects.ndjson`]);
  expect(JSON.parse(filed('done', 'sets.ndjson.rejects.ndjson'))).toMatchObject({
    reason: 'the line is not valid JSON',
    row: 'nonsense',
  });
  expect(inside('working')).toEqual([]);
});

test('what was imported is published', async () => {
  put('sets.ndjson.gz', gzipSync(set(1)));
  await place.run(['watch', 'drop', '--once']);
  const explained = await place.run(['explain', 'set', '1']);
  expect(explained.status).toBe(0);
});

test('a file that is none of the formats is filed with the reason, and the others go on', async () => {
  put('a.txt', 'Dear diary,\n');
  put('b.ndjson', set(1));
  put('c.ndjson.gz', gzipSync(set(2).repeat(100)).subarray(0, 40));
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('2 of 3 could not be imported; failed/ says why.');
  expect(inside('done')).toEqual([`b.ndjson`]);
  expect(inside('failed')).toEqual([
    `a.txt`,
    `a.txt.error.txt`,
    `c.ndjson.gz`,
    `c.ndjson.gz.error.txt`,
  ]);
  expect(filed('failed', 'a.txt.error.txt')).toBe(
    "It looks like none of the formats; import it by hand with 'brickmark import FORMAT'.\n",
  );
});

test('files of one name do not take the place of each other', async () => {
  for (const number of [1, 2, 3]) {
    put('sets.ndjson', set(number));
    await place.run(['watch', 'drop', '--once']);
  }
  expect(inside('done')).toEqual(['2-sets.ndjson', 'sets.ndjson', '3-sets.ndjson'].sort());
});

test('what a watcher was at when it ended is taken up again', async () => {
  put('working/sets.ndjson', set(1));
  put('working/sets.ndjson.rejects.ndjson', '');
  expect(await place.run(['watch', 'drop', '--once'])).toMatchObject({ status: 0 });
  expect(inside('done')).toEqual(['sets.ndjson']);
});

test('what is still being written is left alone', async () => {
  for (const name of ['.sets.ndjson', 'sets.ndjson.part', 'sets.ndjson~']) put(name, set(1));
  const ran = await place.run(['watch', 'drop', '--once']);
  expect(ran).toMatchObject({ status: 0, stdout: '' });
  expect(ran.stderr).toContain('There is nothing to import.');
});

test('a running watcher waits until a file no longer grows, and ends when asked', async () => {
  const child = Bun.spawn(['bin/brickmark', 'watch', drop, '--json'], {
    cwd: join(import.meta.dir, '..', '..'),
    env: await place.env(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  put('sets.ndjson', set(1));
  const growing = setInterval(() => {
    if (existsSync(join(drop, 'sets.ndjson'))) appendFileSync(join(drop, 'sets.ndjson'), set(2));
  }, 300);
  await Bun.sleep(3_500);
  expect(inside('done')).toEqual([]);
  clearInterval(growing);
  await until(() => inside('done').length > 0, 20_000);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  const [line = ''] = (await new Response(child.stdout).text()).trim().split('\n');
  expect(JSON.parse(line)).toMatchObject({
    name: 'sets.ndjson',
    filed: expect.stringMatching(/^done\/20261115-1200\d\d-sets.ndjson$/),
    format: 'feed',
    error: null,
    report: { added: 2, rejected: 0 },
  });
}, 60_000);

test.each([
  [['watch', 'nowhere'], 1, "There is no folder 'nowhere'; make it first.\n"],
  [['watch'], 2, "DIR is missing. See 'brickmark watch --help'.\n"],
] as const)('%p: one sentence and a next step', async (words, status, stderr) => {
  expect(await place.run(words)).toMatchObject({ status, stderr });
});
