/** Codes: no session before one is right, each works once, and guessing is limited. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../../test/support/engines.ts';
import {
  addAccountWithPassword,
  lowestCost,
  password,
  passwordHash,
} from '../../../test/support/passwords.ts';
import { makeEncrypter } from '../../kernel/encryption.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import {
  checkCode,
  confirmAuthenticator,
  type FactorDeps,
  findNewAuthenticator,
  finishSignInStep,
  renewRecoveryCodes,
  signInStepMs,
  startAuthenticator,
} from './second-factor.work.ts';
import type { SignedIn } from './session.ts';
import {
  hashToken,
  makeResetLink,
  type PasswordDeps,
  setPasswordByLink,
  signIn,
} from './sign-in.work.ts';
import { totpCode, totpStep } from './totp.ts';

const at = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const home = { network: '192.0.2.1', agent: 'Browser', at };
const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const encrypter = makeEncrypter(new Uint8Array(32).fill(3), randomBytes);

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let deps: FactorDeps & PasswordDeps;
  let who: SignedIn;
  let secret: Uint8Array;
  let recovery: readonly string[];

  const codeAt = (time: number) => totpCode(secret, totpStep(time));

  const enter = async (from: typeof home = home) => {
    const outcome = await signIn(deps, { email, password }, from);
    return typeof outcome === 'object' && 'step' in outcome ? outcome.step : '';
  };

  const finish = (step: string, code: string, from: typeof home & { device?: string } = home) =>
    finishSignInStep(deps, { step, code }, from);

  const sessions = async (time = at) =>
    (await store.accounts.listSessions(who.accountId, time)).length;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-factor-'));
    store = await open(folder);
    const secrets = { factorEncrypter: encrypter };
    deps = { accounts: store.accounts, randomBytes, passwordCost: lowestCost, secrets };
    await addAccountWithPassword(store.accounts, { email, plan: 'free', isOperator: false, at });
    await signIn(deps, { email, password }, home);
    const opened = await signIn(deps, { email, password }, home);
    const token = typeof opened === 'object' && 'token' in opened ? opened.token : '';
    const found = await store.accounts.findSignedIn(hashToken(token), at);
    if (!found) throw new Error('Nobody is signed in.');
    who = found;
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function turnOn() {
    await startAuthenticator(deps, encrypter, { accountId: who.accountId, at });
    const made = await findNewAuthenticator(deps, { accountId: who.accountId, at });
    secret = made?.secret ?? new Uint8Array();
    const on = await confirmAuthenticator(deps, who, { code: codeAt(at), visitor: home });
    recovery = typeof on === 'string' ? [] : on.codes;
  }

  test('an app is asked for once it is confirmed, which ends all other sessions', async () => {
    expect(await enter()).toBe('');
    await turnOn();
    expect(recovery).toHaveLength(10);
    // The session that turned it on was replaced.
    const [left] = await store.accounts.listSessions(who.accountId, at);
    expect([await sessions(), left?.id === who.sessionId]).toEqual([1, false]);
    expect(await enter()).not.toBe('');
    expect(await sessions()).toBe(1);
    expect(await startAuthenticator(deps, encrypter, { accountId: who.accountId, at })).toBe(false);
  });

  test('a right code opens a session; the same code does not open another', async () => {
    await turnOn();
    const later = { ...home, at: at + 30 * secondMs };
    const code = codeAt(later.at);
    const step = await enter(later);
    expect(await finish(step, '000000', later)).toBe('wrong');
    // The code that turned the app on was used, too.
    expect(await finish(step, codeAt(at), later)).toBe('wrong');
    expect(await finish(step, code, later)).toMatchObject({ accountId: who.accountId });
    expect(await sessions()).toBe(2);
    expect(await finish(step, codeAt(later.at + 30 * secondMs), later)).toBe('gone');
    expect(await finish(await enter(later), code, later)).toBe('wrong');
    expect(await sessions()).toBe(2);
  });

  test('of two requests with the same code, one opens a session', async () => {
    await turnOn();
    const later = { ...home, at: at + minuteMs };
    const steps = [await enter(later), await enter(later)];
    const both = await Promise.all(steps.map((step) => finish(step, codeAt(later.at), later)));
    expect(both.filter((each) => each === 'wrong')).toHaveLength(1);
    expect(await sessions()).toBe(2);
  });

  test('a recovery code works once, however it is typed', async () => {
    await turnOn();
    const typed = ` ${recovery[3]?.toLowerCase().replaceAll('-', ' ')} `;
    expect(await finish(await enter(), typed)).toHaveProperty('token');
    expect(await finish(await enter(), typed)).toBe('wrong');
    expect(await store.accounts.countRecoveryCodes(who.accountId)).toBe(9);
    const fresh = await renewRecoveryCodes(deps, who.accountId);
    expect(await finish(await enter(), recovery[4] ?? '')).toBe('wrong');
    expect(await finish(await enter(), fresh[0] ?? '')).toHaveProperty('token');
  });

  test('a step ends after ten minutes, and with a new password', async () => {
    await turnOn();
    const step = await enter();
    const late = { ...home, at: at + signInStepMs };
    expect(await finish(step, codeAt(late.at), late)).toBe('gone');
    await store.accounts.setPassword(email, 'changed');
    expect(await finish(step, recovery[0] ?? '')).toBe('gone');
  });

  test('ten codes in 15 minutes and fifty a day can be tried; known browsers have their own', async () => {
    await turnOn();
    const known = await finish(await enter(), recovery[0] ?? '');
    const device = typeof known === 'object' ? known.device : '';
    const tryAll = async (time: number) => {
      const from = { ...home, at: time };
      const step = await enter(from);
      for (let n = 0; n < 10; n++) expect(await finish(step, '000000', from)).toBe('wrong');
      expect(await finish(step, codeAt(time), from)).toBe('too often');
    };
    for (let n = 0; n < 5; n++) await tryAll(at + n * 20 * minuteMs);
    const later = { ...home, at: at + 3 * hourMs };
    expect(await finish(await enter(later), codeAt(later.at), later)).toBe('too often');
    const own = { ...later, device };
    expect(await finish(await enter(own), codeAt(own.at), own)).toHaveProperty('token');
    const tomorrow = { ...home, at: at + dayMs + hourMs };
    const step = await enter(tomorrow);
    expect(await finish(step, codeAt(tomorrow.at), tomorrow)).toHaveProperty('token');
  });

  test('password links and browsers give an account no more than 300 codes a day', async () => {
    await turnOn();
    const token = (await makeResetLink(deps, email, at)) ?? '';
    // The browser of a link does not count as known.
    const used = await setPasswordByLink(deps, { token, password }, home);
    expect(used).toMatchObject({ device: null, isNewDevice: false });
    // The same password with a hash that is cheap to verify.
    await store.accounts.setPassword(email, passwordHash);
    let tried = 0;
    for (let browser = 0; browser < 7; browser++) {
      const device = `browser ${browser}`;
      const known = { tokenHash: hashToken(device), at };
      await store.accounts.rememberDevice(who.accountId, known);
      for (let n = 0; n < 5; n++) {
        const from = { ...home, at: at + n * 20 * minuteMs, device };
        const step = await enter(from);
        for (let code = 0; code < 10; code++) {
          if ((await finish(step, '000000', from)) === 'wrong') tried++;
        }
      }
    }
    expect(tried).toBe(300 - 1);
  });

  test('a signed-in user needs a fresh code, too', async () => {
    await turnOn();
    expect(await checkCode(deps, who, { code: codeAt(at), at })).toBe('wrong');
    const time = at + minuteMs;
    expect(await checkCode(deps, who, { code: codeAt(time), at: time })).toBe('right');
    expect(await checkCode(deps, who, { code: codeAt(time), at: time })).toBe('wrong');
  });

  test('without the secret file, recovery codes work and codes of apps do not', async () => {
    await turnOn();
    const later = { ...home, at: at + minuteMs };
    const step = await enter(later);
    const bare = { ...deps, secrets: { factorEncrypter: null } };
    const other = makeEncrypter(new Uint8Array(32).fill(4), randomBytes);
    const code = codeAt(later.at);
    expect(await finishSignInStep(bare, { step, code }, later)).toBe('wrong');
    const swapped = { ...deps, secrets: { factorEncrypter: other } };
    expect(await finishSignInStep(swapped, { step, code }, later)).toBe('wrong');
    const typed = { step, code: recovery[0] ?? '' };
    expect(await finishSignInStep(bare, typed, later)).toHaveProperty('token');
  });

  test('an app that is not confirmed within an hour has to be set up again', async () => {
    await startAuthenticator(deps, encrypter, { accountId: who.accountId, at });
    const made = await findNewAuthenticator(deps, { accountId: who.accountId, at });
    secret = made?.secret ?? new Uint8Array();
    const visitor = { ...home, at: at + hourMs + 1 };
    const code = codeAt(visitor.at);
    expect(await confirmAuthenticator(deps, who, { code, visitor })).toBe('gone');
    expect(await signIn(deps, { email, password }, home)).toHaveProperty('token');
  });

  test('resetting removes everything and ends all sessions', async () => {
    await turnOn();
    const step = await enter();
    expect(await store.accounts.resetFactors(' Ann@example.com')).toBe(true);
    expect(await store.accounts.resetFactors('nobody@example.com')).toBe(false);
    expect([await sessions(), await store.accounts.countRecoveryCodes(who.accountId)]).toEqual([
      0, 0,
    ]);
    expect(await finish(step, recovery[0] ?? '')).toBe('gone');
    expect(await signIn(deps, { email, password }, home)).toHaveProperty('token');
  });

  test('the store has no code, and a secret only encrypted', async () => {
    await turnOn();
    const app = await store.accounts.findAuthenticator(who.accountId);
    const stored = Buffer.from(app?.secret ?? []).toString('hex');
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    const mine = encrypter.decrypt(app?.secret as never, {
      accountId: who.accountId + 1,
      purpose: 'authenticator',
    });
    expect(mine).toBeNull();
  });
});
