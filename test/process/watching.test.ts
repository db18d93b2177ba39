/** Observability of a running server: log, metrics and readiness. */
// @runs SQLite: is about processes
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { allEndpoints } from '../../src/contract/all-endpoints.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import { anotherNodeHeader } from '../../src/http/drain.ts';
import { makeWorkplace, type Served, untilReady, type Workplace } from '../support/cli.ts';
import { everyEndpoint } from '../support/endpoints.ts';
import { isPostgres } from '../support/engines.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { type ReadMetrics, readMetrics } from '../support/metrics.ts';
import { sendRaw } from '../support/raw.ts';
import { prepareStock } from '../support/stocked.ts';
import { onTables } from '../support/tables.ts';
import { until } from '../support/until.ts';
import { withPrefix } from '../support/world.ts';

const owner = 'watched.owner@example.com';
let place: Workplace;
let key: string;
let freeKey: string;

const fill = prepareStock({
  accounts: [
    { email: owner, plan: 'reseller', allowance: 100 },
    { email: 'free@example.com', plan: 'free', allowance: 100 },
  ],
  lines: [...smallMarket, ...smallCollection(owner)],
});

async function open(): Promise<void> {
  place = makeWorkplace();
  [key = '', freeKey = ''] = await fill(place);
}

interface Line {
  readonly event: string;
  readonly route?: string;
  readonly status?: number;
  readonly code?: string;
  readonly [field: string]: unknown;
}

