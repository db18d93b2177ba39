/** Passkeys and the challenges that browsers answer with them. */
import { expect, test } from 'bun:test';
import { hashOf, sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { minuteMs } from '../../kernel/time.ts';
import { passkeysMax } from './passkey.ts';
import type { TokenHash } from './session.ts';

const shared = shareStore();

const passkey = (credentialId: string) => {
  return { name: 'Phone', credentialId, publicKey: hashOf(1), counter: 2, createdAt: now };
};

test('a challenge is used once, in time, and for the account that it was made for', async () => {
  const { accounts } = shared.store;
  const [one, two] = [await shared.addOwner(), await shared.addOwner()];
  const challenge = { hash: hashOf(1) as TokenHash, accountId: one.id };
  await accounts.addChallenge({ ...challenge, expiresAt: now + minuteMs });
  const use = (accountId: number | null, at: number) =>
    accounts.useChallenge({ ...challenge, accountId, at });
  expect([await use(two.id, now), await use(null, now)]).toEqual([false, false]);
  expect(await use(one.id, now + minuteMs)).toBe(false);
  expect(await use(one.id, now + minuteMs - 1)).toBe(true);
  expect(await use(one.id, now)).toBe(false);
});

test('the challenge of a sign-in belongs to nobody, and is used without an account', async () => {
  const { accounts } = shared.store;
  const { id } = await shared.addOwner();
  const hash = hashOf(2) as TokenHash;
  await accounts.addChallenge({ hash, accountId: null, expiresAt: now + 1 });
  const use = (accountId: number | null) => accounts.useChallenge({ hash, accountId, at: now });
  expect([await use(id), await use(null)]).toEqual([false, true]);
});

test('a passkey is found by its credential, with its last use', async () => {
  const { accounts } = shared.store;
  const { id } = await shared.addOwner();
  expect(await accounts.findPasskey('found')).toBe(null);
  expect(await accounts.addPasskey(id, passkey('other'))).toBe('added');
  expect(await accounts.addPasskey(id, passkey('found'))).toBe('added');
  const made = await accounts.findPasskey('found');
  expect(made).toMatchObject({ accountId: id, name: 'Phone', counter: 2, lastUsedAt: null });
  await accounts.notePasskeyUse(made?.id ?? 0, { counter: 3, at: now + 1 });
  expect(await accounts.findPasskey('found')).toMatchObject({ counter: 3, lastUsedAt: now + 1 });
  expect(await accounts.findPasskey('other')).toMatchObject({ counter: 2, lastUsedAt: null });
});

test('a passkey is added once, and an account has no more than the limit', async () => {
  const { accounts } = shared.store;
  const [one, two] = [await shared.addOwner(), await shared.addOwner()];
  for (let count = 0; count < passkeysMax; count++) {
    expect(await accounts.addPasskey(one.id, passkey(`many ${count}`))).toBe('added');
  }
  expect(await accounts.addPasskey(one.id, passkey('one more'))).toBe('too many');
  expect(await accounts.addPasskey(two.id, passkey('many 0'))).toBe('taken');
  expect(await accounts.listPasskeys(two.id)).toEqual([]);
});
