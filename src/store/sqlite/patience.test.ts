/** While another process writes, a server stays responsive. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import type { Store } from '../store.ts';
import { tryAgain } from './patience.ts';
import { openSqliteStore } from './store.ts';

let folder: string;
let store: Store;
/** A separate connection, like another process. */
let other: Database;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-patience-'));
  store = openSqliteStore(folder, { waits: false });
  other = new Database(join(folder, 'accounts.db'));
});

afterAll(async () => {
  other.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const account = (email: string) =>
  store.accounts.addAccount(anAccount({ email, plan: 'free', at: 0 }));

test('writes wait without blocking the process, and succeed when the other one ends', async () => {
  other.run('BEGIN IMMEDIATE');
  const writes = [
    account('ann@example.com'),
    store.accounts.countTry([{ key: 'a', max: 5 }], { at: 1, ms: 10 }),
    store.accounts.addResetLink({
      email: 'ann@example.com',
      tokenHash: new Uint8Array(32) as unknown as TokenHash,
      expiresAt: 9,
    }),
  ];
  // Other work continues meanwhile. SQLite's own busy timeout would block the process.
  for (let turns = 0; turns < 50; turns++) await Bun.sleep(5);
  expect(await Promise.race([...writes, 'nothing yet'])).toBe('nothing yet');
  other.run('COMMIT');
  expect(await Promise.all(writes)).toEqual([
    expect.objectContaining({ email: 'ann@example.com' }),
    true,
    expect.any(Boolean),
  ]);
});

test('reads do not wait', async () => {
  other.run('BEGIN IMMEDIATE');
  expect(await store.accounts.findAccount('ann@example.com', 0)).not.toBeNull();
  other.run('COMMIT');
});

test.each<[string, Error, number]>([
  ['a busy store', new StoreBusyError('An import is writing.'), 5_005],
  ['a busy file', Object.assign(new Error('locked'), { code: 'SQLITE_BUSY_SNAPSHOT' }), 5_005],
  ['a full disk', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), 0],
  ['another error', new TypeError('No text.'), 0],
])('after %s, an operation is tried every 5 ms for 5 s, or not again', async (_, error, ms) => {
  let [now, tries] = [100, 0];
  const fail = () => {
    tries++;
    return Promise.reject(error);
  };
  const sleep = async (more: number) => {
    now += more;
  };
  await expect(tryAgain(fail, { now: () => now, sleep })).rejects.toBe(error);
  expect([now - 100, tries]).toEqual([ms, ms / 5 + 1]);
});
