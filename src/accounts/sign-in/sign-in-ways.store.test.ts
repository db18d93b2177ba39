/** The last way to sign in to an account stays, however many requests remove one at once. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { anAccount } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { hashOf, sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { Store } from '../../store/store.ts';

const shared = shareStore();
const issuer = 'https://id.example.com';
/** A second node, with connections of its own. */
let other: Store;
let people = 0;

beforeAll(async () => {
  other = await openTestStore(shared.folder);
});

afterAll(() => other.close());

/** An account with these ways to sign in, and no other. */
async function addPerson(
  ways: {
    readonly passkeys?: number;
    readonly identity?: boolean;
    readonly password?: boolean;
  } = {},
) {
  const { accounts } = shared.store;
  const email = `person-${++people}@example.com`;
  const passwordHash = ways.password ? 'hash' : null;
  const id = (await accounts.addAccount(anAccount({ email, passwordHash, at: now })))?.id ?? 0;
  for (let count = 0; count < (ways.passkeys ?? 0); count++) {
    const credentialId = `${email} ${count}`;
    const key = { publicKey: hashOf(count), counter: 0, createdAt: now };
    await accounts.addPasskey(id, { name: 'Phone', credentialId, ...key });
  }
  if (ways.identity) await accounts.linkIdentity(id, { issuer, subject: email, at: now });
  return { id, passkeys: (await accounts.listPasskeys(id)).map((passkey) => passkey.id) };
}

const removePasskey = (accountId: number, id: number, on = shared.store) =>
  on.accounts.removePasskey(accountId, { id, issuer });

test.each([
  { others: { password: true }, outcome: 'removed' },
  { others: { identity: true }, outcome: 'removed' },
  { others: {}, outcome: 'last' },
] as const)('the only passkey of an account with $others is $outcome', async (row) => {
  const { id, passkeys } = await addPerson({ passkeys: 1, ...row.others });
  expect(await removePasskey(id, passkeys[0] ?? 0)).toBe(row.outcome);
});

test('a link to a provider that nobody signs in with any more is no other way', async () => {
  const { id, passkeys } = await addPerson({ passkeys: 1, identity: true });
  const removed = { id: passkeys[0] ?? 0, issuer: null };
  expect(await shared.store.accounts.removePasskey(id, removed)).toBe('last');
});

test('a passkey of somebody else is not removed', async () => {
  const [one, two] = [await addPerson({ passkeys: 2 }), await addPerson({ passkeys: 2 })];
  expect(await removePasskey(one.id, two.passkeys[0] ?? 0)).toBe('unknown');
  expect(await shared.store.accounts.listPasskeys(two.id)).toHaveLength(2);
});

test('a link to a provider is removed if there is another way, and only then', async () => {
  const { accounts } = shared.store;
  const [one, two] = [
    await addPerson({ identity: true, password: true }),
    await addPerson({ identity: true }),
  ];
  expect(await accounts.removeIdentity(one.id, issuer)).toBe('removed');
  expect(await accounts.removeIdentity(two.id, issuer)).toBe('last');
  expect(await accounts.listIdentities(one.id)).toEqual([]);
  expect(await accounts.listIdentities(two.id)).toHaveLength(1);
});

test('of all passkeys that are removed at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, passkeys } = await addPerson({ passkeys: 4 });
    const outcomes = await Promise.all(
      passkeys.map((each, index) => removePasskey(id, each, index % 2 ? other : shared.store)),
    );
    expect(outcomes.sort()).toEqual(['last', 'removed', 'removed', 'removed']);
    expect(await shared.store.accounts.listPasskeys(id)).toHaveLength(1);
  }
});

test('of the only passkey and the link to the provider, removed at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, passkeys } = await addPerson({ passkeys: 1, identity: true });
    const outcomes = await Promise.all([
      removePasskey(id, passkeys[0] ?? 0),
      other.accounts.removeIdentity(id, issuer),
    ]);
    expect(outcomes.sort()).toEqual(['last', 'removed']);
  }
});
