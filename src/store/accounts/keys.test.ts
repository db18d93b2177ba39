/** What every store guarantees about keys: whose they are, when they end, and what they spent. */
import { expect, test } from 'bun:test';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { keysListedMax } from '../../contract/limits.ts';
import type { KeyHash } from '../../domain/account/keys.ts';
import { dayMs, dayOf } from '../../domain/kernel/time.ts';

const shared = shareStore();

const listKeys = async ({ email }: Owner, at = now) =>
  (await shared.store.accounts.listKeys(email, at)) ?? [];

let keys = 0;

/** Adds a key; its id and its hash. */
async function addKey({ email }: Owner, at = now, expiresAt: number | null = null) {
  const hash = hashOf(++keys);
  const facts = { name: `Key ${keys}`, prefix: 'bmk_0000', allowance: 20, expiresAt, at };
  const made = await shared.store.accounts.addKey({ email, hash: hash as KeyHash, ...facts });
  return { id: typeof made === 'object' ? made.id : 0, hash, made };
}

const spend = (hash: Uint8Array, cost: number, at: number) =>
  shared.store.accounts.admitGroup([{ keyHash: hash, cost }], at);

test('keys are listed in the order in which they were made, to nobody but their account', async () => {
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

test('one key is given another allowance, or is revoked; that stays when it is done again', async () => {
  const { accounts } = shared.store;
  const one = await shared.addOwner();
  const [first, second] = [await addKey(one), await addKey(one)];
  expect(await accounts.setAllowance(first.id, 7)).toBe(true);
  expect((await listKeys(one)).map(({ allowance }) => allowance)).toEqual([7, 20]);
  expect(await accounts.setAllowance(second.id + 99, 7)).toBe(false);
  expect(await accounts.revokeKey(second.id, now + 1)).toBe(true);
  expect(await accounts.revokeKey(second.id, now + 2)).toBe(true);
  expect((await listKeys(one)).map(({ revokedAt }) => revokedAt)).toEqual([null, now + 1]);
  expect(await accounts.revokeKey(second.id + 99, now)).toBe(false);
});

test('usage is told from a day on, in the order of days, of the account alone', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [first, second, others] = [await addKey(one), await addKey(one), await addKey(other)];
  await spend(second.hash, 2, now + dayMs);
  await spend(first.hash, 1, now + dayMs);
  await spend(first.hash, 3, now);
  await spend(others.hash, 9, now);
  const day = dayOf(now);
  const told = async (fromDay: number) => (await accounts.findUsage(one.id, fromDay)).days;
  const late = [
    { keyId: first.id, day: day + 1, used: 1 },
    { keyId: second.id, day: day + 1, used: 2 },
  ];
  expect(await told(day)).toEqual([{ keyId: first.id, day, used: 3 }, ...late]);
  expect(await told(day + 1)).toEqual(late);
  expect(await told(day + 2)).toEqual([]);
  expect((await listKeys(one, now + dayMs)).map(({ usedToday }) => usedToday)).toEqual([1, 2]);
});

test('what was added up of earlier days is told with the account that it belongs to', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const sql = 'UPDATE private.account SET calls_earlier = 12 WHERE id = ?';
  await onTables(shared.folder, sql, [one.id]);
  const earlier = async ({ id }: Owner) => (await shared.store.accounts.findUsage(id, 0)).earlier;
  expect([await earlier(one), await earlier(other), await earlier({ ...one, id: 9_999 })]).toEqual([
    12, 0, 0,
  ]);
});

test('a key was last used when its last call came, whether its days are still there or not', async () => {
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

test('who takes over a place leaves the last use of those before as it was', async () => {
  const { accounts } = shared.store;
  const one = await shared.addOwner();
  const [first, second] = [await addKey(one), await addKey(one)];
  const others = [second, await addKey(one), await addKey(one), await addKey(one)];
  // The others are spent more, so that the next key comes into the place of the first.
  await spend(first.hash, 1, now + 1);
  await spend(first.hash, 1, now - dayMs);
  for (const { hash } of others) await spend(hash, 2, now + 2);
  await accounts.revokeKey(first.id, now + 3);
  const next = await addKey(one, now + 4);
  await spend(next.hash, 1, now + 5);
  await accounts.revokeKey(next.id, now + 6);
  // Whose last use was written down already is not set back by an earlier day.
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

/** Adds keys that have ended, as many as there can be behind the first ones. */
async function fillKeys({ id }: Owner, count: number): Promise<void> {
  const row = `(${id}, 'old', ?, 'bmk_0000', 1, 9, 0, ${now - 9}, ${now - 9})`;
  const hashes = Array.from({ length: count }, () => hashOf(++keys));
  await onTables(
    shared.folder,
    `INSERT INTO private.api_key
       (account_id, name, hash, prefix, allowance, place, used_before, created_at, revoked_at)
     VALUES ${hashes.map(() => row).join(', ')}`,
    hashes,
  );
}

test('the last so many keys are kept, and before them those that are active', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await fillKeys(other, 3);
  const active = await addKey(one);
  const expired = await addKey(one, now, now + 1);
  const later = await addKey(one, now, now + 2);
  await fillKeys(one, keysListedMax - 1);
  const ids = async () => (await listKeys(one)).map(({ id }) => id);
  const all = await ids();
  expect(all).toHaveLength(keysListedMax + 2);
  // With the new one, the three are the oldest, and one of them has ended at that instant.
  const added = await addKey(one, now + 1);
  expect(await ids()).toEqual([active.id, later.id, ...all.slice(3), added.id]);
  expect(await ids()).not.toContain(expired.id);
  expect(await listKeys(other)).toHaveLength(3);
});

const usageOf = async ({ id }: Owner, fromDay: number) =>
  (await shared.store.accounts.findUsage(id, fromDay)).days;

test('the usage of an account is told by key and day, and nobody else sees it', async () => {
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

test('usage before the day asked for is left out, that of a revoked key is not', async () => {
  const ann = await shared.addOwner();
  const { id, hash } = await addKey(ann);
  await spend(hash, 4, now);
  await shared.store.accounts.revokeKey(id, now + dayMs);
  expect(await usageOf(ann, dayOf(now) + 1)).toEqual([]);
  expect(await usageOf(ann, dayOf(now))).toEqual([{ keyId: id, day: dayOf(now), used: 4 }]);
});
