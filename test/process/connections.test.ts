/** Idle connections do not block other clients. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { plusPrefix } from '../../src/contract/limits.ts';
import { networkConnectionsMax } from '../../src/http/connection-guard.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { readMetrics } from '../support/metrics.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let key: string;
let crowd: Socket[];

beforeEach(async () => {
  place = makeWorkplace();
  crowd = [];
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' };
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: [set] });
});

afterEach(async () => {
  for (const socket of crowd) socket.destroy();
  await place.close();
});

/** Connects from a local address and sends a text. */
function join({ url }: Pick<Served, 'url'>, localAddress: string, text: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  socket.resume();
  socket.write(text);
  crowd.push(socket);
  return socket;
}

/** Makes a request over a new connection. */
async function askAnew({ url }: Served): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
  const answer = await fetch(`${url}/api/v1/set/1000`, { headers, keepalive: false });
  expect(answer.status).toBe(200);
  await answer.text();
}

async function countEnded(server: Served): Promise<number> {
  const find = () => /Metrics are at (\S+)\.\n/.exec(server.errors())?.[1];
  await until(() => find() !== undefined);
  const text = await (await fetch(find() ?? '')).text();
  return readMetrics(text).value('brickmark_connections_ended_total');
}

const half = 'GET / HTTP/1.1\r\nHost: a\r\nX-A: ';

test('idle connections of one address beyond the descriptor limit are closed, and others are served', async () => {
  const server = await place.serve({ descriptorsMax: 600, flags: ['--metrics-port', '0'] });
  const head = `Host: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const call = `GET ${plusPrefix}/events/stream HTTP/1.1\r\n${head}`;
  const streams = Array.from({ length: 5 }, () => join(server, '127.0.0.2', call));
  await Promise.all(streams.map((socket) => new Promise((done) => socket.once('data', done))));
  for (let count = 0; count < 800; count++) join(server, '127.0.0.2', half);
  const open = () => crowd.slice(5).filter(({ destroyed, closed }) => !destroyed && !closed).length;
  while (open() > networkConnectionsMax) await askAnew(server);
  for (let count = 0; count < 20; count++) await askAnew(server);
  expect(await countEnded(server)).toBeGreaterThanOrEqual(800 - networkConnectionsMax);
  // Streams stay open, however long they are silent.
  expect(streams.filter((socket) => socket.closed)).toEqual([]);
});

test('slow senders of headers or bodies are disconnected', async () => {
  // Bun's own behavior, with a shorter timeout for the body. It checks every 4 seconds.
  const server = Bun.serve({
    port: 0,
    idleTimeout: 1,
    fetch: async (request) => new Response(await request.text()),
  });
  const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n';
  const ends = ['', half, body].map(async (text) => {
    const socket = join({ url: server.url.href }, '127.0.0.1', text);
    const drip = setInterval(() => text !== '' && socket.write('a'), 500);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
  });
  await Promise.all(ends);
  await server.stop(true);
});

test('with idle connections from many addresses the silent ones are closed, and a trusted proxy stays', async () => {
  const server = await place.serve({
    descriptorsMax: 400,
    flags: ['--metrics-port', '0'],
    env: { BRICKMARK_TRUSTED_PROXIES: '127.0.1.1' },
  });
  const proxied = Array.from({ length: 20 }, () => join(server, '127.0.1.1', half));
  for (let count = 0; count < 500; count++) join(server, `127.0.2.${1 + (count % 100)}`, half);
  while ((await countEnded(server)) < 200) await askAnew(server);
  expect(proxied.filter((socket) => socket.closed)).toEqual([]);
});
