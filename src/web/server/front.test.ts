/** Forwarding of page requests: concurrency and rate limits, forms, and failures. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNodesOfDyingPages } from '../../../test/support/dying-nodes.ts';
import { sendRaw } from '../../../test/support/raw.ts';
import { until } from '../../../test/support/until.ts';
import { FreeAnswers } from '../../http/free-answers.ts';
import { readForwarded } from './forwarded.ts';
import { makeFront } from './front.ts';

interface Held {
  readonly network: string;
  readonly path: string;
  readonly hasBody: boolean;
  answer(): void;
}

const folder = mkdtempSync(join(tmpdir(), 'brickmark-front-'));
const socket = join(folder, 'pages');
/** Requests that the page process has not answered yet. */
let held: Held[] = [];
let faults: unknown[] = [];
let server: Bun.Server<undefined>;
/** A page process that answers when the test calls `answer`. */
let pages: Bun.Server<undefined>;
let isGone = false;
let elapsedMs = 0;
/** Calls of `giveUp`. */
let givenUp = 0;

beforeAll(() => {
  pages = Bun.serve({
    unix: socket,
    fetch: (request) =>
      new Promise<Response>((resolve) => {
        const { network } = readForwarded(request.headers);
        const { pathname: path } = new URL(request.url);
        const answer = () => {
          held = held.filter((each) => each !== one);
          resolve(new Response(`page for ${network}`));
        };
        const one = { network, path, hasBody: request.body !== null, answer };
        held.push(one);
      }),
  });
});

beforeEach(() => {
  held = [];
  faults = [];
  isGone = false;
  givenUp = 0;
  server?.stop(true);
  const front = makeFront({
    pages: {
      socket: async () => (isGone ? join(folder, 'nobody') : socket),
      giveUp: () => {
        givenUp++;
      },
    },
    accounts: { findSignedIn: async () => null },
    freeAnswers: new FreeAnswers(() => elapsedMs),
    clock: () => 0,
  });
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) =>
      front(request, {
        network: request.headers.get('X-Forwarded-For') ?? '',
        url: 'http://here',
        onFault: (error) => faults.push(error),
      }),
  });
});

afterAll(async () => {
  await server.stop(true);
  await pages.stop(true);
  rmSync(folder, { recursive: true });
});

const network = (index: number) => `198.51.100.${index}`;

function ask(from: string, init: RequestInit = {}, path = 'page'): Promise<Response> {
  const headers = { 'X-Forwarded-For': from, ...(init.headers as Record<string, string>) };
  return fetch(`${server.url}${path}`, { ...init, headers });
}

async function answerAll(count: number): Promise<void> {
  for (let answered = 0; answered < count; answered++) {
    await until(() => held.length > 0);
    held[0]?.answer();
  }
}

const heldFrom = (from: string) => held.filter((each) => each.network === from).length;

