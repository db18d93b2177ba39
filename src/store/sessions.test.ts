/** What every store guarantees about sessions, links that set a password, and tries. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../test/support/engines.ts';
import type { TokenHash } from '../domain/account/session-store.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';

/** A hash like no other. */
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
    const facts = { plan: 'free', isOperator, passwordHash: `of ${address}`, at: now } as const;
    return (await store.accounts.addAccount({ email: address, ...facts }))?.id ?? 0;
  }

  const signIn = async (accountId: number, byte: number, at = now): Promise<number> => {
    const passwordHash = accountId === ann ? `of ${email}` : 'of bob@example.com';
    const session = { accountId, passwordHash, tokenHash: hash(byte), agent: `Browser ${byte}` };
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

  test('the hash of a password is found by e-mail, whatever its capitals', async () => {
    const found = await store.accounts.findPasswordHash(' Ann@Example.com');
    expect(found).toEqual({ accountId: ann, passwordHash: `of ${email}` });
    expect(await store.accounts.findPasswordHash('nobody@example.com')).toBeNull();
  });

  test('a session tells who is signed in, until it expires', async () => {
    const sessionId = await signIn(ann, 1);
    const signedIn = { sessionId, accountId: ann, email, plan: 'free', isOperator: true } as const;
    expect(await store.accounts.findSignedIn(hash(1), now)).toEqual(signedIn);
    expect(await store.accounts.findSignedIn(hash(1), now + dayMs - 1)).toEqual(signedIn);
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

  test('a session is ended by its owner alone, and at once', async () => {
    const sessionId = await signIn(ann, 1);
    expect(await store.accounts.endSession(bob, sessionId)).toBe(false);
    expect(await store.accounts.findSignedIn(hash(1), now)).not.toBeNull();
    expect(await store.accounts.endSession(ann, sessionId)).toBe(true);
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
    expect(await store.accounts.endSession(ann, sessionId)).toBe(false);
  });

  test('all sessions but one are ended, or all of them', async () => {
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
    await store.accounts.addResetLink({ email, tokenHash: hash(9), expiresAt: now + hourMs });
    expect(await store.accounts.setPassword(email, 'new')).toBe(true);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
    expect(await store.accounts.hasResetLink(hash(9), now)).toBe(false);
    expect(await store.accounts.findSignedIn(hash(2), now)).not.toBeNull();
    expect(await store.accounts.setPassword('nobody@example.com', 'new')).toBe(false);
  });

  test('a password replaces the one that was checked, and no later one', async () => {
    expect(await store.accounts.setPassword(email, 'new', 'another')).toBe(false);
    expect(await store.accounts.setPassword(email, 'new', `of ${email}`)).toBe(true);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
  });

  test('a session is not opened with a password that has been changed since', async () => {
    await store.accounts.setPassword(email, 'new');
    await signIn(ann, 1);
    expect(await store.accounts.listSessions(ann, now)).toEqual([]);
  });

  test('no session with the old password outlives a change at the same time', async () => {
    const racing = Array.from({ length: 20 }, (_, i) =>
      i === 10 ? store.accounts.setPassword(email, 'new') : signIn(ann, i),
    );
    await Promise.all(racing);
    expect(await store.accounts.listSessions(ann, now)).toEqual([]);
  });

  test('a link sets the password once, ends all sessions and revokes all keys', async () => {
    await addKey(email, 1);
    await addKey('bob@example.com', 2);
    await signIn(ann, 1);
    await signIn(bob, 2);
    const link = { email, tokenHash: hash(9), expiresAt: now + hourMs };
    expect(await store.accounts.addResetLink(link)).toBe(true);
    expect(await store.accounts.hasResetLink(hash(9), now)).toBe(true);
    expect(await store.accounts.useResetLink(hash(9), 'new', now)).toBe(email);
    expect(await store.accounts.useResetLink(hash(9), 'newer', now)).toBeNull();
    expect(await activeKeys(email)).toBe(0);
    expect(await activeKeys('bob@example.com')).toBe(1);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
    expect(await store.accounts.findSignedIn(hash(2), now)).not.toBeNull();
  });

  test('a link that is late, replaced or for nobody does nothing', async () => {
    await store.accounts.addResetLink({ email, tokenHash: hash(8), expiresAt: now + hourMs });
    await store.accounts.addResetLink({ email, tokenHash: hash(9), expiresAt: now + hourMs });
    expect(await store.accounts.hasResetLink(hash(8), now)).toBe(false);
    expect(await store.accounts.useResetLink(hash(8), 'new', now)).toBeNull();
    expect(await store.accounts.useResetLink(hash(9), 'new', now + hourMs)).toBeNull();
    const nobody = { email: 'no@example.com', tokenHash: hash(7), expiresAt: now + hourMs };
    expect(await store.accounts.addResetLink(nobody)).toBe(false);
  });

  test('tries are counted up to the limit of each key, and again when the time is over', async () => {
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

  test('fifty tries at once are never more than the limit', async () => {
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
    await store.accounts.removeAccount(email);
    expect(await store.accounts.findSignedIn(hash(1), now)).toBeNull();
  });
});
