/** Queued deliveries arrive in order per item, even if other webhooks fail or hang. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { until } from '../../../test/support/until.ts';
import type { Mail } from '../../accounts/people/mail.ts';
import { readNetwork } from '../../accounts/people/network.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { makeEncrypter } from '../../kernel/encryption.ts';
import type { EventItems, EventPage, EventsGone, LoggedEvent } from '../../market/events/events.ts';
import type { EventScope, NewDeliveryChannel } from '../channels/delivery-channel.ts';
import { deliveryKinds, deliveryTable, hasAddress } from '../channels/delivery-channel-kinds.ts';
import type { DeliveryQueue } from './deliveries.store.ts';
import { startDelivery } from './delivery-work.work.ts';
import { newWebhookSecret } from './signature.ts';

const shared = shareStore();
const accounts = () => shared.store.accounts;

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const key = randomBytes(32);
const encrypter = makeEncrypter(key, randomBytes);
const secret = newWebhookSecret(randomBytes);
const allowed = [readNetwork('127.0.0.1')].filter((network) => network !== null);

interface Arrived {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}
let arrived: Arrived[] = [];
let answer: (arrived: Arrived) => Promise<Response> | Response;
let server: ReturnType<typeof Bun.serve>;
const mails: Mail[] = [];
/** Must stay empty. */
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
/** While the clock is frozen, nothing is retried; null: it runs. */
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

function start(
  more: {
    readonly holder?: string;
    readonly hasKey?: boolean;
    readonly sendMail?: (mail: Mail) => Promise<void>;
  } = {},
): void {
  stop = startDelivery({
    queue: accounts(),
    notices: accounts(),
    market: { listEvents },
    findItems: async (_, scope) => (scope === 'all' ? null : held),
    encrypter: more.hasKey === false ? null : encrypter,
    http: { resolve: async () => [], allowed, userAgent: 'brickmark/test', timeoutMs: 6_000 },
    sendMail: more.sendMail ?? (async (mail) => void mails.push(mail)),
    mayNotifyTurnedOff: async () => mails.length === 0,
    clock,
    random: () => 0,
    computedMs: () => 0,
    hasOneWriter: true,
    holder: more.holder ?? 'me',
    baseUrl: 'https://bricks.example.com',
    otherSteps: [],
    log: { warning: () => {}, failure: (_, error) => failures.push(error) },
  });
}

async function addDeliveryChannel(
  owner: Owner,
  kind: NewDeliveryChannel['kind'],
  more: { readonly path?: string; readonly scope?: EventScope; readonly key?: Uint8Array } = {},
): Promise<number> {
  const seals = more.key ? makeEncrypter(more.key, randomBytes) : encrypter;
  const address = `http://127.0.0.1:${server.port}${more.path ?? '/hook'}`;
  const isWebhook = kind === 'webhook';
  const added = await accounts().addDeliveryChannel(owner.id, {
    kind,
    name: 'Shop',
    address:
      kind === 'email' ? null : seals.encrypt(address, { accountId: owner.id, purpose: 'address' }),
    secret: isWebhook ? seals.encrypt(secret, { accountId: owner.id, purpose: 'secret' }) : null,
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
  (await accounts().listDeliveryChannels(owner.id)).find(({ id }) => id === channelId);

const deliveriesOf = (owner: Owner, channelId: number) =>
  accounts().listDeliveries(owner.id, channelId, { before: null, limit: 100 });

const positionsOf = (list: readonly Arrived[]) =>
  list.map(({ body }) => JSON.parse(body).data.position as number);

test('events arrive signed, once, and in order per item', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
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

test('notices about the account arrive in order, from when they were asked for, and once', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
    const notice = (name: string, more: object = {}) =>
      ({
        accountId: owner.id,
        kind: 'quota.reached',
        name: `${owner.id} ${name}`,
        details: { percent: 80 },
        ...more,
      }) as const;
    await accounts().addAccountNotices([notice('before')], clock() - 1_000);
    const change = { notices: ['quota.reached', 'bulk.ready'] as const, at: clock() };
    await accounts().changeDeliveryChannel(owner.id, id, change);
    start();
    const everyone = { accountId: null, kind: 'bulk.ready', details: { bulkPosition: '1-0' } };
    await accounts().addAccountNotices(
      [
        notice('first'),
        notice('unwanted', { kind: 'key.expiring' }),
        notice('everyone', everyone),
        notice('first'),
      ],
      clock(),
    );
    await until(() => arrived.length === 2);
    await accounts().addAccountNotices([notice('last'), notice('first')], clock());
    await until(() => arrived.length >= 3);
    const bodies = arrived.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ type }) => type)).toEqual([
      'quota.reached',
      'bulk.ready',
      'quota.reached',
    ]);
    expect(bodies[0].data).toMatchObject({ kind: 'quota.reached', details: { percent: 80 } });
    const [first] = arrived;
    const headers = Object.fromEntries(first?.headers ?? []);
    expect(headers['webhook-id']).toBe(`ntc_${id}_${bodies[0].data.position}`);
    expect(new Webhook(secret).verify(first?.body ?? '', headers)).toEqual(bodies[0]);
    expect(bodies[2].data.position).toBeGreaterThan(bodies[1].data.position);
  }));

