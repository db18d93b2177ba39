/**
 * Webhooks cannot reach the internal network (SSRF): not by address, not by a redirect, and not by
 * a name that resolves differently the second time. Here 127.0.0.2 is external, all else internal.
 */
// @runs SQLite: is about processes
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryTable } from '../../src/alerts/channels/delivery-channel-kinds.ts';
import type { Delivery } from '../../src/alerts/delivery/delivery.ts';
import { formatInstant, minuteMs, parseInstant } from '../../src/kernel/time.ts';
import { commandNow, makeWorkplace, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';
import { describeWith } from '../support/programs.ts';
import { addWebhook, deliverySettings } from '../support/receiver.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

/** Enough accounts for all webhooks. */
const emails = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
const start = parseInstant(commandNow) ?? 0;

let place: Workplace;
let minutes: number;
let added: number;
/** The requests received, internal and external. */
const heard: string[] = [];
let inside: ReturnType<typeof Bun.serve>;
let outside: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  inside = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      heard.push(`inside ${new URL(url).pathname}`);
      return new Response('the secrets of this network');
    },
  });
  // The same port, so that a name can lead to either.
  outside = Bun.serve({
    hostname: '127.0.0.2',
    port: inside.port ?? 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      heard.push(`outside ${pathname}`);
      const status = Number(pathname.slice(1)) || 200;
      const headers = { Location: `http://127.0.0.1:${inside.port}/led-astray` };
      return new Response('here', { status, headers });
    },
  });
});

afterAll(async () => {
  await inside.stop(true);
  await outside.stop(true);
});

beforeEach(async () => {
  heard.length = 0;
  minutes = 0;
  place = makeWorkplace();
  added = 0;
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' };
  const accounts = emails.map((email) => ({ email, plan: 'reseller' as const }));
  await stock(place, { accounts, lines: [set, offer()] });
});

afterEach(() => place.close());

function offer() {
  const observed_at = formatInstant(start + minutes * minuteMs);
  const facts = { price: 50 + minutes, seller_type: 'retailer', in_stock: true };
  return { kind: 'offer', retailer: 'retailer_a', set_number: '1000', observed_at, ...facts };
}

async function changePrice(): Promise<void> {
  minutes++;
  const now = formatInstant(start + minutes * minuteMs);
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify(offer()), now });
}

const serve = (env: Record<string, string> = {}) =>
  place.serve({
    now: formatInstant(start + (minutes + 1) * minuteMs),
    env: { ...deliverySettings(place, '127.0.0.2'), ...env },
  });

/** Adds a webhook to an account with a free place. */
async function add(address: string): Promise<Hook> {
  const accountId = 1 + Math.floor(added++ / deliveryTable.webhook.max);
  const hook = { accountId, address, at: start, kinds: ['retail.price'] } as const;
  const { id } = await addWebhook(place, hook);
  return { id, accountId };
}

interface Hook {
  readonly id: number;
  readonly accountId: number;
}

/** The last delivery of each webhook, once there are `count` and all were attempted. */
async function untilTried(hooks: readonly Hook[], count = 1): Promise<Delivery[]> {
  const store = await openTestStore(place.data);
  const findTried = async ({ id, accountId }: Hook) => {
    const page = { before: null, limit: count };
    let found: readonly Delivery[] = [];
    await until(async () => {
      found = await store.accounts.listDeliveries(accountId, id, page);
      return found.length === count && (found[0]?.tries ?? 0) > 0;
    }, 'a delivery to be tried');
    return found.slice(0, 1);
  };
  return (await Promise.all(hooks.map(findTried)).finally(() => store.close())).flat();
}

test('webhooks reach no internal address, directly or by a redirect', async () => {
  const { port } = inside;
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '127.1'];
  const inner = [`http://127.0.0.1:${port}/`, ...hosts.map((host) => `https://${host}:${port}/`)];
  const refused: Hook[] = [];
  for (const address of inner) refused.push(await add(address));
  const statuses = [301, 302, 303, 307, 308];
  const redirecting: Hook[] = [];
  for (const status of statuses) {
    redirecting.push(await add(`http://127.0.0.2:${port}/${status}`));
  }
  await changePrice();
  await serve();
  for (const { state, answerStatus, answer } of await untilTried(refused)) {
    expect({ state, answerStatus }).toEqual({ state: 'waiting', answerStatus: null });
    expect(answer).toContain('private network');
  }
  const redirected = (await untilTried(redirecting)).map(({ state, answerStatus, answer }) => {
    return { state, answerStatus, answer };
  });
  expect(redirected).toEqual(
    statuses.map((answerStatus) => ({ state: 'waiting', answerStatus, answer: 'here' })),
  );
  expect(heard.toSorted()).toEqual(statuses.map((status) => `outside /${status}`));
});

describeWith('libnss-wrapper', 'webhooks to a name', (library) => {
  test('are not sent if it resolves to an internal address the second time', async () => {
    const hosts = join(place.folder, 'hosts');
    const leadTo = (address: string) => writeFileSync(hosts, `${address} hook.test\n`);
    const env = { LD_PRELOAD: library, NSS_WRAPPER_HOSTS: hosts };
    const hook = await add(`http://hook.test:${inside.port}/`);
    leadTo('127.0.0.2');
    await changePrice();
    const server = await serve(env);
    expect(await untilTried([hook])).toMatchObject([{ state: 'done', answerStatus: 200 }]);
    // Names may be cached, so a new process resolves again.
    await server.kill('SIGKILL');
    leadTo('127.0.0.1');
    await changePrice();
    await serve(env);
    const [refused] = await untilTried([hook], 2);
    expect(refused).toMatchObject({ state: 'waiting', answerStatus: null });
    expect(refused?.answer).toContain('private network');
    expect(heard).toEqual(['outside /']);
  });
});
