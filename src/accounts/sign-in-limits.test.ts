/** How often signing in may be tried, and how long what it gives is good for. */
import { describe, expect, test } from 'bun:test';
import type { AccountStore } from '../domain/account/account-store.ts';
import type { SignedIn, Throttle } from '../domain/account/session-store.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import {
  changePassword,
  deleteAccount,
  hashToken,
  makeResetLink,
  mayAskForLink,
  newToken,
  resetLinkMs,
  sessionMs,
  setPasswordByLink,
  signIn,
  signUp,
} from './sign-in.ts';

const now = Date.UTC(2026, 10, 15, 12);
const visitor = { network: '10.0.0.0/24', agent: 'Firefox', at: now };
const typed = { email: 'Ann@example.com', password: 'right' };
const who = { accountId: 5, email: 'ann@example.com' } as SignedIn;

/** Accounts that allow no try, and what would have been counted. */
function refusing(change: object = {}) {
  const counted: { readonly limits: readonly number[]; readonly ms: number }[] = [];
  const keys: string[] = [];
  const accounts = {
    countTry: async (throttles: readonly Throttle[], { ms }: { readonly ms: number }) => {
      counted.push({ limits: throttles.map(({ max }) => max), ms });
      keys.push(...throttles.map(({ key }) => key));
      return false;
    },
    ...change,
  } as unknown as AccountStore;
  return {
    deps: { accounts, randomBytes: (count: number) => new Uint8Array(count) },
    counted,
    keys,
  };
}

describe('tries are limited', () => {
  test('by network and account, and nothing is hashed beyond that', async () => {
    const { deps, counted, keys } = refusing();
    const change = { old: 'a', new: 'b', visitor };
    expect(await signUp(deps, typed, visitor)).toBe('too often');
    expect(await signIn(deps, typed, visitor)).toBe('too often');
    expect(await changePassword(deps, who, change)).toBe('too often');
    expect(await deleteAccount(deps, who, { password: 'a', at: now })).toBe('too often');
    expect(await mayAskForLink(deps, typed.email, visitor)).toBe(false);
    expect(counted).toEqual([
      { limits: [20], ms: dayMs },
      { limits: [10, 100, 100], ms: 15 * minuteMs },
      { limits: [10], ms: 15 * minuteMs },
      { limits: [10], ms: 15 * minuteMs },
      { limits: [3, 20], ms: hourMs },
    ]);
    // Whoever is signed in has the same tries for both.
    expect(new Set(keys).size).toBe(keys.length - 1);
  });

  test('alike however an address is written, and apart for other networks', async () => {
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

test('sessions are good for 30 days, links for a day', () => {
  expect([sessionMs, resetLinkMs]).toEqual([30 * dayMs, dayMs]);
});

test('a token has 32 random bytes, and only its hash is kept', async () => {
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
  test('has a name of a browser up to 200 characters, and both counts are forgotten', async () => {
    const passwordHash = await Bun.password.hash('right', { algorithm: 'bcrypt', cost: 4 });
    const sessions: { readonly agent: string; readonly expiresAt: number }[] = [];
    const forgotten: string[] = [];
    const { deps, keys } = refusing();
    await signIn(deps, typed, visitor);
    const open = (sessionId: number | null) => {
      const accounts = {
        countTry: async () => true,
        findPasswordHash: async () => ({ accountId: 5, passwordHash }),
        forgetTries: async (key: string) => void forgotten.push(key),
        addSession: async (session: (typeof sessions)[number]) => {
          sessions.push(session);
          return sessionId;
        },
      } as unknown as AccountStore;
      return signIn({ ...deps, accounts }, typed, { ...visitor, agent: 'x'.repeat(201) });
    };
    expect(await open(3)).toEqual({ token: expect.any(String) });
    expect(sessions).toMatchObject([{ agent: 'x'.repeat(200), expiresAt: now + sessionMs }]);
    expect(forgotten).toEqual(keys.slice(0, 2));
    // The password was changed meanwhile.
    expect(await open(null)).toBe('wrong');
  });
});

test('a link that does not exist is not worth a hash, nor one that was used meanwhile', async () => {
  const asked: string[] = [];
  const linkOf = (isThere: boolean) => {
    const accounts = {
      hasResetLink: async () => isThere,
      useResetLink: async () => {
        asked.push('used');
        return null;
      },
    };
    return refusing(accounts).deps;
  };
  const link = { token: 'token', password: 'new' };
  expect(await setPasswordByLink(linkOf(false), link, visitor)).toBe(false);
  expect(asked).toEqual([]);
  expect(await setPasswordByLink(linkOf(true), link, visitor)).toBe(false);
  expect(asked).toEqual(['used']);
});

describe('signing up', () => {
  /** Accounts in which what is asked for happens a little later. */
  async function signingUp(made: { readonly id: number } | null, sessionId: number | null) {
    const happened: string[] = [];
    const later = async <T>(what: string, result: T): Promise<T> => {
      await yieldToEventLoop();
      happened.push(what);
      return result;
    };
    const accounts = {
      countTry: async () => true,
      addAccount: () => later('account', made),
      applyTogether: () => later('collection', []),
      addSession: () => later('session', sessionId),
    };
    const result = await signUp(refusing(accounts).deps, typed, visitor);
    return { result, happened };
  }

  test('makes a collection before the first page is asked for', async () => {
    const { result, happened } = await signingUp({ id: 5 }, 1);
    expect(result).toEqual({ token: expect.any(String) });
    expect(happened).toEqual(['account', 'collection', 'session']);
  });

  test('with an address that has an account makes nothing', async () => {
    expect(await signingUp(null, 1)).toEqual({ result: 'taken', happened: ['account'] });
    expect((await signingUp({ id: 5 }, null)).result).toBe('taken');
  });
});
