/** The rules of the client: addresses, keys, errors, retries, waiting, paging, batches, signals. */
import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { itemKey } from '../../../src/catalog/items/numbers.ts';
import { AnswerCache } from './answer-cache.ts';
import { Brickmark, BrickmarkError, type BrickmarkOptions, NetworkError } from './index.ts';
import { platform, type Surroundings } from './pause.ts';

const key = `bmk_${'0a'.repeat(24)}`;
const rates = {
  'X-RateLimit-Limit': '1000',
  'X-RateLimit-Remaining': '958',
  'X-RateLimit-Reset': '2026-11-16T00:00:00.000Z',
};

const data = (value: unknown) => Response.json({ data: value, meta: {} }, { headers: rates });

function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { error: { code, message: `It is ${code}.` } };
  return Response.json(body, { status, headers: { 'X-Request-Id': 'r-1', ...headers } });
}

/** The reaction of a server: a response, or a failed connection. */
type Step = Response | Error | ((init: RequestInit) => Promise<Response>);

/** A client with a scripted server, for which time passes at once. */
function clientOf(
  steps: readonly Step[],
  options: Partial<BrickmarkOptions> = {},
  others: Partial<Surroundings> = {},
) {
  const sent: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const step = steps[sent.length];
    sent.push({ url, init });
    if (step instanceof Response) return step;
    if (typeof step === 'function') return step(init);
    throw step ?? new Error(`There is no answer to ${url}.`);
  };
  const surroundings: Surroundings = {
    now: () => Date.parse('2026-11-15T12:00:00Z'),
    random: () => 1,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
    ...others,
  };
  const url = 'https://brickmark.example.com';
  const client = new Brickmark({ url, key, fetch, ...options }, surroundings);
  return { client, sent, pauses };
}

/** The error of a call. */
async function faultOf<Fault>(call: Promise<unknown>): Promise<Fault> {
  return call.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );
}

/** Never responds, but can be aborted, like `fetch`. */
const silence = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

describe('addresses', () => {
  async function asked(url: string, call: (client: Brickmark) => Promise<unknown>) {
    const { client, sent } = clientOf([data(null)], { url });
    await call(client);
    return sent[0]?.url;
  }

  test.each([
    ['https://b.example.com', 'https://b.example.com/api/v1/set/75192'],
    ['https://b.example.com/', 'https://b.example.com/api/v1/set/75192'],
    ['https://b.example.com/api/v1', 'https://b.example.com/api/v1/set/75192'],
    ['https://b.example.com/bricks/api/plus/v1/', 'https://b.example.com/bricks/api/v1/set/75192'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v1/set/75192'],
    ['http://[::1]:8080', 'http://[::1]:8080/api/v1/set/75192'],
  ])('of the API are found from %s', async (url, expected) => {
    expect(await asked(url, (client) => client.getSet('75192'))).toBe(expected);
  });

  test('numbers and queries are encoded, and undefined parameters omitted', async () => {
    const path = async (call: (client: Brickmark) => Promise<unknown>) =>
      (await asked('https://b.example.com', call))?.slice('https://b.example.com/api'.length);
    expect(await path((client) => client.getSet('a/b?c'))).toBe('/v1/set/a%2Fb%3Fc');
    expect(await path((client) => client.searchSets({ q: 'a&b', limit: undefined }))).toBe(
      '/v1/catalog/sets/search?q=a%26b',
    );
    const since = new Date('2026-11-15T12:00:00Z');
    expect(await path((client) => client.listRetailWatch({ since, asin: ['A', 'B'] }))).toBe(
      '/v1/brickfolio/retail-watch?since=2026-11-15T12%3A00%3A00.000Z&asin=A%2CB',
    );
    expect(await path((client) => client.listSales())).toBe('/v1/salesledger');
    // Either would change the path.
    for (const number of ['.', '..'])
      expect(() => clientOf([]).client.getSet(number)).toThrow(TypeError);
  });

  test('http: is for this machine only, unless allowed', () => {
    const at = (url: string, allowHttp?: boolean) => () => clientOf([], { url, allowHttp });
    expect(at('http://b.example.com')).toThrow('allowHttp');
    expect(at('http://localhost.example.com')).toThrow('allowHttp');
    expect(at('http://127.example.com')).toThrow('allowHttp');
    expect(at('http://b.example.com', true)).not.toThrow();
    expect(at('file:///etc/passwd')).toThrow('https://');
    expect(at('https://name:word@b.example.com')).toThrow('password');
    // As where a variable of the environment is not set.
    expect(at('')).toThrow('`url` is missing');
    expect(at(undefined as never)).toThrow('`url` is missing');
  });
});

describe('the key', () => {
  test('is sent as a header, and to no other address', async () => {
    const { client, sent } = clientOf([new Response(null, { status: 302 })]);
    const error = await faultOf<BrickmarkError>(client.getSet('75192'));
    expect(error).toMatchObject({ code: 'UnexpectedResponse', status: 302 });
    expect(error.message).toContain('redirects');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.init.redirect).toBe('manual');
    expect(new Headers(sent[0]?.init.headers).get('authorization')).toBe(`Bearer ${key}`);
  });

  test('never appears in errors', async () => {
    const { client } = clientOf([new TypeError('refused'), refusal(401, 'InvalidApiKey')], {
      retries: 0,
    });
    const errors = [await faultOf(client.getSet('75192')), await faultOf(client.getSet('75192'))];
    expect(inspect([client, errors], { depth: 9, showHidden: true })).not.toContain(key);
    expect(JSON.stringify(client)).not.toContain(key);
    for (const bad of ['', `${key}\n`, `${key} x`, '€'])
      expect(() => clientOf([], { key: bad })).toThrow(/^The key must be a string/);
  });
});

