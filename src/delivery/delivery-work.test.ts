/** What is queued arrives, in order for an item, whoever fails or hangs beside it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { type Owner, shareStore } from '../../test/support/shared-store.ts';
import { until } from '../../test/support/until.ts';
import type { Mail } from '../domain/account/mail.ts';
import type { EventScope, NewChannel } from '../domain/delivery/channel.ts';
import { readNetwork } from '../domain/delivery/outside-address.ts';
import { makeSealer } from '../domain/delivery/seal.ts';
import { newWebhookSecret } from '../domain/delivery/signature.ts';
import type { EventItems, EventPage, EventsGone, LoggedEvent } from '../domain/market/events.ts';
import { startDelivery } from './delivery-work.ts';

const shared = shareStore();
const accounts = () => shared.store.accounts;

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const key = randomBytes(32);
const sealer = makeSealer(key, randomBytes);
const secret = newWebhookSecret(randomBytes);
const allowed = [readNetwork('127.0.0.1')].filter((network) => network !== null);

/** What arrived. */
interface Arrived {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}
let arrived: Arrived[] = [];
let answer: (arrived: Arrived) => Promise<Response> | Response;
let server: ReturnType<typeof Bun.serve>;
const mails: Mail[] = [];
/** Nothing unexpected is to happen. */
const failures: unknown[] = [];

beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const one = { path, headers: request.headers, body: await request.text() };
      arrived.push(one);
      return answer(one);
    },
  });
});
afterAll(() => server.stop(true));

/** The log: events of the test, by position. */
let log: LoggedEvent[] = [];
let oldest = 0;
let held: EventItems = { set: [], minifig: [] };
let stop: (() => Promise<void>) | null = null;
/** While it is frozen, nothing is tried again before the test says so; null: it goes on. */
let frozenAt: number | null = null;
const clock = () => frozenAt ?? Date.now();

afterEach(async () => {
  await stop?.();
  stop = null;
  frozenAt = null;
  expect(failures).toEqual([]);
  log = [];
  oldest = 0;
  arrived = [];
  mails.length = 0;
  held = { set: [], minifig: [] };
  answer = () => new Response('fine');
});

function eventOf(position: number, setKey: string | null, kind: LoggedEvent['kind']): LoggedEvent {
  return {
    position,
    at: clock(),
    kind,
    itemKind: setKey === null ? null : 'set',
    key: setKey,
    number: setKey,
    title: setKey === null ? null : `Set ${setKey}`,
    retailer: 'retailer_a',
    before: { priceCents: 120_00 },
    after: { priceCents: 99_00 },
  };
}

async function listEvents(asked: {
  readonly after: number | null;
  readonly limit: number;
}): Promise<EventPage | EventsGone> {
  const latest = log.at(-1)?.position ?? 0;
  const { after, limit } = asked;
  if (after === null) return { events: [], next: latest, hasMore: false };
  if (after < oldest) return { oldest };
  const events = log.filter(({ position }) => position > after).slice(0, limit);
  const next = events.at(-1)?.position ?? after;
  return { events, next, hasMore: next < latest };
}

function start(more: { readonly holder?: string; readonly hasKey?: boolean } = {}): void {
  stop = startDelivery({
    queue: accounts(),
    market: { listEvents },
    findItems: async (_, scope) => (scope === 'all' ? null : held),
    sealer: more.hasKey === false ? null : sealer,
    http: { resolve: async () => [], allowed, userAgent: 'brickmark/test', timeoutMs: 6_000 },
    sendMail: async (mail) => {
      mails.push(mail);
    },
    mayNotifyTurnedOff: async () => mails.length === 0,
    clock,
    random: () => 0,
    holder: more.holder ?? 'me',
    baseUrl: 'https://bricks.example.com',
    beside: [],
    log: { warning: () => {}, failure: (_, error) => failures.push(error) },
  });
}

