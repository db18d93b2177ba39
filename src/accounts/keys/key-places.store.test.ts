/** Guarantees of every store about the places of keys and their usage. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import { activeKeysMax, keysListedMax } from '../../contract/limits.ts';
import { dayMs, dayOf, hourMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { KeyHash } from './keys.ts';

const morning = Date.UTC(2026, 10, 15);
const email = 'ann@example.com';
const allowance = 20;

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;
  let hashes: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-places-'));
    store = await open(folder);
    ann = (await store.accounts.addAccount(anAccount({ email, at: morning })))?.id ?? 0;
    hashes = 0;
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function addKey(at: number, expiresAt: number | null = null) {
    const hash = new Uint8Array(32);
    new DataView(hash.buffer).setUint32(0, ++hashes);
    const facts = { name: `Key ${hashes}`, prefix: 'bmk_0000', allowance, expiresAt };
    const made = await store.accounts.addKey({ email, hash: hash as KeyHash, ...facts, at });
    return { hash, made, id: typeof made === 'object' ? made.id : 0 };
  }

  /** Requests calls one by one; returns how many were granted. */
  async function spend(hash: Uint8Array, calls: number, at: number): Promise<number> {
    const requests = Array.from({ length: calls }, () => ({ keyHash: hash, cost: 1 }));
    const { admissions } = await store.accounts.admitGroup(requests, at);
    return admissions.filter((admission) => admission?.outcome === 'granted').length;
  }

  const keys = async (at: number) => (await store.accounts.listKeys(email, at)) ?? [];

  test('replacing keys again and again yields five allowances per day', async () => {
    let granted = 0;
    for (let turn = 0; turn < 24; turn++) {
      const at = morning + turn * hourMs;
      const { hash, id } = await addKey(at);
      granted += await spend(hash, allowance + 5, at);
      await keysById(store.accounts).revokeKey(id, at);
      expect(await spend(hash, 1, at)).toBe(0);
    }
    expect(granted).toBe(activeKeysMax * allowance);
    const next = await addKey(morning + dayMs);
    expect(await spend(next.hash, allowance + 5, morning + dayMs)).toBe(allowance);
  });

  test('new keys get the rest of partly used allowances', async () => {
    let granted = 0;
    for (let turn = 0; turn < 40; turn++) {
      const { hash, id } = await addKey(morning);
      granted += await spend(hash, 7, morning);
      await keysById(store.accounts).revokeKey(id, morning);
    }
    expect(granted).toBe(activeKeysMax * allowance);
    const { days } = await store.accounts.findUsage(ann, dayOf(morning));
    expect(days.reduce((sum, row) => sum + row.used, 0)).toBe(granted);
    expect(Math.max(...days.map((row) => row.used))).toBe(7);
    expect((await keys(morning)).map((key) => key.usedToday)).toEqual([
      // Five places with 7, 14 and then 20 of 20.
      ...Array(10).fill(7),
      ...Array(5).fill(6),
      ...Array(25).fill(0),
    ]);
  });

  test('a key in a used place shows the count of the place, and the previous key its last use', async () => {
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await addKey(morning));
    for (const [n, { hash }] of made.entries()) await spend(hash, 10 + n, morning + n);
    await keysById(store.accounts).revokeKey(made[0]?.id ?? 0, morning + hourMs);
    const sixth = await addKey(morning + hourMs);
    await spend(sixth.hash, 4, morning + 2 * hourMs);
    const list = await keys(morning + 2 * hourMs);
    expect(list[0]).toMatchObject({ usedToday: 10, lastUsedAt: morning });
    expect(list[5]).toMatchObject({ usedToday: 4, countedToday: 14, allowance });
    expect(list[5]?.lastUsedAt).toBe(morning + 2 * hourMs);
    expect(list[1]).toMatchObject({ usedToday: 11, countedToday: 11, lastUsedAt: morning + 1 });
  });

  test('an expired key frees its place, but its usage counts for the day', async () => {
    for (let n = 0; n < 4; n++) await spend((await addKey(morning)).hash, 20, morning);
    const short = await addKey(morning, morning + hourMs);
    await spend(short.hash, 15, morning);
    expect((await addKey(morning)).made).toBe('too many active');
    const next = await addKey(morning + hourMs);
    expect(await spend(next.hash, 9, morning + hourMs)).toBe(5);
  });

  test('an allowance is compared with the usage of the place', async () => {
    const { hash, id } = await addKey(morning);
    expect(await spend(hash, 15, morning)).toBe(15);
    await keysById(store.accounts).setAllowance(id, 12);
    expect(await spend(hash, 1, morning)).toBe(0);
    await keysById(store.accounts).setAllowance(id, 16);
    expect(await spend(hash, 5, morning)).toBe(1);
  });

  test('of many keys added at once five are created, each in its own place', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => addKey(morning)));
    const good = made.filter((key) => key.id > 0);
    expect(good).toHaveLength(activeKeysMax);
    let granted = 0;
    for (const { hash } of good) granted += await spend(hash, allowance, morning);
    expect(granted).toBe(activeKeysMax * allowance);
  });

  test('the oldest ended keys are removed; their usage and active keys stay', async () => {
    const active = await addKey(morning);
    await spend(active.hash, 1, morning);
    const last = keysListedMax + 10;
    for (let n = 0; n < last; n++) {
      const { hash, id } = await addKey(morning);
      await spend(hash, 1, morning);
      await keysById(store.accounts).revokeKey(id, morning);
    }
    const list = await keys(morning);
    expect(list).toHaveLength(1 + keysListedMax);
    expect(list[0]?.id).toBe(active.id);
    const { days } = await store.accounts.findUsage(ann, 0);
    expect(days.reduce((sum, row) => sum + row.used, 0)).toBe(1 + 4 * allowance);
    expect(days[0]).toMatchObject({ keyId: null, day: dayOf(morning) });
    expect(await spend(active.hash, 1, morning)).toBe(1);
  });
});
