/** Webhooks by API: the same rules as on the pages, and secrets that are returned once. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { scopeBits } from '../../src/accounts/keys/scopes.ts';
import { mayUseAlerts } from '../../src/accounts/sign-in/attempt-limits.work.ts';
import { smallMarket } from '../support/market.ts';
import { testEncrypter } from '../support/server-settings.ts';
import { batch, startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
});

afterAll(() => world.close());

let accounts = 0;

/** Calls with a key of a new account. */
async function newCaller(options: object = {}) {
  const email = `${++accounts}@example.com`;
  await world.addAccount(email);
  const key = await world.addKey(email, { allowance: 10_000, ...options });
  const found = await world.store.accounts.findAccount(email, world.now);
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = { ...(body !== undefined && batch(body)), method };
    const response = await world.call(`/api/plus/v1${path}`, key, init);
    const { data, error } = (await response.json()) as {
      data?: Record<string, unknown>;
      error?: { code: string; message: string };
    };
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, data, ...error, retryAfter };
  };
  return { ask, accountId: found?.id ?? 0 };
}

const shop = {
  name: 'Shop',
  url: 'https://example.com/brickmark?token=1',
  kinds: ['retail.price', 'deal.open'],
  scope: 'watch',
};

test('a webhook is created with its secret, which no other call returns', async () => {
  const { ask, accountId } = await newCaller();
  const { status, data } = await ask('POST', '/webhooks', shop);
  expect([status, data]).toMatchObject([
    200,
    {
      name: 'Shop',
      url: 'example.com/bric…',
      state: 'active',
      state_reason: null,
      kinds: ['retail.price', 'deal.open'],
      scope: 'watch',
      last_delivery: null,
    },
  ]);
  expect(data?.secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const [channel] = await world.store.accounts.listDeliveryChannels(accountId);
  expect(channel?.position).toBe(data?.position as number);
  const sealed = { accountId, purpose: 'address' } as const;
  expect(channel?.address && testEncrypter.decrypt(channel.address, sealed)).toBe(shop.url);
  const shown = await ask('GET', `/webhooks/${data?.id}`);
  expect(shown.data).toEqual({ ...data, secret: undefined });
  expect((await ask('GET', '/webhooks')).data).toEqual({ webhooks: [shown.data] });
  expect((await ask('DELETE', `/webhooks/${data?.id}`)).data).toEqual({ deleted: true });
  expect((await ask('DELETE', `/webhooks/${data?.id}`)).status).toBe(404);
});

test('parallel and repeated creations make one webhook, and one of them has the secret', async () => {
  const { ask } = await newCaller();
  const made = await Promise.all(Array.from({ length: 4 }, () => ask('POST', '/webhooks', shop)));
  expect(new Set(made.map(({ data }) => data?.id)).size).toBe(1);
  expect(made.filter(({ data }) => data?.secret !== null)).toHaveLength(1);
  expect(
    await ask('POST', '/webhooks', { ...shop, url: 'https://example.com/other' }),
  ).toMatchObject({
    status: 409,
    code: 'Conflict',
    message: expect.stringContaining('with another URL'),
  });
  expect((await ask('GET', '/webhooks')).data?.webhooks).toHaveLength(1);
});

test('a change leaves what is omitted; the webhook is paused and resumed', async () => {
  const { ask } = await newCaller();
  const id = (await ask('POST', '/webhooks', shop)).data?.id;
  const change = async (body: object) => (await ask('PATCH', `/webhooks/${id}`, body)).data;
  expect(await change({ name: 'Store' })).toMatchObject({ name: 'Store', kinds: shop.kinds });
  expect(await change({ scope: 'holdings' })).toMatchObject({
    kinds: shop.kinds,
    scope: 'holdings',
  });
  expect(await change({ kinds: ['value.move', 'value.move'] })).toMatchObject({
    kinds: ['value.move'],
    scope: 'holdings',
  });
  expect(await change({ url: 'https://example.org/' })).toMatchObject({ url: 'example.org' });
  const inside = await ask('PATCH', `/webhooks/${id}`, { url: 'https://10.0.0.1/' });
  expect([inside.status, inside.message]).toEqual([400, expect.stringContaining("'url'")]);
  expect(await change({ is_on: false })).toMatchObject({ state: 'off', state_reason: null });
  expect(await change({ is_on: false, name: 'Shop' })).toMatchObject({ state: 'off' });
  expect(await change({ is_on: true })).toMatchObject({ state: 'active', name: 'Shop' });
});

test('the scope stays as it is while there are no kinds, and can be changed then', async () => {
  const { ask, accountId } = await newCaller();
  const { id } = (await ask('POST', '/webhooks', shop)).data ?? {};
  const change = async (body: object) => (await ask('PATCH', `/webhooks/${id}`, body)).data;
  const none = { kinds: [], position: null };
  expect(await change({ kinds: [] })).toMatchObject({ ...none, scope: 'watch' });
  const low = { kinds: ['retail.low'] };
  expect(await change(low)).toMatchObject({ ...low, scope: 'watch' });
  expect(await change({ kinds: [], scope: 'holdings' })).toMatchObject(none);
  expect(await change({ scope: 'all' })).toMatchObject({ ...none, scope: 'all' });
  expect(await change({ scope: 'holdings' })).toMatchObject({ ...none, scope: 'holdings' });
  expect((await ask('GET', `/webhooks/${id}`)).data).toMatchObject({ scope: 'holdings' });
  expect(await change(low)).toMatchObject({ ...low, scope: 'holdings' });
  const silent = { name: 'Silent', url: 'https://example.com/silent', scope: 'watch' };
  expect((await ask('POST', '/webhooks', silent)).data).toMatchObject({ ...none, scope: 'watch' });
  expect(
    (await ask('POST', '/webhooks', { ...silent, name: 'All', scope: undefined })).data,
  ).toMatchObject({ ...none, scope: 'all' });
  const followed = (await world.store.accounts.listSubscribers(Number.MAX_SAFE_INTEGER)).filter(
    (each) => each.accountId === accountId,
  );
  const subscription = { kinds: ['retail.low'], scope: 'holdings' };
  expect(followed).toMatchObject([{ channelId: id, subscription }]);
});

test('parallel changes of different fields all stay', async () => {
  const { ask } = await newCaller();
  const path = `/webhooks/${(await ask('POST', '/webhooks', shop)).data?.id}`;
  const changes = [{ kinds: ['value.move'] }, { scope: 'holdings' }, { name: 'Store' }];
  await Promise.all(changes.map((body) => ask('PATCH', path, body)));
  expect((await ask('GET', path)).data).toMatchObject(Object.assign({}, ...changes));
});

test('a test is queued even if the webhook is off, and secrets are rotated', async () => {
  const { ask } = await newCaller();
  const id = (await ask('POST', '/webhooks', shop)).data?.id;
  await ask('PATCH', `/webhooks/${id}`, { is_on: false });
  const tested = await ask('POST', `/webhooks/${id}/test`);
  expect(tested.data).toMatchObject({ type: 'test', state: 'waiting', attempts: 0 });
  expect((await ask('GET', `/webhooks/${id}`)).data?.last_delivery).toEqual(tested.data);
  const rotated = await ask('POST', `/webhooks/${id}/secret`);
  expect(rotated.data).toEqual({
    secret: expect.stringMatching(/^whsec_/),
    old_secret_until: '2026-11-16T12:00:00.000Z',
  });
});

test.each([
  [{ ...shop, url: 'http://example.com/' }, 'must begin with https://'],
  [{ ...shop, url: 'https://127.0.0.1/' }, 'on this server or a private network'],
  [{ ...shop, url: 'https://[::1]/' }, 'on this server or a private network'],
  [{ ...shop, url: 'https://169.254.169.254/latest' }, 'on this server or a private network'],
  [{ ...shop, url: 'https://a:b@example.com/' }, 'a user name or a password'],
  [{ ...shop, url: 'nonsense' }, 'Enter an address such as'],
  [{ ...shop, url: `https://example.com/${'x'.repeat(2000)}` }, "'url' must be"],
  [{ ...shop, kinds: ['retail.prices'] }, "'kinds.0' must be one of retail.price"],
  [{ ...shop, scope: 'mine' }, "'scope' must be one of all, holdings, watch"],
  [{ ...shop, name: '' }, "'name' must be 1 to 60 characters"],
  [{ url: shop.url }, "'name' is missing"],
  [{ ...shop, secret: 'whsec_' }, "Unknown property 'secret'"],
])('%j is refused', async (body, message) => {
  const { ask } = await newCaller();
  const refused = await ask('POST', '/webhooks', body);
  expect(refused).toMatchObject({ status: 400, code: 'BadRequest' });
  expect(refused.message).toContain(message);
  expect((await ask('GET', '/webhooks')).data).toEqual({ webhooks: [] });
});

test('a repeated creation finds its webhook among others of the same name', async () => {
  const { ask } = await newCaller();
  const other = await ask('POST', '/webhooks', { ...shop, name: 'Other', url: `${shop.url}/2` });
  const made = await ask('POST', '/webhooks', shop);
  await ask('PATCH', `/webhooks/${other.data?.id}`, { name: shop.name });
  const again = await ask('POST', '/webhooks', shop);
  expect(again.data).toMatchObject({ id: made.data?.id, secret: null });
});

test('limits are those of the pages', async () => {
  const { ask } = await newCaller();
  for (let index = 0; index < 5; index++) {
    await ask('POST', '/webhooks', { ...shop, name: `Webhook ${index}` });
  }
  expect(await ask('POST', '/webhooks', shop)).toMatchObject({
    status: 409,
    message: 'You have 5 webhooks, which is the most. Delete one first.',
  });
  const { data } = await ask('POST', '/webhooks', { ...shop, name: 'Webhook 0' });
  const tests = await Promise.all(
    Array.from({ length: 11 }, () => ask('POST', `/webhooks/${data?.id}/test`)),
  );
  expect(tests.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(tests.find(({ status }) => status !== 200)).toMatchObject({
    status: 429,
    code: 'TooManyRequests',
    message: 'Too many tests of webhooks. Wait 15 minutes and try again.',
    retryAfter: '900',
  });
});

test('turning on is limited like sending again, because it sends at once what waits', async () => {
  const { ask, accountId } = await newCaller();
  const path = `/webhooks/${(await ask('POST', '/webhooks', shop)).data?.id}`;
  await ask('PATCH', path, { is_on: false });
  const by = { accountId, at: world.now };
  for (let used = 0; used < 59; used++) await mayUseAlerts(world.store.accounts, 'resend', by);
  expect((await ask('PATCH', path, { is_on: true })).data?.state).toBe('active');
  expect((await ask('PATCH', path, { is_on: false })).data?.state).toBe('off');
  expect(await ask('PATCH', path, { is_on: true })).toMatchObject({
    status: 429,
    retryAfter: '3600',
  });
  expect((await ask('GET', path)).data?.state).toBe('off');
});

test('a change is made as a whole or not at all', async () => {
  const { ask, accountId } = await newCaller();
  const path = `/webhooks/${(await ask('POST', '/webhooks', shop)).data?.id}`;
  await ask('PATCH', path, { is_on: false });
  const before = (await ask('GET', path)).data;
  const { accounts } = world.store;
  const by = { accountId, at: world.now };
  while (await mayUseAlerts(accounts, 'resend', by));
  const whole = { name: 'Store', url: 'https://example.org/', scope: 'all', is_on: true };
  expect((await ask('PATCH', path, whole)).status).toBe(429);
  expect((await ask('GET', path)).data).toEqual(before);
  // Nothing was counted against the limit of the part that was allowed: one was for creating it.
  let left = 0;
  while (await mayUseAlerts(accounts, 'add', by)) left++;
  expect(left).toBe(29);
  expect((await ask('PATCH', path, { name: 'Store', is_on: false })).status).toBe(429);
  // What is on, and what is not changed, is not counted.
  expect((await ask('PATCH', path, { is_on: false })).status).toBe(200);
});

test('webhooks of others do not exist, nor do channels of other kinds', async () => {
  const [owner, other] = [await newCaller(), await newCaller()];
  const id = (await owner.ask('POST', '/webhooks', shop)).data?.id;
  const ntfy = await world.store.accounts.addDeliveryChannel(other.accountId, {
    kind: 'ntfy',
    name: 'Phone',
    address: null,
    secret: null,
    subscription: null,
    position: null,
    at: world.now,
  });
  const ntfyId = typeof ntfy === 'object' ? ntfy.id : 0;
  for (const path of [`/webhooks/${id}`, `/webhooks/${ntfyId}`]) {
    const answers = await Promise.all([
      other.ask('GET', path),
      other.ask('PATCH', path, { name: 'x' }),
      other.ask('POST', `${path}/test`),
      other.ask('POST', `${path}/secret`),
      other.ask('DELETE', path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  }
  expect((await owner.ask('GET', `/webhooks/${id}`)).status).toBe(200);
});

test('a key for events alone changes no webhook, and learns no secret', async () => {
  const { ask } = await newCaller({ scopes: scopeBits(['events']) });
  expect((await ask('GET', '/webhooks')).status).toBe(200);
  const answers = await Promise.all([
    ask('POST', '/webhooks', shop),
    ask('PATCH', '/webhooks/1', { url: shop.url }),
    ask('POST', '/webhooks/1/test'),
    ask('POST', '/webhooks/1/secret'),
    ask('DELETE', '/webhooks/1'),
  ]);
  expect(answers.map(({ code }) => code)).toEqual(Array(5).fill('ScopeRequired'));
});

test('what a key does to webhooks is in the audit log of its account', async () => {
  const { ask, accountId } = await newCaller();
  const { data } = await ask('POST', '/webhooks', shop);
  const path = `/webhooks/${data?.id}`;
  await ask('PATCH', path, { name: 'Store', is_on: false });
  await ask('POST', `${path}/secret`);
  await ask('DELETE', path);
  const page = { accountId, before: null, limit: 9 };
  const entries = await world.store.accounts.listAudit(page);
  expect(entries.map(({ action, detail }) => `${action} ${detail}`).reverse()).toEqual([
    `webhook.added webhook ${data?.id}`,
    `webhook.changed webhook ${data?.id}, name, turned off`,
    `webhook.changed webhook ${data?.id}, secret`,
    `webhook.removed webhook ${data?.id}`,
  ]);
});
