/** Paths without a key: their responses and reports. */
import { describe, expect, test } from 'bun:test';
import { ApiError } from '../contract/errors.ts';
import { Drain } from '../http/drain.ts';
import type { IncomingRequest, RequestOutcome } from '../http/request-outcome.ts';
import { yieldToEventLoop } from '../kernel/event-loop.ts';
import { monthOf } from '../kernel/time.ts';
import type { Readiness } from './health.ts';
import {
  answerPage,
  answerPublic,
  answerUnreadable,
  isHealth,
  isPublic,
  makePublicDeps,
  type PublicDeps,
} from './public-paths.ts';

const noon = Date.UTC(2026, 10, 15, 12);

/** A server with the dependencies of these paths, and its reports. */
function makeServer(change: { isReady?: boolean; isWarm?: boolean; fault?: Error } = {}) {
  const reported: (IncomingRequest & RequestOutcome)[] = [];
  const deps: PublicDeps = makePublicDeps({
    market: {
      publishStamp: async () => {
        await yieldToEventLoop();
        if (change.fault) throw change.fault;
        return 1;
      },
      listRestatements: async () => [
        { id: 3, fromMonth: monthOf(noon), reason: 'Rates were wrong.', at: noon },
      ],
    },
    drain: new Drain(),
    warmUp: { isDone: change.isWarm ?? true },
    readiness: { check: async () => change.isReady ?? true } as Readiness,
    report: (request, outcome) => reported.push({ ...request, ...outcome }),
    baseUrl: null,
    build: { version: '1.2.3', commit: 'abc' },
  });
  deps.url = 'http://127.0.0.1:1';
  const ask = async (path: string, method = 'GET') => {
    const answer = await answerPublic(new Request(`http://h${path}`, { method }), deps);
    return { answer, status: answer.status, text: await answer.text() };
  };
  return { deps, ask, reported };
}

const free = { cost: 0, caller: null };

