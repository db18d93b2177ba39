/** Costs, responses and reports of calls, and which responses may be delayed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { startWorld, type World } from '../../test/support/world.ts';
import { hashKey } from '../accounts/keys/api-keys.work.ts';
import { keyRandomBytes, makeKey } from '../accounts/keys/keys.ts';
import type { Admission } from '../accounts/keys/quota.ts';
import { allEndpoints, type EndpointName } from '../contract/all-endpoints.ts';
import { ApiError } from '../contract/errors.ts';
import type { IncomingRequest, RequestOutcome } from '../http/request-outcome.ts';
import { type Admit, CallerDisconnected, groupAdmissions } from './admission-groups.ts';
import { type ApiDeps, answerApi } from './answer.ts';
import { AnswerData, dataOf } from './answer-data.ts';
import type { AnyWork, LaterWork, Work } from './handler.ts';
import { catalogHandlers } from './handlers/catalog.ts';
import { usageHandlers } from './handlers/usage.ts';
import type { ParsedUrl } from './parsed-url.ts';
import { PlusPace } from './plus-pace.ts';
import { dataBody } from './respond.ts';
import { compileRoutes } from './router.ts';

const email = 'ann@example.com';
let world: World;
let deps: ApiDeps;
/** The statuses of free responses. */
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
    addressOf: () => '192.0.2.1',
    networkOf: () => '192.0.2.1',
    noteUse: () => {},
    testKeys: {} as never,
    report: () => {},
    sendFree: (_, answer) => {
      free.push(answer.status);
      return answer;
    },
    pace: new PlusPace(1_000_000, () => world.now),
  };
});

afterAll(() => world.close());