test('a webhook gets events of the items its account holds, and of the whole market', () =>
  withOwner(async (owner) => {
    await addDeliveryChannel(owner, 'webhook', { scope: 'holdings' });
    held = { set: ['2'], minifig: [] };
    log = ['1', '2', null, '3'].map((each, index) => eventOf(index + 1, each, 'retail.price'));
    start();
    await until(() => arrived.length === 2);
    expect(positionsOf(arrived).sort()).toEqual([2, 3]);
  }));

test('a failed delivery is retried with the same ID, and later events of its item wait', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
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

test('a hanging webhook does not delay others', () =>
  withOwner(async (owner) => {
    frozenAt = Date.now();
    await addDeliveryChannel(owner, 'webhook', { path: '/hangs' });
    await addDeliveryChannel(owner, 'webhook', { path: '/works' });
    const { promise: hanging, resolve: release } = Promise.withResolvers<Response>();
    answer = ({ path }) => (path === '/hangs' ? hanging : new Response('fine'));
    log = Array.from({ length: 40 }, (_, index) => eventOf(index + 1, `${index}`, 'retail.price'));
    start();
    await until(() => arrived.filter(({ path }) => path === '/works').length === 40);
    expect(arrived.filter(({ path }) => path === '/hangs')).toHaveLength(8);
    release(new Response(null, { status: 204 }));
  }));

describe('of everything that is due', () => {
  /** The latest question for what is due in channels of a kind. */
  async function withQuestions(
    kind: NewDeliveryChannel['kind'],
    run: (latest: () => Partial<Parameters<DeliveryQueue['listDue']>[0]>) => Promise<void>,
  ): Promise<void> {
    const spy = spyOn(accounts(), 'listDue');
    const asked = () => spy.mock.calls.map(([query]) => query);
    try {
      await run(() => asked().findLast(({ kinds }) => kinds.includes(kind)) ?? {});
    } finally {
      spy.mockRestore();
    }
  }

  test('256 messages are posted at a time, 8 of them to a channel', () =>
    withOwner((owner) =>
      withQuestions('webhook', async (latest) => {
        await addDeliveryChannel(owner, 'webhook');
        const { promise: hanging, resolve: release } = Promise.withResolvers<Response>();
        answer = () => hanging;
        start();
        await until(() => latest().busy !== undefined);
        expect(latest()).toMatchObject({ channels: 32, deliveries: 8, busy: [] });
        log = [eventOf(1, '1', 'retail.price')];
        await until(() => latest().busy?.length === 1);
        expect(latest()).toMatchObject({ channels: 31, busyAccounts: [] });
        release(new Response('fine'));
      }),
    ));

  test('16 messages are posted to the channels of an account', () =>
    withOwner((owner) =>
      withQuestions('webhook', async (latest) => {
        for (const path of ['/a', '/b', '/c']) await addDeliveryChannel(owner, 'webhook', { path });
        const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
        answer = () => hanging.then(() => new Response('fine'));
        log = Array.from({ length: 8 }, (_, index) =>
          eventOf(index + 1, `${index}`, 'retail.price'),
        );
        start();
        await until(() => (latest().busy ?? []).length > 0);
        expect(latest().busy).toHaveLength(2);
        expect(latest().busyAccounts).toEqual([owner.id]);
        release();
        await until(() => arrived.length === 24);
      }),
    ));

  test('four e-mails are sent at a time, one of them to an account', () =>
    withOwner((owner) =>
      withQuestions('email', async (latest) => {
        const id = await addDeliveryChannel(owner, 'email');
        const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
        start({ sendMail: () => hanging });
        await until(() => latest().busy !== undefined);
        expect(latest()).toMatchObject({ channels: 4, deliveries: 1, busy: [] });
        await accounts().addTest(owner.id, id, clock());
        await until(() => latest().busy?.length === 1);
        expect(latest()).toMatchObject({ channels: 3, busyAccounts: [owner.id] });
        release();
      }),
    ));
});

/** An email channel that is not confirmed yet, or is. */
async function addEmail(owner: Owner, isConfirmed: boolean): Promise<void> {
  const facts = { kind: 'email', name: 'Email', address: null, secret: null } as const;
  const confirmHash = new Uint8Array(32).fill(owner.id) as TokenHash;
  const silent = { subscription: null, position: null, at: clock() };
  const added = await accounts().addDeliveryChannel(owner.id, { ...facts, ...silent, confirmHash });
  if (typeof added === 'string') throw new Error(added);
  if (isConfirmed) await accounts().useConfirmLink(added.id, confirmHash, clock());
}

test.each(['no email channel', 'an unconfirmed address'])(
  'a webhook that is turned off sends no mail with %s, which may be a stranger’s',
  (what) =>
    withOwner(async (owner) => {
      if (what !== 'no email channel') await addEmail(owner, false);
      const id = await addDeliveryChannel(owner, 'webhook');
      answer = () => new Response('', { status: 410 });
      log = [eventOf(1, '1', 'retail.price')];
      start();
      await until(async () => (await channelOf(owner, id))?.state === 'off');
      await stop?.();
      expect([mails, failures]).toEqual([[], []]);
    }),
);

test('a 410 turns a webhook off and notifies its owner; turned on, it continues', () =>
  withOwner(async (owner) => {
    await addEmail(owner, true);
    const id = await addDeliveryChannel(owner, 'webhook');
    answer = () => new Response('', { status: 410 });
    log = [eventOf(1, '1', 'retail.price')];
    start();
    await until(async () => (await channelOf(owner, id))?.state === 'off');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Your webhook was turned off');
    expect(mails[0]?.text).not.toContain('Shop');
    expect(mails[0]?.text).toContain('https://bricks.example.com/webhooks');
    log.push(eventOf(2, '1', 'retail.price'));
    answer = () => new Response('fine');
    await accounts().changeDeliveryChannel(owner.id, id, { isOn: true, at: clock() });
    await until(() => arrived.length === 3);
    expect(positionsOf(arrived)).toEqual([1, 1, 2]);
    // The owner was notified often enough.
    answer = () => new Response('', { status: 410 });
    log.push(eventOf(3, '1', 'retail.price'));
    await until(async () => (await channelOf(owner, id))?.state === 'off');
    expect(mails).toHaveLength(1);
  }));

test('an owner who cannot be told is a logged failure, and the channel is off anyway', () =>
  withOwner(async (owner) => {
    await addEmail(owner, true);
    const id = await addDeliveryChannel(owner, 'webhook');
    answer = () => new Response('', { status: 410 });
    log = [eventOf(1, '1', 'retail.price')];
    const fault = new Error('The mail server is away.');
    start({ sendMail: () => Promise.reject(fault) });
    await until(async () => (await channelOf(owner, id))?.state === 'off');
    expect(failures.splice(0)).toEqual([fault]);
  }));

test('a replay sends everything after a position again, with the same IDs', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
    log = ['1', '2', '3'].map((each, index) => eventOf(index + 1, each, 'retail.price'));
    start();
    await until(() => arrived.length === 3);
    await until(async () => (await channelOf(owner, id))?.position === 3);
    await accounts().replayFrom(owner.id, id, 1);
    await until(() => arrived.length === 5);
    const again = arrived.slice(3).map(({ headers }) => headers.get('webhook-id'));
    expect(again.sort()).toEqual([`evt_${id}_2`, `evt_${id}_3`]);
  }));