describe('a path', () => {
  test('reports that the server is healthy, at no cost', async () => {
    const { ask, reported } = makeServer();
    const text = '{"status":"ok","version":"1.2.3","commit":"abc"}';
    expect(await ask('/healthz?x')).toMatchObject({ status: 200, text });
    expect(reported).toMatchObject([{ route: 'healthz', method: 'GET', status: 200, ...free }]);
  });

  test('fails without details if the store cannot be read, and the fault is reported', async () => {
    const fault = new Error('The castle burns.');
    const { ask, reported } = makeServer({ fault });
    const { status, text } = await ask('/healthz');
    expect(status).toBe(500);
    expect(text).not.toContain('castle');
    expect(reported).toMatchObject([
      {
        status: 500,
        code: 'InternalError',
        ...free,
        fault: { error: fault, url: 'http://h/healthz' },
      },
    ]);
  });

  test('reports readiness: not before it is warm, nor while calls cannot be counted or it stops', async () => {
    const ready = await makeServer().ask('/readyz');
    expect(ready).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    expect(ready.answer.headers.get('Cache-Control')).toBe('no-store');
    const starting = await makeServer({ isWarm: false }).ask('/readyz');
    expect(starting).toMatchObject({ status: 503, text: '{"status":"starting"}' });
    const unavailable = await makeServer({ isReady: false }).ask('/readyz');
    expect(unavailable).toMatchObject({ status: 503, text: '{"status":"unavailable"}' });
    const { deps, ask } = makeServer();
    deps.drain.isLeaving = true;
    const draining = await ask('/readyz');
    expect(draining).toMatchObject({ status: 503, text: '{"status":"draining"}' });
    expect(draining.answer.headers.get('Cache-Control')).toBe('no-store');
  });

  test('describes the API, with the public URL if there is one', async () => {
    const { deps, ask } = makeServer();
    const { answer, status, text } = await ask('/openapi.json');
    expect(status).toBe(200);
    expect(text).toContain('http://127.0.0.1:1');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    // It does not change while the server runs.
    deps.url = 'http://127.0.0.1:2';
    expect((await ask('/openapi.json')).text).toBe(text);
    const named = makeServer();
    const other = { ...named.deps, baseUrl: 'https://bricks.example.com' };
    const described = await answerPublic(new Request('http://h/openapi.json'), other);
    expect(await described.text()).toContain('https://bricks.example.com');
  });

  test('lists restatements', async () => {
    expect(JSON.parse((await makeServer().ask('/restatements.json')).text)).toEqual({
      restatements: [
        {
          id: 3,
          from_month: '2026-11',
          reason: 'Rates were wrong.',
          recorded_at: '2026-11-15T12:00:00.000Z',
        },
      ],
    });
  });

  test('answers GET, HEAD and OPTIONS; and OPTIONS of the root, for load balancers', async () => {
    const { ask, reported } = makeServer();
    for (const path of ['/healthz', '/']) {
      const { status, answer } = await ask(path, 'OPTIONS');
      expect(status).toBe(204);
      expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    }
    expect((await ask('/healthz', 'HEAD')).status).toBe(200);
    const refused = await ask('/healthz', 'POST');
    expect(refused.status).toBe(405);
    expect(refused.answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(refused.text).toContain('This path answers GET, HEAD, OPTIONS.');
    expect(reported.map(({ route, status, code }) => [route, status, code])).toEqual([
      ['healthz', 204, null],
      ['page', 204, null],
      ['healthz', 200, null],
      ['healthz', 405, 'MethodNotAllowed'],
    ]);
    for (const each of reported) expect(each).toMatchObject(free);
  });

  test('that does not exist returns 404 with a hint, and is not a fault', async () => {
    const { ask, reported } = makeServer();
    const { status, text } = await ask('/nowhere');
    expect(status).toBe(404);
    expect(text).toContain('; /openapi.json lists what is under /api/v1.');
    for (const path of ['/api/plus/v1', '/api/plus/v1/x']) {
      const { text } = await makeServer().ask(path);
      expect(text).toContain('; /api/plus/v1/openapi.json lists what is under /api/plus/v1.');
    }
    expect((await makeServer().ask('/api/plus/v12')).text).toContain('; /openapi.json');
    expect(reported).toMatchObject([{ route: 'none', status: 404, code: 'NotFound', ...free }]);
    expect(reported[0]?.fault).toBeUndefined();
  });
});

test('these paths and all API paths are public, and no others with the same prefix', () => {
  const isOpen = (path: string, method = 'GET', hasPublicPages = true) =>
    isPublic(new Request(`http://h${path}`, { method }), hasPublicPages);
  const open = ['/healthz', '/readyz?x', '/openapi.json', '/restatements.json', '/api', '/api/v2'];
  expect(open.map((path) => isOpen(path))).toEqual(open.map(() => true));
  const others = ['/', '/healthz/', '/apix', '/sets'];
  expect(others.map((path) => isOpen(path))).toEqual(others.map(() => false));
  expect(isOpen('/', 'OPTIONS')).toBe(true);
  expect(isOpen('/sets', 'OPTIONS')).toBe(false);
  const openAnyway = open.filter((path) => isOpen(path, 'GET', false));
  expect(openAnyway).toEqual(open.filter((path) => path !== '/restatements.json'));
  const asks = (path: string) => isHealth(new Request(`http://h${path}`));
  expect(['/healthz', '/readyz', '/openapi.json'].map(asks)).toEqual([true, true, false]);
});

test('a page is reported with its status and fault', async () => {
  const { deps, reported } = makeServer();
  const request = new Request('http://h/sets', { method: 'POST' });
  await answerPage(request, async () => new Response('', { status: 303 }), deps.report);
  const error = new Error('The castle burns.');
  const failing = async (onFault: (error: unknown) => void) => {
    onFault(error);
    return new Response('', { status: 500 });
  };
  await answerPage(request, failing, deps.report);
  expect(reported).toMatchObject([
    { route: 'page', method: 'POST', status: 303, code: null, ...free, body: '' },
    { route: 'page', status: 500, ...free, fault: { error, url: 'http://h/sets' } },
  ]);
  expect(reported[0]?.fault).toBeUndefined();
});

test('a request that could not be read is still answered', async () => {
  const { deps, reported } = makeServer();
  const long = answerUnreadable(new ApiError('BadRequest', 'The URL is too long.'), deps);
  expect(long.status).toBe(400);
  expect(await long.text()).toContain('The URL is too long.');
  expect(answerUnreadable(new Error('The castle burns.'), deps).status).toBe(500);
  expect(reported.map(({ route, status }) => [route, status])).toEqual([
    ['none', 400],
    ['none', 500],
  ]);
});