describe('errors', () => {
  test('of the server have code, status, request ID and budget, and are not retried', async () => {
    const { client, sent } = clientOf([refusal(404, 'NotFound', rates)]);
    const error = await faultOf<BrickmarkError>(client.getSet('99999'));
    expect(error).toBeInstanceOf(BrickmarkError);
    const budget = { limit: 1000, remaining: 958, reset: '2026-11-16T00:00:00.000Z' };
    const { name, code, status, message, requestId, retryAfter } = error;
    expect({ name, code, status, message, requestId, retryAfter, budget: error.budget }).toEqual({
      name: 'BrickmarkError',
      code: 'NotFound',
      status: 404,
      message: 'It is NotFound.',
      requestId: 'r-1',
      retryAfter: null,
      budget,
    });
    expect(client.budget).toEqual(budget);
    expect(sent).toHaveLength(1);
  });

  test('a response that is not from Brickmark is an error too', async () => {
    const page = () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
    const plain = (status: number) => new Response('<html>', { status });
    for (const answer of [page(), plain(400), plain(404)]) {
      const { status } = answer;
      const error = await faultOf(clientOf([answer]).client.getSet('75192'));
      const message = `The response (status ${status}) is not from Brickmark; check the url.`;
      expect(error).toMatchObject({ code: 'UnexpectedResponse', status, message });
    }
  });

  test('the budget is reported after each response that has one', async () => {
    const told: unknown[] = [];
    const onBudget = (budget: unknown) => told.push(budget);
    const { client } = clientOf([data(1), refusal(400, 'BadRequest')], { onBudget });
    expect(client.budget).toBeNull();
    await client.listThemes();
    await faultOf(client.listThemes());
    expect(told).toEqual([client.budget]);
  });
});

