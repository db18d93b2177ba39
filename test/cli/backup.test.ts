/** `backup`: during a server and an import, refused, and killed. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json' with { type: 'json' };
import { plusPrefix } from '../../src/contract/limits.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Served } from '../support/cli.ts';
import { type FullPlace, feedOf, makeFullPlace } from '../support/full-place.ts';
import { onTables } from '../support/tables.ts';
import { until } from '../support/until.ts';

let place: FullPlace;
let key: string;
let data: string;
let path: string;

beforeEach(async () => {
  place = await makeFullPlace();
  ({ key, data, path } = place);
});

afterEach(() => place.close());

async function usedToday(): Promise<number> {
  const { keys } = await place.json<{ keys: { used_today: number }[] }>([
    'key',
    'list',
    place.email,
  ]);
  return keys[0]?.used_today ?? -1;
}

/** Starts a server with bulk files, and waits until they exist. */
async function serveBulk(): Promise<Served> {
  const server = await place.serve({ env: { BRICKMARK_BULK_COST: '3' } });
  const finished = 'SELECT id FROM bulk_file WHERE sha256 IS NOT NULL';
  await until(async () => (await onTables(data, finished)).length > 0);
  return server;
}

/** A response about bulk files, without what identifies it. */
async function askBulk(server: Served, path: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}${plusPrefix}/bulk${path}`, { headers });
  return `${response.status} ${(await response.text()).split(',"meta":')[0]}`;
}

test('a backup of a running server, restored after a wipe, gives identical responses and quotas', async () => {
  const server = await serveBulk();
  await place.answers(server);
  const files = await askBulk(server, '');
  const sets = await askBulk(server, '/files/sets');
  expect([files, sets]).toEqual([expect.stringMatching(/^200 /), expect.stringMatching(/^200 /)]);
  const used = await usedToday();
  const made = await place.json<{ path: string; files: object }>(['backup', path]);
  expect(made).toEqual({
    path,
    signed: false,
    ...JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')),
  });
  const before = await place.answers(server);
  expect(before.filter((answer) => !/^\w+ 200 /.test(answer))).toEqual([]);
  const set = { kind: 'set', set_number: '1', title: 'Since the backup', theme: 'Lost' };
  await place.json(['import', 'feed', '-'], { stdin: feedOf([set]) });
  const changes = await askBulk(server, `/changes?after=${/\d{13}-\d+/.exec(files)}`);
  expect(changes).toContain('Since the backup');
  await server.kill('SIGTERM');
  rmSync(data, { recursive: true });
  const restored = await place.json<{ kept: null }>(['restore', path]);
  expect(restored).toEqual({ ...made, kept: null });
  expect(await usedToday()).toBe(used);
  const again = await serveBulk();
  expect(await place.answers(again)).toEqual(before);
  expect([await askBulk(again, ''), await askBulk(again, '/files/sets')]).toEqual([files, sets]);
  // Positions after the backup are rejected; earlier ones can be followed.
  const next = /"next":"([\d-]+)"/.exec(changes)?.[1];
  expect(await askBulk(again, `/changes?after=${next}`)).toMatch(/^400 .*restored from a backup/);
  const known = await askBulk(again, `/changes?after=${/\d{13}-\d+/.exec(files)}`);
  expect(known).toMatch(/^200 {"data":{"changes":\[\],/);
});

test('a data folder is readable only by its owner', async () => {
  const folder = join(place.folder, 'new');
  await place.start(['account', 'add', 'new@example.com', '--data', folder]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const names = readdirSync(folder);
  expect(names).toContain('accounts.db');
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('a backup is readable only by its owner, lists its contents, and has no key or password', async () => {
  mkdirSync(path, { mode: 0o755 });
  await place.json(['backup', path]);
  const names = ['accounts.db', 'manifest.json', 'market.db'];
  expect(readdirSync(path).sort()).toEqual(names);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const name of names) {
    const file = join(path, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file);
    const secret = key.slice('bmk_'.length);
    for (const clear of [secret, secret.slice(8), place.password, Buffer.from(secret, 'hex')]) {
      expect(bytes.includes(clear)).toBe(false);
    }
  }
  expect(JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))).toEqual({
    format: 1,
    brickmark: version,
    created_at: expect.stringMatching(/^2026-11-15T12:00:/),
    files: Object.fromEntries(
      ['accounts.db', 'market.db'].map((name) => [
        name,
        {
          schema: expect.any(Number),
          bytes: statSync(join(path, name)).size,
          sha256: new Bun.SHA256().update(readFileSync(join(path, name))).digest('hex'),
        },
      ]),
    ),
    signature: null,
  });
});

test('a backup during an import delays no call, and repeating the import gives the same result', async () => {
  const sale = (index: number) => ({
    kind: 'sale',
    source: 'other',
    source_id: String(index),
    item_type: 'set',
    item: index % 2 ? '75192' : '6002',
    condition: 'sealed',
    price: 150 + (index % 90),
    sold_at: new Date(Date.UTC(2026, 10, 14) - (index % 90) * 86_400_000).toISOString(),
  });
  const stdin = feedOf(Array.from({ length: 4_000 }, (_, index) => sale(index)));
  const server = await place.serve();
  let isImporting = true;
  const importing = place.start(['import', 'feed', '-'], { stdin }).finally(() => {
    isImporting = false;
  });
  const sales = () => {
    const db = new Database(join(data, 'market.db'), { readonly: true });
    const row = db.query<{ count: number }, []>('SELECT count(*) AS count FROM sale').get();
    db.close();
    return row?.count ?? 0;
  };
  await until(() => sales() >= 4_000);
  expect(isImporting).toBe(true);
  let isDone = false;
  const backup = place.start(['backup', path]).finally(() => {
    isDone = true;
  });
  const statuses = new Set<number>();
  while (!isDone) statuses.add((await server.get('/set/75192', key)).status);
  expect(await backup).toMatchObject({ status: 0 });
  expect([...statuses]).toEqual([200]);
  expect(await importing).toMatchObject({ status: 0 });
  const documents = async (words: string[]) => {
    await place.json(['value', '--as-of', '2026-11-15T11:00:00Z', ...words]);
    const folder = words[1] ?? data;
    const db = new Database(join(folder, 'market.db'), { readonly: true });
    const rows = db.query('SELECT key, body FROM document ORDER BY kind, key').all();
    db.close();
    return rows;
  };
  await server.kill('SIGTERM');
  const elsewhere = ['--data', join(place.folder, 'elsewhere')];
  await place.json(['restore', path, ...elsewhere]);
  await place.json(['import', 'feed', '-', ...elsewhere], { stdin });
  expect(await documents(elsewhere)).toEqual(await documents([]));
});

test('a backup needs a new folder and a store with data', async () => {
  mkdirSync(path);
  writeFileSync(join(path, 'mine'), 'mine');
  for (const [words, message] of [
    [['backup', path], 'already exists'],
    [['backup', join(path, 'mine')], 'already exists'],
    [['backup', join(place.folder, 'no', 'where')], 'Create it first'],
    [['backup', 'x', '--data', join(place.folder, 'none')], 'No store in'],
    [['backup', 'x', '--data', emptyStore()], 'is empty, so there is nothing to back up'],
    [['backup', 'x', '--database', 'postgres://localhost/x'], 'pg_dump'],
  ] as const) {
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
  }
  expect(readdirSync(place.folder).sort()).toEqual(['backup', 'data', 'empty']);
  expect(readdirSync(path)).toEqual(['mine']);
});

/** A store that was created but has no data. */
function emptyStore(): string {
  const folder = join(place.folder, 'empty');
  openSqliteStore(folder).close();
  return folder;
}

test('a killed backup leaves no backup, and the next one deletes its remains', async () => {
  place.inflate();
  const partial = () => readdirSync(place.folder).some((name) => name.startsWith('.brickmark-'));
  const isKilled = await place.killWhen(['backup', path], partial);
  expect(isKilled).toBe(true);
  expect(existsSync(path)).toBe(false);
  expect(partial()).toBe(true);
  await place.json(['backup', path]);
  expect(readdirSync(place.folder).sort()).toEqual(['backup', 'data']);
});
