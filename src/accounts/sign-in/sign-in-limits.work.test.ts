/** Limits of sign-in attempts, and lifetimes of sessions and links. */
import { describe, expect, test } from 'bun:test';
import { lowestCost } from '../../../test/support/passwords.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { AccountStore } from '../../store/store.ts';
import { sessionMs } from './open-session.work.ts';
import { hashPassword } from './password-hash.ts';
import type { SignedIn, Throttle } from './session.ts';
import {
  changePassword,
  deleteAccount,
  hashToken,
  makeResetLink,
  mayRequestResetLink,
  newToken,
  resetLinkMs,
  setPasswordByLink,
  signIn,
  signUp,
} from './sign-in.work.ts';

const now = Date.UTC(2026, 10, 15, 12);
const visitor = { network: '10.0.0.0/24', agent: 'Firefox', at: now };
const typed = { email: 'Ann@example.com', password: 'right' };
const who = { accountId: 5, email: 'ann@example.com' } as SignedIn;

/** Accounts that allow no attempt, and record the limits that were checked. */
function refusing(change: object = {}) {
  const counted: { readonly limits: readonly number[]; readonly ms: number }[] = [];
  const keys: string[] = [];
  const accounts = {
    countTry: async (throttles: readonly Throttle[], { ms }: { readonly ms: number }) => {
      counted.push({ limits: throttles.map(({ max }) => max), ms });
      keys.push(...throttles.map(({ key }) => key));
      return false;
    },
    findPasswordHash: async () => null,
    noteFailedSignIn: async () => {},
    ...change,
  } as unknown as AccountStore;
  return {
    deps: {
      accounts,
      randomBytes: (count: number) => new Uint8Array(count),
      passwordCost: lowestCost,
    },
    counted,
    keys,
  };
}

describe('attempts are limited', () => {
  test('by network and account, and nothing is hashed beyond that', async () => {
    const { deps, counted, keys } = refusing();
    const change = { old: 'a', new: 'b', visitor };
    expect(await signUp(deps, typed, visitor)).toBe('too often');
    expect(await signIn(deps, typed, visitor)).toBe('too often');
    expect(await changePassword(deps, who, change)).toBe('too often');
    expect(await deleteAccount(deps, who, { password: 'a', at: now })).toBe('too often');
    expect(await mayRequestResetLink(deps, typed.email, visitor)).toBe(false);
    expect(counted).toEqual([
      { limits: [20], ms: dayMs },
      { limits: [10, 100, 100], ms: 15 * minuteMs },
      { limits: [10], ms: 15 * minuteMs },
      { limits: [10], ms: 15 * minuteMs },
      { limits: [3, 20], ms: hourMs },
    ]);
    // Both actions of a signed-in user share a counter.
    expect(new Set(keys).size).toBe(keys.length - 1);
  });

  test('regardless of the spelling of an address, and separately by network', async () => {
    const { deps, keys } = refusing();
    await signIn(deps, typed, visitor);
    await signIn(deps, { ...typed, email: 'ann@EXAMPLE.com' }, visitor);
    await signIn(deps, typed, { ...visitor, network: '10.0.1.0/24' });
    const [here, anywhere, network] = keys;
    expect(keys.slice(3, 6)).toEqual([here, anywhere, network].map((key) => key ?? ''));
    expect(keys.slice(6).map((key) => key === anywhere)).toEqual([false, true, false]);
    expect(keys).not.toContain(undefined);
    expect([keys[6] === here, keys[8] === network]).toEqual([false, false]);
  });
});

test('sessions are valid for 30 days, links for a day', () => {
  expect([sessionMs, resetLinkMs]).toEqual([30 * dayMs, dayMs]);
});

