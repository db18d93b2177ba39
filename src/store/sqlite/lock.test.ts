/** Shared and exclusive locks on the store. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seizeStore, shareStore } from './lock.ts';
import { openSqliteStore } from './store.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Whether no process has the store open. */
function isFree(): boolean {
  const alone = seizeStore(folder, 0);
  alone?.release();
  return alone !== null;
}

test('many share a store, and nobody can lock it exclusively until the last has released it', () => {
  const holds = [shareStore(folder), shareStore(folder)];
  expect(isFree()).toBe(false);
  holds[0]?.release();
  expect(isFree()).toBe(false);
  holds[1]?.release();
  expect(isFree()).toBe(true);
});

test('an exclusive lock excludes others until it is released', () => {
  const alone = seizeStore(folder, 0);
  expect(isFree()).toBe(false);
  alone?.release();
  expect(isFree()).toBe(true);
});

test('a broken lock file is an error, not a busy store', () => {
  writeFileSync(join(folder, 'store.lock'), 'no database'.repeat(100));
  expect(() => seizeStore(folder, 0)).toThrow('not a database');
  expect(() => shareStore(folder)).toThrow('not a database');
});

test('a store is locked while it is open, and released if it cannot be opened', async () => {
  const store = openSqliteStore(folder);
  expect(isFree()).toBe(false);
  await store.close();
  expect(isFree()).toBe(true);
  writeFileSync(join(folder, 'market.db'), 'no database'.repeat(100));
  expect(() => openSqliteStore(folder)).toThrow('not a database');
  expect(isFree()).toBe(true);
});
