/** The webhook pages: added, secret shown once, tested, replayed, and only the user's own. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mayUseAlerts } from '../../src/accounts/sign-in/attempt-limits.work.ts';
import type { DeliveryChannel } from '../../src/alerts/channels/delivery-channel.ts';
import { deliveryKinds } from '../../src/alerts/channels/delivery-channel-kinds.ts';
import type { Delivery } from '../../src/alerts/delivery/delivery.ts';
import { makeEncrypter } from '../../src/kernel/encryption.ts';
import { hourMs } from '../../src/kernel/time.ts';
import { eventKinds, positionBefore } from '../../src/market/events/events.ts';
import { AlertOwner } from '../support/alerts.ts';
import { hiddenFields } from '../support/owner-pages.ts';
import {
  type Fields,
  readForm,
  type Seen,
  type Site,
  startSite,
  textOf,
  type Visitor,
} from '../support/site.ts';

const encrypter = makeEncrypter(new Uint8Array(32).fill(3), (count) =>
  crypto.getRandomValues(new Uint8Array(count)),
);

let site: Site;

beforeAll(async () => {
  site = await startSite({ secrets: { encrypter }, sendMail: async () => {} });
  await site.world.load([{ kind: 'set', set_number: '200', title: 'Ferry', theme: 'Coastline' }]);
  for (const price of [80, 70]) await offer(price);
});

afterAll(() => site.close());

const accounts = () => site.world.store.accounts;

/** A retail price, some time later. */
async function offer(price: number): Promise<void> {
  const { world } = site;
  world.now += hourMs;
  const about = { set_number: '200', retailer: 'retailer_a', seller_type: 'retailer' };
  const observed_at = new Date(world.now).toISOString();
  await world.load([{ kind: 'offer', ...about, observed_at, price }]);
}

async function addPerson(email: string, plan: 'free' | 'reseller' = 'reseller') {
  const visitor = await site.signedIn(email, { plan });
  return { visitor, id: await site.addAccount(email) };
}

const address = 'https://example.com/hooks/a-secret-path';

async function add(visitor: Visitor, typed: Fields = {}): Promise<Seen> {
  return visitor.submit(await visitor.get('/webhooks'), '/webhooks', { address, ...typed });
}

const secretIn = ({ html }: Seen) => /whsec_[A-Za-z0-9+/=]+/.exec(html)?.[0] ?? '';

async function webhookOf(id: number): Promise<DeliveryChannel> {
  const [webhook] = await accounts().listDeliveryChannels(id);
  if (!webhook) throw new Error('There is no webhook.');
  return webhook;
}

const deliveriesOf = async ({ accountId, id }: DeliveryChannel): Promise<Delivery[]> =>
  accounts().listDeliveries(accountId, id, { before: null, limit: 100 });

