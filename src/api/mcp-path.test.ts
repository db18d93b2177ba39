/** Limits of requests to `/mcp`: those of messages, and of requests at once. */
import { expect, test } from 'bun:test';
import { usualCaller } from '../../test/support/callers.ts';
import { until } from '../../test/support/until.ts';
import { endpoints } from '../contract/endpoints.ts';
import { ApiError } from '../contract/errors.ts';
import { Arriving, type Slots } from '../http/slots.ts';
import type { ApiDeps } from './answer.ts';
import { AnswerData } from './answer-data.ts';
import { isMcpPath, McpPath } from './mcp-path.ts';
import type { ParsedUrl } from './parsed-url.ts';

const admission = { caller: usualCaller, used: 0, outcome: 'granted' };
const api = {
  report: () => {},
  sendFree: (_: Request, answer: Response) => answer,
  admit: async (_: unknown, use: (decision: object) => unknown) => use({ admission, at: 0 }),
  hashKey: () => new Uint8Array(32),
  // Each account has its own network.
  networkOf: (request: Request) => request.headers.get('Authorization') ?? '',
} as unknown as ApiDeps;

const path = new McpPath({
  version: '1.2.3',
  origins: [],
  api,
  parseUrl: () => null,
  findUrl: () => 'http://localhost',
});

async function send(body: string, headers: Readonly<Record<string, string>> = {}) {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      Authorization: `Bearer bmk_${'0'.repeat(48)}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...headers,
    },
    body,
  });
  const answer = await path.answer(request);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('a message may have 65,536 bytes', async () => {
  const ping = (bytes: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }).padEnd(bytes);
  expect(await send(ping(65_536))).toMatchObject({ status: 200 });
  expect(await send(ping(65_537))).toMatchObject({
    status: 413,
    text: JSON.stringify({
      jsonrpc: '2.0',
      error: { code: -32_000, message: 'The body is larger than 65536 bytes.' },
      id: null,
    }),
  });
});

test('the error repeats an origin of up to 200 characters', async () => {
  const origin = (length: number) => 'https://'.padEnd(length, 'a');
  const refused = async (length: number) =>
    (await send('{}', { Origin: origin(length) })).text.includes(`Origin ${origin(length)} is not`);
  expect([await refused(200), await refused(201)]).toEqual([true, false]);
});

test('a batch may have ten messages', async () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const batch = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => ping(id)));
  expect(await send(batch(10))).toMatchObject({ status: 200 });
  const { status, text } = await send(batch(11));
  expect([status, JSON.parse(text).error.code]).toEqual([400, -32_600]);
});

test('every response has the ID of its request, and must not be stored', async () => {
  for (const body of ['{}', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })]) {
    const { headers } = await send(body);
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('Cache-Control')).toBe('no-store');
  }
});

const sales = '{"sales":[],"pagination":{"total":0,"limit":20,"offset":0,"has_more":false}}';
const callSales = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'my_sales', arguments: {} },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

/** A path whose API answers every call with what is read, and what happened. */
function open(read: () => Promise<string>, slots?: Pick<Slots, 'take'>) {
  const happened = { reports: [] as object[], costs: [] as number[], freed: 0, isAway: false };
  const route = { name: 'listSales', allow: 'GET', endpoint: endpoints.listSales };
  const parsed = {
    route,
    others: [],
    work: null,
    prepare: () => ({ read: async () => new AnswerData(await read()) }),
  } as unknown as ParsedUrl;
  const given = {
    ...api,
    newRequestId: () => 'r',
    // The first digits of the key are the account.
    hashKey: (key: string) => Number(key.slice(4, 7)),
    admit: async (
      { keyHash, cost }: { keyHash: number; cost: number },
      use: (decision: object) => Promise<unknown>,
    ) => {
      if (happened.isAway) throw new Error('away');
      happened.costs.push(cost);
      const outcome = keyHash === 998 ? 'plan' : 'granted';
      const admitted = { used: 0, outcome, caller: { ...usualCaller, accountId: keyHash } };
      return use({ admission: keyHash < 999 ? admitted : null, at: 0 });
    },
    report: (_: object, outcome: object) => happened.reports.push(outcome),
    sendFree: (_: Request, answer: Response) => {
      happened.freed++;
      return answer;
    },
  } as unknown as ApiDeps;
  const mcp = new McpPath(
    {
      version: '1.2.3',
      origins: ['https://ours.example.com'],
      api: given,
      parseUrl: (url) => (/sales|search|usage/.test(url) ? parsed : null),
      findUrl: () => 'http://localhost',
    },
    slots,
  );
  const post = async (message: unknown, account = 1, init: RequestInit = {}) => {
    const headers = {
      Authorization: `Bearer bmk_${String(account).padStart(3, '0')}${'0'.repeat(45)}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(init.headers as object),
    };
    const body = JSON.stringify(message);
    const method = 'POST';
    return mcp.answer(new Request('http://localhost/mcp', { method, body, ...init, headers }));
  };
  return { happened, post };
}

