/** `restore`: rejected without a change, forced, and killed. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { momentText } from '../../src/kernel/format.ts';
import { type FullPlace, makeFullPlace } from '../support/full-place.ts';

let place: FullPlace;
let data: string;
let path: string;

beforeEach(async () => {
  place = await makeFullPlace();
  ({ data, path } = place);
});

afterEach(() => place.close());

/** All files below a folder with their contents, to detect changes. */
function bytesBelow(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files.map((name) => [name, Bun.hash(readFileSync(join(folder, name))).toString()]),
  );
}

async function refused(words: readonly string[], message: string): Promise<void> {
  const before = bytesBelow(place.folder);
  const { status, stdout, stderr } = await place.run(['restore', ...words]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(bytesBelow(place.folder)).toEqual(before);
}

/** A damaged copy of the backup. */
function spoilt(name: string, spoil: (folder: string) => void): string {
  const copy = join(place.folder, name);
  cpSync(path, copy, { recursive: true });
  spoil(copy);
  return copy;
}

const editManifest = (folder: string, edit: (text: string) => string) => {
  const file = join(folder, 'manifest.json');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
};

test('an incomplete backup is rejected, and nothing changes', async () => {
  await place.json(['backup', path]);
  const flip = (folder: string) => {
    const file = join(folder, 'market.db');
    const bytes = readFileSync(file);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  // Updates the manifest to match, as if the store itself had been damaged.
  const rehash = (folder: string, name: string, edit: (file: string) => void) => {
    const sum = () => new Bun.SHA256().update(readFileSync(join(folder, name))).digest('hex');
    const old = sum();
    edit(join(folder, name));
    editManifest(folder, (text) => text.replace(old, sum()));
  };
  const breakPage = (folder: string) =>
    rehash(folder, 'market.db', (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0xff, 8192, 16_384));
    });
  const orphan = (folder: string) =>
    rehash(folder, 'accounts.db', (file) => {
      const db = new Database(file);
      db.run('PRAGMA foreign_keys = OFF');
      db.run('UPDATE api_key SET account_id = 77');
      db.close();
    });
  const newer = (text: string) => text.replace('"format": 1', '"format": 2');
  const newerSchema = (text: string) => text.replace(/"schema": \d+/, '"schema": 999');
  const earlierBuild = (text: string) => text.replaceAll(/"schema": \d+/g, '"schema": 20');
  const cases: [string, (folder: string) => void, string][] = [
    ['damaged', flip, 'SHA-256'],
    ['truncated', (folder) => truncateSync(join(folder, 'market.db'), 4096), 'its size differs'],
    ['longer', (folder) => appendFileSync(join(folder, 'accounts.db'), 'x'), 'its size differs'],
    ['lacking', (folder) => rmSync(join(folder, 'accounts.db')), 'is missing'],
    ['bare', (folder) => rmSync(join(folder, 'manifest.json')), 'There is no backup'],
    ['cut', (folder) => editManifest(folder, (text) => text.slice(0, 80)), 'is damaged'],
    ['vague', (folder) => editManifest(folder, () => '{"format":1}'), 'is damaged'],
    ['newer', (folder) => editManifest(folder, newer), 'newer version of Brickmark'],
    ['newer-schema', (folder) => editManifest(folder, newerSchema), 'newer version of Brickmark'],
    ['earlier', (folder) => editManifest(folder, earlierBuild), 'build before 1.0.0'],
    ['broken-page', breakPage, 'is damaged'],
    ['orphan', orphan, 'refer to missing rows'],
  ];
  for (const [name, spoil, message] of cases) {
    await refused([spoilt(name, spoil), '--force'], message);
  }
  await refused([join(place.folder, 'damaged'), '--data', join(place.folder, 'x', 'y')], 'SHA');
  expect(existsSync(join(place.folder, 'x'))).toBe(false);
});

test('replacing a store with data needs --force, which keeps the old store next to the new one', async () => {
  await place.json(['backup', path]);
  await place.json(['account', 'add', 'later@example.com']);
  await refused([path], '--force');
  const { kept } = await place.json<{ kept: string }>(['restore', path, '--force']);
  const emails = async (...words: string[]) => {
    const { accounts } = await place.json<{ accounts: { email: string }[] }>([
      'account',
      'list',
      ...words,
    ]);
    return accounts.map((account) => account.email);
  };
  expect(await emails()).toEqual([place.email]);
  expect(await emails('--data', kept)).toEqual([place.email, 'later@example.com']);
});

