/** A server that is asked to end lets slow clients take what they were granted, to the end. */
import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

const account = 'slow@example.com';

/** So many held sets with long names, each seen at a retailer once. */
function held(count: number): FeedLine[] {
  return Array.from({ length: count }, (_, index) => String(1000 + index)).flatMap((number) => [
    { kind: 'set', set_number: number, title: 'é'.repeat(480), theme: 'Names' },
    {
      ...{ kind: 'offer', retailer: 'retailer_a', set_number: number },
      ...{ observed_at: '2026-11-14T00:00:00Z', price: 10 },
    },
    {
      ...{ kind: 'holding', account, source_id: number, brickfolio: 'Shelf', set_number: number },
      ...{ quantity: 1, condition: 'sealed', purchase_price_usd: 5, purchase_date: '2026-01-01' },
    },
  ]);
}

async function startSlowWorld(lines: readonly FeedLine[]) {
  const world = await startWorld();
  await world.addAccount(account);
  await world.load([{ kind: 'brickfolio', account, name: 'Shelf' }, ...lines]);
  return { world, key: await world.addKey(account) };
}

/** Asks, reads nothing for a while, and then everything that still comes. */
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
  '%s are sent whole to a client that reads late',
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
  30_000,
);