test('a webhook that is too far behind gets "stale", and then what is left', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
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

  test('go to the address of the account, with an unsubscribe link', () =>
    withOwner(async (owner) => {
      const id = await addDeliveryChannel(owner, 'email');
      const url = 'https://bricks.example.com/alerts/end/abc';
      await send(owner, id, { subject: 'Low', text: 'It is low.', unsubscribeUrl: url });
      expect(mails).toMatchObject([{ subject: 'Low', text: 'It is low.', unsubscribeUrl: url }]);
      expect(mails[0]?.to).toEndWith('@example.com');
    }));

  test('go to ntfy as JSON with their topic', () =>
    withOwner(async (owner) => {
      const id = await addDeliveryChannel(owner, 'ntfy', { path: '/push/my-topic' });
      await send(owner, id, { title: 'Löwe', message: 'It is low.', click: 'https://a.example' });
      expect(arrived[0]?.path).toBe('/push/');
      expect(JSON.parse(arrived[0]?.body ?? '')).toEqual({
        topic: 'my-topic',
        title: 'Löwe',
        message: 'It is low.',
        click: 'https://a.example',
      });
    }));

  test('go to Discord unchanged', () =>
    withOwner(async (owner) => {
      const id = await addDeliveryChannel(owner, 'discord', { path: '/api/webhooks/1/abc' });
      const body = { content: 'It is low.', allowed_mentions: { parse: [] } };
      await send(owner, id, body);
      expect(JSON.parse(arrived[0]?.body ?? '')).toEqual(body);
      expect(arrived[0]?.headers.has('webhook-id')).toBe(false);
    }));

  test('wait as long as Discord asks', () =>
    withOwner(async (owner) => {
      const id = await addDeliveryChannel(owner, 'discord');
      answer = () => Response.json({ retry_after: 64.57 }, { status: 429 });
      const at = clock();
      await accounts().addTest(owner.id, id, at);
      const alert = { messageId: 'a', type: 'alert', orderKey: null, body: '{}', at };
      await accounts().addDeliveries([{ ...alert, channelId: id }]);
      start();
      await until(async () => ((await channelOf(owner, id))?.retryAt ?? 0) > at + 60_000);
    }));
});

