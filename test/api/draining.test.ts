/** A stopping server sends slow clients their complete responses. */
import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startServer } from '../../src/api/server.ts';
import { hourMs } from '../../src/kernel/time.ts';
import { serverSettings } from '../support/server-settings.ts';
import { type FeedLine, openWorld } from '../support/stored-world.ts';
import { until } from '../support/until.ts';
import { serveWorld, type World } from '../support/world.ts';

const account = 'slow@example.com';

/** Held sets with long names, each observed at a retailer once. */
function held(count: number): FeedLine[] {
  return Array.from({ length: count }, (_, index) => String(1000 + index)).flatMap((number) => [
    { kind: 'set', set_number: number, title: 'é'.repeat(480), theme: 'Names' },
    {
      kind: 'offer',
      retailer: 'retailer_a',
      set_number: number,
      observed_at: '2026-11-14T00:00:00Z',
      price: 10,
    },
    {
      kind: 'holding',
      account,
      source_id: number,
      brickfolio: 'Shelf',
      set_number: number,
      quantity: 1,
      condition: 'sealed',
      purchase_price_usd: 5,
      purchase_date: '2026-01-01',
    },
  ]);
}

async function startSlowWorld(lines: readonly FeedLine[]) {
  const world = await serveWorld(await openWorld(), {});
  await world.addAccount(account);
  await world.load([{ kind: 'brickfolio', account, name: 'Shelf' }, ...lines]);
  return { world, key: await world.addKey(account) };
}

/** Sends a request, waits, then reads the whole response. */
function readSlowly(world: World, key: string, pauseMs: number): Promise<string> {
  const { hostname, port } = new URL(world.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname, () => {
    socket.pause();
    socket.write(
      `GET /api/v1/brickfolio/retail-watch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Authorization: Bearer ${key}\r\n\r\n`,
    );
    setTimeout(() => socket.resume(), pauseMs);
  });
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  socket.on('error', reject);
  return promise;
}

test.each([
  ['seven megabytes', 4500],
  ['a hundred kilobytes', 60],
])(
  '%s are sent completely to a client that reads late',
  async (_, count) => {
    const { world, key } = await startSlowWorld(held(count));
    const reading = readSlowly(world, key, 900);
    await Bun.sleep(300);
    const closed = world.close();
    const answer = await reading;
    await closed;
    expect(answer.split('"setNumber"').length - 1).toBe(count);
    expect(answer).toContain('"api_version":"1"');
  },
  180_000,
);

test('steady traffic of medium responses does not delay the shutdown, and none is dropped', async () => {
  const { world, key } = await startSlowWorld(held(30));
  const endless = await world.addKey(account, { allowance: 1_000_000 });
  expect(key).not.toBe(endless);
  const settings = serverSettings(() => world.now, world.failures);
  // A response that delays the shutdown would exceed the timeout of the test.
  const server = startServer(world.store, { ...settings, drainMsMax: hourMs });
  const address = `${server.url}/api/v1/brickfolio/retail-watch`;
  const headers = { Authorization: `Bearer ${endless}` };
  let isEnding = false;
  const outcomes = { answered: 0, dropped: 0 };
  const client = async () => {
    for (;;) {
      const isLate = isEnding;
      const whole = await fetch(address, { headers }).then(
        async (response) => (await response.text()).split('"setNumber"').length - 1 === 30,
        () => false,
      );
      if (whole) outcomes.answered++;
      // Requests sent during the shutdown may find the server gone.
      else if (isLate) return;
      else outcomes.dropped++;
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await until(() => outcomes.answered > 20);
  isEnding = true;
  await server.stop();
  await Promise.all(clients);
  await world.close();
  expect(outcomes.dropped).toBe(0);
});

test('a request in flight when the server is asked to stop is answered', async () => {
  const { world, key } = await startSlowWorld(held(30));
  // Uncompressed, since a compressed response would be too short to be streamed.
  const headers = { 'Accept-Encoding': 'identity' };
  expect((await world.call('/brickfolio/retail-watch', key, { headers })).status).toBe(200);
  const { hostname, port } = new URL(world.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const written = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname, () => {
    const head = `GET /api/v1/set/1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
    socket.write(head, () => written.resolve());
  });
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('close', () => resolve(text));
  socket.on('error', reject);
  await written.promise;
  // Once this later call is answered, the server has read the beginning of the other.
  expect((await world.call('/set/1000', key)).status).toBe(200);
  const closed = world.close();
  await Bun.sleep(2050);
  socket.write('\r\n');
  await closed;
  expect(await promise).toContain('HTTP/1.1 200 OK');
});
