/** Guarantees of every store about spreadsheet links: owner, limit and end. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { expect, test } from 'bun:test';
import { keysById } from '../../../test/support/keys-by-id.ts';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import type { KeyHash } from '../keys/keys.ts';
import { allScopes, scopeBits } from '../keys/scopes.ts';
import { sheetLinksMax } from './sheet-link.ts';

const shared = shareStore();

let made = 0;

async function addKey({ email }: Owner, expiresAt: number | null = null): Promise<number> {
  const hash = hashOf(++made) as KeyHash;
  const facts = { name: 'Key', prefix: 'bmk_0000', allowance: 20, expiresAt, at: now };
  const key = await shared.store.accounts.addKey({ email, hash, ...facts });
  return typeof key === 'object' ? key.id : 0;
}

function addLink({ id: accountId }: Owner, keyId: number) {
  const handle = `handle-${++made}`;
  const link = { accountId, keyId, name: 'Sheet', content: 'values' as const, handle, at: now };
  return shared.store.accounts.addSheetLink(link);
}

const linksOf = ({ id }: Owner) => shared.store.accounts.listSheetLinks(id);

const find = (handle: string) => shared.store.accounts.findSheetKey({ handle, content: 'values' });

test('a link finds its key until its owner removes it', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const keyId = await addKey(one);
  const keyHash = hashOf(made);
  await addLink(one, keyId);
  const [link] = await linksOf(one);
  if (!link) throw new Error('There is no link.');
  expect(link).toMatchObject({ keyId, name: 'Sheet', createdAt: now, lastUsedAt: null, used: 0 });
  const found = await find(link.handle);
  expect(found?.linkId).toBe(link.id);
  expect([...(found?.keyHash ?? [])]).toEqual([...keyHash]);
  // It is not valid for another file, even with a signature.
  expect(await accounts.findSheetKey({ ...link, content: 'holdings' })).toBeNull();
  expect(await accounts.removeSheetLink(other.id, link.id, now)).toBe(false);
  expect(await find(link.handle)).not.toBeNull();
  expect(await accounts.removeSheetLink(one.id, link.id, now)).toBe(true);
  expect(await accounts.removeSheetLink(one.id, link.id, now)).toBe(false);
  expect(await find(link.handle)).toBeNull();
});

test('a link needs an active key of the account', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [good, expired, revoked] = [await addKey(one), await addKey(one, now), await addKey(one)];
  await keysById(shared.store.accounts).revokeKey(revoked, now);
  expect(await addLink(other, good)).toBe('no key');
  expect(await addLink(one, expired)).toBe('no key');
  expect(await addLink(one, revoked)).toBe('no key');
  expect(await addLink(one, 999_999)).toBe('no key');
  expect(await addLink(one, good)).toHaveProperty('id');
});

test('a link needs the plan, and a key with the scopes of its file', async () => {
  const one = await shared.addOwner();
  const keyId = await addKey(one);
  const { accounts } = shared.store;
  const onlySales = { scopes: scopeBits(['sales']), networks: null };
  await keysById(accounts).setKeyAccess(keyId, onlySales, { isLimited: false });
  expect(await addLink(one, keyId)).toEqual({ lacks: scopeBits(['market']) });
  await keysById(accounts).setKeyAccess(
    keyId,
    { ...onlySales, scopes: allScopes },
    { isLimited: false },
  );
  await accounts.setPlan(one.email, 'free');
  expect(await addLink(one, keyId)).toBe('no plan');
  expect(await linksOf(one)).toEqual([]);
});

test('the number of links is limited, also if many are added at once', async () => {
  const one = await shared.addOwner();
  const keyId = await addKey(one);
  const asked = Array.from({ length: sheetLinksMax + 5 }, () => addLink(one, keyId));
  const outcomes = await Promise.all(asked);
  expect(outcomes.filter((outcome) => outcome === 'too many')).toHaveLength(5);
  const links = await linksOf(one);
  expect(links).toHaveLength(sheetLinksMax);
  expect(links.map(({ id }) => id)).toEqual(links.map(({ id }) => id).sort((a, b) => b - a));
  await shared.store.accounts.removeSheetLink(one.id, links[0]?.id ?? 0, now);
  expect(await addLink(one, keyId)).toHaveProperty('id');
});

test('usage is summed by day, and removed with the account', async () => {
  const { accounts } = shared.store;
  const one = await shared.addOwner();
  const added = await addLink(one, await addKey(one));
  const id = typeof added === 'object' && 'id' in added ? added.id : 0;
  const seen = async () => {
    const [link] = await linksOf(one);
    return [link?.usedDay, link?.used, link?.lastUsedAt];
  };
  const today = dayOf(now);
  await Promise.all([3, 4].map((cost) => accounts.noteSheetUse(id, { cost, at: now })));
  expect(await seen()).toEqual([today, 7, now]);
  const tomorrow = now + dayMs;
  await accounts.noteSheetUse(id, { cost: 2, at: tomorrow });
  expect(await seen()).toEqual([today + 1, 2, tomorrow]);
  await accounts.noteSheetUse(id, { cost: 9, at: now });
  expect(await seen()).toEqual([today + 1, 2, tomorrow]);
  const [link] = await linksOf(one);
  await accounts.removeAccount(one.email);
  expect(await linksOf(one)).toEqual([]);
  expect(await find(link?.handle ?? '')).toBeNull();
  await accounts.noteSheetUse(id, { cost: 1, at: tomorrow });
});