test('four requests of an account are handled at once, and sixteen in total', async () => {
  const gate = Promise.withResolvers<void>();
  let reading = 0;
  const { post } = open(async () => {
    reading++;
    await gate.promise;
    return sales;
  });
  const answers = Array.from({ length: 5 }, () => post(callSales, 1));
  await until(() => reading >= 4);
  await Bun.sleep(0);
  expect(reading).toBe(4);
  for (const account of [2, 3, 4]) {
    for (let index = 0; index < 4; index++) answers.push(post(callSales, account));
  }
  // The last four slots are for accounts that have none.
  await until(() => reading >= 13);
  await Bun.sleep(0);
  expect(reading).toBe(13);
  for (const account of [5, 6, 7, 8]) answers.push(post(callSales, account));
  await until(() => reading >= 16);
  await Bun.sleep(0);
  expect(reading).toBe(16);
  gate.resolve();
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  expect([texts.length, reading]).toEqual([21, 21]);
  for (const text of texts) expect(text).toContain('No sales recorded.');
});

test('an account without requests can wait, even if others fill the queue', async () => {
  const gate = Promise.withResolvers<string>();
  const { post } = open(() => gate.promise);
  const crowd = Array.from({ length: 544 }, (_, index) => post(callSales, 100 + (index % 17)));
  const statuses = crowd.map(async (answer) => (await answer).status);
  // The others wait: sixteen are handled, and 512 can wait.
  const refused = () => statuses.filter((status) => Bun.peek.status(status) === 'fulfilled');
  await until(() => refused().length >= 16);
  const newcomer = post(callSales, 200);
  const another = post(callSales, 100);
  await Bun.sleep(0);
  gate.resolve(sales);
  expect([(await newcomer).status, (await another).status]).toEqual([200, 429]);
  expect((await Promise.all(statuses)).filter((status) => status === 429)).toHaveLength(16);
});

test('a slot is held longer for each message that was free', async () => {
  const held: unknown[] = [];
  const { post, happened } = open(async () => sales, {
    take: async (name, work, heldMsMin) => {
      const result = await work(new Arriving(name));
      held.push([name, heldMsMin?.()]);
      return result;
    },
  });
  for (const message of [ping, [ping, ping, ping], callSales, [callSales, ping], [callSales]]) {
    await post(message, 3);
  }
  const taker = { account: 3, network: expect.any(String) };
  expect(held).toEqual([160, 480, 0, 160, 0].map((ms) => [taker, ms]));
  // Free responses can be delayed, but not charged ones.
  expect(happened.freed).toBe(2);
  const free = { status: 200, code: null, cost: 0, body: '' };
  expect(happened.reports[0]).toMatchObject({ ...free, caller: { accountId: 3 } });
});

test('a request that gets no slot is refused for now', async () => {
  const { post } = open(async () => sales, { take: async () => null });
  const refused = await post(ping);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
});

test('a request is refused without a key, and for an unknown one', async () => {
  const { post, happened } = open(async () => sales);
  for (const headers of [
    { Authorization: '' },
    { Authorization: `Bearer bmk_${'9'.repeat(48)}` },
  ]) {
    const refused = await post(ping, 1, { headers });
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
  }
  expect(happened).toMatchObject({ freed: 2, reports: [{ caller: null }, { caller: null }] });
});