describe('concurrency', () => {
  test('a network has six requests at a time, and does not delay others', async () => {
    const many = Array.from({ length: 20 }, () => ask(network(1)));
    await until(() => heldFrom(network(1)) === 6);
    const other = ask(network(2));
    await until(() => heldFrom(network(2)) === 1);
    expect(heldFrom(network(1))).toBe(6);
    held.find((each) => each.network === network(2))?.answer();
    expect(await (await other).text()).toBe(`page for ${network(2)}`);
    await answerAll(20);
    for (const response of await Promise.all(many)) expect(response.status).toBe(200);
  });

  test('networks take turns, regardless of how many requests each has waiting', async () => {
    const crowd = Array.from({ length: 4 }, (_, at) => network(10 + at));
    for (const from of crowd) for (let i = 0; i < 8; i++) ask(from).catch(() => {});
    await until(() => held.length === 24);
    // The last eight slots are for networks that have none.
    for (let at = 0; at < 8; at++) ask(network(40 + at)).catch(() => {});
    await until(() => held.length === 32);
    const late = ask(network(30));
    await Bun.sleep(300);
    // All 32 slots are taken; the late request gets one of the next six at the latest.
    for (let freed = 0; freed < 6; freed++) held[0]?.answer();
    await until(() => heldFrom(network(30)) === 1);
    held.find((each) => each.network === network(30))?.answer();
    expect((await late).status).toBe(200);
  });

  test('a network with too many waiting requests gets 429, after a delay', async () => {
    const start = performance.now();
    const asked = Array.from({ length: 6 + 64 + 1 }, () => ask(network(3)).catch(() => null));
    // Six are held and 64 wait, so the only answer is the one over the limit.
    const refused = await Promise.race(asked);
    expect(performance.now() - start).toBeGreaterThan(900);
    expect([refused?.status, refused?.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(await refused?.text()).toContain('Too many requests at once');
    expect(heldFrom(network(3))).toBe(6);
    await server.stop(true);
    await Promise.all(asked);
  });
});

describe('share links', () => {
  const open = (from: string) => ask(from, {}, 's/secret');
  const heldLinks = () => held.filter(({ path }) => path.startsWith('/s/')).length;

  test('any number of networks opens four at a time, and other pages do not wait', async () => {
    const crowd = Array.from({ length: 60 }, (_, at) => open(network(at)));
    await until(() => heldLinks() === 4);
    const others = Array.from({ length: 6 }, () => ask(network(100)));
    await until(() => heldFrom(network(100)) === 6);
    expect(heldLinks()).toBe(4);
    await answerAll(66);
    const responses = await Promise.all([...crowd, ...others]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a network with too many gets 503, after a delay', async () => {
    const start = performance.now();
    const asked = Array.from({ length: 3 + 64 + 1 }, () => open(network(3)).catch(() => null));
    const refused = await Promise.race(asked);
    expect(performance.now() - start).toBeGreaterThan(900);
    expect([refused?.status, refused?.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(refused?.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(await refused?.text()).toContain('Too many people');
    await answerAll(67);
    await Promise.all(asked);
  });

  test('a path that leads to one with dots counts as one', async () => {
    // Without a valid Host, Bun does not resolve them.
    const from = `Host: not valid\r\nX-Forwarded-For: ${network(4)}\r\nConnection: close`;
    const raw = `GET /x/../s/secret HTTP/1.1\r\n${from}\r\n\r\n`;
    const asked = Array.from({ length: 4 }, () => sendRaw(server.url.href, raw));
    await until(() => heldFrom(network(4)) === 3);
    const other = ask(network(5));
    await until(() => heldFrom(network(5)) === 1);
    expect(heldFrom(network(4))).toBe(3);
    await answerAll(5);
    await Promise.all([...asked, other]);
  });
});

describe('the rate limit', () => {
  test('allows a network 300 requests at once, then 50 a second', async () => {
    isGone = true;
    const statuses = async (count: number) => {
      const all = await Promise.all(Array.from({ length: count }, () => ask(network(8))));
      return all.map(({ status }) => status).sort();
    };
    // Admitted requests fail quickly, because there is no page process.
    for (let fifty = 0; fifty < 6; fifty++) expect(await statuses(50)).toEqual(Array(50).fill(503));
    expect(await statuses(2)).toEqual([429, 429]);
    expect((await ask(network(9))).status).toBe(503);
    elapsedMs += 40;
    expect(await statuses(3)).toEqual([429, 503, 503].sort());
  });
});

describe('requests', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const upload = { 'Content-Type': 'multipart/form-data; boundary=x' };

  test('forms are forwarded unless they are too large', async () => {
    const sent = ask(network(4), { method: 'POST', headers: form, body: 'a=1' });
    await until(() => held.length === 1);
    held[0]?.answer();
    expect((await sent).status).toBe(200);
    const body = 'x'.repeat(65 * 1024);
    const large = await ask(network(4), { method: 'POST', headers: form, body });
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('64 KB')]);
  });

  test('a large upload without a session is forwarded without its body', async () => {
    const body = 'x'.repeat(65 * 1024);
    const cookie = { Cookie: `brickmark=${'a'.repeat(43)}` };
    const headers = { ...upload, ...cookie };
    const sent = ask(network(4), { method: 'POST', headers, body });
    await until(() => held.length === 1);
    expect(held[0]?.hasBody).toBe(false);
    held[0]?.answer();
    expect((await sent).status).toBe(200);
  });

  test('a forwarding header sent by a client is replaced', async () => {
    const asked = ask(network(5), { headers: { 'X-Brickmark-Place': '%7B%7D' } });
    await until(() => held.length === 1);
    expect(held[0]?.network).toBe(network(5));
    held[0]?.answer();
    await asked;
  });
});

describe('failures', () => {
  test('an unreachable page process is answered with 503 and reported', async () => {
    isGone = true;
    const response = await ask(network(6));
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(await response.text()).toBe(
      'This page cannot be shown right now. Try again in a moment.',
    );
    expect([faults.length, givenUp]).toEqual([1, 1]);
  });

  test('what the page process may have executed is answered with 500, and a form says so', async () => {
    const nodes = await startNodesOfDyingPages(() => false);
    const lost = async (method: string, body: BodyInit | null = null) => {
      const response = await fetch(`http://127.0.0.1:${nodes.ports[0]}/lost`, { method, body });
      return [response.status, response.headers.get('Retry-After'), await response.text()];
    };
    const saved = expect.stringContaining('may have been saved. Check before you send it again.');
    expect(await lost('POST', new URLSearchParams({ name: 'x' }))).toEqual([500, null, saved]);
    expect(await lost('POST')).toEqual([500, null, saved]);
    expect(await lost('GET')).toEqual([500, null, expect.stringContaining('cannot be shown')]);
    expect(nodes.taken.get('/lost')).toBe(3);
    nodes.close();
  });

  test('a client that disconnects is not reported, and its slot is freed', async () => {
    const leaving = new AbortController();
    const asked = Array.from({ length: 6 }, () =>
      ask(network(7), { signal: leaving.signal }).catch(() => null),
    );
    await until(() => heldFrom(network(7)) === 6);
    held = [];
    leaving.abort();
    await Promise.all(asked);
    const next = ask(network(7));
    await until(() => heldFrom(network(7)) === 1);
    held[0]?.answer();
    expect((await next).status).toBe(200);
    expect([faults.length, givenUp]).toEqual([0, 0]);
  });
});
