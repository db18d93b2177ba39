/** Guarantees of every store about removing expired rows. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { KeyHash } from '../../accounts/keys/keys.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { activeKeysMax, sessionsMax } from '../../contract/limits.ts';
import { dayMs, dayOf, hourMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import { usageDaysKept } from './sweep.store.ts';

const start = Date.UTC(2024, 0, 1, 12);
const email = 'ann@example.com';

function hash(number: number) {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-sweep-'));
    store = await open(folder);
    ann =
      (await store.accounts.addAccount(anAccount({ email, passwordHash: 'hash', at: start })))
        ?.id ?? 0;
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function countRows(table: string): Promise<number> {
    const sql = `SELECT count(*) AS count FROM private.${table}`;
    const [row] = await onTables<{ count: number }>(folder, sql);
    return row?.count ?? 0;
  }

  /** Sweeps until nothing is left; returns the largest number of rows in one sweep. */
  async function sweepAll(at: number, limit = 100): Promise<number> {
    let most = 0;
    for (;;) {
      const swept = await store.accounts.sweep(at, limit);
      most = Math.max(most, swept);
      if (swept === 0) return most;
    }
  }

  const addKey = (number: number, at: number) =>
    store.accounts.addKey({
      email,
      name: `Key ${number}`,
      hash: hash(number) as KeyHash,
      prefix: 'bmk_0000',
      allowance: 1000,
      expiresAt: null,
      at,
    });

  const spend = (numbers: readonly number[], at: number) =>
    store.accounts.admitGroup(
      numbers.map((number) => ({ keyHash: hash(number), cost: 1 })),
      at,
    );

  const signIn = (number: number, at: number) =>
    store.accounts.addSession({
      accountId: ann,
      passwordHash: 'hash',
      method: 'password',
      tokenHash: hash(number) as TokenHash,
      expiresAt: at + 30 * dayMs,
      agent: 'Browser',
      at,
    });

  test('after more than a year of calls, sign-ins and tries, tables have those of a year', async () => {
    const keys = Array.from({ length: activeKeysMax }, (_, index) => index + 1);
    for (const key of keys) await addKey(key, start);
    // The last day is one with rows of all kinds.
    const days = 60 * 7 + 1;
    for (let day = 0; day < days; day++) {
      const at = start + day * dayMs;
      await spend(keys, at);
      if (day % 7 > 0) continue;
      await signIn(1000 + day, at);
      await store.accounts.countTry([{ key: `network ${day}`, max: 9 }], { at, ms: hourMs });
      await store.accounts.sweep(at, 100);
    }
    const at = start + (days - 1) * dayMs;
    await store.accounts.addResetLink({
      email,
      tokenHash: hash(1) as TokenHash,
      expiresAt: at - 1,
    });
    await sweepAll(at);
    expect(await countRows('usage')).toBe(activeKeysMax * (usageDaysKept + 1));
    expect(await countRows('session')).toBeLessThanOrEqual(sessionsMax);
    expect(await countRows('tries')).toBe(1);
    expect(await countRows('reset_link')).toBe(0);
    const usage = await store.accounts.findUsage(ann, 0);
    const kept = usage.days.reduce((sum, row) => sum + row.used, 0);
    expect(kept).toBe(activeKeysMax * (usageDaysKept + 1));
    expect(kept + usage.earlier).toBe(activeKeysMax * days);
  });

  test('the sweep runs in slices, and keeps what has not expired', async () => {
    for (let n = 0; n < 10; n++) await signIn(n, start);
    const late = await signIn(20, start + 10 * dayMs);
    const at = start + 30 * dayMs;
    expect(await sweepAll(at, 4)).toBe(4);
    const left = await store.accounts.listSessions(ann, start);
    expect(left.map((session) => session.id)).toEqual([late ?? 0]);
    const window = { at, ms: dayMs };
    expect(await store.accounts.countTry([{ key: 'form', max: 1 }], window)).toBe(true);
    await sweepAll(at + dayMs - 1);
    const again = { at: at + dayMs - 1, ms: dayMs };
    expect(await store.accounts.countTry([{ key: 'form', max: 1 }], again)).toBe(false);
  });

  test('a row is removed exactly when it expires, and each kind triggers a sweep', async () => {
    const end = start + 30 * dayMs;
    await signIn(1, start);
    await signIn(2, start + 1);
    const sweep = (at: number, limit = 9) => store.accounts.sweep(at, limit);
    expect([await sweep(end - 1), await sweep(end), await countRows('session')]).toEqual([0, 1, 1]);
    await store.accounts.removeAccount(email);
    ann =
      (await store.accounts.addAccount(anAccount({ email, passwordHash: 'hash', at: start })))
        ?.id ?? 0;
    const link = { email, tokenHash: hash(3) as TokenHash, expiresAt: end };
    await store.accounts.addResetLink(link);
    expect([await sweep(end - 1), await sweep(end), await sweep(end)]).toEqual([0, 1, 0]);
    const failed = { method: 'password', network: 'a network' } as const;
    await store.accounts.noteFailedSignIn({ ...failed, at: end - 90 * dayMs });
    expect([await sweep(end - 1), await sweep(end), await sweep(end)]).toEqual([0, 1, 0]);
    for (const [key, at] of [
      ['late', end - 1],
      ['early', end - 2],
    ] as const) {
      await store.accounts.countTry([{ key, max: 9 }], { at, ms: hourMs });
    }
    expect([await sweep(end + dayMs - 3), await sweep(end + dayMs - 1, 1)]).toEqual([0, 1]);
    expect(await onTables(folder, 'SELECT key FROM private.tries')).toEqual([{ key: 'late' }]);
    expect([await sweep(end + dayMs - 1), await sweep(end + dayMs - 1)]).toEqual([1, 0]);
  });

  test('the oldest days are summed up first, for their account and the last use of their key', async () => {
    const other = 'bob@example.com';
    const bob = (await store.accounts.addAccount(anAccount({ email: other, at: start })))?.id ?? 0;
    await addKey(1, start);
    await addKey(2, start);
    await store.accounts.addKey({
      email: other,
      name: 'k',
      hash: hash(3) as KeyHash,
      prefix: 'bmk_0000',
      allowance: 1000,
      expiresAt: null,
      at: start,
    });
    await spend([1, 3, 3, 3], start + dayMs);
    await spend([1, 1], start);
    await spend([2], start + 2 * dayMs);
    await spend([3], start + 3 * dayMs);
    const usage = async (id: number) => {
      const { days, earlier } = await store.accounts.findUsage(id, 0);
      return [earlier, ...days.map(({ used }) => used)];
    };
    expect(usageDaysKept).toBe(366);
    const at = start + 366 * dayMs;
    // The first day is kept for the last time today.
    expect(await store.accounts.sweep(at, 9)).toBe(0);
    expect(await store.accounts.sweep(at + 4 * dayMs, 1)).toBe(1);
    expect([await usage(ann), await usage(bob)]).toEqual([
      [2, 1, 1],
      [0, 3, 1],
    ]);
    expect(await store.accounts.sweep(at + 2 * dayMs, 9)).toBe(2);
    expect([await usage(ann), await usage(bob)]).toEqual([
      [3, 1],
      [3, 1],
    ]);
    const lastUses = async () =>
      ((await store.accounts.listKeys(email, at)) ?? []).map(({ lastUsedAt }) => lastUsedAt);
    expect(await lastUses()).toEqual([start + dayMs, start + 2 * dayMs]);
    // A later use that was saved is not replaced.
    await onTables(folder, 'UPDATE private.api_key SET last_used_at = ?', [start + 9 * dayMs]);
    expect(await store.accounts.sweep(at + 3 * dayMs, 9)).toBe(1);
    expect(await lastUses()).toEqual([start + 9 * dayMs, start + 9 * dayMs]);
  });

  test('the last use of a key is known even if the day was summed up', async () => {
    await addKey(1, start);
    await spend([1, 1], start);
    const later = start + (usageDaysKept + 1) * dayMs;
    await sweepAll(later);
    expect(await store.accounts.findUsage(ann, 0)).toEqual({ days: [], earlier: 2 });
    const [key] = (await store.accounts.listKeys(email, later)) ?? [];
    expect(key).toMatchObject({ lastUsedAt: start, usedToday: 0 });
    await spend([1], later);
    await keysById(store.accounts).revokeKey(key?.id ?? 0, later);
    for (let n = 2; n < 7; n++) await addKey(n, later + n);
    const [old] = (await store.accounts.listKeys(email, later)) ?? [];
    expect(old?.lastUsedAt).toBe(later);
  });

  test('usage of today is never swept, and concurrent sweeps sum up once', async () => {
    await addKey(1, start);
    for (let day = 0; day < 40; day++) await spend([1], start + day * dayMs);
    const at = start + (usageDaysKept + 20) * dayMs;
    await spend([1, 1, 1], at);
    const other = await open(folder);
    const sweeps = Array.from({ length: 8 }, (_, n) =>
      (n % 2 ? store : other).accounts.sweep(at, 7).catch(() => 0),
    );
    await Promise.all(sweeps);
    await sweepAll(at);
    await other.close();
    const { days, earlier } = await store.accounts.findUsage(ann, 0);
    expect(earlier).toBe(20);
    expect(days).toHaveLength(21);
    expect(days.at(-1)).toMatchObject({ day: dayOf(at), used: 3 });
  });

  test('an interrupted removal is finished, and no other account is affected', async () => {
    const called = 'removed:ann@example.com';
    await store.accounts.addAccount(anAccount({ email: called, plan: 'free', at: start }));
    await onTables(folder, "UPDATE private.account SET email_key = 'removed ' || id WHERE id = ?", [
      ann,
    ]);
    const emails = async () => (await store.accounts.listAccounts(start)).map((each) => each.email);
    expect(await emails()).toEqual([called]);
    await sweepAll(start);
    expect(await countRows('account')).toBe(1);
    expect(await emails()).toEqual([called]);
  });
});
