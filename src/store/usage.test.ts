/** What every store guarantees about what keys spent, day by day. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../test/support/engines.ts';
import type { KeyHash } from '../domain/account/keys.ts';
import { dayMs, dayOf } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';

const now = Date.UTC(2026, 10, 15, 12);
const today = dayOf(now);

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-usage-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function addAccount(email: string): Promise<number> {
    const facts = { plan: 'reseller', isOperator: false, passwordHash: null, at: now } as const;
    return (await store.accounts.addAccount({ email, ...facts }))?.id ?? 0;
  }

  async function addKey(email: string, byte: number): Promise<number> {
    const hash = new Uint8Array(32).fill(byte) as KeyHash;
    const facts = { name: `Key ${byte}`, prefix: 'bmk_0000', allowance: 1000, expiresAt: null };
    const made = await store.accounts.addKey({ email, hash, ...facts, at: now });
    return typeof made === 'object' ? made.id : 0;
  }

  const spend = (byte: number, cost: number) =>
    store.accounts.admitGroup([{ keyHash: new Uint8Array(32).fill(byte), cost }], now);

  test('whether usage can be written is seen by writing, again and again', async () => {
    await store.accounts.checkCountable(now);
    await store.accounts.checkCountable(now + 1000);
    const other = await open(mkdtempSync(join(folder, 'other-')));
    await other.close();
    expect(other.accounts.checkCountable(now)).rejects.toThrow();
  });
  const usageOf = async (account: number, fromDay: number) =>
    (await store.accounts.findUsage(account, fromDay)).days;

  test('the usage of an account is told by key and day, and nobody else sees it', async () => {
    const ann = await addAccount('ann@example.com');
    const bob = await addAccount('bob@example.com');
    const first = await addKey('ann@example.com', 1);
    const second = await addKey('ann@example.com', 2);
    await addKey('bob@example.com', 3);
    await spend(1, 2);
    await spend(2, 5);
    await spend(1, 1);
    expect(await usageOf(ann, today - 29)).toEqual([
      { keyId: first, day: today, used: 3 },
      { keyId: second, day: today, used: 5 },
    ]);
    expect(await usageOf(bob, today - 29)).toEqual([]);
  });

  test('what lies before the day asked for is left out, and a revoked key is not', async () => {
    const ann = await addAccount('ann@example.com');
    const key = await addKey('ann@example.com', 1);
    await spend(1, 4);
    await store.accounts.revokeKey(key, now + dayMs);
    expect(await usageOf(ann, today + 1)).toEqual([]);
    expect(await usageOf(ann, today)).toEqual([{ keyId: key, day: today, used: 4 }]);
  });
});
