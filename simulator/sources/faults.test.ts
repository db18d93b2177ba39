/** Faults of simulated sources: reproducible, with the requested frequency. */
import { expect, test } from 'bun:test';
import { type FaultKind, type FaultOptions, faultKinds, withFaults } from './faults.ts';
import { answerFile } from './stored-file.ts';

const file = { bytes: new TextEncoder().encode('{"a":1}'), type: 'application/json', at: 5000 };
const options: FaultOptions = { seed: 1, source: 'test', shares: {}, clock: () => 0 };

/** The source with this fault at every request. */
function always(kind: FaultKind) {
  const asked: string[] = [];
  const source = (request: Request) => {
    asked.push(request.url);
    return answerFile(request, file);
  };
  return { asked, handle: withFaults(source, { ...options, shares: { [kind]: 1 }, slowMs: 1 }) };
}

const request = () => new Request('http://source.example.com/a');

test('faults depend on the seed, with the requested frequency', async () => {
  const draw = async (source: string) => {
    const met: (FaultKind | null)[] = [];
    const shares = { busy: 0.2, failure: 0.1, nonsense: 0.1 };
    const onRequest: FaultOptions['onRequest'] = (_, fault) => met.push(fault);
    const handle = withFaults((asked) => answerFile(asked, file), {
      ...options,
      source,
      shares,
      onRequest,
    });
    for (let i = 0; i < 500; i++) await handle(request());
    return met;
  };
  const met = await draw('one');
  expect(await draw('one')).toEqual(met);
  expect(await draw('two')).not.toEqual(met);
  const count = (kind: FaultKind | null) => met.filter((fault) => fault === kind).length;
  // Of 500, a fifth and three fifths, give or take four standard deviations.
  expect(count('busy')).toBeWithin(64, 137);
  expect(count(null)).toBeWithin(256, 345);
  expect(faultKinds.filter((kind) => count(kind) > 0)).toEqual(['busy', 'failure', 'nonsense']);
});

test('a busy source has a Retry-After, and does not receive the request', async () => {
  const { asked, handle } = always('busy');
  const headers = await Promise.all(
    Array.from({ length: 20 }, async () => (await handle(request())).headers.get('Retry-After')),
  );
  expect(new Set(headers)).toEqual(new Set(['30', 'Thu, 01 Jan 1970 00:00:30 GMT']));
  expect(asked).toEqual([]);
});

test('silence ends when the caller aborts; the source received the request', async () => {
  const { asked, handle } = always('silence');
  const stop = new AbortController();
  const answer = handle(new Request(request(), { signal: stop.signal }));
  expect(await Promise.race([answer, Bun.sleep(5)])).toBe(undefined);
  stop.abort();
  expect((await answer).status).toBe(504);
  expect(asked).toHaveLength(1);
});

test('an incomplete response is cut off, also over a real connection', async () => {
  const { handle } = always('half');
  const response = await handle(request());
  expect(response.status).toBe(200);
  expect(await response.text().catch(() => 'broken')).toBe('broken');
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle });
  const fetched = fetch(server.url).then((answer) => answer.text());
  expect(await fetched.catch(({ code }) => code)).toBe('ECONNRESET');
  await server.stop(true);
});

test('a slow source responds correctly, failing and confused ones do not', async () => {
  expect(await (await always('slow').handle(request())).text()).toBe('{"a":1}');
  expect((await always('failure').handle(request())).status).toBeGreaterThanOrEqual(500);
  const nonsense = await always('nonsense').handle(request());
  expect([nonsense.status, nonsense.headers.get('Content-Type')]).toEqual([200, file.type]);
  expect(await nonsense.text()).not.toBe('{"a":1}');
});

test('a file is sent once, and then only if tag or time changed', () => {
  const first = answerFile(request(), file);
  const etag = first.headers.get('ETag') ?? '';
  const modified = first.headers.get('Last-Modified') ?? '';
  const ask = (headers: Record<string, string>, of = file) =>
    answerFile(new Request('http://source.example.com/a', { headers }), of).status;
  const other = { ...file, bytes: new Uint8Array([1]), at: 9000 };
  expect(ask({ 'If-None-Match': etag })).toBe(304);
  expect(ask({ 'If-None-Match': etag }, other)).toBe(200);
  expect(ask({ 'If-Modified-Since': modified })).toBe(304);
  expect(ask({ 'If-Modified-Since': modified }, other)).toBe(200);
  expect(answerFile(request(), null).status).toBe(404);
  expect(answerFile(new Request(request(), { method: 'POST' }), file).status).toBe(405);
});