async function addChannel(
  owner: Owner,
  kind: NewChannel['kind'],
  more: { readonly path?: string; readonly scope?: EventScope; readonly key?: Uint8Array } = {},
): Promise<number> {
  const seals = more.key ? makeSealer(more.key, randomBytes) : sealer;
  const address = `http://127.0.0.1:${server.port}${more.path ?? '/hook'}`;
  const isWebhook = kind === 'webhook';
  const added = await accounts().addChannel(owner.id, {
    kind,
    name: 'Shop',
    address:
      kind === 'email' ? null : seals.seal(address, { accountId: owner.id, purpose: 'address' }),
    secret: isWebhook ? seals.seal(secret, { accountId: owner.id, purpose: 'secret' }) : null,
    subscription: isWebhook ? { kinds: ['retail.price'], scope: more.scope ?? 'all' } : null,
    position: isWebhook ? 0 : null,
    at: clock(),
  });
  if (typeof added === 'string') throw new Error(added);
  return added.id;
}

/** An account that the next test does not see any more. */
async function withOwner(run: (owner: Owner) => Promise<void>): Promise<void> {
  const email = `owner-${crypto.randomUUID()}@example.com`;
  const owner = await shared.addOwner(email);
  try {
    await run(owner);
  } finally {
    await stop?.();
    stop = null;
    await accounts().removeAccount(email);
  }
}

const channelOf = async (owner: Owner, channelId: number) =>
  (await accounts().listChannels(owner.id)).find(({ id }) => id === channelId);

const deliveriesOf = (owner: Owner, channelId: number) =>
  accounts().listDeliveries(owner.id, channelId, { before: null, limit: 100 });

const positionsOf = (list: readonly Arrived[]) =>
  list.map(({ body }) => JSON.parse(body).data.position as number);

test('events arrive signed, each once, those of an item in order', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook');
    // Later events of an item would overtake earlier ones, if they were not waited for.
    answer = async ({ body }) => {
      if (JSON.parse(body).data.position % 3 === 1) await Bun.sleep(40);
      return new Response('fine');
    };
    const keys = ['1', '2', '3'];
    log = Array.from({ length: 30 }, (_, index) =>
      eventOf(index + 1, keys[index % 7] ?? null, 'retail.price'),
    );
    log.push(eventOf(31, '1', 'value.tier'));
    start();
    await until(() => arrived.length === 30);
    for (const each of [...keys, null]) {
      const own = arrived.filter(({ body }) => JSON.parse(body).data.number === each);
      const expected = log.filter((event) => event.key === each && event.kind === 'retail.price');
      const positions = positionsOf(own);
      if (each === null) positions.sort((a, b) => a - b);
      expect(positions).toEqual(expected.map(({ position }) => position));
    }
    const [first] = arrived;
    const headers = Object.fromEntries(first?.headers ?? []);
    expect(new Webhook(secret).verify(first?.body ?? '', headers)).toMatchObject({
      type: 'retail.price',
      data: { number: '1', before: { price_usd: 120 }, after: { price_usd: 99 } },
    });
    expect(headers['webhook-id']).toBe(`evt_${id}_1`);
  }));

test('a webhook is told of what its account holds, and of the market as a whole', () =>
  withOwner(async (owner) => {
    await addChannel(owner, 'webhook', { scope: 'holdings' });
    held = { set: ['2'], minifig: [] };
    log = ['1', '2', null, '3'].map((each, index) => eventOf(index + 1, each, 'retail.price'));
    start();
    await until(() => arrived.length === 2);
    expect(positionsOf(arrived).sort()).toEqual([2, 3]);
  }));

test('what fails is tried again with the same id, and later events of its item wait', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook');
    const startedAt = Date.now();
    frozenAt = startedAt;
    answer = ({ body }) => {
      const isFirst = JSON.parse(body).data.position === 1;
      return new Response('no', { status: isFirst && clock() === startedAt ? 500 : 200 });
    };
    log = ['1', '1', '2'].map((each, index) => eventOf(index + 1, each, 'retail.price'));
    start();
    await until(() => arrived.length === 2);
    expect(positionsOf(arrived).sort()).toEqual([1, 3]);
    await until(async () => (await deliveriesOf(owner, id)).some(({ tries }) => tries === 1));
    frozenAt = startedAt + 10_000;
    await until(() => arrived.length === 4);
    expect(positionsOf(arrived).slice(2)).toEqual([1, 2]);
    expect(arrived[2]?.headers.get('webhook-id')).toBe(`evt_${id}_1`);
    await until(async () => (await deliveriesOf(owner, id)).every(({ state }) => state === 'done'));
    const [, , first] = await deliveriesOf(owner, id);
    expect(first).toMatchObject({ tries: 2, answerStatus: 200, answer: 'no' });
  }));

