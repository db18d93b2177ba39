/** `health`: status 0 if a server is ready, otherwise 1. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeWorkplace, type Served, untilReady, type Workplace } from '../support/cli.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let server: Served;

beforeAll(async () => {
  place = makeWorkplace();
  server = await place.serve({ env: { BRICKMARK_DRAIN_SECONDS: '300' } });
  await untilReady(server);
});

afterAll(() => place.close());

const health = (url: string) => place.run(['health', '--url', url]);

/** Runs another server while `health` is called. */
async function withServer<T>(
  answer: () => Response | Promise<Response>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer });
  try {
    return await work(other.url.origin);
  } finally {
    await other.stop(true);
  }
}

test('a ready server is status 0, with or without a trailing slash', async () => {
  expect(await health(server.url)).toMatchObject({ status: 0, stderr: '' });
  const words = ['health', '--url', `${server.url}/`];
  expect(await place.json<object>(words)).toEqual({ url: server.url, status: 'ready' });
});

test('proxies in the environment are not used', async () => {
  const answer = () => new Response('from the proxy');
  const ran = await withServer(answer, (proxy) =>
    place.start(['health', '--url', server.url], { env: { HTTP_PROXY: proxy, http_proxy: proxy } }),
  );
  expect(ran).toMatchObject({ status: 0, stderr: '' });
});

test('no server, another server, an incomplete response and a timeout are status 1', async () => {
  const free = await withServer(
    () => new Response(''),
    async (url) => url,
  );
  const nobody = await health(free);
  expect([nobody.status, nobody.stderr]).toEqual([
    1,
    `No response from ${free}. Check that the server is running.\n`,
  ]);
  const other = await withServer(() => new Response('ready'), health);
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('is not Brickmark')]);
  const failing = () => Response.json({ status: 'ready' }, { status: 500 });
  expect((await withServer(failing, health)).status).toBe(1);
  const moved = () => Response.redirect(`${server.url}/readyz`);
  expect((await withServer(moved, health)).status).toBe(1);
  const endless = () => new Response('x'.repeat(10_000_000));
  expect((await withServer(endless, health)).stderr).toContain('is not Brickmark');
  const late = () => new Promise<Response>(() => {});
  const tooLate = await withServer(late, health);
  expect([tooLate.status, tooLate.stderr]).toEqual([
    1,
    expect.stringContaining('within 3 seconds'),
  ]);
});

test('a stopping server is not ready', async () => {
  process.kill(server.pid, 'SIGTERM');
  let ran = await health(server.url);
  await until(async () => {
    if (ran.status === 0) ran = await health(server.url);
    return ran.status !== 0;
  });
  expect([ran.status, ran.stderr]).toEqual([1, `The server at ${server.url} is draining.\n`]);
});
