/** The embedded store as a folder: opening, rehearsals and closing. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from './store.ts';

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'brickmark-folder-'));
  folder = join(parent, 'made', 'on the way');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A process id that cannot exist. */
const deadPid = 2 ** 30;

test('the folder is private to its owner, and has one store', async () => {
  const store = openSqliteStore(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect([await store.mayPublish(), store.isReplicaUsed()]).toEqual([true, null]);
  await store.close();
  await expect(store.accounts.listAccounts(0)).rejects.toThrow();
  await expect(store.market.countStale()).rejects.toThrow();
});

test('a rehearsal removes folders of killed processes, and nothing else', async () => {
  const store = openSqliteStore(folder);
  const left = [`rehearsal-${deadPid}-left`, `rehearsal-${process.pid}-ours`, 'rehearsal-notes'];
  for (const name of left) mkdirSync(join(folder, name));
  const rehearsal = await store.rehearsal();
  expect(left.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true]);
  await rehearsal.close();
  await store.close();
});

test('closing a rehearsal removes its folder', async () => {
  const store = openSqliteStore(folder);
  const before = readdirSync(folder).sort();
  const rehearsal = await store.rehearsal();
  expect(readdirSync(folder)).toHaveLength(before.length + 1);
  await rehearsal.close();
  expect(readdirSync(folder).sort()).toEqual(before);
  await expect(rehearsal.market.countStale()).rejects.toThrow();
  expect(await store.market.countStale()).toBe(0);
  await store.close();
});

test('a rehearsal that cannot start leaves no files', async () => {
  const store = openSqliteStore(folder);
  await store.close();
  const before = readdirSync(folder).sort();
  writeFileSync(join(folder, 'market.db'), 'no database');
  await expect(store.rehearsal()).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(before);
});
