/** Passwords: lockouts after wrong attempts, and what a password change ends. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../../test/support/engines.ts';
import {
  addAccountWithPassword,
  costlyHash,
  lowestCost,
  password,
} from '../../../test/support/passwords.ts';
import type { Store } from '../../store/store.ts';
import type { Opened } from './open-session.work.ts';
import { hashPassword, passwordCost } from './password-hash.ts';
import {
  changePassword,
  hashToken,
  makeResetLink,
  newToken,
  type PasswordDeps,
  setPasswordByLink,
  signIn,
  signUp,
  type Visitor,
} from './sign-in.work.ts';

const at = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const next = 'another long password';
const visitor = (network: string) => ({ network, agent: 'Browser', at });
const home = visitor('192.0.2.1');

test('a password hash costs 19 MiB and two passes', async () => {
  expect(await hashPassword(password, passwordCost)).toStartWith(costlyHash);
});

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let parts: PasswordDeps;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-sign-in-'));
    store = await open(folder);
    const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    parts = { accounts: store.accounts, randomBytes, passwordCost: lowestCost };
    const facts = { plan: 'free', isOperator: false, at } as const;
    await addAccountWithPassword(store.accounts, { email, ...facts });
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const guess = (network: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        signIn(parts, { email, password: 'guess' }, visitor(network)),
      ),
    );

  const right = async (from: Visitor = home, typed = password) =>
    (await signIn(parts, { email, password: typed }, from)) as Opened | 'wrong' | 'too often';

  test('refused passwords are counted, whether they were tried or not, and right ones are not', async () => {
    await guess('192.0.2.7', 12);
    await signIn(parts, { email: 'nobody@example.com', password }, visitor('192.0.2.8'));
    await right();
    const rows = await store.accounts.listFailedSignIns(null, 9);
    const counted = rows.map(({ accountEmail, network, count }) => [accountEmail, network, count]);
    expect(counted.sort()).toEqual([
      [null, '192.0.2.8', 1],
      [email, null, 12],
    ]);
  });

  async function signedIn() {
    const outcome = await right();
    const token = typeof outcome === 'object' ? outcome.token : '';
    const who = await store.accounts.findSignedIn(hashToken(token), at);
    if (!who) throw new Error('Nobody is signed in.');
    return who;
  }

  test('a new account is signed in with a collection; an existing email is unchanged', async () => {
    const made = await signUp(parts, { email: 'new@example.com', password }, home);
    const token = typeof made === 'object' ? made.token : '';
    const who = await store.accounts.findSignedIn(hashToken(token), at);
    expect(who).toMatchObject({ email: 'new@example.com', plan: 'free', role: null });
    const { brickfolios } = await store.accounts.findHoldings(who?.accountId ?? 0, null);
    expect(brickfolios).toMatchObject([{ name: 'My collection', isDefault: true }]);
    expect(await signUp(parts, { email: 'ANN@example.com', password: next }, home)).toBe('taken');
    expect(await right()).toHaveProperty('token');
  });

  test('an email without an account, or an account without a password, takes a hash as well', async () => {
    const real = { ...parts, passwordCost };
    await store.accounts.setPassword(email, await hashPassword(password, passwordCost));
    const noPassword = { plan: 'free', isOperator: false, passwordHash: null, at } as const;
    await store.accounts.addAccount({ ...noPassword, email: 'bob@example.com' });
    const verify = spyOn(Bun.password, 'verify');
    for (const typed of [email, 'nobody@example.com', 'bob@example.com']) {
      expect(await signIn(real, { email: typed, password: 'guess' }, home)).toBe('wrong');
    }
    const hashes = verify.mock.calls.map(([, hash]) => String(hash));
    verify.mockRestore();
    expect(hashes).toEqual(Array(3).fill(expect.stringContaining(costlyHash)));
  });

  test('ten wrong attempts lock out their own network, not the owner elsewhere', async () => {
    expect(await guess('198.51.100.7', 10)).toEqual(Array(10).fill('wrong'));
    expect(await right(visitor('198.51.100.7'))).toBe('too often');
    expect(await right()).toHaveProperty('token');
  });

  test('an account accepts a hundred wrong attempts from all networks', async () => {
    for (let n = 0; n < 10; n++) await guess(`198.51.100.${n}`, 10);
    expect(await right()).toBe('too often');
  });

  test('a browser that signed in before is not locked out by strangers, only by itself', async () => {
    const first = await right();
    const device = typeof first === 'object' ? first.device : '';
    for (let n = 0; n < 10; n++) await guess(`198.51.100.${n}`, 10);
    await guess(home.network, 10);
    const known = { ...home, device };
    expect(await right()).toBe('too often');
    expect(await right({ ...home, device: newToken(parts) })).toBe('too often');
    expect(await right(known)).toMatchObject({ device, isNewDevice: false });
    for (let n = 0; n < 10; n++) expect(await right(known, 'guess')).toBe('wrong');
    expect(await right(known)).toBe('too often');
    const other = { plan: 'free', isOperator: false, at } as const;
    await addAccountWithPassword(store.accounts, { email: 'bob@example.com', ...other });
    const bob = await signIn(parts, { email: 'bob@example.com', password }, known);
    // Known to one account, new to another.
    expect(bob).toMatchObject({ device, isNewDevice: true });
  });

  test('a new password makes all browsers unknown again, except the one that set it', async () => {
    const [first, second] = [await right(), await right()];
    const devices = [first, second].map((opened) => (typeof opened === 'object' ? opened : null));
    const who = await signedIn();
    const here = { ...home, device: devices[0]?.device ?? null };
    await changePassword(parts, who, { old: password, new: next, visitor: here });
    for (let n = 0; n < 10; n++) await guess(`198.51.100.${n}`, 10);
    const there = { ...home, device: devices[1]?.device ?? null };
    expect(await right(there, next)).toBe('too often');
    expect(await right(here, next)).toHaveProperty('token');
  });

  test('all networks of a /48 share a limit', async () => {
    for (let n = 0; n < 3; n++) await guess(`2001:db8:1:${n}::/64`, 10);
    expect(await guess('2001:db8:1:9::/64', 1)).toEqual(['too often']);
    expect(await guess('2001:db8:2:9::/64', 1)).toEqual(['wrong']);
  });

  test('a successful sign-in resets all attempts, here and for the account', async () => {
    for (let n = 0; n < 9; n++) await guess(`198.51.100.${n}`, 10);
    for (let round = 0; round < 2; round++) {
      expect(await guess(home.network, 9)).toEqual(Array(9).fill('wrong'));
      expect(await right()).toHaveProperty('token');
    }
  });

  test('a signed-in user can change the password, whatever others attempted', async () => {
    const who = await signedIn();
    await guess(home.network, 10);
    const changed = await changePassword(parts, who, { old: password, new: next, visitor: home });
    expect(changed).toHaveProperty('token');
    expect(await store.accounts.listSessions(who.accountId, at)).toHaveLength(1);
  });

  test('a new password invalidates earlier links', async () => {
    const token = (await makeResetLink(parts, email, at)) ?? '';
    const who = await signedIn();
    await changePassword(parts, who, { old: password, new: next, visitor: home });
    expect(await setPasswordByLink(parts, { token, password }, home)).toBeNull();
    expect(await right(home, next)).toHaveProperty('token');
  });

  test('a link works at once, after any number of wrong attempts', async () => {
    await guess(home.network, 11);
    const token = (await makeResetLink(parts, email, at)) ?? '';
    const used = await setPasswordByLink(parts, { token, password: next }, home);
    const { device = null } = used ?? {};
    expect(await right(home, next)).toHaveProperty('token');
    expect(await right(home, password)).toBe('wrong');
    // The browser that used the link is known.
    for (let n = 0; n < 10; n++) await guess(`198.51.100.${n}`, 10);
    expect(await right({ ...home, device }, next)).toHaveProperty('token');
  });

  test('a sign-in that began with the old password fails with the new one', async () => {
    const who = await signedIn();
    const replaced = {
      ...store.accounts,
      // The password changes after its hash was read, and before the session is opened.
      addSession: async (session: Parameters<typeof store.accounts.addSession>[0]) => {
        await store.accounts.setPassword(email, 'changed meanwhile');
        return store.accounts.addSession(session);
      },
    };
    const outcome = await signIn({ ...parts, accounts: replaced }, { email, password }, home);
    expect(outcome).toBe('wrong');
    expect(await store.accounts.listSessions(who.accountId, at)).toEqual([]);
  });
});
