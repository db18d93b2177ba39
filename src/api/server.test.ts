/** Routing of requests, and preloading before the first one. */
// @runs SQLite, PostgreSQL: reads the store
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { untilReady } from '../../test/support/cli.ts';
import { serverSettings } from '../../test/support/server-settings.ts';
import { until } from '../../test/support/until.ts';
import { startWorld, type World } from '../../test/support/world.ts';
import type { FreeAnswers } from '../http/free-answers.ts';
import { type ApiStore, type RunningServer, type ServerSettings, startServer } from './server.ts';

let world: World;
const servers: RunningServer[] = [];

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount('ann@example.com');
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await world.close();
});

/** Another server on the same store. */
function start(changes: Partial<ServerSettings>, store: ApiStore = world.store) {
  const failures: unknown[] = [];
  const server = startServer(store, { ...serverSettings(() => world.now, failures), ...changes });
  servers.push(server);
  return { server, failures };
}

test('caches are filled before the first request, and a failure is reported', async () => {
  const reads: string[] = [];
  const market = {
    ...world.store.market,
    listDeals: () => {
      reads.push('deals');
      return Promise.reject(new Error('away'));
    },
  };
  const { server, failures } = start({}, { ...world.store, market });
  await until(() => failures.length > 0);
  expect([reads, failures]).toEqual([['deals'], [new Error('away')]]);
  // Slow first answers are better than none.
  await untilReady(server);
});

test('a server is ready once its pages are, and answers calls before', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { server } = start({ warmPages: () => promise });
  const look = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    return [response.status, (await response.json()).status];
  };
  await until(async () => (await look('/healthz'))[0] === 200);
  expect(await look('/readyz')).toEqual([503, 'starting']);
  expect(server.findFacts().isWarm).toBe(false);
  expect((await fetch(`${server.url}/api/v1/set/1`)).status).toBe(401);
  resolve();
  await untilReady(server);
});

test('a server that replaces one that was ready is ready at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { server } = start({ isRestarted: true, warmPages: () => promise });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.findFacts().isWarm).toBe(true);
  resolve();
});

test('free responses are limited by network, and health checks separately', async () => {
  const given: string[] = [];
  const freeAnswers = {
    give: (network: string, kind: string, answer: Response) => {
      given.push(`${network} ${kind} ${answer.status}`);
      return answer;
    },
  } as unknown as FreeAnswers;
  const { server } = start({ freeAnswers });
  await until(() => server.findFacts().isWarm);
  for (const path of ['/healthz', '/readyz', '/nowhere', '/api/v1/set/1', '/csv/x', '/mcp']) {
    await fetch(`${server.url}${path}`, { headers: { 'X-Forwarded-For': '198.51.100.7' } });
  }
  await fetch(`${server.url}/healthz`);
  expect(given).toEqual([
    '198.51.100.7 health 200',
    '198.51.100.7 health 200',
    '198.51.100.7 other 404',
    '198.51.100.7 other 401',
    '198.51.100.7 other 404',
    '198.51.100.7 other 405',
    '127.0.0.1 health 200',
  ]);
});

test('pages get what is neither public nor of the API', async () => {
  const asked: string[] = [];
  const answerPage: ServerSettings['answerPage'] = async (request, { network, url }) => {
    asked.push(`${new URL(request.url).pathname} ${network} ${url === server.url}`);
    return new Response('a page');
  };
  const { server } = start({ answerPage });
  const textOf = async (path: string) => (await fetch(`${server.url}${path}`)).text();
  expect(await textOf('/sets')).toBe('a page');
  for (const path of ['/healthz', '/api/v1/nothing', '/mcp', '/csv/x', '/api/v1/set/1']) {
    expect(await textOf(path)).not.toBe('a page');
  }
  expect(asked).toEqual(['/sets 127.0.0.1 true']);
});

test('pages of the public URL may call tools; without one, those of the own address', async () => {
  const Origin = 'https://bricks.example.com';
  const statusAt = async (baseUrl: string | null, origin = Origin) => {
    const { server } = start({ baseUrl });
    const headers = { Origin: origin === '' ? server.url : origin };
    return (await fetch(`${server.url}/mcp`, { method: 'OPTIONS', headers })).status;
  };
  expect([await statusAt(Origin), await statusAt(null), await statusAt(null, '')]).toEqual([
    204, 403, 204,
  ]);
});

test('requests in progress do not include open event streams', async () => {
  const { server } = start({});
  const Authorization = `Bearer ${await world.addKey('ann@example.com')}`;
  const leaving = new AbortController();
  const stream = await fetch(`${server.url}/api/plus/v1/events/stream`, {
    headers: { Authorization },
    signal: leaving.signal,
  });
  expect(stream.status).toBe(200);
  expect(server.findFacts()).toMatchObject({ inFlight: 0, isLeaving: false });
  leaving.abort();
});

test('a server without a secret has no spreadsheet links', async () => {
  const { server } = start({ sheetSigner: null });
  expect((await fetch(`${server.url}/csv/x`)).status).toBe(404);
});

test('headers may have 32 kilobytes', async () => {
  const { server } = start({});
  const statusOf = async (length: number) =>
    (await fetch(`${server.url}/healthz`, { headers: { 'X-Long': 'a'.repeat(length) } })).status;
  expect([await statusOf(31_000), await statusOf(33_000)]).toEqual([200, 431]);
});
