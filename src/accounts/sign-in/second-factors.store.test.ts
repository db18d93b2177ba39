/** Authenticator apps, their recovery codes, and sign-ins that wait for a code. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { hashOf, sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import { minuteMs } from '../../kernel/time.ts';
import type { TokenHash } from './session.ts';

const shared = shareStore();
let hashes = 0;
const nextHash = () => hashOf(++hashes) as TokenHash;

/** An account with an app, two recovery codes, and a sign-in that waits for a code. */
async function addPerson() {
  const { accounts } = shared.store;
  const email = `person-${++hashes}@example.com`;
  const { id } = await shared.addOwner(email);
  const secret = nextHash() as Uint8Array as Encrypted;
  expect(await accounts.startAuthenticator(id, { secret, at: now })).toBe(true);
  const codes = [nextHash(), nextHash()];
  expect(await accounts.confirmAuthenticator(id, { secret, step: 5, codes })).toBe(true);
  const step = nextHash();
  const passwordHash = `of ${email}`;
  const waiting = { accountId: id, passwordHash, tokenHash: step, expiresAt: now + minuteMs };
  expect(await accounts.addSignInStep(waiting)).toBe(true);
  const stateOf = async () => ({
    app: (await accounts.findAuthenticator(id))?.isConfirmed ?? null,
    codes: await accounts.countRecoveryCodes(id),
    isWaiting: (await accounts.findSignInStep(step, now)) !== null,
  });
  return { id, codes, stateOf };
}

test('an app is removed with its codes and the sign-ins that wait for one', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await addPerson(), await addPerson()];
  const all = { app: true, codes: 2, isWaiting: true };
  expect(await one.stateOf()).toEqual(all);
  await accounts.removeAuthenticator(one.id);
  expect(await one.stateOf()).toEqual({ app: null, codes: 0, isWaiting: false });
  expect(await other.stateOf()).toEqual(all);
});

test('a code of the app is used once, and none before it; a recovery code once', async () => {
  const { accounts } = shared.store;
  const { id, codes, stateOf } = await addPerson();
  const use = (step: number) => accounts.useCode(id, { kind: 'app', step });
  expect([await use(5), await use(6), await use(6), await use(5)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  const [hash = nextHash()] = codes;
  const proof = { kind: 'recovery', hash } as const;
  expect([await accounts.useCode(id, proof), await accounts.useCode(id, proof)]).toEqual([
    true,
    false,
  ]);
  expect(await stateOf()).toMatchObject({ codes: 1 });
});
