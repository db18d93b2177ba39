/** A lock that another process holds keeps a serving process busy with others, not still. */

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import type { TokenHash } from '../../domain/account/session-store.ts';
import type { Store } from '../../domain/store.ts';
import { openSqliteStore } from './store.ts';

let folder: string;
let store: Store;
/** As another process would have it: a connection of its own. */
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

test('writes wait for it without holding the process up, and are done once it ends', async () => {
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
  // Others have their turns meanwhile. With SQLite's own waiting the process would stand still.
  for (let turns = 0; turns < 50; turns++) await Bun.sleep(5);
  expect(await Promise.race([...writes, 'nothing yet'])).toBe('nothing yet');
  other.run('COMMIT');
  expect(await Promise.all(writes)).toEqual([
    expect.objectContaining({ email: 'ann@example.com' }),
    true,
    expect.any(Boolean),
  ]);
});

test('reading does not wait for it at all', async () => {
  other.run('BEGIN IMMEDIATE');
  expect(await store.accounts.findAccount('ann@example.com', 0)).not.toBeNull();
  other.run('COMMIT');
});