test('one that hangs delays nobody else', () =>
  withOwner(async (owner) => {
    frozenAt = Date.now();
    await addChannel(owner, 'webhook', { path: '/hangs' });
    await addChannel(owner, 'webhook', { path: '/works' });
    const { promise: hanging, resolve: release } = Promise.withResolvers<Response>();
    answer = ({ path }) => (path === '/hangs' ? hanging : new Response('fine'));
    log = Array.from({ length: 40 }, (_, index) => eventOf(index + 1, `${index}`, 'retail.price'));
    start();
    await until(() => arrived.filter(({ path }) => path === '/works').length === 40);
    expect(arrived.filter(({ path }) => path === '/hangs')).toHaveLength(8);
    release(new Response(null, { status: 204 }));
  }));

test('a 410 turns it off, its owner is told, and on again it goes on where it was', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook');
    answer = () => new Response('', { status: 410 });
    log = [eventOf(1, '1', 'retail.price')];
    start();
    await until(async () => (await channelOf(owner, id))?.state === 'off');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Your webhook "Shop" was turned off');
    expect(mails[0]?.text).toContain('https://bricks.example.com/webhooks');
    log.push(eventOf(2, '1', 'retail.price'));
    answer = () => new Response('fine');
    await accounts().switchChannel(owner.id, id, { isOn: true, at: clock() });
    await until(() => arrived.length === 3);
    expect(positionsOf(arrived)).toEqual([1, 1, 2]);
    // Whoever was told often enough is not told again.
    answer = () => new Response('', { status: 410 });
    log.push(eventOf(3, '1', 'retail.price'));
    await until(async () => (await channelOf(owner, id))?.state === 'off');
    expect(mails).toHaveLength(1);
  }));

test('a replay sends everything after a position again, with the same ids', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook');
    log = ['1', '2', '3'].map((each, index) => eventOf(index + 1, each, 'retail.price'));
    start();
    await until(() => arrived.length === 3);
    await until(async () => (await channelOf(owner, id))?.position === 3);
    await accounts().replayFrom(owner.id, id, 1);
    await until(() => arrived.length === 5);
    const again = arrived.slice(3).map(({ headers }) => headers.get('webhook-id'));
    expect(again.sort()).toEqual([`evt_${id}_2`, `evt_${id}_3`]);
  }));

test('one that is too far behind is told so, and goes on with what is still in the log', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook');
    oldest = 5;
    log = [6, 7].map((position) => eventOf(position, `${position}`, 'retail.price'));
    start();
    await until(() => arrived.length === 3);
    const bodies = arrived.map(({ body }) => JSON.parse(body));
    const isStale = ({ type }: { readonly type: string }) => type === 'stale';
    expect(bodies.filter(isStale).map(({ data }) => data)).toEqual([{ oldest: 5 }]);
    expect(arrived.some(({ headers }) => headers.get('webhook-id') === `stale_${id}_5`)).toBe(true);
    const events = arrived.filter(({ body }) => !isStale(JSON.parse(body)));
    expect(positionsOf(events).sort()).toEqual([6, 7]);
  }));

