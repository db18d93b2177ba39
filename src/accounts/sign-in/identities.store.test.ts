/** Accounts of the person whom an identity provider signs in. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { anAccount } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { hashToken } from './open-session.work.ts';

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

test('an invitation creates one account with its link, on its plan', async () => {
  const { accounts } = shared.store;
  const tokenHash = hashToken('an invitation of the provider');
  await accounts.addInvitation({ plan: 'reseller', tokenHash, at: now, expiresAt: now + 1 });
  const accept = (name: string) =>
    accounts.acceptInvitationOf(identity(name), tokenHash, account(`${name}@example.com`));
  await shared.addOwner('zoe@example.com');
  expect(await accept('zoe')).toBe('taken');
  expect(await accept('yan')).toMatchObject({ email: 'yan@example.com', plan: 'reseller' });
  expect(await accept('xia')).toBe('gone');
  expect(await accounts.findIdentity(identity('xia'))).toBeNull();
});

test('an account that nobody can sign in to is claimed once, and none with a role', async () => {
  const { accounts } = shared.store;
  const add = (email: string, facts = {}) =>
    accounts.addAccount({ ...account(email), passwordHash: null, ...facts });
  const claim = (subject: string, email: string) =>
    accounts.claimAccount({ ...identity(subject), email }, now);
  const made = await add('wim@example.com');
  expect(await claim('wim', 'WIM@example.com')).toBe(made?.id ?? 0);
  expect(await claim('other', 'wim@example.com')).toBeNull();
  await add('admin@example.com', { isOperator: true });
  await add('typed@example.com', { passwordHash: 'hash' });
  for (const email of ['admin@example.com', 'typed@example.com', 'nobody@example.com']) {
    expect(await claim(email, email)).toBeNull();
  }
});
