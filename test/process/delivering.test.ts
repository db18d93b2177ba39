/** Webhooks are sent by a separate process, which is started, killed, replaced and stopped. */
// @runs SQLite, PostgreSQL (rest): slow there
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { formatInstant, minuteMs } from '../../src/kernel/time.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { isPostgres, openTestStore } from '../support/engines.ts';
import { childrenOf, signal, untilGone } from '../support/processes.ts';
import { addWebhook, deliverySettings, type Receiver, startReceiver } from '../support/receiver.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';
import type { FeedLine } from '../support/world.ts';

let place: Workplace;
let receiver: Receiver;
/** Receivers compare the time of a message with their clock. */
const start = Date.now() - 10 * minuteMs;

beforeEach(async () => {
  place = makeWorkplace();
  receiver = startReceiver();
  const set = {
    kind: 'set',
    set_number: '1001',
    title: 'Hut',
    release_date: '2025-01-01',
  } as const;
  const account = { email: 'a@example.com', plan: 'reseller' } as const;
  await stock(place, { accounts: [account], lines: [{ ...set, theme: 'Huts' }] });
  await sell(0, 100);
});

afterEach(async () => {
  await place.close();
  await receiver.stop();
});

/** Imports a price. */
async function sell(minute: number, price: number): Promise<void> {
  const at = formatInstant(start + minute * minuteMs);
  const offer: FeedLine = {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: '1001',
    observed_at: at,
    price,
    in_stock: true,
    seller_type: 'retailer',
  };
  const stdin = JSON.stringify(offer);
  await place.json(['import', 'feed', '-', '--strict'], { stdin, now: now() });
}

const now = () => formatInstant(Date.now());

const serve = () => place.serve({ now: now(), env: deliverySettings(place) });

const addReceiver = (address = receiver.url) =>
  addWebhook(place, { accountId: 1, address, at: Date.now(), kinds: ['retail.price'] });

const prices = () =>
  receiver.arrived.map(({ body }) => JSON.parse(body).data.after.price_usd as number);

/** The delivery process of a server. */
function sendersOf({ pid }: Served): number[] {
  return childrenOf(pid).filter((child) => {
    const path = `/proc/${child}/environ`;
    return existsSync(path) && readFileSync(path, 'utf8').includes('BRICKMARK_HELPER=delivery');
  });
}

test('an imported price arrives signed, and the process starts only when there is a webhook', async () => {
  const server = await serve();
  expect(server.errors()).not.toContain('are off');
  expect(sendersOf(server)).toEqual([]);
  const { id, secret } = await addReceiver();
  await sell(1, 80);
  await until(() => receiver.arrived.length === 1);
  const [first] = receiver.arrived;
  const message = new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {});
  expect(message).toMatchObject({ type: 'retail.price', data: { number: '1001' } });
  expect(first?.headers['webhook-id']).toStartWith(`evt_${id}_`);
  const senders = sendersOf(server);
  expect(senders).toHaveLength(1);
  expect(await server.kill('SIGTERM')).toBe(0);
  await untilGone(senders);
});

test('a killed delivery process is restarted, and another server takes over from a killed one', async () => {
  await addReceiver();
  const server = await serve();
  await sell(1, 80);
  await until(() => receiver.arrived.length === 1);
  const standby = await serve();
  await until(() => sendersOf(standby).length === 1);
  const [sender = 0] = sendersOf(server);
  signal(sender, 'SIGKILL');
  await sell(2, 90);
  await until(() => receiver.arrived.length === 2);
  await until(() => sendersOf(server).some((pid) => pid !== sender));
  const killed = [server.pid, ...sendersOf(server)];
  for (const pid of killed) signal(pid, 'SIGKILL');
  await sell(3, 70);
  await until(() => prices().includes(70));
  expect([...new Set(prices())]).toEqual([80, 90, 70]);
  await untilGone(killed);
});

test('a loopback address is refused unless the operator allows it', async () => {
  const { id } = await addReceiver();
  const env = { ...deliverySettings(place), BRICKMARK_ALLOWED_NETWORKS: '127.0.0.2' };
  await place.serve({ now: now(), env });
  await sell(1, 80);
  const store = await openTestStore(place.data);
  const page = { before: null, limit: 1 };
  const last = async () => (await store.accounts.listDeliveries(1, id, page))[0];
  await until(async () => ((await last())?.tries ?? 0) > 0);
  expect(await last()).toMatchObject({ state: 'waiting', tries: 1, answerStatus: null });
  expect((await last())?.answer).toContain('private network');
  await store.close();
  expect(receiver.arrived).toEqual([]);
});

// Nodes that share a database need the same file, so no node makes one there.
test.skipIf(isPostgres)('the first start makes a secret beside the data folder', async () => {
  const made = `${place.data}.secret`;
  const server = await place.serve();
  expect(server.errors()).toContain(`Created '${made}', which encrypts`);
  expect(statSync(made).mode & 0o777).toBe(0o600);
  expect(server.errors()).not.toContain('Webhooks, ntfy and Discord are off');
  await server.kill('SIGTERM');
  const again = await place.serve();
  expect(again.errors()).not.toContain('Created');
});

test('without the secret of what is encrypted the server reports what is disabled', async () => {
  await addReceiver();
  const server = await place.serve();
  expect(existsSync(`${place.data}.secret`)).toBe(false);
  await until(() => server.errors().includes('Webhooks, ntfy and Discord are off'));
  expect(server.errors()).toContain('set BRICKMARK_SECRET_FILE to turn them on.');
});