describe('messages of alerts', () => {
  async function send(owner: Owner, id: number, body: object): Promise<void> {
    const message = { messageId: 'alert_1', type: 'alert', orderKey: null, at: clock() };
    await accounts().addDeliveries([{ ...message, channelId: id, body: JSON.stringify(body) }]);
    start();
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'done');
  }

  test('go to the address of the account, with a link that ends them', () =>
    withOwner(async (owner) => {
      const id = await addChannel(owner, 'email');
      const url = 'https://bricks.example.com/alerts/end/abc';
      await send(owner, id, { subject: 'Low', text: 'It is low.', unsubscribeUrl: url });
      expect(mails).toMatchObject([{ subject: 'Low', text: 'It is low.', unsubscribeUrl: url }]);
      expect(mails[0]?.to).toEndWith('@example.com');
    }));

  test('go to ntfy as JSON with their topic', () =>
    withOwner(async (owner) => {
      const id = await addChannel(owner, 'ntfy', { path: '/push/my-topic' });
      await send(owner, id, { title: 'Löwe', message: 'It is low.', click: 'https://a.example' });
      expect(arrived[0]?.path).toBe('/push/');
      expect(JSON.parse(arrived[0]?.body ?? '')).toEqual({
        topic: 'my-topic',
        title: 'Löwe',
        message: 'It is low.',
        click: 'https://a.example',
      });
    }));

  test('go to Discord as they are', () =>
    withOwner(async (owner) => {
      const id = await addChannel(owner, 'discord', { path: '/api/webhooks/1/abc' });
      const body = { content: 'It is low.', allowed_mentions: { parse: [] } };
      await send(owner, id, body);
      expect(JSON.parse(arrived[0]?.body ?? '')).toEqual(body);
      expect(arrived[0]?.headers.has('webhook-id')).toBe(false);
    }));

  test('wait as long as Discord asks for', () =>
    withOwner(async (owner) => {
      const id = await addChannel(owner, 'discord');
      answer = () => Response.json({ retry_after: 64.57 }, { status: 429 });
      const at = clock();
      await accounts().addTest(owner.id, id, at);
      const alert = { messageId: 'a', type: 'alert', orderKey: null, body: '{}', at };
      await accounts().addDeliveries([{ ...alert, channelId: id }]);
      start();
      await until(async () => ((await channelOf(owner, id))?.retryAt ?? 0) > at + 60_000);
    }));
});

test('with another secret file nothing is sent, and the owner reads what to do', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook', { key: randomBytes(32) });
    await accounts().addTest(owner.id, id, clock());
    start();
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'given_up');
    const [tested] = await deliveriesOf(owner, id);
    expect(tested?.answer).toBe(
      'The secret file of this server has changed. Enter the address again.',
    );
    expect(arrived).toEqual([]);
  }));

test('once the address and the secret are entered again, everything goes on', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook', { key: randomBytes(32) });
    const sealedFor = (purpose: 'address' | 'secret') => ({ accountId: owner.id, purpose });
    const address = sealer.seal(`http://127.0.0.1:${server.port}/new`, sealedFor('address'));
    const change = {
      secret: sealer.seal(secret, sealedFor('secret')),
      oldUntil: clock() + 3_600_000,
    };
    await accounts().changeChannel(owner.id, id, { address, at: clock() });
    await accounts().rotateSecret(owner.id, id, change);
    await accounts().addTest(owner.id, id, clock());
    start();
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'done');
    const [{ path, body, headers }] = arrived as [Arrived];
    expect(path).toBe('/new');
    expect(() => new Webhook(secret).verify(body, Object.fromEntries(headers))).not.toThrow();
  }));

test('without a secret file, e-mails go on and the rest waits', () =>
  withOwner(async (owner) => {
    const webhook = await addChannel(owner, 'webhook');
    const email = await addChannel(owner, 'email');
    await accounts().addTest(owner.id, webhook, clock());
    await accounts().addTest(owner.id, email, clock());
    start({ hasKey: false });
    await until(async () => (await deliveriesOf(owner, email))[0]?.state === 'done');
    expect(mails).toHaveLength(1);
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  }));

test('one process works at a time; another goes on when it is stopped', () =>
  withOwner(async (owner) => {
    const id = await addChannel(owner, 'webhook');
    start({ holder: 'first' });
    log = [eventOf(1, '1', 'retail.price')];
    await until(() => arrived.length === 1);
    const stopFirst = stop;
    start({ holder: 'second' });
    log.push(eventOf(2, '1', 'retail.price'));
    await until(() => arrived.length === 2);
    await stopFirst?.();
    log.push(eventOf(3, '1', 'retail.price'));
    await until(() => arrived.length === 3);
    expect(arrived.map(({ headers }) => headers.get('webhook-id'))).toEqual(
      [1, 2, 3].map((position) => `evt_${id}_${position}`),
    );
  }));