test('a token has 32 random bytes, and only its hash is stored', async () => {
  const asked: number[] = [];
  const randomBytes = (count: number) => {
    asked.push(count);
    return new Uint8Array(count).fill(7);
  };
  const token = newToken({ randomBytes });
  expect(asked).toEqual([32]);
  expect(Buffer.from(token, 'base64url')).toEqual(Buffer.alloc(32, 7));
  const kept: unknown[] = [];
  const addResetLink = async (link: { readonly email: string }) => {
    kept.push(link);
    return link.email === 'ann@example.com';
  };
  const accounts = { addResetLink } as unknown as AccountStore;
  expect(await makeResetLink({ accounts, randomBytes }, 'ann@example.com', now)).toBe(token);
  expect(kept).toEqual([
    { email: 'ann@example.com', tokenHash: hashToken(token), expiresAt: now + dayMs },
  ]);
  expect(await makeResetLink({ accounts, randomBytes }, 'bob@example.com', now)).toBeNull();
});

describe('a session', () => {
  test('has a user agent of up to 200 characters, and resets both counters', async () => {
    const passwordHash = await hashPassword('right', lowestCost);
    const sessions: { readonly agent: string; readonly expiresAt: number }[] = [];
    const forgotten: string[] = [];
    const { deps, keys } = refusing();
    await signIn(deps, typed, visitor);
    const open = (sessionId: number | null) => {
      const accounts = {
        countTry: async () => true,
        findPasswordHash: async () => ({ accountId: 5, passwordHash }),
        forgetTries: async (key: string) => void forgotten.push(key),
        rememberDevice: async () => false,
        noteFailedSignIn: async () => {},
        addSession: async (session: (typeof sessions)[number]) => {
          sessions.push(session);
          return sessionId;
        },
      } as unknown as AccountStore;
      return signIn({ ...deps, accounts }, typed, { ...visitor, agent: 'x'.repeat(201) });
    };
    expect(await open(3)).toMatchObject({ token: expect.any(String), isNewDevice: false });
    expect(sessions).toMatchObject([{ agent: 'x'.repeat(200), expiresAt: now + sessionMs }]);
    expect(forgotten).toEqual(keys.slice(0, 2));
    // The password was changed meanwhile.
    expect(await open(null)).toBe('wrong');
  });
});

test('nothing is hashed for a missing link, and a link used meanwhile is rejected', async () => {
  const asked: string[] = [];
  const linkOf = (isThere: boolean) => {
    const accounts = {
      findResetLink: async () => (isThere ? 'ann@example.com' : null),
      useResetLink: async () => {
        asked.push('used');
        return null;
      },
    };
    return refusing(accounts).deps;
  };
  const link = { token: 'token', password: 'new' };
  expect(await setPasswordByLink(linkOf(false), link, visitor)).toBeNull();
  expect(asked).toEqual([]);
  expect(await setPasswordByLink(linkOf(true), link, visitor)).toBeNull();
  expect(asked).toEqual(['used']);
});

describe('signing up', () => {
  /** Accounts whose operations take a moment. */
  async function signingUp(made: { readonly id: number } | null, sessionId: number | null) {
    const happened: string[] = [];
    const later = async <T>(what: string, result: T): Promise<T> => {
      await yieldToEventLoop();
      happened.push(what);
      return result;
    };
    const accounts = {
      countTry: async () => true,
      recordAudit: async () => {},
      addAccount: () => later('account', made),
      change: () => later('collection', {}),
      addSession: () => later('session', sessionId),
      rememberDevice: () => later('device', true),
    };
    const result = await signUp(refusing(accounts).deps, typed, visitor);
    return { result, happened };
  }

  test('creates a collection before the first page is requested', async () => {
    const { result, happened } = await signingUp({ id: 5 }, 1);
    expect(result).toMatchObject({ token: expect.any(String) });
    expect(happened).toEqual(['account', 'collection', 'session', 'device']);
  });

  test('with the address of an existing account creates nothing', async () => {
    expect(await signingUp(null, 1)).toEqual({ result: 'taken', happened: ['account'] });
    expect((await signingUp({ id: 5 }, null)).result).toBe('taken');
  });
});
