/** Guarantees of every store when calls are charged to keys. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import type { Store } from '../../store/store.ts';
import type { KeyHash } from './keys.ts';

const now = Date.UTC(2026, 10, 15, 12);

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-store-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const hash = (text: string) => Bun.SHA256.hash(text) as Uint8Array as KeyHash;

  async function addKey(name: string, facts: { allowance?: number; expiresAt?: number } = {}) {
    const email = 'ann@example.com';
    await store.accounts.addAccount(anAccount({ email, at: now }));
    return store.accounts.addKey({
      email,
      name,
      hash: hash(name),
      prefix: name.slice(0, 8),
      allowance: facts.allowance ?? 10,
      expiresAt: facts.expiresAt ?? null,
      at: now,
    });
  }

  const admit = async (...costs: number[]) =>
    (
      await store.accounts.admitGroup(
        costs.map((cost) => ({ keyHash: hash('a'), cost })),
        now,
      )
    ).admissions.map((admission) => [admission?.outcome, admission?.used]);

  test('a group is decided one by one: what no longer fits is refused, what fits is granted', async () => {
    await addKey('a');
    expect(await admit(6, 5, 3, 1, 1)).toEqual([
      ['granted', 6],
      ['exhausted', 6],
      ['granted', 9],
      ['granted', 10],
      ['exhausted', 10],
    ]);
  });

  test('looking up a key costs nothing, even if its allowance is exhausted', async () => {
    await addKey('a', { allowance: 1 });
    expect(await admit(0, 1, 0)).toEqual([
      ['granted', 0],
      ['granted', 1],
      ['granted', 1],
    ]);
  });

  test('granted costs persist when the store is reopened', async () => {
    await addKey('a');
    await admit(7);
    await store.close();
    store = await open(folder);
    expect(await admit(4, 3)).toEqual([
      ['exhausted', 7],
      ['granted', 10],
    ]);
  });

  test('unknown, expired and revoked keys have no account', async () => {
    const made = await addKey('a', { expiresAt: now + 1000 });
    const at = async (instant: number) =>
      (await store.accounts.admitGroup([{ keyHash: hash('a'), cost: 0 }], instant))
        .admissions[0] !== null;
    expect([await at(now + 999), await at(now + 1000)]).toEqual([true, false]);
    await keysById(store.accounts).revokeKey(typeof made === 'object' ? made.id : 0, now);
    expect(await at(now)).toBe(false);
    const { admissions } = await store.accounts.admitGroup([{ keyHash: hash('b'), cost: 0 }], now);
    expect(admissions).toEqual([null]);
  });

  test('removing an account removes its keys, and frees its email', async () => {
    await addKey('a');
    expect(await store.accounts.removeAccount('ANN@example.com')).toBe(true);
    expect(await admit(0)).toEqual([[undefined, undefined]]);
    expect(await store.accounts.listKeys('ann@example.com', now)).toBeNull();
    expect(await addKey('b')).toEqual({ id: 2 });
  });

  test('checkCountable writes, and can be repeated', async () => {
    await store.accounts.checkCountable(now);
    await store.accounts.checkCountable(now + 1000);
    const other = await open(mkdtempSync(join(folder, 'other-')));
    await other.close();
    expect(other.accounts.checkCountable(now)).rejects.toThrow();
  });
});