test('authentication is free, and the plan is checked before a slot is taken', async () => {
  const take = () => Promise.reject(new Error('A slot was taken.'));
  const other = open(async () => sales, { take });
  expect((await other.post(ping, 998)).status).toBe(403);
  expect(other.happened).toMatchObject({ costs: [0], reports: [{ caller: { accountId: 998 } }] });
  const { post, happened } = open(async () => sales);
  await post(callSales);
  // For the message, and for the call of its tool.
  // Then all calls of the tool are charged at once.
  expect(happened.costs).toEqual([0, 0, 0, 1]);
  expect(happened.reports).toMatchObject([{ cost: 1 }, { cost: 0 }]);
});

test.each([
  ['a fault', new Error('broken'), 0],
  ['a refusal for now', new ApiError('TooManyRequests', 'Too often.', 1), 0],
  ['a missing scope', new ApiError('ScopeRequired'), 0],
  ['an error of its own', new ApiError('BadRequest'), 2],
])(
  'a tool whose last call ends in %s costs its other calls, or nothing',
  async (_, error, cost) => {
    let calls = 0;
    const answer = {
      remaining: 60,
      results: [],
      pagination: { total: 0, limit: 10, offset: 0, has_more: false },
    };
    const { post, happened } = open(async () => {
      if (++calls === 3) throw error;
      return JSON.stringify(answer);
    });
    await post({ ...callSales, params: { name: 'find_items', arguments: { query: 'castle' } } });
    expect([calls, happened.costs.at(-1)]).toEqual([3, cost]);
  },
);

test('a caller that disconnected while it waited is not answered, and makes no call', async () => {
  const leaving = new AbortController();
  const { post, happened } = open(() => Promise.reject(new Error('It was read.')), {
    take: async (taker, work) => {
      leaving.abort();
      return work(new Arriving(taker));
    },
  });
  expect((await post(callSales, 1, { signal: leaving.signal })).status).toBe(499);
  expect(happened.reports).toMatchObject([{ status: 499, fault: undefined }]);
});

test('a fault is reported with its URL, answered without details, and not delayed', async () => {
  const { post, happened } = open(async () => sales);
  happened.isAway = true;
  const answer = await post(ping);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ error: { code: -32_603 }, id: null });
  const fault = { error: new Error('away'), url: 'http://localhost/mcp' };
  expect(happened).toMatchObject({ freed: 0, reports: [{ status: 500, fault }] });
});

test.each([
  ['http://localhost', 204],
  ['https://ours.example.com', 204],
  ['https://theirs.example.com', 403],
])('a page of %s gets %i, and may read it if it is allowed', async (Origin, status) => {
  const { post } = open(async () => sales);
  const answer = await post(null, 1, { method: 'OPTIONS', headers: { Origin }, body: null });
  const isAllowed = status === 204;
  expect([answer.status, answer.headers.get('Allow')]).toEqual([
    status,
    isAllowed ? 'POST, OPTIONS' : null,
  ]);
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(isAllowed ? Origin : null);
  expect(answer.headers.get('Vary')).toBe(isAllowed ? 'Origin' : null);
  expect(answer.headers.has('Access-Control-Expose-Headers')).toBe(isAllowed);
});

test('other methods are refused, and so are bodies that are not valid', async () => {
  const { post } = open(async () => sales);
  const put = await post(null, 1, { method: 'PUT' });
  expect([put.status, put.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  for (const [body, message] of [
    ['{', '-32700,"message":"The body is not valid JSON.'],
    [new Uint8Array([34, 255, 34]), '-32700,"message":"The body is not valid JSON.'],
    [cut, '-32000,"message":"The body was cut short.'],
  ] as const) {
    const refused = await post(null, 1, { body });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(message)]);
  }
});

test('there is one path', () => {
  const urls = ['http://a/mcp', 'http://a/mcp?x', 'http://a/mcp/', 'http://a/'];
  expect(urls.map(isMcpPath)).toEqual([true, true, false, false]);
});
