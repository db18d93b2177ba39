/** A delivery is sent in the way of its channel, and every answer has an outcome. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import type { Mail } from '../../accounts/people/mail.ts';
import { readNetwork } from '../../accounts/people/network.ts';
import { makeEncrypter } from '../../kernel/encryption.ts';
import type { DueChannel, DueDelivery } from './delivery.ts';
import { makeSend, type SenderDeps } from './senders.work.ts';
import { newWebhookSecret } from './signature.ts';

const now = Math.floor(Date.now() / 1_000) * 1_000;
const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const encrypter = makeEncrypter(randomBytes(32), randomBytes);
const [secret, oldSecret] = [newWebhookSecret(randomBytes), newWebhookSecret(randomBytes)];
const allowed = [readNetwork('127.0.0.1')].filter((network) => network !== null);

const seal = (text: string, purpose: 'address' | 'secret') =>
  encrypter.encrypt(text, { accountId: 7, purpose });

interface Arrived {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}
let arrived: Arrived[] = [];
let answer: () => Response;
let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { headers } = request;
      arrived.push({ path: `${pathname}${search}`, headers, body: await request.text() });
      return answer();
    },
  });
});
afterAll(() => server.stop(true));
beforeEach(() => {
  arrived = [];
  answer = () => new Response('fine');
});

const channelOf = (kind: DueChannel['kind'], facts: Partial<DueChannel> = {}): DueChannel => ({
  id: 1,
  accountId: 7,
  kind,
  name: 'Shop',
  email: 'ann@example.com',
  isEmailConfirmed: true,
  address: seal(`http://127.0.0.1:${server.port}/hook`, 'address'),
  secrets: kind === 'webhook' ? { current: seal(secret, 'secret'), old: null } : null,
  state: 'active',
  stateReason: null,
  failingSince: null,
  failures: 0,
  retryAt: null,
  deliveries: [],
  ...facts,
});

const deliveryOf = (body: unknown = { a: 1 }): DueDelivery => ({
  id: 3,
  messageId: 'evt_3',
  type: 'retail.price',
  body: JSON.stringify(body),
  tries: 0,
  at: now,
});

const depsOf = (change: Partial<SenderDeps> = {}): SenderDeps => ({
  encrypter,
  http: { resolve: async () => [], allowed, userAgent: 'brickmark/test', timeoutMs: 5_000 },
  sendMail: null,
  clock: () => now,
  ...change,
});

const send = (channel: DueChannel, delivery = deliveryOf(), change: Partial<SenderDeps> = {}) =>
  makeSend(depsOf(change))(channel, delivery);

const failed = (words: string) => ({
  kind: 'failed',
  status: null,
  answer: words,
  retryAfterMs: null,
});

describe('a response', () => {
  const later = { 'Retry-After': '5' };
  test.each([
    ['webhook', 200, {}, 'done', null],
    ['webhook', 299, later, 'done', null],
    ['webhook', 300, {}, 'failed', null],
    ['webhook', 404, {}, 'failed', null],
    ['webhook', 410, {}, 'gone', null],
    ['webhook', 429, later, 'failed', 5_000],
    ['discord', 404, {}, 'gone', null],
    ['discord', 410, {}, 'gone', null],
    ['discord', 503, later, 'failed', 5_000],
  ] as const)(
    'to %s with status %i and %j decides what comes next',
    async (kind, status, headers, outcome, retryAfterMs) => {
      answer = () => new Response('said', { status, headers });
      const expected = { kind: outcome, status, answer: 'said', retryAfterMs };
      expect(await send(channelOf(kind))).toEqual(expected);
    },
  );

  test.each([
    ['discord', '{"retry_after": 1.2345}', 1_235],
    ['discord', '{"retry_after":64}', 64_000],
    ['discord', '{"retry_after": 999999999}', 86_400_000],
    ['discord', '{"message": "no"}', null],
    ['webhook', '{"retry_after": 64}', null],
  ] as const)('of %s may have a retry delay in its body: %s', async (kind, text, retryAfterMs) => {
    answer = () => new Response(text, { status: 429 });
    expect(await send(channelOf(kind))).toMatchObject({ kind: 'failed', retryAfterMs });
  });

  test('with retry delays in header and body counts by the header', async () => {
    const headers = { 'Retry-After': '5' };
    answer = () => new Response('{"retry_after": 64}', { status: 429, headers });
    expect(await send(channelOf('discord'))).toMatchObject({ retryAfterMs: 5_000 });
  });
});

describe('a webhook', () => {
  const signedBy = () => {
    const [{ headers, body } = { headers: new Headers(), body: '' }] = arrived;
    return [secret, oldSecret].map((each) => {
      try {
        new Webhook(each).verify(body, Object.fromEntries(headers));
        return true;
      } catch {
        return false;
      }
    });
  };
  const secretsOf = (until: number) => ({
    current: seal(secret, 'secret'),
    old: { secret: seal(oldSecret, 'secret'), until },
  });

  test('gets the body unchanged, signed', async () => {
    await send(channelOf('webhook'));
    expect(arrived).toMatchObject([{ path: '/hook', body: '{"a":1}' }]);
    expect(arrived[0]?.headers.get('Content-Type')).toBe('application/json');
    expect(arrived[0]?.headers.get('webhook-id')).toBe('evt_3');
    expect(signedBy()).toEqual([true, false]);
  });

  test.each([
    [now + 1, true],
    [now, false],
    [now - 1, false],
  ])('is also signed with the old secret until it ends at %i: %p', async (until, isSigned) => {
    await send(channelOf('webhook', { secrets: secretsOf(until) }));
    expect(signedBy()).toEqual([true, isSigned]);
  });

  test('is not signed with an old secret that cannot be decrypted', async () => {
    const other = makeEncrypter(randomBytes(32), randomBytes);
    const sealed = other.encrypt(oldSecret, { accountId: 7, purpose: 'secret' });
    const secrets = { ...secretsOf(0), old: { secret: sealed, until: now + 1 } };
    expect(await send(channelOf('webhook', { secrets }))).toMatchObject({ kind: 'done' });
    expect(signedBy()).toEqual([true, false]);
  });
});

describe('a channel that cannot be decrypted gets nothing, and its owner is informed', () => {
  const address = 'The secret file of this server has changed. Enter the address again.';
  const newSecret = 'The secret file of this server has changed. Create a new secret.';
  test.each<[string, Partial<DueChannel>, Partial<SenderDeps>, string]>([
    ['no address', { address: null }, {}, address],
    ['no secret file', {}, { encrypter: null }, address],
    ['another account', { accountId: 8 }, {}, address],
    ['no secret', { secrets: null }, {}, newSecret],
  ])('sends nothing with %s, and says why', async (_, facts, change, words) => {
    expect<unknown>(await send(channelOf('webhook', facts), undefined, change)).toEqual(
      failed(words),
    );
    expect(arrived).toEqual([]);
  });
});

describe('ntfy', () => {
  const sendTo = (path: string, click: string | null = null) => {
    const address = seal(`http://127.0.0.1:${server.port}${path}`, 'address');
    const body = { title: 'Low', message: 'Now', ...(click !== null && { click }) };
    return send(channelOf('ntfy', { address }), deliveryOf(body));
  };

  test.each([
    ['/bricks', '/', 'bricks'],
    ['/bricks//', '/', 'bricks'],
    ['/push/bricks?auth=x', '/push/?auth=x', 'bricks'],
  ])('at %s gets the topic in the body', async (path, to, topic) => {
    expect(await sendTo(path)).toMatchObject({ kind: 'done' });
    expect(arrived.map((each) => each.path)).toEqual([to]);
    expect(JSON.parse(arrived[0]?.body ?? '')).toEqual({ topic, title: 'Low', message: 'Now' });
  });

  test('opens a page if there is one', async () => {
    await sendTo('/bricks', 'https://b.example/');
    expect(JSON.parse(arrived[0]?.body ?? '').click).toBe('https://b.example/');
    expect(arrived[0]?.headers.get('Content-Type')).toBe('application/json');
  });

  test.each(['/', '//'])('at %s has no topic', async (path) => {
    expect<unknown>(await sendTo(path)).toEqual(failed('The address has no topic.'));
  });
});

describe('an email', () => {
  const body = { subject: 'Low', text: 'Now', unsubscribeUrl: 'https://b.example/end' };

  test('goes to the address of the account', async () => {
    const mails: Mail[] = [];
    const sendMail = async (mail: Mail) => void mails.push(mail);
    const outcome = await send(channelOf('email'), deliveryOf(body), { sendMail });
    expect(outcome).toEqual({ kind: 'done', status: null, answer: '', retryAfterMs: null });
    expect(mails).toEqual([{ to: 'ann@example.com', ...body, at: now }]);
  });

  test('that the mail server refuses has failed, without the reply', async () => {
    const sendMail = () => Promise.reject(new Error('550 secret'));
    const outcome = await send(channelOf('email'), deliveryOf(body), { sendMail });
    expect<unknown>(outcome).toEqual(failed('The mail server did not accept the message.'));
  });

  test('fails without a mail server', async () => {
    const outcome = await send(channelOf('email'), deliveryOf(body));
    expect<unknown>(outcome).toEqual(failed('Email is not set up on this server.'));
  });
});

test('any other failure is an outcome without details', async () => {
  const http = { ...depsOf().http, allowed: [] };
  const refused = await send(channelOf('webhook'), undefined, { http });
  expect(refused.answer).toContain('private network');
  const clock = () => {
    throw new Error('secret');
  };
  const sentence = 'The message could not be sent.';
  const broken = await send(channelOf('webhook'), undefined, { clock });
  expect<unknown>(broken).toEqual(failed(sentence));
  const unreadable = { ...deliveryOf(), body: 'no JSON' };
  const sendMail = async () => {};
  const mail = await send(channelOf('email'), unreadable, { sendMail });
  expect<unknown>(mail).toEqual(failed(sentence));
});