describe('a retry', () => {
  test.each([
    ['a 500', () => refusal(500, 'InternalError')],
    ['a proxy that has lost the server', () => new Response('Bad gateway', { status: 502 })],
    ['a lost connection', () => new TypeError('refused')],
    ['a body that breaks off', () => new Response(brokenBody(), { headers: rates })],
  ])('follows %s, with growing pauses', async (_, fail) => {
    const { client, sent, pauses } = clientOf([fail(), fail(), data('good')]);
    const box = { items: [{ set: '75192' }] };
    expect(await client.plus.evaluateBox(box)).toBe('good' as never);
    expect(pauses).toEqual([250, 500]);
    expect(sent.map(({ init }) => init.body)).toEqual(Array(3).fill(JSON.stringify(box)));
  });

  test('parameters are in the path, in order, and then the query or body is sent', async () => {
    const { client, sent } = clientOf([data({}), data({}), data({})]);
    await client.plus.listWatchedItems(7, { limit: 2 });
    await client.plus.saveWatchedItem(7, 'set', '75192', { note: 'x' });
    const stopped = AbortSignal.abort(new Error('Stopped.'));
    const deletion = client.plus.deleteWatchedItem(7, 'set', '75192', { signal: stopped });
    expect(String(await faultOf(deletion))).toBe('Error: Stopped.');
    const lists = 'https://brickmark.example.com/api/plus/v1/watchlists';
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['GET', `${lists}/7/items?limit=2`, undefined],
      ['PUT', `${lists}/7/items/set/75192`, '{"note":"x"}'],
    ]);
  });

  test('follows changes that can be made again, and no others', async () => {
    const steps = () => [refusal(500, 'InternalError'), data('good')];
    const { client, sent } = clientOf([...steps(), ...steps(), ...steps(), ...steps()]);
    await client.plus.createWatchlist({ name: 'x' });
    await client.plus.saveWatchedItem(7, 'set', '75192', { note: 'x' });
    await client.plus.changeWebhook(7, { is_on: false });
    await client.plus.deleteWatchlist(7);
    const methods = ['POST', 'POST', 'PUT', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'DELETE'];
    expect(sent.map(({ init }) => init.method)).toEqual(methods);
    for (const each of ['testWebhook', 'rotateWebhookSecret'] as const) {
      for (const fail of [refusal(500, 'InternalError'), new TypeError('refused')]) {
        const once = clientOf([fail, data('good')]);
        await faultOf(once.client.plus[each](7));
        expect(once.sent).toHaveLength(1);
      }
    }
    // A refused call changed nothing.
    const refused = refusal(429, 'QuotaExceeded', { ...rates, 'Retry-After': '3' });
    const patient = clientOf([refused, data('good')]);
    expect(await patient.client.plus.testWebhook(7)).toBe('good' as never);
  });

  test('is limited, and can be turned off', async () => {
    const fails = () => Array.from({ length: 3 }, () => refusal(500, 'InternalError'));
    const { client, sent } = clientOf(fails());
    expect(await faultOf(client.getSet('1'))).toMatchObject({ code: 'InternalError', status: 500 });
    expect(sent).toHaveLength(3);
    const cause = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    const once = clientOf([cause], { retries: 0 });
    const error = await faultOf<NetworkError>(once.client.getSet('1'));
    expect(error).toBeInstanceOf(NetworkError);
    const message = 'No response from https://brickmark.example.com: ECONNREFUSED';
    expect(error.message).toBe(message);
    expect(error).toMatchObject({ cause, isTimeout: false });
    expect(once.sent).toHaveLength(1);
  });

  test.each([
    ['before the answer', silence],
    ['while the body is read', slowBody],
  ])('does not follow a timeout %s, because each attempt could be charged', async (_, step) => {
    const { client, sent } = clientOf([step, data('good')], { timeoutMs: 5 });
    const error = await faultOf<NetworkError>(client.listThemes());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe('https://brickmark.example.com did not respond in time.');
    expect(error.isTimeout).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test('pauses differ between clients', async () => {
    const { client, pauses } = clientOf([new Error(), data('good')], {}, { random: () => 0 });
    await client.listThemes();
    expect(pauses).toEqual([125]);
  });
});

