/** Accounts that are created for the person whom an identity provider signs in. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { anAccount } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';

const shared = shareStore();

const identity = (subject: string) => ({ issuer: 'https://id.example.com', subject });
const account = (email: string) => anAccount({ email, at: now });

test('an account is created with its link, and found by it', async () => {
  const { accounts } = shared.store;
  const made = await accounts.addAccountOf(identity('ann'), account('ann@example.com'));
  expect(made).toMatchObject({ email: 'ann@example.com' });
  expect(await accounts.findIdentity(identity('ann'))).toBe(made?.id ?? 0);
  expect(await accounts.listIdentities(made?.id ?? 0)).toEqual([
    { ...identity('ann'), createdAt: now },
  ]);
});

test('an email that has an account is not linked, whoever signs in', async () => {
  const { accounts } = shared.store;
  const { id } = await shared.addOwner('owner@example.com');
  expect(await accounts.addAccountOf(identity('bob'), account('owner@example.com'))).toBeNull();
  expect(await accounts.findIdentity(identity('bob'))).toBeNull();
  expect(await accounts.listIdentities(id)).toEqual([]);
});

test('no account is left of an identity that is linked already', async () => {
  const { accounts } = shared.store;
  const first = await accounts.addAccountOf(identity('eve'), account('eve@example.com'));
  const second = accounts.addAccountOf(identity('eve'), account('eve2@example.com'));
  await expect(second).rejects.toThrow('linked at the same time');
  expect(await accounts.findAccount('eve2@example.com', now)).toBeNull();
  expect(await accounts.findIdentity(identity('eve'))).toBe(first?.id ?? 0);
});