/** Makes a call that does some work; returns the status. */
async function call(work: Work, init: RequestInit, path = '/api/v1/set/1'): Promise<number> {
  const handlerDeps = { market: {} } as never;
  const find = compileRoutes({
    ...catalogHandlers(handlerDeps),
    ...usageHandlers(handlerDeps),
  } as never);
  const route = find(path)?.row;
  if (!route) throw new Error('There is no such endpoint.');
  const parsed: ParsedUrl = { route, needs: 0, others: [], work: null, prepare: () => work };
  const { status } = await answerApi(new Request(`http://here${path}`, init), parsed, deps);
  return status;
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** The cost of a call whose caller disconnects during the work. */
async function costOfLeaving(isExpensive: boolean): Promise<number> {
  const headers = bearer(await world.addKey(email));
  const leaving = new AbortController();
  const read = async () => {
    leaving.abort();
    return dataOf({});
  };
  await call({ isExpensive, read }, { headers, signal: leaving.signal });
  const keys = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  return keys.reduce((sum, { usedToday }) => sum + usedToday, 0);
}

test('expensive work is charged even if the caller disconnects', async () => {
  expect(await costOfLeaving(false)).toBe(0);
  expect(await costOfLeaving(true)).toBe(1);
});

test('refusals and free responses may be delayed, but not charged ones, nor faults', async () => {
  const headers = bearer(await world.addKey(email));
  const read = async () => dataOf({});
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

describe('responses and reports', () => {
  const at = Date.UTC(2026, 10, 15, 23, 59, 50);
  const caller = {
    keyId: 1,
    accountId: 1,
    plan: 'reseller',
    allowance: 10,
    scopes: 15,
    expiresAt: null,
    isTest: false,
    isOld: false,
    privateVersion: 0,
  } as const;
  const key = makeKey(new Uint8Array(keyRandomBytes));

  /** Makes a call with a sequence of admissions, and returns what happened. */
  async function callWith(
    work: AnyWork,
    admissions: readonly (Omit<Admission, 'caller'> | null | Error)[],
    {
      isPeeked = false,
      name = 'getSet',
      ...init
    }: RequestInit & { isPeeked?: boolean; name?: EndpointName } = {},
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
    const endpoint = allEndpoints[name];
    const path = `${endpoint.prefix}${endpoint.path}`.replace(/\{\w+\}/, '1');
    const route = compileRoutes({ [name]: () => work } as never)(path)?.row;
    if (!route) throw new Error('There is no such endpoint.');
    const parsed: ParsedUrl = {
      route,
      needs: 0,
      others: [],
      work: isPeeked ? work : null,
      prepare: () => work,
    };
    const headers = { Authorization: `Bearer ${key}` };
    const request = new Request('http://here/api/v1/set/1', { headers, ...init });
    const answer = await answerApi(request, parsed, {
      admit,
      newRequestId: () => 'r1',
      pace: new PlusPace(1_000_000, () => at),
      hashKey,
      addressOf: () => '192.0.2.1',
      networkOf: () => '192.0.2.1',
      noteUse: () => {},
      testKeys: {} as never,
      report: (incoming, outcome) => reports.push({ ...incoming, ...outcome }),
      sendFree: (_, response) => response,
    });
    const [report] = reports;
    expect(reports).toHaveLength(1);
    expect(report?.status).toBe(answer.status);
    expect([report?.requestId, report?.route]).toEqual(['r1', name]);
    return { answer, report, costs };
  }
  const granted = (used: number) => ({ used, outcome: 'granted' }) as const;
  const found: Work = { read: async () => dataOf({ a: 1 }) };

  test('a response is read between authentication and charge, and charged once', async () => {
    const { answer, report, costs } = await callWith(found, [granted(4), granted(5)]);
    expect(costs).toEqual([0, 1]);
    expect(await answer.json()).toMatchObject({
      data: { a: 1 },
      meta: { rate_limit: { remaining: 5 } },
    });
    expect(report).toMatchObject({ status: 200, code: null, cost: 1, caller });
  });

  test('a cached response takes one admission, and is noted', async () => {
    let noted = 0;
    const work = { ...found, peek: () => dataOf({ b: 2 }), noteAnswered: () => noted++ };
    const { answer, costs } = await callWith(work, [granted(5)], { isPeeked: true });
    expect(costs).toEqual([1]);
    expect(await answer.json()).toMatchObject({ data: { b: 2 } });
    expect(noted).toBe(1);
    const peeked = { ...work, peek: () => ({ missing: 'There is none.' }) };
    expect((await callWith(peeked, [granted(5)], { isPeeked: true })).answer.status).toBe(404);
    expect(noted).toBe(1);
    const failed = await callWith(work, [new Error('away')], { isPeeked: true });
    expect(failed.report).toMatchObject({ status: 500, cost: 0 });
  });

  test('a missing item is charged like a response', async () => {
    const missing = { read: async () => ({ missing: 'There is none.' }) };
    const { answer, report } = await callWith(missing, [granted(4), granted(5)]);
    expect(await answer.json()).toEqual({ error: { code: 'NotFound', message: 'There is none.' } });
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('5');
    expect(report).toMatchObject({ status: 404, code: 'NotFound', cost: 1, caller });
  });

  test('a missing, wrong or revoked key is refused', async () => {
    const code = async (Authorization: string | null, admissions: (null | Error)[] = []) => {
      const headers: HeadersInit = Authorization === null ? {} : { Authorization };
      const { report } = await callWith(found, admissions, { headers });
      return [report?.status, report?.code, report?.caller];
    };
    expect(await code(null)).toEqual([401, 'MissingApiKey', null]);
    expect(await code(`Basic ${key}`)).toEqual([401, 'MissingApiKey', null]);
    expect(await code(`bearers ${key}`)).toEqual([401, 'MissingApiKey', null]);
    expect(await code('Bearer')).toEqual([401, 'InvalidApiKey', null]);
    expect(await code('Bearer x')).toEqual([401, 'InvalidApiKey', null]);
  });

  test('an allowance that does not cover the cost is reported before anything is read', async () => {
    const unread = { read: () => Promise.reject(new Error('It was read.')) };
    const { answer, report, costs } = await callWith(unread, [granted(10)]);
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
    expect((await callWith(found, [granted(9), granted(10)])).report?.status).toBe(200);
  });

  test('a free response is given even if the allowance was lowered below its use', async () => {
    const { report, costs } = await callWith(found, [granted(11)], { name: 'getUsage' });
    expect([report?.status, report?.cost, costs]).toEqual([200, 0, [0]]);
  });

  test('a refusal at the charge is reported, and so is a changed plan', async () => {
    const exhausted = { used: 10, outcome: 'exhausted' } as const;
    const late = await callWith(found, [granted(9), exhausted]);
    expect(late.report).toMatchObject({ code: 'QuotaExceeded', cost: 0, caller });
    const plan = await callWith(found, [{ used: 0, outcome: 'plan' }]);
    expect(plan.report).toMatchObject({ code: 'TierRequired', cost: 0, caller });
    const changed = await callWith(found, [granted(0), { used: 0, outcome: 'plan' }]);
    expect(changed.report).toMatchObject({ code: 'TierRequired', cost: 0, caller });
    const gone = await callWith(found, [granted(1), null]);
    expect(gone.report).toMatchObject({ code: 'InvalidApiKey', cost: 0, caller: null });
  });

  describe('a change', () => {
    const change = { name: 'rotateWebhookSecret', method: 'POST' } as const;
    const tooOften = () => Promise.reject(new ApiError('TooManyRequests', 'Too often.', 60));

    test('is charged once it is permitted, and carried out then', async () => {
      const work: LaterWork = {
        begin: async (_, spent) => ({ read: async () => new AnswerData(`${spent.used}`) }),
      };
      const { answer, report, costs } = await callWith(work, [granted(4), granted(5)], change);
      expect(costs).toEqual([0, 1]);
      expect(await answer.json()).toMatchObject({ data: 4 });
      expect(report).toMatchObject({ status: 200, cost: 1 });
    });

    test('beyond a limit of its own is refused at no cost', async () => {
      const { answer, report, costs } = await callWith({ begin: tooOften }, [granted(4)], change);
      expect(costs).toEqual([0]);
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(answer.headers.get('X-RateLimit-Cost')).toBe('0');
      expect(report).toMatchObject({ code: 'TooManyRequests', cost: 0, caller });
    });

    test('is not counted against its own limit if it cannot be paid', async () => {
      const unasked = { begin: () => Promise.reject(new Error('It was asked.')) };
      const { report } = await callWith(unasked, [granted(10)], change);
      expect(report).toMatchObject({ code: 'QuotaExceeded', cost: 0 });
    });

    const freeErrors = [
      new ApiError('TooManyRequests', 'Too often.', 60),
      new ApiError('QuotaExceeded', 'No calls are left.', 60),
      new ApiError('BadRequest', 'It is wrong.'),
      new ApiError('ScopeRequired', 'It needs a scope.'),
    ];

    test.each(freeErrors.map((error) => [error.code, error] as const))(
      'that was charged is not answered with %s, which is free',
      async (_, free) => {
        const { answer, report } = await callWith(
          { read: () => Promise.reject(free) },
          [granted(4), granted(5)],
          change,
        );
        expect([answer.status, answer.headers.get('Retry-After')]).toEqual([500, null]);
        expect(answer.headers.get('X-RateLimit-Cost')).toBe('1');
        expect(report).toMatchObject({ code: 'InternalError', cost: 1, caller });
        expect(report?.fault?.error).toEqual(
          new Error(`${free.code} after the call was charged: ${free.message}`),
        );
      },
    );

    test.each(['NotFound', 'Conflict'] as const)('that ends in %s was charged', async (code) => {
      const work = { read: () => Promise.reject(new ApiError(code)) };
      const { answer, report } = await callWith(work, [granted(4), granted(5)], change);
      expect(answer.headers.get('X-RateLimit-Cost')).toBe('1');
      expect(report).toMatchObject({ code, cost: 1, fault: undefined });
    });
  });

  test('a fault is reported with its URL, and answered without detail', async () => {
    const broken = { read: () => Promise.reject(new Error('secret')) };
    const { answer, report } = await callWith(broken, [granted(4)]);
    expect(report).toMatchObject({ status: 500, code: 'InternalError', cost: 0, caller });
    expect(report?.fault).toEqual({
      error: new Error('secret'),
      url: 'http://here/api/v1/set/1',
    });
    expect(await answer.text()).not.toContain('secret');
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('6');
  });

  test('a disconnected caller is reported and not charged', async () => {
    const { report } = await callWith(found, [granted(4), new CallerDisconnected()]);
    expect(report).toMatchObject({ status: 499, code: null, cost: 0, caller: null, body: '' });
  });

  test('HEAD is answered like GET, OPTIONS lists the methods, others are refused', async () => {
    const asked = async (method: string) => {
      const { answer, report } = await callWith(found, [granted(1), granted(2)], { method });
      return [answer.status, report?.code, report?.cost, answer.headers.get('Allow')];
    };
    const allow = 'GET, HEAD, OPTIONS';
    expect(await asked('HEAD')).toEqual([200, null, 1, null]);
    expect(await asked('OPTIONS')).toEqual([204, null, 0, allow]);
    expect(await asked('DELETE')).toEqual([405, 'MethodNotAllowed', 0, allow]);
  });

  test('OPTIONS lists the headers that an endpoint reads', async () => {
    const listed = async (name: EndpointName) => {
      const { answer } = await callWith(found, [], { method: 'OPTIONS', name });
      return answer.headers.get('Access-Control-Allow-Headers');
    };
    expect(await listed('getSet')).toBe('Authorization, Content-Type, If-None-Match');
    expect(await listed('getBatch')).toBe('Authorization, Content-Type');
    expect(await listed('listSets')).toBe('Authorization, Content-Type, If-None-Match');
    expect(await listed('getBulkFile')).toBe(
      'Authorization, Content-Type, If-None-Match, Range, If-Range',
    );
    expect(await listed('streamEvents')).toBe('Authorization, Content-Type, Last-Event-ID');
  });

  test('8,192 characters or more are compressed, if the caller accepts it', async () => {
    const sent = async (length: number, accepted = 'gzip') => {
      const rate = { limit: 10, remaining: 8, reset: '2026-11-16T00:00:00.000Z' };
      const text = 'x'.repeat(length - dataBody(new AnswerData('""'), 'r1', rate).length);
      const work = { read: async () => dataOf(text) };
      const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': accepted };
      const { answer, report } = await callWith(work, [granted(1), granted(2)], { headers });
      const coding = answer.headers.get('Content-Encoding');
      return { coding, length: report?.body.length };
    };
    expect(await sent(8_191)).toEqual({ coding: null, length: 8_191 });
    expect(await sent(8_192)).toEqual({ coding: 'gzip', length: 8_192 });
    expect(await sent(8_192, 'zstd')).toEqual({ coding: 'zstd', length: 8_192 });
    expect(await sent(8_192, 'br')).toEqual({ coding: null, length: 8_192 });
    // Not all of very many are compressed, but all are answered.
    const crowd = await Promise.all(Array.from({ length: 40 }, () => sent(9_000)));
    expect(new Set(crowd.map(({ coding }) => coding))).toEqual(new Set(['gzip', null]));
  });

  test('a caller that has the data gets a 304, which is charged too', async () => {
    const read = async (tag: string | null, method = 'GET', name: EndpointName = 'getSet') => {
      const headers = { Authorization: `Bearer ${key}`, ...(tag && { 'If-None-Match': tag }) };
      const init = { headers, method, name };
      const { answer, report } = await callWith(found, [granted(1), granted(2)], init);
      return [answer.status, report?.cost, report?.body === '', answer.headers.get('ETag')];
    };
    const [, , , tag] = await read(null);
    expect(tag).toMatch(/^(W\/)?".+"$/);
    expect(await read(String(tag))).toEqual([304, 1, true, tag]);
    expect(await read('"other"')).toEqual([200, 1, false, tag]);
  });

  describe('a stream or file', () => {
    const headers = { Authorization: `Bearer ${key}` };

    async function get(admissions: readonly Omit<Admission, 'caller'>[], init: RequestInit = {}) {
      const steps: string[] = [];
      const whole = {
        headers: { ETag: '"t"', 'Content-Type': 'text/x' },
        start: () => {
          steps.push('start');
          return 'whole';
        },
        release: () => steps.push('release'),
      };
      const given = { headers, ...init };
      const { answer, report } = await callWith({ read: async () => whole }, admissions, given);
      const type = answer.headers.get('Content-Type');
      return { status: answer.status, type, text: await answer.text(), steps, cost: report?.cost };
    }
    const both = [granted(1), granted(2)];

    test('starts once it is charged, and is released', async () => {
      expect(await get(both)).toEqual({
        status: 200,
        type: 'text/x',
        text: 'whole',
        steps: ['start', 'release'],
        cost: 1,
      });
    });

    test.each([
      ['for HEAD', both, { method: 'HEAD' }, 200, 1],
      ['if the caller has it', both, { headers: { ...headers, 'If-None-Match': '"t"' } }, 304, 1],
      ['if it cannot be paid', [granted(1), { used: 10, outcome: 'exhausted' }], {}, 429, 0],
    ] as const)('is only released %s', async (_, admissions, init, status, cost) => {
      expect(await get(admissions, init)).toMatchObject({ status, steps: ['release'], cost });
    });
  });
});