describe('a refused call', () => {
  const refused = (seconds: number, code = 'QuotaExceeded') =>
    refusal(429, code, { 'Retry-After': `${seconds}` });
  const tooFast = (seconds: number) => refused(seconds, 'TooManyRequests');

  test('is sent again after `Retry-After`, if that is a minute or less in total', async () => {
    const { client, pauses } = clientOf([tooFast(1), tooFast(1), refused(58), data('good')]);
    expect(await client.plus.getRetailHistory('75192')).toBe('good' as never);
    expect(pauses).toEqual([1_000, 1_000, 58_000]);
    const impatient = clientOf([tooFast(50), tooFast(11)]);
    const error = await faultOf(impatient.client.plus.getRetailHistory('75192'));
    expect(error).toMatchObject({ code: 'TooManyRequests', status: 429, retryAfter: 11 });
    expect(impatient.pauses).toEqual([50_000]);
  });

  test('is an error with the seconds to wait if that is more', async () => {
    for (const seconds of [61, 43_200]) {
      const { client, sent, pauses } = clientOf([refused(seconds)]);
      const error = await faultOf(client.getSet('75192'));
      expect(error).toMatchObject({ code: 'QuotaExceeded', status: 429, retryAfter: seconds });
      expect([sent.length, pauses]).toEqual([1, []]);
    }
  });

  test('is sent again after up to a day, or not at all, if requested', async () => {
    const patient = clientOf([refused(43_200), data('good')], { waitForReset: true });
    await patient.client.listThemes();
    expect(patient.pauses).toEqual([43_200_000]);
    const limited = clientOf([refused(50), refused(50)], { waitForReset: 90 });
    expect(await faultOf(limited.client.listThemes())).toMatchObject({ code: 'QuotaExceeded' });
    expect(limited.pauses).toEqual([50_000]);
    for (const waitForReset of [false, 0]) {
      const hasty = clientOf([tooFast(1)], { waitForReset });
      const error = await faultOf(hasty.client.listThemes());
      expect(error).toMatchObject({ code: 'TooManyRequests' });
      expect(hasty.pauses).toEqual([]);
    }
  });

  test('does not count as a retry, and needs none', async () => {
    const fail = () => refusal(500, 'InternalError');
    const { client, pauses } = clientOf([fail(), tooFast(1), fail(), tooFast(1), data('good')]);
    await client.listThemes();
    expect(pauses).toEqual([250, 1_000, 500, 1_000]);
    const once = clientOf([tooFast(2), data('good')], { retries: 0 });
    await once.client.plus.testWebhook(7);
    expect(once.pauses).toEqual([2_000]);
  });
});

test('a failure with `Retry-After` is retried then, and no more often than others', async () => {
  const busy = () => refusal(500, 'InternalError', { 'Retry-After': '5' });
  const { client, pauses } = clientOf([busy(), busy(), busy()]);
  expect(await faultOf(client.getSet('10482'))).toMatchObject({ status: 500, retryAfter: 5 });
  expect(pauses).toEqual([5_000, 5_000]);
  const late = refusal(500, 'InternalError', { 'Retry-After': '61' });
  const hasty = clientOf([late, data('good')]);
  await hasty.client.getSet('10482');
  expect(hasty.pauses).toEqual([250]);
  const once = clientOf([busy(), data('good')]);
  await faultOf(once.client.plus.testWebhook(7));
  expect(once.sent).toHaveLength(1);
});

test.each([
  ['Sun, 15 Nov 2026 12:01:30 GMT', 90],
  ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
])("a proxy's rate limit until %p is reported, and waited for", async (until, seconds) => {
  const limited = () => new Response('Slow.', { status: 429, headers: { 'Retry-After': until } });
  const hasty = clientOf([limited()], { waitForReset: false });
  const error = await faultOf<BrickmarkError>(hasty.client.listThemes());
  expect(error).toMatchObject({ code: 'UnexpectedResponse', status: 429, retryAfter: seconds });
  expect(error.message).toContain('limits requests');
  const waiting = clientOf([limited(), data('good')], { waitForReset: 90 });
  await waiting.client.listThemes().catch(() => {});
  expect(waiting.pauses).toEqual(seconds === null ? [] : [Math.max(1, seconds) * 1000]);
});