test.each(deliveryKinds)('a message to any kind of channel is sent, such as %s', (kind) =>
  withOwner(async (owner) => {
    const example = hasAddress(kind) ? deliveryTable[kind].address.example : 'https://none.example';
    const id = await addDeliveryChannel(owner, kind, { path: new URL(example).pathname });
    await accounts().addTest(owner.id, id, clock());
    start();
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'done');
    expect([arrived.length, mails.length]).toEqual(hasAddress(kind) ? [1, 0] : [0, 1]);
  }),
);

test('with another secret file nothing is sent, and the owner is told what to do', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook', { key: randomBytes(32) });
    await accounts().addTest(owner.id, id, clock());
    start();
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'given_up');
    const [tested] = await deliveriesOf(owner, id);
    expect(tested?.answer).toBe(
      'The secret file of this server has changed. Enter the address again.',
    );
    expect(arrived).toEqual([]);
  }));

test('once address and secret are entered again, deliveries continue', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook', { key: randomBytes(32) });
    const sealedFor = (purpose: 'address' | 'secret') => ({ accountId: owner.id, purpose });
    const address = encrypter.encrypt(`http://127.0.0.1:${server.port}/new`, sealedFor('address'));
    const change = {
      secret: encrypter.encrypt(secret, sealedFor('secret')),
      oldUntil: clock() + 3_600_000,
    };
    await accounts().changeDeliveryChannel(owner.id, id, { address, at: clock() });
    await accounts().rotateSecret(owner.id, id, { ...change, at: clock() });
    await accounts().addTest(owner.id, id, clock());
    start();
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'done');
    const [{ path, body, headers }] = arrived as [Arrived];
    expect(path).toBe('/new');
    expect(() => new Webhook(secret).verify(body, Object.fromEntries(headers))).not.toThrow();
  }));

test('without a secret file, emails are sent and other channels wait', () =>
  withOwner(async (owner) => {
    const webhook = await addDeliveryChannel(owner, 'webhook');
    const email = await addDeliveryChannel(owner, 'email');
    await accounts().addTest(owner.id, webhook, clock());
    await accounts().addTest(owner.id, email, clock());
    start({ hasKey: false });
    await until(async () => (await deliveriesOf(owner, email))[0]?.state === 'done');
    expect(mails).toHaveLength(1);
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  }));

test('one process works at a time; another takes over when it is stopped', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
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

test('the end waits for what is under way, and no longer than three seconds', () =>
  withOwner(async (owner) => {
    const id = await addDeliveryChannel(owner, 'webhook');
    const { promise: hanging, resolve: release } = Promise.withResolvers<Response>();
    answer = () => hanging;
    log = [eventOf(1, '1', 'retail.price')];
    start();
    await until(() => arrived.length === 1);
    const wait = globalThis.setTimeout;
    const limits: number[] = [];
    const spy = spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, ms = 0) => {
      if (ms !== 3_000) return wait(end, ms);
      limits.push(ms);
      return wait(end, 0);
    }) as typeof setTimeout);
    await stop?.().finally(() => spy.mockRestore());
    expect(limits).toEqual([3_000]);
    expect(failures.splice(0)).toEqual([new Error('Messages pending at exit are sent again.')]);
    release(new Response('fine'));
    await until(async () => (await deliveriesOf(owner, id))[0]?.state === 'done');
  }));