function linesOf(server: Served): Line[] {
  const lines = server.errors().split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

const api = (server: Served, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${withPrefix(path)}`, init);

const keyed = (sent: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { ...init.headers, Authorization: `Bearer ${sent}` },
});

/** Requests every endpoint, and every error of the contract. */
async function visit(server: Served): Promise<Response[]> {
  const answers: Response[] = [];
  for (const [, { path, init }] of everyEndpoint) {
    answers.push(await api(server, path, keyed(key, init)));
  }
  const wrongKey = `bmk_${'5ec7e7'.repeat(8)}`;
  const refused: readonly [string, RequestInit][] = [
    ['/set/75192', {}],
    ['/set/75192?plainsecret=1', keyed(wrongKey)],
    ['/set/75192', keyed('not-a-key-at-all')],
    ['/set/75192', keyed(freeKey)],
    ['/set/404404', keyed(key)],
    ['/catalog/sets/search?q=windmillpond&limt=31337', keyed(key)],
    [`/catalog/sets/search?q=${'x'.repeat(9000)}`, keyed(key)],
    ['/set/75192?token=querysecret', keyed(key, { method: 'DELETE' })],
    ['/nowhere/pathsecret?token=querysecret', keyed(key)],
    ['/set/75192', { method: 'OPTIONS' }],
    ['/set/75192', keyed(key, { method: 'HEAD' })],
  ];
  for (const [path, init] of refused) answers.push(await api(server, path, init));
  const documents = ['/openapi.json', `${plusPrefix}/openapi.json`];
  for (const path of ['/healthz', '/readyz', ...documents, '/restatements.json']) {
    answers.push(await fetch(`${server.url}${path}?token=querysecret`));
  }
  // Some of the hundred calls are used by now.
  const sets = Array.from({ length: 100 }, (_, index) => `bodysecret${index}`);
  const body = JSON.stringify({ sets });
  const headers = { 'Content-Type': 'application/json' };
  answers.push(await api(server, '/catalog/batch', keyed(key, { method: 'POST', headers, body })));
  // A real fault: a table is missing.
  await onTables(place.data, 'ALTER TABLE document RENAME TO gone');
  answers.push(await api(server, '/minifig/faultsecret?token=', keyed(key)));
  answers.push(await api(server, '/minifig/faultsecret', keyed(key)));
  return answers;
}

async function scrape(server: Served): Promise<ReadMetrics> {
  await until(() => server.errors().includes('Metrics are at'));
  const url = /Metrics are at (\S+)\.\n/.exec(server.errors())?.[1] ?? '';
  expect(url).toStartWith('http://127.0.0.1:');
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toContain('version=0.0.4');
  return readMetrics(await response.text());
}

describe('every request', () => {
  let server: Served;
  let answers: Response[];
  let before: ReadMetrics;
  let after: ReadMetrics;
  let lines: Line[];
  let spent: number;

  beforeAll(async () => {
    await open();
    const env = { BRICKMARK_LOG: 'requests' };
    server = await place.serve({ env, flags: ['--metrics-port', '0'] });
    before = await scrape(server);
    answers = await visit(server);
    after = await scrape(server);
    const sum = 'SELECT sum(used) AS used FROM usage';
    spent = (await onTables<{ used: number }>(place.data, sum))[0]?.used ?? -1;
    expect(await server.kill('SIGTERM')).toBe(0);
    lines = linesOf(server).filter(({ event }) => event === 'request');
  });

  afterAll(() => place.close());

  test('is logged with its ID, without keys, emails or values', () => {
    // Successful responses outside the API have no request ID.
    const statuses = answers.map(({ status }) => status);
    expect(lines.map(({ status }) => status)).toEqual(statuses);
    answers.forEach((answer, index) => {
      const id = answer.headers.get('x-request-id');
      if (id !== null) expect(lines[index]?.request_id).toBe(id);
    });
    const routes = new Set(lines.map(({ route }) => route));
    const around = ['healthz', 'readyz', 'openapi', 'plusOpenapi', 'restatements', 'none'];
    expect([...routes].sort()).toEqual([...Object.keys(allEndpoints), ...around].sort());
    const codes = new Set(lines.map(({ code }) => code));
    // All of version 1, and none.
    expect(codes.size).toBe(9);
    // A random ID may contain any short text.
    const text = server.errors().replace(/"request_id":"[0-9a-f-]{36}",/g, '');
    const secrets = [
      key,
      freeKey,
      key.slice(4, 20),
      '5ec7e7',
      'not-a-key',
      'Bearer',
      owner,
      '@example',
      'querysecret',
      'pathsecret',
      'plainsecret',
      'bodysecret',
      'faultsecret',
      'windmillpond',
      'xxxx',
      '31337',
      'castle',
      'knight',
      '673419000017',
      '90d',
      '?',
      '75192',
      'Shelf',
    ];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('is logged with its caller and charge, and a fault with its error and place', async () => {
    const bytes = Buffer.byteLength(await (answers[0] as Response).text());
    expect(lines[0]).toMatchObject({
      level: 'info',
      method: 'GET',
      route: 'getSet',
      status: 200,
      cost: 1,
      bytes,
      account_id: 1,
      key_id: 1,
      ms: expect.any(Number),
      time: expect.stringMatching(/^2026-11-15T12:0\d:\d\d\.\d{3}Z$/),
    });
    expect(lines.find(({ route }) => route === 'getBatch')?.cost).toBe(3);
    const unknown = lines.find(({ code, route }) => code === 'NotFound' && route === 'getSet');
    expect(unknown?.cost).toBe(1);
    expect(lines.find(({ code }) => code === 'QuotaExceeded')?.cost).toBe(0);
    expect(lines.find(({ method }) => method === 'HEAD')?.bytes).toBe(0);
    const missing = lines.find(({ code }) => code === 'MissingApiKey');
    expect(missing && 'account_id' in missing).toBe(false);
    const fault = isPostgres
      ? {
          name: 'PostgresError',
          sqlstate: '42P01',
          message: expect.stringMatching(/^relation .* does not exist/),
          statement: expect.stringContaining('FROM published.document'),
        }
      : { name: 'SQLiteError', message: expect.stringContaining('no such table: document') };
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      route: 'getMinifig',
      status: 500,
      code: 'InternalError',
      cost: 0,
      fault,
    });
  });

  test('is in the metrics, which have the standard format', () => {
    expect(before.value('brickmark_requests_total', { route: 'getSet', status: '2xx' })).toBe(0);
    const total = (name: string) =>
      after.samples.filter((s) => s.name === name).reduce((sum, { value }) => sum + value, 0);
    expect(total('brickmark_requests_total')).toBe(answers.length);
    expect(total('brickmark_request_duration_seconds_count')).toBe(answers.length);
    for (const status of ['2xx', '3xx', '4xx', '5xx']) {
      const asked = answers.filter((a) => String(a.status)[0] === status[0]).length;
      const counted = after.samples.filter((s) => s.labels.status === status);
      expect(counted.reduce((sum, { value }) => sum + value, 0)).toBe(asked);
    }
    expect(after.value('brickmark_cost_granted_total')).toBe(spent);
    expect(after.value('brickmark_refusals_total', { code: 'InvalidApiKey' })).toBe(2);
    expect(after.value('brickmark_refusals_total', { code: 'InternalError' })).toBe(1);
    const infinite = { route: 'getSet', le: '+Inf' };
    expect(after.value('brickmark_request_duration_seconds_bucket', infinite)).toBe(
      after.value('brickmark_request_duration_seconds_count', { route: 'getSet' }),
    );
    expect(after.value('brickmark_cache_hits_total', { cache: 'documents' })).toBeGreaterThan(0);
    expect(after.value('brickmark_cache_entries', { cache: 'answers' })).toBeGreaterThan(0);
    expect(after.value('brickmark_store_up')).toBe(1);
    expect(after.value('brickmark_publish_stamp')).toBeGreaterThan(0);
    expect(after.value('brickmark_items_stale')).toBe(0);
    expect(after.value('brickmark_upkeep_failures_total')).toBe(0);
    expect(after.value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    // No data of callers is used as a label.
    const labels = after.samples.flatMap((s) => Object.values(s.labels)).join(' ');
    expect(labels).not.toMatch(/secret|75192|example|bmk_|castle/);
  });
});

describe('a server', () => {
  beforeEach(open);

  afterEach(() => place.close());

  test.each([
    ['off', 500],
    ['errors', 400],
  ])(
    'at %s only responses from status %d on are logged',
    async (level, statusMin) => {
      const server = await place.serve({ env: { BRICKMARK_LOG: level } });
      await untilReady(server);
      const answers = await visit(server);
      await server.kill('SIGTERM');
      const statuses = answers.map(({ status }) => status).filter((status) => status >= statusMin);
      expect(statuses).toContain(500);
      const lines = linesOf(server).filter(({ event }) => event === 'request');
      expect(lines.map(({ status }) => status)).toEqual(statuses);
    },
    180_000,
  );

  test('redirects are counted, and so are disconnected callers, who are not charged', async () => {
    const flags = ['--metrics-port', '0'];
    const server = await place.serve({ flags, env: { BRICKMARK_LOG: 'errors' } });
    const page = await fetch(`${server.url}/keys`, { redirect: 'manual' });
    expect(page.status).toBe(303);
    // Metrics are not public.
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const head = `Host: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const call = `GET /api/v1/set/75192 HTTP/1.1\r\n${head}`;
    // Pipelining before the response makes the server close the connection.
    expect(await sendRaw(server.url, call + call)).toBe('');
    const metrics = await scrape(server);
    const requests = (route: string, status: string) =>
      metrics.value('brickmark_requests_total', { route, status });
    expect([requests('page', '3xx'), requests('getSet', '4xx')]).toEqual([1, 1]);
    expect(metrics.value('brickmark_cost_granted_total')).toBe(0);
    await server.kill('SIGTERM');
    const lines = linesOf(server).filter(({ route }) => route === 'getSet');
    expect(lines).toMatchObject([{ status: 499, cost: 0 }]);
  });

  test('a draining server says so at /readyz and to proxies with another node, and still answers', async () => {
    const server = await place.serve({ env: { BRICKMARK_DRAIN_SECONDS: '2' } });
    const look = async (path: string) => {
      const response = await fetch(`${server.url}${path}`);
      return [response.status, await response.json()];
    };
    await untilReady(server);
    expect(await look('/readyz')).toEqual([200, { status: 'ready' }]);
    const ended = server.kill('SIGTERM');
    await until(async () => (await look('/readyz'))[0] !== 200);
    expect(await look('/readyz')).toEqual([503, { status: 'draining' }]);
    // A 503 of /readyz during draining is not logged as a failure.
    expect(server.errors()).not.toContain('readyz');
    expect(await look('/healthz')).toMatchObject([200, { status: 'ok' }]);
    expect((await server.get('/set/75192', key)).status).toBe(200);
    // A proxy with another node is sent there, at no charge.
    const headers = { Authorization: `Bearer ${key}`, [anotherNodeHeader]: '1' };
    const turnedAway = await api(server, '/set/75192', { headers });
    expect([turnedAway.status, await turnedAway.json()]).toEqual([503, { status: 'draining' }]);
    const next = await server.get('/set/75192', key);
    expect(next.headers.get('X-RateLimit-Remaining')).toBe('98');
    expect(await ended).toBe(0);
  });

  test('an invalid setting or a port in use is reported in one sentence', async () => {
    const server = await place.serve({ flags: ['--metrics-port', '0'] });
    const { port } = new URL(server.url);
    const conflict = await place.start(['serve', '--port', '0', '--metrics-port', port]);
    expect(conflict).toMatchObject({ status: 1, stdout: '' });
    expect(conflict.stderr).toContain(`Cannot serve metrics on 127.0.0.1, port ${port}`);
    const wrong = await place.start(['serve', '--metrics-port', 'x']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('--metrics-port must be a whole number from 0 to 65535');
  });

  test('an untrusted proxy is reported once, even if requests are not logged', async () => {
    const askTwice = async (env: Readonly<Record<string, string>>) => {
      const server = await place.serve({ env });
      const headers = { 'X-Forwarded-For': '198.51.100.1' };
      for (let time = 0; time < 2; time++) await fetch(`${server.url}/sign-in`, { headers });
      await server.kill('SIGTERM');
      return linesOf(server);
    };
    const warning = expect.objectContaining({
      level: 'warn',
      event: 'forwarded',
      peer: '127.0.0.1',
      message: expect.stringContaining('BRICKMARK_TRUSTED_PROXIES does not list it'),
    });
    expect(await askTwice({ BRICKMARK_LOG: 'off' })).toEqual([warning]);
    expect(await askTwice({ BRICKMARK_TRUSTED_PROXIES: '127.0.0.1' })).toEqual([]);
  });
});