describe('a signal', () => {
  const reason = new Error('Enough.');
  const aborted = () => AbortSignal.abort(reason);

  test('that is already aborted sends nothing', async () => {
    const { client, sent } = clientOf([data(1)]);
    expect(await faultOf(client.getSet('1', { signal: aborted() }))).toBe(reason);
    const { client: ended } = clientOf([data(1)], { signal: aborted() });
    expect(await faultOf(ended.getSet('1'))).toBe(reason);
    expect(sent).toEqual([]);
  });

  test.each([
    ['before the answer', silence],
    ['while the body is read', slowBody],
  ])('ends a call %s', async (_, step) => {
    const controller = new AbortController();
    const { client, sent } = clientOf([step]);
    const call = faultOf(client.getSet('1', { signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 2);
    expect(await call).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  test('ends a pause, and a wait for `Retry-After`', async () => {
    const refused = () => refusal(429, 'TooManyRequests', { 'Retry-After': '60' });
    for (const step of [new Error(), refused()]) {
      const controller = new AbortController();
      const { signal } = controller;
      const { client } = clientOf([step], { signal }, { sleep: platform.sleep });
      const call = faultOf(client.getSet('1'));
      setTimeout(() => controller.abort(reason), 2);
      expect(await call).toBe(reason);
    }
    const { client } = clientOf([refused()], {}, { sleep: platform.sleep });
    const late = await faultOf<Error>(client.getSet('1', { signal: AbortSignal.timeout(2) }));
    expect(late.name).toBe('TimeoutError');
  });

  test('has no listener left after a call that paused', async () => {
    const { signal } = new AbortController();
    const counted = { added: 0, removed: 0 };
    const [add, remove] = [signal.addEventListener, signal.removeEventListener].map((method) =>
      method.bind(signal),
    );
    signal.addEventListener = (...given: unknown[]) => {
      counted.added++;
      add?.(...(given as Parameters<typeof signal.addEventListener>));
    };
    signal.removeEventListener = (...given: unknown[]) => {
      counted.removed++;
      remove?.(...(given as Parameters<typeof signal.addEventListener>));
    };
    const { client, pauses } = clientOf([new TypeError('refused'), data(1)], { signal });
    await client.getSet('1');
    expect(pauses).toHaveLength(1);
    expect(counted).toEqual({ added: 3, removed: 3 });
  });

  test('ends paging', async () => {
    const controller = new AbortController();
    const page = () => ({ sales: [1, 2], pagination: { offset: 0, has_more: true } });
    const { client, sent } = clientOf([data(page()), data(page())]);
    const read = async () => {
      for await (const _ of client.all.listSales({}, { signal: controller.signal }))
        controller.abort(reason);
    };
    expect(await faultOf(read())).toBe(reason);
    expect(sent).toHaveLength(1);
  });
});

describe('cached responses', () => {
  const tagged = (value: unknown, tag: string) =>
    Response.json({ data: value, meta: {} }, { headers: { ...rates, ETag: tag } });
  const current = () => new Response(null, { status: 304, headers: rates });
  const tagsOf = (sent: readonly { init: RequestInit }[]) =>
    sent.map(({ init }) => new Headers(init.headers).get('if-none-match'));

  test('are returned while the server confirms them', async () => {
    const steps = [tagged(['a'], '"1"'), current(), tagged(['b'], '"2"'), current()];
    const { client, sent } = clientOf(steps, { cache: true });
    const answers: unknown[] = [];
    for (const _ of steps) answers.push(await client.listThemes());
    expect(answers).toEqual([['a'], ['a'], ['b'], ['b']]);
    expect(answers[0]).not.toBe(answers[1]);
    expect(tagsOf(sent)).toEqual([null, '"1"', '"1"', '"2"']);
  });

  test('are the most recently used, including unchanged ones', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `${index}`);
    const steps = numbers.map((number) => tagged(number, `"${number}"`));
    const last = [current(), tagged('100', '"100"'), current(), tagged('1', '"1"')];
    const { client, sent } = clientOf([...steps, ...last], { cache: true });
    for (const number of [...numbers, '0', '100', '0', '1']) await client.getSet(number);
    expect(tagsOf(sent).slice(-4)).toEqual(['"0"', null, '"0"', null]);
  });

  test('have at most 10 million characters', () => {
    const kept = new AnswerCache();
    const long = 'x'.repeat(4_000_000);
    for (const path of ['a', 'b', 'b', 'c']) kept.keep(path, '"1"', long);
    kept.keep('d', '"1"', 'x'.repeat(10_000_001));
    const found = ['a', 'b', 'c', 'd'].filter((path) => kept.find(path) !== undefined);
    expect(found).toEqual(['b', 'c']);
  });

  test('are the last 100, by path and query, and none by default', async () => {
    const numbers = Array.from({ length: 101 }, (_, index) => `${index}`);
    const steps = [...numbers, '1', '0'].map((number) => tagged(number, `"${number}"`));
    const { client, sent } = clientOf(steps, { cache: true });
    for (const number of [...numbers, '1', '0']) await client.getSet(number);
    expect(tagsOf(sent).slice(-2)).toEqual(['"1"', null]);
    const forgetful = clientOf([tagged(1, '"1"'), tagged(1, '"1"')]);
    for (const _ of '12') await forgetful.client.listThemes();
    expect(tagsOf(forgetful.sent)).toEqual([null, null]);
  });
});

describe('paging', () => {
  const page = (offset: number, sales: readonly number[], has_more: boolean) =>
    data({ sales, pagination: { total: 5, limit: 2, offset, has_more } });

  test('continues to the end, in as few calls as possible', async () => {
    const answers = [page(0, [1, 2], true), page(2, [3, 4], true), page(4, [5], false)];
    const { client, sent } = clientOf(answers);
    expect(await client.all.listSales().toArray()).toEqual([1, 2, 3, 4, 5] as never);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=250&offset=0',
      '?limit=250&offset=2',
      '?limit=250&offset=4',
    ]);
  });

  test('requests only pages that are read, and starts where requested', async () => {
    const { client, sent } = clientOf([page(3, [4, 5], true)]);
    for await (const sale of client.all.listSales({ offset: 3, limit: 2 })) {
      expect(sale).toBe(4 as never);
      break;
    }
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=2&offset=3']);
  });

  test('ends at an empty page, whatever it says', async () => {
    const { client, sent } = clientOf([page(0, [], true)]);
    expect(await client.all.listSales().toArray()).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  test('fails if a page repeats, instead of continuing forever', async () => {
    const { client, sent } = clientOf([page(0, [1, 2], true), page(0, [1, 2], true)]);
    const error = await faultOf(client.all.listSales().toArray());
    expect(error).toMatchObject({ code: 'UnexpectedResponse' });
    expect(sent).toHaveLength(2);
    const events = () => data({ events: [1], next: 7, has_more: true });
    const stuck = clientOf([events(), events()]);
    const fault = await faultOf(stuck.client.plus.all.listEvents({ after: 5 }).toArray());
    expect(fault).toMatchObject({ code: 'UnexpectedResponse' });
    expect(stuck.sent).toHaveLength(2);
  });

  test('follows cursors from the beginning until there is none', async () => {
    const answer = (sets: readonly number[], next: string | null) => data({ sets, total: 3, next });
    const { client, sent } = clientOf([answer([1, 2], 'a'), answer([3], null)]);
    const all = await client.plus.all.listSets({ theme: 'Castle' }).toArray();
    expect(all).toEqual([1, 2, 3] as never);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=250&theme=Castle',
      '?limit=250&theme=Castle&after=a',
    ]);
    const stuck = clientOf([answer([1], 'a'), answer([1], 'a')]);
    const fault = await faultOf(stuck.client.plus.all.listSets().toArray());
    expect(fault).toMatchObject({ code: 'UnexpectedResponse' });
  });

  test('follows positions, and yields pages with theirs', async () => {
    const answer = (changes: readonly number[], next: string, has_more: boolean) =>
      data({ changes, next, has_more });
    const { client, sent } = clientOf([answer([1], '7-0', true), answer([2], '9-0', false)]);
    const nexts: string[] = [];
    for await (const { next } of client.plus.all.listBulkChanges({ after: '5-0' }).pages())
      nexts.push(next);
    expect(nexts).toEqual(['7-0', '9-0']);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual(['5-0', '7-0']);
  });
});