test('the secret is only in the response of the form, and the address is masked', async () => {
  const { visitor, id } = await addPerson('new@example.com');
  const page = await visitor.get('/webhooks');
  const notices = { kind_quota_reached: 'yes' };
  const fields = { ...readForm(page.html, '/webhooks'), address, ...notices };
  const made = await visitor.post('/webhooks', fields);
  expect([made.status, made.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const secret = secretIn(made);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  const webhook = await webhookOf(id);
  expect(webhook).toMatchObject({
    name: 'Webhook 1',
    state: 'active',
    // Not all kinds by default, which would be too many events.
    subscription: {
      kinds: ['retail.price', 'retail.low', 'retail.stock', 'deal.open'],
      scope: 'watch',
    },
    notices: ['quota.reached'],
  });
  const sealedFor = { accountId: id, purpose: 'address' } as const;
  expect(webhook.address && encrypter.decrypt(webhook.address, sealedFor)).toBe(address);
  const latest = await site.world.store.market.listEvents({
    after: null,
    kinds: null,
    items: null,
    limit: 1,
  });
  expect(webhook.position).toBe('next' in latest ? latest.next : -1);
  const again = await visitor.post('/webhooks', fields);
  expect([again.status, secretIn(again)]).toEqual([409, '']);
  expect(textOf(again.html)).toContain('was already submitted');
  expect(await accounts().listDeliveryChannels(id)).toHaveLength(1);
  for (const path of ['/webhooks', `/webhooks/${webhook.id}`, '/alerts/settings']) {
    const { html } = await visitor.get(path);
    expect([path, secretIn({ html } as Seen), html.includes('secret-path')]).toEqual([
      path,
      '',
      false,
    ]);
  }
  const list = textOf((await visitor.get('/webhooks')).html);
  const kinds = 'retail.price, retail.low, retail.stock, deal.open';
  const shown = `${kinds} · My watchlists, quota.reached`;
  expect(list).toContain(`Webhook 1 example.com/hook… ${shown} On`);
  const { html } = await visitor.get(`/webhooks/${webhook.id}`);
  expect(readForm(html, `/webhooks/${webhook.id}`)).toMatchObject(notices);
});

test('a rotated secret is shown once, and no form creates two', async () => {
  const { visitor, id } = await addPerson('rotate@example.com');
  const first = secretIn(await add(visitor));
  const webhook = await webhookOf(id);
  const path = `/webhooks/${webhook.id}/rotate`;
  const fields = readForm((await visitor.get(`/webhooks/${webhook.id}`)).html, path);
  const rotated = await visitor.post(path, fields);
  const second = secretIn(rotated);
  expect([rotated.status, second.length, second === first]).toEqual([200, first.length, false]);
  expect(rotated.headers.get('Cache-Control')).toBe('no-store');
  expect(textOf(rotated.html)).toMatch(
    /Until .* UTC, messages are also signed with the old secret/,
  );
  const reload = await visitor.post(path, fields);
  expect([reload.status, secretIn(reload)]).toEqual([409, '']);
});

test('input is validated, the limit is five, and the plan is required', async () => {
  const { visitor, id } = await addPerson('five@example.com');
  for (const [typed, message] of [
    [{ address: 'http://example.com/in' }, 'must begin with https'],
    [{ address: 'https://a:b@example.com/' }, 'user name or a password'],
    [{ scope: 'mine' }, 'Choose one of the options.'],
    [{ name: 'x'.repeat(61) }, 'Use at most 60 characters.'],
  ] as const) {
    const seen = await add(visitor, typed);
    expect([typed, seen.status]).toEqual([typed, 400]);
    expect(textOf(seen.html)).toContain(message);
  }
  const open = await visitor.get('/webhooks');
  for (let count = 0; count < 5; count++) expect((await add(visitor)).status).toBe(200);
  const sixth = await visitor.submit(open, '/webhooks', { address });
  expect([sixth.status, secretIn(sixth)]).toEqual([409, '']);
  expect(textOf(sixth.html)).toContain('You have 5 webhooks. Delete one first.');
  expect(() => readForm(sixth.html, '/webhooks')).toThrow();
  const { id: webhookId, name } = await webhookOf(id);
  const message = await accounts().addTest(id, webhookId, site.world.now);
  await accounts().setPlan('five@example.com', 'free');
  // Existing webhooks can still be viewed, turned off and deleted.
  const path = `/webhooks/${webhookId}`;
  const page = await visitor.get(path);
  for (const [form, typed] of [
    [path, { name: 'Other' }],
    [`${path}/test`, {}],
    [`${path}/rotate`, {}],
    [`${path}/replay`, { from: '1' }],
    [`${path}/switch`, { to: 'on' }],
  ] as const) {
    expect([form, (await visitor.submit(page, form, typed)).status]).toEqual([form, 403]);
  }
  const resend = await visitor.post(
    `${path}/deliveries/${message}/resend`,
    hiddenFields(page.html),
  );
  expect(resend.status).toBe(403);
  expect((await visitor.submit(page, `${path}/switch`)).status).toBe(303);
  expect(await webhookOf(id)).toMatchObject({ name, state: 'off' });
  const asking = await visitor.get(`/webhooks/${webhookId}/delete`);
  const deleted = await visitor.submit(asking, `/webhooks/${webhookId}/delete`);
  expect(deleted.goTo).toBe('/webhooks?did=deleted');
  expect(await accounts().listDeliveryChannels(id)).toHaveLength(4);
  const free = await addPerson('free@example.com', 'free');
  expect((await free.visitor.get('/webhooks')).status).toBe(403);
  const tokens = hiddenFields((await free.visitor.get('/alerts')).html);
  const forced = { ...tokens, address, scope: 'all', kind_deal_open: 'yes' };
  expect((await free.visitor.post('/webhooks', forced)).status).toBe(403);
  expect(await accounts().listDeliveryChannels(free.id)).toEqual([]);
});

test('address, kinds and scope are changed; empty fields stay unchanged; it is turned off and on', async () => {
  const { visitor, id } = await addPerson('change@example.com');
  await add(visitor, { name: 'Mine' });
  const before = await webhookOf(id);
  const path = `/webhooks/${before.id}`;
  const page = await visitor.get(path);
  const { kind_retail_price, kind_deal_open, ...fields } = readForm(page.html, path);
  expect([kind_retail_price, kind_deal_open]).toEqual(['yes', 'yes']);
  const none = Object.fromEntries(eventKinds.map((kind) => [`kind_${kind.replace('.', '_')}`, '']));
  const typed = { ...fields, ...none, kind_retail_low: 'yes', scope: 'holdings' };
  expect((await visitor.post(path, typed)).goTo).toBe(`${path}?did=saved`);
  const after = await webhookOf(id);
  expect(after.subscription).toEqual({ kinds: ['retail.low'], scope: 'holdings' });
  expect([after.name, after.address, after.position]).toEqual([
    'Mine',
    before.address,
    before.position,
  ]);
  await visitor.post(path, { ...typed, kind_retail_low: '', address: 'https://example.org/new' });
  const moved = await webhookOf(id);
  expect(moved).toMatchObject({ subscription: { kinds: [], scope: 'holdings' }, position: null });
  expect(
    moved.address && encrypter.decrypt(moved.address, { accountId: id, purpose: 'address' }),
  ).toBe('https://example.org/new');
  expect((await visitor.post(path, { ...typed, address: 'nowhere' })).status).toBe(400);
  expect((await visitor.submit(page, `${path}/switch`)).status).toBe(303);
  expect((await webhookOf(id)).state).toBe('off');
  const off = await visitor.get(path);
  expect(textOf(off.html)).toContain('Status Off');
  await visitor.submit(off, `${path}/switch`);
  expect((await webhookOf(id)).state).toBe('active');
});

test('deliveries are listed with escaped responses, and can be resent', async () => {
  const { visitor, id } = await addPerson('list@example.com');
  await add(visitor);
  const webhook = await webhookOf(id);
  const path = `/webhooks/${webhook.id}`;
  const page = await visitor.get(path);
  expect(textOf(page.html)).toContain('Nothing sent yet');
  expect((await visitor.submit(page, `${path}/test`)).status).toBe(303);
  const [due] = await accounts().listDue({
    at: site.world.now,
    kinds: deliveryKinds,
    busy: [],
    busyAccounts: [],
    slow: [],
    channels: 100,
    deliveries: 1,
  });
  const [delivery] = await deliveriesOf(webhook);
  expect([due?.id, delivery?.type]).toEqual([webhook.id, 'test']);
  const tried = {
    id: webhook.id,
    kind: 'webhook',
    stateBefore: 'active',
    failingSince: site.world.now,
    failures: 3,
    retryAt: null,
  } as const;
  await accounts().saveTried([{ ...tried, state: 'active', stateReason: null, deliveries: [] }]);
  expect(textOf((await visitor.get('/webhooks')).html)).toContain('Failing Failing since Nov 15');
  await accounts().saveTried([
    {
      ...tried,
      state: 'paused',
      stateReason: 'It answered 500 <for> days.',
      deliveries: [
        {
          id: delivery?.id ?? 0,
          triesBefore: 0,
          state: 'given_up',
          tries: 3,
          dueAt: site.world.now,
          triedAt: site.world.now,
          answerStatus: 500,
          answer: '<img src=x onerror=alert(1)> broken',
        },
      ],
    },
  ]);
  const { html } = await visitor.get(path);
  const text = textOf(html);
  expect(text).toContain('Paused It answered 500 <for> days. Failing since Nov 15');
  expect(text).toContain(
    `test Nov 15, 2026, 14:00 UTC Failed 3 500 <img src=x onerror=alert(1)> broken webhook-id`,
  );
  expect(html).not.toContain('<img');
  const resend = `${path}/deliveries/${delivery?.id}/resend`;
  expect((await visitor.submit({ html } as Seen, resend)).goTo).toBe(`${path}?did=resent`);
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  while (await mayUseAlerts(accounts(), 'resend', { accountId: id, at: site.world.now }));
  expect((await visitor.submit({ html } as Seen, resend)).status).toBe(429);
});

test('deliveries show what was sent, and which of them wait for another', async () => {
  const { visitor, id } = await addPerson('said@example.com');
  await add(visitor);
  const { id: channelId, position: from } = await webhookOf(id);
  const delivery = (position: number) => ({
    channelId,
    messageId: `evt_${position}`,
    type: 'retail.price',
    orderKey: 'set:200',
    body: JSON.stringify({ data: { number: '200', title: '<i>Ferry</i>', after: { price: 70 } } }),
    at: site.world.now,
    position,
  });
  const deliveries = [1, 2].map((more) => delivery((from ?? 0) + more));
  await accounts().advance([{ channelId, from: from ?? 0, to: (from ?? 0) + 2, deliveries }]);
  const text = textOf((await visitor.get(`/webhooks/${channelId}`)).html);
  const [later = '', first = ''] = text.split('retail.price 200 <i>Ferry</i> position').slice(1);
  expect(later).toContain('Waiting for an earlier event of this item');
  expect(first).not.toContain('Waiting for an earlier');
  expect(first).toContain('"after": { "price": 70 }');
});

test('events are replayed from a position or a time that the log still has', async () => {
  const { visitor, id } = await addPerson('replay@example.com');
  await add(visitor);
  const path = `/webhooks/${(await webhookOf(id)).id}`;
  const replay = async (from: string) =>
    visitor.submit(await visitor.get(path), `${path}/replay`, { from });
  const position = async () => (await webhookOf(id)).position ?? -1;
  const latest = await position();
  const hourAgo = site.world.now - hourMs;
  const replayed = await replay(new Date(hourAgo).toISOString().slice(0, 16));
  expect(textOf((await visitor.get(replayed.goTo ?? '')).html)).toContain('Replay started.');
  expect(await position()).toBe(positionBefore(hourAgo));
  expect((await replay(String(positionBefore(hourAgo) - 5))).status).toBe(303);
  expect(await position()).toBe(positionBefore(hourAgo) - 5);
  for (const [from, message] of [
    ['', 'Enter a position, or a time in UTC'],
    ['yesterday', 'Enter a position, or a time in UTC'],
    ['2026-02-31 10:00', 'Enter a position, or a time in UTC'],
    ['-5', 'Enter a position, or a time in UTC'],
    [String(latest + 1), 'This is after the latest event.'],
  ] as const) {
    const seen = await replay(from);
    expect([from, seen.status]).toEqual([from, 400]);
    expect(textOf(seen.html)).toContain(message);
    // The input of the other form is kept.
    expect(readForm(seen.html, path)).toMatchObject({ kind_deal_open: 'yes' });
  }
});

test("another account's alerts, channels, webhooks and deliveries look like none, by any path", async () => {
  const ann = await addPerson('ann@example.com');
  const bob = await addPerson('bob@example.com');
  await add(ann.visitor);
  const webhook = await webhookOf(ann.id);
  const owner = new AlertOwner(accounts(), ann.id, site.world.now);
  const listId = await owner.list('Wanted');
  const email = await owner.email();
  const ruleId = await owner.rule({ channelIds: [email, webhook.id] });
  await ann.visitor.submit(await ann.visitor.get('/alerts/settings'), '/alerts/channels', {
    kind: 'ntfy',
    address: 'https://ntfy.sh/topic',
  });
  await accounts().addTest(ann.id, webhook.id, site.world.now);
  const state = async () => ({
    rules: await accounts().listAlertRules(ann.id),
    channels: await accounts().listDeliveryChannels(ann.id),
    deliveries: await deliveriesOf(webhook),
  });
  const before = await state();
  const tokens = hiddenFields((await bob.visitor.get('/alerts')).html);
  const [delivery] = before.deliveries;
  const ids = [ruleId, ...before.channels.map(({ id }) => id)];
  const rows = site.routes.filter(({ path }) => /^\/(alerts|webhooks)\/.*\{id\}/.test(path));
  expect(rows.length).toBeGreaterThan(10);
  for (const { path, get, post } of rows) {
    for (const id of ids) {
      const there = path.replace('{id}', String(id)).replace('{delivery}', String(delivery?.id));
      const typed = { ...tokens, once: there, to: 'off', from: '0', address, scope: 'all' };
      if (get) expect([there, (await bob.visitor.get(there)).status]).toEqual([there, 404]);
      if (post)
        expect([there, (await bob.visitor.post(there, typed)).status]).toEqual([there, 404]);
    }
  }
  // They cannot be used in an own alert or webhook, and no page shows their tests.
  const form = await bob.visitor.get('/alerts/new?template=gain');
  const foreign = { [`channel_${webhook.id}`]: 'yes', condition: 'all_time_low' };
  await bob.visitor.submit(form, '/alerts/new', { ...foreign, scope: 'all' });
  const other = await bob.visitor.get('/alerts/new');
  const ofList = await bob.visitor.submit(other, '/alerts/new', {
    ...foreign,
    scope: `list:${listId}`,
  });
  expect(ofList.status).toBe(400);
  const [rule] = await accounts().listAlertRules(bob.id);
  expect(rule?.channelIds).not.toContain(webhook.id);
  await add(bob.visitor);
  const own = (await accounts().listDeliveryChannels(bob.id)).find(
    ({ kind }) => kind === 'webhook',
  );
  const resend = `/webhooks/${own?.id}/deliveries/${delivery?.id}/resend`;
  expect((await bob.visitor.post(resend, tokens)).status).toBe(404);
  for (const path of ['/alerts/settings', `/webhooks/${own?.id}`]) {
    for (const channel of [webhook.id, own?.id]) {
      const query = `?channel=${channel}&test=${delivery?.id}`;
      expect(textOf((await bob.visitor.get(path + query)).html)).not.toContain('The test to');
    }
  }
  expect(textOf((await bob.visitor.get('/alerts/fired')).html)).toContain('No alerts yet');
  expect(await state()).toEqual(before);
  // Their owner still has them.
  expect((await ann.visitor.get(`/webhooks/${webhook.id}`)).status).toBe(200);
  expect((await ann.visitor.get(`/alerts/${ruleId}`)).status).toBe(200);
});