test('a restore is in the restored audit log, with what is lost, under an ID of its own', async () => {
  const log = async () => {
    const { entries } = await place.json<{ entries: Entry[] }>(['audit']);
    return entries;
  };
  interface Entry {
    readonly id: number;
    readonly action: string;
    readonly detail: string;
    readonly by: string;
    readonly by_email: string | null;
    readonly account_id: number | null;
  }
  const admin = 'admin@example.com';
  await place.json(['account', 'add', admin, '--operator']);
  const before = await log();
  const { created_at } = await place.json<{ created_at: string }>(['backup', path]);
  for (const name of ['one', 'two'])
    await place.json(['account', 'add', `${name}@example.com`, '--operator']);
  const env = { BRICKMARK_OPERATOR: admin };
  await place.json(['restore', path, '--force'], { env });
  const detail = (lost: number) =>
    `backup of ${momentText(Date.parse(created_at))}, later entries lost: ${lost}`;
  const [first, ...rest] = await log();
  // The backup itself and two accounts with their role came later.
  const restored = { action: 'store.restored', by: 'machine', account_id: null };
  expect(first).toMatchObject({ ...restored, detail: detail(3), by_email: admin });
  expect(rest).toEqual(before);
  expect(first?.id).toBeGreaterThan((before[0]?.id ?? 0) + 3);
  // Again: the entry of the first restore is lost. An account that the backup lacks is not named.
  await place.json(['account', 'add', 'late@example.com', '--operator']);
  const late = { env: { BRICKMARK_OPERATOR: 'late@example.com' } };
  await place.json(['restore', path, '--force'], late);
  expect((await log())[0]).toMatchObject({ ...restored, detail: detail(2), by_email: null });
  const { stdout } = await place.run(['audit', '--limit', '1']);
  expect(stdout).toContain('Operator on this machine  Store restored from a backup');
});

test('a restore is refused while a server runs, or is still stopping', async () => {
  await place.json(['backup', path]);
  const server = await place.serve();
  process.kill(server.pid, 'SIGSTOP');
  await refused([path, '--force'], 'Stop the server');
  process.kill(server.pid, 'SIGCONT');
  const { status, stderr } = await place.run(['restore', path, '--force']);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('in use') });
  expect((await server.get('/set/75192', place.key)).status).toBe(200);
  await server.kill('SIGKILL');
  await place.json(['restore', path, '--force']);
  expect(readdirSync(data).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
});

test('a killed restore leaves either the old or the new store, complete', async () => {
  place.inflate();
  await place.json(['account', 'add', 'backed-up@example.com']);
  await place.json(['backup', path]);
  const db = () => new Database(join(data, 'market.db'));
  const stages = [
    () => existsSync(join(data, 'restore-staging')),
    () => existsSync(join(data, 'restore-staging', 'market.db')),
    () => existsSync(join(data, 'restore-pending')),
    () => readdirSync(data).some((name) => name.startsWith('before-restore-')),
  ];
  for (const isReached of stages) {
    await place.run(['account', 'remove', 'backed-up@example.com']);
    const market = db();
    market.run("UPDATE meta SET value = 0 WHERE name = 'publish_stamp'");
    market.close();
    await place.killWhen(['restore', path, '--force'], isReached);
    const { accounts } = await place.json<{ accounts: object[] }>(['account', 'list']);
    const log = await place.json<{ entries: { action: string }[] }>(['audit', '--limit', '1']);
    expect(readdirSync(data)).not.toContain('restore-staging');
    const after = db();
    const stamp = after.query<{ value: number }, []>(
      "SELECT value FROM meta WHERE name = 'publish_stamp'",
    );
    const isNew = (stamp.get()?.value ?? 0) > 0;
    expect(after.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    after.close();
    expect({ isNew, accounts: accounts.length }).toEqual({ isNew, accounts: isNew ? 2 : 1 });
    expect(log.entries[0]?.action === 'store.restored').toBe(isNew);
  }
  await place.json(['restore', path, '--force']);
  expect(readdirSync(data).filter((name) => /^restore-/.test(name))).toEqual([]);
});