describe('a batch', () => {
  /** Answers as the server does. */
  const answering = async ({ body }: RequestInit) => {
    const { sets, minifigs } = JSON.parse(String(body));
    return data({
      sets: sets.map((set_number: string) => ({ set_number, found: set_number !== '7' })),
      minifigs: minifigs.map((minifig_number: string) => ({ minifig_number, found: true })),
      summary: {
        requested: sets.length + minifigs.length,
        found: sets.length + minifigs.length - (sets.includes('7') ? 1 : 0),
      },
    });
  };
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

  test('of any size is split into calls of 100, and joined in order', async () => {
    const { client, sent } = clientOf([answering, answering, answering]);
    const [sets, minifigs] = [numbers(150), numbers(51).map((number) => `sw${number}`)];
    const batch = await client.getBatch({ sets, minifigs });
    expect(batch.sets.map(({ set_number }) => set_number)).toEqual(sets);
    expect(batch.minifigs.map(({ minifig_number }) => minifig_number)).toEqual(minifigs);
    expect(batch.summary).toEqual({ requested: 201, found: 200 });
    const sizes = sent.map(({ init }) => {
      const body = JSON.parse(String(init.body));
      return [body.sets.length, body.minifigs.length];
    });
    expect(sizes).toEqual([
      [100, 0],
      [50, 50],
      [0, 1],
    ]);
  });

  test('has each item once, by the rule of the server', async () => {
    const forms = ['75192', '75192-1', ' 75192 ', '75192-2', 'A-1-1', 'a-1', 'A', '-1', 'ISBN-1'];
    const { client } = clientOf([answering]);
    const batch = await client.getBatch({ sets: forms, minifigs: ['SW1', 'sw1', 'sw1-1'] });
    const unique = (kind: 'set' | 'minifig', all: readonly string[]) =>
      new Set(all.map((number) => itemKey(kind, number))).size;
    expect(batch.sets).toHaveLength(unique('set', forms));
    expect(batch.sets[0]?.set_number).toBe('75192');
    expect(batch.minifigs.map(({ minifig_number }) => minifig_number)).toEqual(['SW1', 'sw1-1']);
  });

  test('of the Plus API is split too, with its other fields in each call', async () => {
    const reply = async ({ body }: RequestInit) => {
      const { items } = JSON.parse(String(body));
      return data({ items, summary: { requested: items.length, found: items.length - 1 } });
    };
    const { client, sent } = clientOf([reply, reply]);
    const items = numbers(120).map((set) => ({ set }));
    const forms = [{ set: '1-1', condition: 'sealed' as const }, { minifig: '1' }];
    const used = { set: '1', condition: 'used' as const };
    const asked = { items: [...items, ...forms, used], share: 0.9 };
    const batch: unknown = await client.plus.getMaxBuyBatch(asked);
    const unique = [...items, { minifig: '1' }, used];
    expect(batch).toEqual({ items: unique, summary: { requested: 122, found: 120 } });
    const bodies = sent.map(({ init }) => JSON.parse(String(init.body)));
    expect(bodies.map((body) => [body.items.length, body.share])).toEqual([
      [100, 0.9],
      [22, 0.9],
    ]);
  });

  test('that is empty is refused by the server', async () => {
    const { client, sent } = clientOf([refusal(400, 'BadRequest')]);
    expect(await faultOf(client.getBatch({}))).toMatchObject({ code: 'BadRequest' });
    expect(sent).toHaveLength(1);
  });
});

/** A body that breaks off after its beginning. */
function brokenBody(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
}

/** An answer of which only the beginning comes. */
async function slowBody({ signal }: RequestInit): Promise<Response> {
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"data":'));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(body);
}
