/** Guarantees of every store about keys: owner, end and usage. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { expect, test } from 'bun:test';
import { keysById } from '../../../test/support/keys-by-id.ts';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { keysListedMax } from '../../contract/limits.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import type { KeyHash } from './keys.ts';

const shared = shareStore();

const listKeys = async ({ email }: Owner, at = now) =>
  (await shared.store.accounts.listKeys(email, at)) ?? [];

let keys = 0;

/** Adds a key; returns its id and hash. */
async function addKey({ email }: Owner, at = now, expiresAt: number | null = null) {
  const hash = hashOf(++keys);
  const facts = { name: `Key ${keys}`, prefix: 'bmk_0000', allowance: 20, expiresAt, at };
  const made = await shared.store.accounts.addKey({ email, hash: hash as KeyHash, ...facts });
  return { id: typeof made === 'object' ? made.id : 0, hash, made };
}

const spend = (hash: Uint8Array, cost: number, at: number) =>
  shared.store.accounts.admitGroup([{ keyHash: hash, cost }], at);

test('keys are listed in order of creation, for their account only', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const first = await addKey(one);
  await addKey(other);
  const second = await addKey(one, now, now + dayMs);
  expect(await listKeys(one)).toMatchObject([
    { id: first.id, expiresAt: null, createdAt: now, allowance: 20, lastUsedAt: null },
    { id: second.id, expiresAt: now + dayMs, usedToday: 0, countedToday: 0 },
  ]);
  expect(await accounts.listKeys('nobody@example.com', now)).toBeNull();
  const facts = { name: 'k', prefix: 'k', allowance: 1, expiresAt: null, at: now };
  const hash = hashOf(++keys) as KeyHash;
  expect(await accounts.addKey({ email: 'nobody@example.com', hash, ...facts })).toBe('no account');
});

test('once an operator limits a key, its owner cannot change its access', async () => {
  const { accounts } = shared.store;
  const one = await shared.addOwner();
  const { id } = await addKey(one);
  const [wide, narrow] = [
    { scopes: 15, networks: null },
    { scopes: 1, networks: '203.0.113.0/24' },
  ];
  expect(await keysById(accounts).setKeyAccess(id, wide, { isLimited: false })).toBe(true);
  expect(await keysById(accounts).setKeyAccess(id, narrow, { isLimited: true })).toBe(true);
  expect(await keysById(accounts).setKeyAccess(id, wide, { isLimited: false })).toBe(false);
  expect(await listKeys(one)).toMatchObject([{ ...narrow, isLimited: true }]);
  expect(await keysById(accounts).setKeyAccess(id, wide, { isLimited: true })).toBe(true);
  expect(await listKeys(one)).toMatchObject([{ ...wide, isLimited: true }]);
});

test('setting an allowance or revoking concerns one key, and can be repeated', async () => {
  const { accounts } = shared.store;
  const one = await shared.addOwner();
  const [first, second] = [await addKey(one), await addKey(one)];
  expect(await keysById(accounts).setAllowance(first.id, 7)).toBe(true);
  expect((await listKeys(one)).map(({ allowance }) => allowance)).toEqual([7, 20]);
  expect(await keysById(accounts).setAllowance(second.id + 99, 7)).toBe(false);
  expect(await keysById(accounts).revokeKey(second.id, now + 1)).toBe(true);
  expect(await keysById(accounts).revokeKey(second.id, now + 2)).toBe(true);
  expect((await listKeys(one)).map(({ revokedAt }) => revokedAt)).toEqual([null, now + 1]);
  expect(await keysById(accounts).revokeKey(second.id + 99, now)).toBe(false);
});

test('a key of another account is treated as missing', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const { id } = await addKey(one);
  const before = await listKeys(one);
  const [key] = before ?? [];
  const access = { scopes: 1, networks: null, isLimited: true };
  const hash = hashOf(++keys) as KeyHash;
  const rolled = {
    keyId: id,
    seen: key?.prefix ?? '',
    hash,
    prefix: 'x',
    expiresAt: null,
    at: now,
  };
  expect([
    await accounts.renameKey(other.id, id, 'Mine'),
    await accounts.setAllowance(other.id, id, 1),
    await accounts.setKeyAccess(other.id, id, access),
    await accounts.rollKey(other.id, rolled),
    await accounts.revokeKey(other.id, id, now),
  ]).toEqual([false, false, false, false, false]);
  expect(await listKeys(one)).toEqual(before);
  expect(await accounts.rollKey(one.id, rolled)).toBe(true);
  const withOld = await listKeys(one);
  expect(await accounts.endOldSecret(other.id, id, now)).toBe(false);
  expect(await listKeys(one)).toEqual(withOld);
  expect(await accounts.endOldSecret(one.id, id, now)).toBe(true);
});

test('usage is returned from a day on, in order of days, for one account', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [first, second, others] = [await addKey(one), await addKey(one), await addKey(other)];
  await spend(second.hash, 2, now + dayMs);
  await spend(first.hash, 1, now + dayMs);
  await spend(first.hash, 3, now);
  await spend(others.hash, 9, now);
  const day = dayOf(now);
  const daysFrom = async (fromDay: number) => (await accounts.findUsage(one.id, fromDay)).days;
  const late = [
    { keyId: first.id, day: day + 1, used: 1 },
    { keyId: second.id, day: day + 1, used: 2 },
  ];
  expect(await daysFrom(day)).toEqual([{ keyId: first.id, day, used: 3 }, ...late]);
  expect(await daysFrom(day + 1)).toEqual(late);
  expect(await daysFrom(day + 2)).toEqual([]);
  expect((await listKeys(one, now + dayMs)).map(({ usedToday }) => usedToday)).toEqual([1, 2]);
});

