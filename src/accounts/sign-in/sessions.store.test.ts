/** Guarantees of every store about sessions, reset links and tries. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import { sessionsMax } from '../../contract/limits.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import { byService } from '../audit/audit.ts';
import type { TokenHash } from './session.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';

const hash = (byte: number) => new Uint8Array(32).fill(byte) as TokenHash;

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;
  let bob: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-sessions-'));
    store = await open(folder);
    ann = await addAccount(email, true);
    bob = await addAccount('bob@example.com', false);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function addAccount(address: string, isOperator: boolean): Promise<number> {
    return (
      (
        await store.accounts.addAccount(
          anAccount({
            email: address,
            plan: 'free',
            isOperator,
            passwordHash: `of ${address}`,
            at: now,
          }),
        )
      )?.id ?? 0
    );
  }

  const signIn = async (accountId: number, byte: number, at = now): Promise<number> => {
    const passwordHash = accountId === ann ? `of ${email}` : 'of bob@example.com';
    const proof = { accountId, passwordHash, method: 'password' } as const;
    const session = { ...proof, tokenHash: hash(byte), agent: `Browser ${byte}` };
    return (await store.accounts.addSession({ ...session, at, expiresAt: at + dayMs })) ?? 0;
  };

  const addKey = (address: string, byte: number) =>
    store.accounts.addKey({
      email: address,
      name: 'k',
      hash: new Uint8Array(32).fill(byte) as never,
      prefix: 'k',
      allowance: 9,
      expiresAt: null,
      at: now,
    });

  const activeKeys = async (address: string) =>
    (await store.accounts.findAccount(address, now))?.activeKeys;

  test('a password hash is found by email, ignoring case', async () => {
    const found = await store.accounts.findPasswordHash(' Ann@Example.com');
    expect(found).toEqual({ accountId: ann, passwordHash: `of ${email}`, needsCode: false });
    expect(await store.accounts.findPasswordHash('nobody@example.com')).toBeNull();
  });

  test('a session finds its account until it expires', async () => {
    const sessionId = await signIn(ann, 1);
    const account = { accountId: ann, email, plan: 'free', role: 'admin' } as const;
    const signedIn = {
      sessionId,
      ...account,
      method: 'password',
      signedInAt: now,
      timeZone: null,
      currency: null,
      locale: null,
      lastVisitAt: null,
      unseenAlerts: 0,
    } as const;
    expect(await store.accounts.findSignedIn(hash(1), now)).toEqual(signedIn);
    expect(await store.accounts.findSignedIn(hash(1), now + dayMs - 1)).toEqual({
      ...signedIn,
      lastVisitAt: now,
    });
    expect(await store.accounts.findSignedIn(hash(1), now + dayMs)).toBeNull();
    expect(await store.accounts.findSignedIn(hash(2), now)).toBeNull();
  });

  test('sessions are listed by when they were last seen', async () => {
    const first = await signIn(ann, 1);
    const second = await signIn(ann, 2, now + 1);
    await signIn(bob, 3);
    await store.accounts.findSignedIn(hash(1), now + 4 * minuteMs);
    const seen = await store.accounts.listSessions(ann, now + 4 * minuteMs);
    expect(seen.map(({ id, lastSeenAt }) => [id, lastSeenAt])).toEqual([
      [second, now + 1],
      [first, now],
    ]);
    await store.accounts.findSignedIn(hash(1), now + 5 * minuteMs);
    expect(await store.accounts.listSessions(ann, now + 6 * minuteMs)).toEqual([
      {
        id: first,
        createdAt: now,
        lastSeenAt: now + 5 * minuteMs,
        expiresAt: now + dayMs,
        agent: 'Browser 1',
      },
      {
        id: second,
        createdAt: now + 1,
        lastSeenAt: now + 1,
        expiresAt: now + 1 + dayMs,
        agent: 'Browser 2',
      },
    ]);
  });

  test('of sessions last seen at the same time, the latest is first; expired ones are left out', async () => {
    const ids = [await signIn(ann, 1), await signIn(ann, 2), await signIn(ann, 3, now + 1)];
    const listed = async (at: number) =>
      (await store.accounts.listSessions(ann, at)).map(({ id }) => id);
    expect(await listed(now + dayMs - 1)).toEqual(ids.toReversed());
    expect(await listed(now + dayMs)).toEqual(ids.slice(2));
  });

  test('the number of sessions is limited: one more ends the oldest', async () => {
    const other = await signIn(bob, 200);
    const ids: number[] = [];
    for (let n = 0; n < sessionsMax + 1; n++) {
      if (n === sessionsMax) expect(await store.accounts.findSignedIn(hash(0), now)).not.toBeNull();
      ids.push(await signIn(ann, n));
    }
    const left = await store.accounts.listSessions(ann, now);
    expect(left.map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
    expect((await store.accounts.listSessions(bob, now)).map(({ id }) => id)).toEqual([other]);
  });

  test('a session is ended by its owner only, and at once', async () => {
    const sessionId = await signIn(ann, 1);
    const kept = await signIn(ann, 2);
    expect(await store.accounts.endSession(bob, sessionId)).toBe(false);
    expect(await store.accounts.findSignedIn(hash(1), now)).not.toBeNull();
    expect(await store.accounts.endSession(ann, sessionId)).toBe(true);
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
    expect(await store.accounts.endSession(ann, sessionId)).toBe(false);
    expect((await store.accounts.listSessions(ann, now)).map(({ id }) => id)).toEqual([kept]);
  });

  test('all sessions except one are ended, or all of them', async () => {
    const kept = await signIn(ann, 1);
    await signIn(ann, 2);
    await signIn(bob, 3);
    expect(await store.accounts.endOtherSessions(ann, kept)).toBe(1);
    expect((await store.accounts.listSessions(ann, now)).map(({ id }) => id)).toEqual([kept]);
    expect(await store.accounts.endOtherSessions(ann, null)).toBe(1);
    expect(await store.accounts.listSessions(bob, now)).toHaveLength(1);
  });

  test('a new password ends all sessions and links of the account, and not those of others', async () => {
    await signIn(ann, 1);
    await signIn(bob, 2);
    const late = { expiresAt: now + hourMs };
    await store.accounts.addResetLink({ email, tokenHash: hash(9), ...late });
    await store.accounts.addResetLink({ email: 'bob@example.com', tokenHash: hash(8), ...late });
    expect(await store.accounts.setPassword(email, 'new')).toBe(true);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
    expect(await store.accounts.findResetLink(hash(9), now)).toBeNull();
    expect(await store.accounts.findSignedIn(hash(2), now)).not.toBeNull();
    expect(await store.accounts.findResetLink(hash(8), now)).not.toBeNull();
    expect(await store.accounts.findPasswordHash('bob@example.com')).toMatchObject({
      passwordHash: 'of bob@example.com',
    });
    expect(await store.accounts.setPassword('nobody@example.com', 'new')).toBe(false);
  });

  test('a password replaces only the one that was checked', async () => {
    expect(await store.accounts.setPassword(email, 'new', 'another')).toBe(false);
    expect(await store.accounts.setPassword(email, 'new', `of ${email}`)).toBe(true);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
  });

  test('a session is not added with a password that was changed since', async () => {
    await store.accounts.setPassword(email, 'new');
    await signIn(ann, 1);
    expect(await store.accounts.listSessions(ann, now)).toEqual([]);
  });

  test('no session with the old password outlives a concurrent change', async () => {
    const racing = Array.from({ length: 20 }, (_, i) =>
      i === 10 ? store.accounts.setPassword(email, 'new') : signIn(ann, i),
    );
    await Promise.all(racing);
    expect(await store.accounts.listSessions(ann, now)).toEqual([]);
  });

  test('a reset link sets the password once, ends all sessions and revokes all keys', async () => {
    await addKey(email, 1);
    await addKey('bob@example.com', 2);
    await signIn(ann, 1);
    await signIn(bob, 2);
    const link = { email, tokenHash: hash(9), expiresAt: now + hourMs };
    expect(await store.accounts.addResetLink(link)).toBe(true);
    expect(await store.accounts.findResetLink(hash(9), now)).not.toBeNull();
    expect(await store.accounts.useResetLink(hash(9), 'new', now)).toEqual({
      accountId: ann,
      email,
    });
    expect(await store.accounts.useResetLink(hash(9), 'newer', now)).toBeNull();
    expect(await activeKeys(email)).toBe(0);
    expect(await activeKeys('bob@example.com')).toBe(1);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
    expect(await store.accounts.findSignedIn(hash(2), now)).not.toBeNull();
  });

  test('a reset link removes passkeys and links, except those kept of a confirmed address', async () => {
    const { accounts } = store;
    const identity = (subject: string) => ({ issuer: 'https://id.example.com', subject, at: now });
    const confirm = async (accountId: number) => {
      const channel = { kind: 'email', name: 'Email', address: null, secret: null } as const;
      const facts = { confirmHash: hash(5), subscription: null, position: null, at: now };
      await accounts.addDeliveryChannel(accountId, { ...channel, ...facts });
      const [made] = await accounts.listDeliveryChannels(accountId);
      await accounts.useConfirmLink(made?.id ?? 0, hash(5), now);
    };
    await confirm(bob);
    for (const [accountId, address, byte] of [
      [ann, email, 8],
      [bob, 'bob@example.com', 9],
    ] as const) {
      const passkey = { name: 'Phone', credentialId: address, publicKey: hash(1), counter: 0 };
      await accounts.addPasskey(accountId, { ...passkey, createdAt: now });
      await accounts.linkIdentity(accountId, identity(address));
      const link = { email: address, tokenHash: hash(byte), expiresAt: now + hourMs };
      await accounts.addResetLink(link);
      const [known] = await accounts.listPasskeys(accountId);
      const keepable = await accounts.listKeepable(hash(byte), now);
      expect(keepable).toEqual(accountId === bob && known ? [known] : []);
      // Added after the page with the form was shown.
      const late = { ...passkey, credentialId: `late ${address}` };
      await accounts.addPasskey(accountId, { ...late, createdAt: now });
      await accounts.useResetLink(hash(byte), 'new', now, [known?.id ?? 0]);
      expect(await accounts.listKeepable(hash(byte), now)).toEqual([]);
    }
    expect(await accounts.listPasskeys(ann)).toEqual([]);
    expect(await accounts.findIdentity(identity(email))).toBeNull();
    expect(await accounts.listPasskeys(bob)).toMatchObject([{ credentialId: 'bob@example.com' }]);
    expect(await accounts.findIdentity(identity('bob@example.com'))).toBe(bob);
  });

  test('a link leaves other ways to sign in, if the site requires them', async () => {
    const { accounts } = store;
    const passkey = { name: 'Phone', credentialId: 'id', publicKey: hash(1), counter: 0 };
    await accounts.addPasskey(ann, { ...passkey, createdAt: now });
    await accounts.addResetLink({ email, tokenHash: hash(8), expiresAt: now + hourMs });
    await accounts.useResetLink(hash(8), 'new', now, 'all');
    expect(await accounts.listPasskeys(ann)).toHaveLength(1);
  });

  test('a role ends the links of an account', async () => {
    const { accounts } = store;
    await accounts.addResetLink({ email, tokenHash: hash(8), expiresAt: now + hourMs });
    expect(await accounts.setRole(email, 'admin')).toBe(true);
    expect(await accounts.findResetLink(hash(8), now)).toBeNull();
    expect(await accounts.setRole('no@example.com', 'admin')).toBe(false);
  });

  test('a closed account has no sessions, even new ones', async () => {
    const { accounts } = store;
    await accounts.setRole('bob@example.com', 'admin');
    await accounts.closeAccount(email, byService, now);
    const session = { agent: '', at: now, expiresAt: now + dayMs, method: 'passkey' } as const;
    const opened = { accountId: ann, passwordHash: null, tokenHash: hash(3), ...session };
    expect(await accounts.addSession(opened)).toBeNull();
    const passkey = { name: 'Late', credentialId: 'late', publicKey: hash(1), counter: 0 };
    await accounts.addPasskey(ann, { ...passkey, createdAt: now });
    await accounts.restoreAccount(email);
    expect(await accounts.listPasskeys(ann)).toEqual([]);
  });

  test('an expired, replaced or unknown link does nothing', async () => {
    await store.accounts.addResetLink({ email, tokenHash: hash(8), expiresAt: now + hourMs });
    await store.accounts.addResetLink({ email, tokenHash: hash(9), expiresAt: now + hourMs });
    expect(await store.accounts.findResetLink(hash(8), now)).toBeNull();
    expect(await store.accounts.useResetLink(hash(8), 'new', now)).toBeNull();
    expect(await store.accounts.findResetLink(hash(9), now + hourMs - 1)).not.toBeNull();
    expect(await store.accounts.findResetLink(hash(9), now + hourMs)).toBeNull();
    expect(await store.accounts.useResetLink(hash(9), 'new', now + hourMs)).toBeNull();
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({
      passwordHash: `of ${email}`,
    });
    expect(await store.accounts.useResetLink(hash(9), 'new', now + hourMs - 1)).not.toBeNull();
    const nobody = { email: 'no@example.com', tokenHash: hash(7), expiresAt: now + hourMs };
    expect(await store.accounts.addResetLink(nobody)).toBe(false);
  });

  test('a reset link does not change keys that were revoked before', async () => {
    await addKey(email, 1);
    await addKey(email, 2);
    const ids = (await store.accounts.listKeys(email, now))?.map(({ id }) => id) ?? [];
    await keysById(store.accounts).revokeKey(ids[0] ?? 0, now + 1);
    await store.accounts.addResetLink({ email, tokenHash: hash(9), expiresAt: now + hourMs });
    await store.accounts.useResetLink(hash(9), 'new', now + 2);
    const keys = (await store.accounts.listKeys(email, now)) ?? [];
    expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([now + 1, now + 2]);
  });

  test('the time window starts with the first try, and forgetting one key leaves the others', async () => {
    const isCounted = (key: string, minutes: number, max = 2) =>
      store.accounts.countTry([{ key, max }], { at: now + minutes * minuteMs, ms: 15 * minuteMs });
    expect(await isCounted('a', 0)).toBe(true);
    expect(await isCounted('a', 10)).toBe(true);
    expect(await isCounted('a', 14.9)).toBe(false);
    expect(await isCounted('a', 15)).toBe(true);
    expect(await isCounted('a', 16)).toBe(true);
    expect(await isCounted('a', 29.9)).toBe(false);
    expect(await isCounted('b', 20)).toBe(true);
    await store.accounts.forgetTries('a');
    expect(await isCounted('a', 20, 1)).toBe(true);
    expect(await isCounted('b', 20, 1)).toBe(false);
  });

  test('tries are counted up to the limit of each key, and again after the window', async () => {
    const window = (at: number) => ({ at, ms: 15 * minuteMs });
    const ofAccount = { key: 'account', max: 3 };
    const ofNetwork = { key: 'network', max: 5 };
    const tries = async (count: number, at: number, key = ofAccount) => {
      const outcomes: boolean[] = [];
      for (let i = 0; i < count; i++) {
        outcomes.push(await store.accounts.countTry([key, ofNetwork], window(at)));
      }
      return outcomes;
    };
    expect(await tries(4, now)).toEqual([true, true, true, false]);
    expect(await tries(3, now + 1, { key: 'other', max: 3 })).toEqual([true, true, false]);
    expect(await tries(1, now + 15 * minuteMs)).toEqual([true]);
    await store.accounts.forgetTries('account');
    expect(await tries(4, now + 15 * minuteMs)).toEqual([true, true, true, false]);
  });

  test('fifty concurrent tries never exceed the limit', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        store.accounts.countTry(
          [
            { key: 'k', max: 5 },
            { key: 'n', max: 100 },
          ],
          {
            at: now,
            ms: minuteMs,
          },
        ),
      ),
    );
    expect(outcomes.filter((isCounted) => isCounted)).toHaveLength(5);
  });

  test('removing an account ends its sessions', async () => {
    await signIn(ann, 1);
    await store.accounts.setRole('bob@example.com', 'admin');
    await store.accounts.removeAccount(email);
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
  });
});
