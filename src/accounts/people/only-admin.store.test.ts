/** One admin is always left, also if several are closed, erased or demoted at once. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { anAccount } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { Store } from '../../store/store.ts';
import { byService } from '../audit/audit.ts';
import type { Role } from './role.ts';

const shared = shareStore();
/** A second node, with connections of its own. */
let other: Store;

beforeAll(async () => {
  other = await openTestStore(shared.folder);
});

afterAll(() => other.close());

const names = ['ann', 'bob', 'cat', 'dan'].map((name) => `${name}@example.com`);
const [ann = '', bob = ''] = names;

beforeEach(async () => {
  await onTables(shared.folder, 'DELETE FROM private.account');
  for (const email of names) await shared.store.accounts.addAccount(anAccount({ email, at: now }));
});

async function listAdmins(): Promise<string[]> {
  const accounts = await shared.store.accounts.listAccounts(now);
  return accounts.filter(({ role }) => role === 'admin').map(({ email }) => email);
}

const setRole = (email: string, role: Role | null, { accounts } = shared.store) =>
  accounts.setRole(email, role);

/** Every way in which an account stops being an admin. */
const endings: Readonly<Record<string, (store: Store, email: string) => Promise<unknown>>> = {
  'no role': ({ accounts }, email) => accounts.setRole(email, null),
  'a lower role': ({ accounts }, email) => accounts.setRole(email, 'operator'),
  closing: ({ accounts }, email) => accounts.closeAccount(email, byService, now),
  erasing: ({ accounts }, email) => accounts.removeAccount(email),
};

test.each(Object.keys(endings))('the only admin stays one: %s', async (name) => {
  await setRole(ann, 'admin');
  await setRole(bob, 'operator');
  expect(await endings[name]?.(shared.store, ann.toUpperCase())).toBe('only admin');
  expect(await listAdmins()).toEqual([ann]);
  await setRole(bob, 'admin');
  expect(await endings[name]?.(shared.store, ann)).not.toBe('only admin');
  expect(await listAdmins()).toEqual([bob]);
});

test('a closed admin is none, and can be erased', async () => {
  await setRole(ann, 'admin');
  await setRole(bob, 'admin');
  await shared.store.accounts.closeAccount(bob, byService, now);
  expect(await setRole(ann, null)).toBe('only admin');
  expect(await shared.store.accounts.removeAccount(bob)).toBe(true);
});

test.each(Object.keys(endings))('of several admins at once, one stays: %s', async (name) => {
  for (let round = 0; round < 5; round++) {
    for (const email of names) {
      await shared.store.accounts.addAccount(anAccount({ email, at: now }));
      await shared.store.accounts.restoreAccount(email);
      await setRole(email, 'admin');
    }
    const outcomes = await Promise.all(
      names.map((email, index) => endings[name]?.(index % 2 ? other : shared.store, email)),
    );
    expect(outcomes.filter((outcome) => outcome === 'only admin')).toHaveLength(1);
    expect(await listAdmins()).toHaveLength(1);
  }
});

test('a role is given in one transaction: if its links cannot end, it is not given', async () => {
  await onTables(shared.folder, 'ALTER TABLE private.sign_in_step RENAME TO hidden_step');
  try {
    await expect(setRole(ann, 'support')).rejects.toThrow();
  } finally {
    const table = 'private.hidden_step';
    await onTables(shared.folder, `ALTER TABLE ${table} RENAME TO sign_in_step`);
  }
  expect(await shared.store.accounts.findAccount(ann, now)).toMatchObject({ role: null });
});