test('the total of earlier days belongs to its account', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const sql = 'UPDATE private.account SET calls_earlier = 12 WHERE id = ?';
  await onTables(shared.folder, sql, [one.id]);
  const earlier = async ({ id }: Owner) => (await shared.store.accounts.findUsage(id, 0)).earlier;
  expect([await earlier(one), await earlier(other), await earlier({ ...one, id: 9_999 })]).toEqual([
    12, 0, 0,
  ]);
});

test('the last use of a key is that of its last call, even if its days were summed up', async () => {
  const one = await shared.addOwner();
  const [used, noted, both] = [await addKey(one), await addKey(one), await addKey(one)];
  const note = (id: number, at: number) =>
    onTables(shared.folder, 'UPDATE private.api_key SET last_used_at = ? WHERE id = ?', [at, id]);
  await spend(used.hash, 1, now - dayMs);
  await spend(used.hash, 1, now);
  await note(noted.id, now - 5);
  await note(both.id, now - 5);
  await spend(both.hash, 1, now);
  const lastUses = async () => (await listKeys(one)).map(({ lastUsedAt }) => lastUsedAt);
  expect(await lastUses()).toEqual([now, now - 5, now]);
  await note(both.id, now + 5);
  expect(await lastUses()).toEqual([now, now - 5, now + 5]);
});

test('a new key in a place does not change the last use of earlier ones', async () => {
  const { accounts } = shared.store;
  const one = await shared.addOwner();
  const [first, second] = [await addKey(one), await addKey(one)];
  const others = [second, await addKey(one), await addKey(one), await addKey(one)];
  // The others have more usage, so the next key gets the place of the first.
  await spend(first.hash, 1, now + 1);
  await spend(first.hash, 1, now - dayMs);
  for (const { hash } of others) await spend(hash, 2, now + 2);
  await keysById(accounts).revokeKey(first.id, now + 3);
  const next = await addKey(one, now + 4);
  await spend(next.hash, 1, now + 5);
  await keysById(accounts).revokeKey(next.id, now + 6);
  // A last use that was saved is not replaced by an earlier day.
  const sql = 'UPDATE private.api_key SET last_used_at = ? WHERE id = ?';
  await onTables(shared.folder, sql, [now + 9, next.id]);
  await addKey(one, now + 7);
  const lastUses = (await listKeys(one)).map(({ id, lastUsedAt }) => [id, lastUsedAt]);
  expect(lastUses.slice(0, 2)).toEqual([
    [first.id, now + 1],
    [second.id, now + 2],
  ]);
  expect(lastUses.find(([id]) => id === next.id)).toEqual([next.id, now + 9]);
});

/** Adds revoked keys. */
async function fillKeys({ id }: Owner, count: number): Promise<void> {
  const row = `(${id}, 'old', ?, 'bmk_0000', 1, 15, 9, 0, ${now - 9}, ${now - 9})`;
  const hashes = Array.from({ length: count }, () => hashOf(++keys));
  await onTables(
    shared.folder,
    `INSERT INTO private.api_key
       (account_id, name, hash, prefix, allowance, scopes, place, used_before, created_at,
        revoked_at)
     VALUES ${hashes.map(() => row).join(', ')}`,
    hashes,
  );
}

test('the latest keys are kept, and older ones only while they are active', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await fillKeys(other, 3);
  const active = await addKey(one);
  const expired = await addKey(one, now, now + 1);
  const later = await addKey(one, now, now + 2);
  await fillKeys(one, keysListedMax - 1);
  const ids = async () => (await listKeys(one)).map(({ id }) => id);
  const all = await ids();
  expect(all).toHaveLength(keysListedMax + 2);
  // With the new key, the three are the oldest, and one of them ends at this time.
  const added = await addKey(one, now + 1);
  expect(await ids()).toEqual([active.id, later.id, ...all.slice(3), added.id]);
  expect(await ids()).not.toContain(expired.id);
  expect(await listKeys(other)).toHaveLength(3);
});

const usageOf = async ({ id }: Owner, fromDay: number) =>
  (await shared.store.accounts.findUsage(id, fromDay)).days;

test('usage is returned by key and day, for its account only', async () => {
  const [ann, bob] = [await shared.addOwner(), await shared.addOwner()];
  const [first, second] = [await addKey(ann), await addKey(ann)];
  await addKey(bob);
  await spend(first.hash, 2, now);
  await spend(second.hash, 5, now);
  await spend(first.hash, 1, now);
  expect(await usageOf(ann, dayOf(now) - 29)).toEqual([
    { keyId: first.id, day: dayOf(now), used: 3 },
    { keyId: second.id, day: dayOf(now), used: 5 },
  ]);
  expect(await usageOf(bob, dayOf(now) - 29)).toEqual([]);
});

test('usage before the requested day is left out, but revoked keys are included', async () => {
  const ann = await shared.addOwner();
  const { id, hash } = await addKey(ann);
  await spend(hash, 4, now);
  await keysById(shared.store.accounts).revokeKey(id, now + dayMs);
  expect(await usageOf(ann, dayOf(now) + 1)).toEqual([]);
  expect(await usageOf(ann, dayOf(now))).toEqual([{ keyId: id, day: dayOf(now), used: 4 }]);
});
