/** What calls cost, what is told and reported of them, and which answers may be given later. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { startWorld, type World } from '../../test/support/world.ts';
import { hashKey } from '../accounts/keys.ts';
import { keyRandomBytes, makeKey } from '../domain/account/keys.ts';
import type { Admission } from '../domain/account/quota.ts';
import type { IncomingRequest, RequestOutcome } from '../http/request-outcome.ts';
import { type Admit, CallerGone, groupAdmissions } from './admission.ts';
import { type ApiDeps, answerApi } from './answer.ts';
import type { Work } from './handler.ts';
import type { ParsedUrl } from './parsed-url.ts';
import { compileRoutes } from './router.ts';
import { catalogHandlers } from './routes/catalog.ts';
import { usageHandlers } from './routes/usage.ts';

const email = 'ann@example.com';
let world: World;
let deps: ApiDeps;
/** The statuses of the answers that cost nothing. */
let free: number[];

beforeEach(() => {
  free = [];
});

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount(email);
  deps = {
    admit: groupAdmissions(
      world.store.accounts,
      () => world.now,
      () => world.now,
    ),
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    report: () => {},
    giveFree: (_, answer) => {
      free.push(answer.status);
      return answer;
    },
  };
});

afterAll(() => world.close());

/** Calls for work; the status of the answer. */
async function call(work: Work, init: RequestInit, path = '/api/v1/set/1'): Promise<number> {
  const handlerDeps = { market: {} } as never;
  const find = compileRoutes({
    ...catalogHandlers(handlerDeps),
    ...usageHandlers(handlerDeps),
  } as never);
  const route = find(path)?.row;
  if (!route) throw new Error('There is no such endpoint.');
  const parsed: ParsedUrl = { route, work: null, prepare: () => work };
  const { status } = await answerApi(new Request(`http://here${path}`, init), parsed, deps);
  return status;
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Calls something whose caller leaves while it is made; what that cost. */
async function costOfLeaving(isExpensive: boolean): Promise<number> {
  const headers = bearer(await world.addKey(email));
  const leaving = new AbortController();
  const read = async () => {
    leaving.abort();
    return '{}';
  };
  await call({ isExpensive, read }, { headers, signal: leaving.signal });
  const keys = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  return keys.reduce((sum, { usedToday }) => sum + usedToday, 0);
}

test('whoever leaves early does not have expensive work done for nothing', async () => {
  expect(await costOfLeaving(false)).toBe(0);
  expect(await costOfLeaving(true)).toBe(1);
});

test('refusals and what is free may be given later, but nothing that was paid for, and no fault of ours', async () => {
  const headers = bearer(await world.addKey(email));
  const read = async () => '{}';
  expect(await call({ read }, { headers })).toBe(200);
  expect(await call({ read: async () => ({ missing: 'There is no set 1.' }) }, { headers })).toBe(
    404,
  );
  expect(await call({ read: () => Promise.reject(new Error('broken')) }, { headers })).toBe(500);
  expect(free).toEqual([]);
  expect(await call({ read }, {})).toBe(401);
  expect(await call({ read }, { headers, method: 'POST' })).toBe(405);
  expect(free).toEqual([401, 405]);
  expect(await call({ read }, { headers }, '/api/plus/v1/usage')).toBe(200);
  expect(free).toEqual([401, 405, 200]);
});

describe('what is told and reported', () => {
  const at = Date.UTC(2026, 10, 15, 23, 59, 50);
  const caller = {
    keyId: 1,
    accountId: 1,
    plan: 'reseller',
    allowance: 10,
    privateVersion: 0,
  } as const;
  const key = makeKey(new Uint8Array(keyRandomBytes));

  /** Calls with admissions that are given one after another; what became of it. */
  async function told(
    work: Work,
    admissions: readonly (Omit<Admission, 'caller'> | null | Error)[],
    { isPeeked = false, ...init }: RequestInit & { isPeeked?: boolean } = {},
  ) {
    const reports: (IncomingRequest & RequestOutcome)[] = [];
    const costs: number[] = [];
    const left = [...admissions];
    const admit: Admit = async (request, use, fail) => {
      costs.push(request.cost);
      const next = left.shift();
      if (next instanceof Error) {
        if (fail) return fail(next);
        throw next;
      }
      return use({ admission: next ? { ...next, caller } : null, at });
    };
    const find = compileRoutes(catalogHandlers({ market: {} } as never) as never);
    const route = find('/api/v1/set/1')?.row;
    if (!route) throw new Error('There is no such endpoint.');
    const parsed: ParsedUrl = { route, work: isPeeked ? work : null, prepare: () => work };
    const headers = { Authorization: `Bearer ${key}` };
    const request = new Request('http://here/api/v1/set/1', { headers, ...init });
    const answer = await answerApi(request, parsed, {
      admit,
      newRequestId: () => 'r1',
      hashKey,
      report: (incoming, outcome) => reports.push({ ...incoming, ...outcome }),
      giveFree: (_, response) => response,
    });
    const [report] = reports;
    expect(reports).toHaveLength(1);
    expect(report?.status).toBe(answer.status);
    expect([report?.requestId, report?.route]).toEqual(['r1', 'getSet']);
    return { answer, report, costs };
  }
  const granted = (used: number) => ({ used, outcome: 'granted' }) as const;
  const found: Work = { read: async () => '{"a":1}' };

  test('an answer is read between who it is and what it costs, and is charged once', async () => {
    const { answer, report, costs } = await told(found, [granted(4), granted(5)]);
    expect(costs).toEqual([0, 1]);
    expect(await answer.json()).toMatchObject({
      data: { a: 1 },
      meta: { rate_limit: { remaining: 5 } },
    });
    expect(report).toMatchObject({ status: 200, code: null, cost: 1, caller });
  });

  test('an answer in memory takes one admission, and what was answered is noted', async () => {
    let noted = 0;
    const work = { ...found, peek: () => '{"b":2}', noteAnswered: () => noted++ };
    const { answer, costs } = await told(work, [granted(5)], { isPeeked: true });
    expect(costs).toEqual([1]);
    expect(await answer.json()).toMatchObject({ data: { b: 2 } });
    expect(noted).toBe(1);
    const peeked = { ...work, peek: () => ({ missing: 'There is none.' }) };
    expect((await told(peeked, [granted(5)], { isPeeked: true })).answer.status).toBe(404);
    expect(noted).toBe(1);
    const failed = await told(work, [new Error('away')], { isPeeked: true });
    expect(failed.report).toMatchObject({ status: 500, cost: 0 });
  });

  test('what is not there is charged like an answer', async () => {
    const missing = { read: async () => ({ missing: 'There is none.' }) };
    const { answer, report } = await told(missing, [granted(4), granted(5)]);
    expect(await answer.json()).toEqual({ error: { code: 'NotFound', message: 'There is none.' } });
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('5');
    expect(report).toMatchObject({ status: 404, code: 'NotFound', cost: 1, caller });
  });

  test('a key that is none, or is wrong, or is good no more, is refused', async () => {
    const code = async (Authorization: string | null, admissions: (null | Error)[] = []) => {
      const headers: HeadersInit = Authorization === null ? {} : { Authorization };
      const { report } = await told(found, admissions, { headers });
      return [report?.status, report?.code, report?.caller];
    };
    expect(await code(null)).toEqual([401, 'MissingApiKey', null]);
    expect(await code(`Basic ${key}`)).toEqual([401, 'MissingApiKey', null]);
    expect(await code(`bearers ${key}`)).toEqual([401, 'MissingApiKey', null]);
    expect(await code('Bearer')).toEqual([401, 'InvalidApiKey', null]);
    expect(await code('Bearer x')).toEqual([401, 'InvalidApiKey', null]);
  });

  test('an allowance that does not cover the cost is told before anything is read', async () => {
    const unread = { read: () => Promise.reject(new Error('It was read.')) };
    const { answer, report, costs } = await told(unread, [granted(10)]);
    expect(costs).toEqual([0]);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(await answer.json()).toMatchObject({
      error: {
        message:
          'This request needs 1 of the daily allowance of 10 calls and 0 are left; ' +
          'the allowance resets at midnight UTC.',
      },
    });
    expect(report).toMatchObject({ code: 'QuotaExceeded', cost: 0, caller });
    expect((await told(found, [granted(9), granted(10)])).report?.status).toBe(200);
  });

  test('a refusal at the charge is told, and so is another plan', async () => {
    const exhausted = { used: 10, outcome: 'exhausted' } as const;
    const late = await told(found, [granted(9), exhausted]);
    expect(late.report).toMatchObject({ code: 'QuotaExceeded', cost: 0, caller });
    const plan = await told(found, [{ used: 0, outcome: 'plan' }]);
    expect(plan.report).toMatchObject({ code: 'TierRequired', cost: 0, caller });
    const gone = await told(found, [granted(1), null]);
    expect(gone.report).toMatchObject({ code: 'InvalidApiKey', cost: 0, caller: null });
  });

  test('a fault is reported with its URL, and told without detail', async () => {
    const broken = { read: () => Promise.reject(new Error('secret')) };
    const { answer, report } = await told(broken, [granted(4)]);
    expect(report).toMatchObject({ status: 500, code: 'InternalError', cost: 0, caller });
    expect(report?.fault).toEqual({
      error: new Error('secret'),
      url: 'http://here/api/v1/set/1',
    });
    expect(await answer.text()).not.toContain('secret');
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('6');
  });

  test('whoever has left is reported so, and is charged nothing', async () => {
    const { report } = await told(found, [granted(4), new CallerGone()]);
    expect(report).toMatchObject({ status: 499, code: null, cost: 0, caller: null, body: '' });
  });

  test('HEAD is answered like GET, OPTIONS says what there is, and others are refused', async () => {
    const asked = async (method: string) => {
      const { answer, report } = await told(found, [granted(1), granted(2)], { method });
      return [answer.status, report?.code, report?.cost, answer.headers.get('Allow')];
    };
    const allow = 'GET, HEAD, OPTIONS';
    expect(await asked('HEAD')).toEqual([200, null, 1, null]);
    expect(await asked('OPTIONS')).toEqual([204, null, 0, allow]);
    expect(await asked('DELETE')).toEqual([405, 'MethodNotAllowed', 0, allow]);
  });
});
