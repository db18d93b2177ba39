/** The alert pages: create, change, list, send and unsubscribe, and their channels. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Mail } from '../../src/accounts/people/mail.ts';
import {
  mayAskToConfirm,
  mayOpenMailedLink,
  mayUseAlerts,
} from '../../src/accounts/sign-in/attempt-limits.work.ts';
import { hashToken } from '../../src/accounts/sign-in/sign-in.work.ts';
import { confirmToken } from '../../src/alerts/channels/confirm-link.ts';
import {
  channelPath,
  deliveryKinds,
  deliveryTable,
  hasAddress,
} from '../../src/alerts/channels/delivery-channel-kinds.ts';
import type { AlertRule } from '../../src/alerts/conditions/alert-rule.ts';
import { alertStep } from '../../src/alerts/conditions/alerts.work.ts';
import { endAlertPath } from '../../src/alerts/conditions/end-link.ts';
import type { NewMatch } from '../../src/alerts/conditions/notification.ts';
import type { TriedDelivery } from '../../src/alerts/delivery/delivery.ts';
import { dayMs, hourMs, minuteMs } from '../../src/kernel/time.ts';
import { confirmPath } from '../../src/web/owner/alerts/email-channel.ts';
import { AlertOwner } from '../support/alerts.ts';
import { anAddress } from '../support/builders.ts';
import { setWorth } from '../support/person.ts';
import {
  confirmLinkIn,
  type Fields,
  readForm,
  type Seen,
  type Site,
  startSite,
  textOf,
  type Visitor,
} from '../support/site.ts';
import { until } from '../support/until.ts';

let site: Site;
/** Called while a form waits for a test delivery. */
let onSleep: () => Promise<void> = async () => {};
/** Emails sent by pages. */
const mails: Mail[] = [];
let canMatch = true;
let matches: readonly NewMatch[] = [];

beforeAll(async () => {
  site = await startSite({
    sendMail: async (mail) => void mails.push(mail),
    sleep: () => onSleep(),
    alerts: {
      findMatches: async () => (canMatch ? { reported: matches, position: 0 } : 'too many'),
    },
  });
  await site.world.load([
    ...setWorth('100', { sealed: 90 }),
    { kind: 'set', set_number: '200', title: 'Night <b>Ferry</b>', theme: 'Coastline' },
  ]);
});

afterAll(() => site.close());

const accounts = () => site.world.store.accounts;

async function addPerson(email: string, facts?: { plan?: 'free' | 'reseller' }) {
  const visitor = await site.signedIn(email, facts);
  const id = await site.addAccount(email);
  return { visitor, id, owner: new AlertOwner(accounts(), id, site.world.now) };
}

const rulesOf = (id: number) => accounts().listAlertRules(id);

async function create(visitor: Visitor, typed: Fields = {}, query = ''): Promise<Seen> {
  const form = await visitor.get(`/alerts/new${query}`);
  return visitor.submit(form, '/alerts/new', typed);
}

describe('a new alert', () => {
  test('from a template takes one click, and is summarized in one sentence', async () => {
    const { visitor, id, owner } = await addPerson('new@example.com');
    expect(textOf((await visitor.get('/alerts')).html)).toContain('Create your first alert');
    // Targets are set on watch lists; without one, the page links to them.
    expect((await visitor.get('/alerts')).html).not.toContain('template=target');
    const none = await visitor.get('/alerts/new?template=target');
    expect(textOf(none.html)).toContain('Create a watchlist first');
    expect(none.html).toMatch(/<option value="price_target"[^>]* disabled/);
    const listId = await owner.list('Retiring soon', { '100': 50_00 });
    const made = await create(visitor, {}, '?template=target');
    expect([made.status, made.goTo]).toEqual([303, '/alerts?did=on&n=0']);
    const [rule] = await rulesOf(id);
    const channels = await accounts().listDeliveryChannels(id);
    expect(channels.map(({ kind }) => kind)).toEqual(['email']);
    expect(rule).toMatchObject({
      scope: { kind: 'list', listId },
      condition: { kind: 'price_target' },
      channelIds: [channels[0]?.id],
      repeatDays: null,
      digest: 'none',
      dailyCap: 20,
      isOn: true,
    });
    const page = textOf((await visitor.get(made.goTo ?? '')).html);
    expect(page).toContain('Nothing matches yet.');
    expect(page).toContain(
      'Tell me when anything on Retiring soon is offered at or below its target price, by email',
    );
    // An item counts once, however many retailers match.
    const notified = { itemKind: 'set', itemKey: '100', baseCents: null } as const;
    matches = [
      { ...notified, retailer: 'retailer_a' },
      { ...notified, retailer: 'retailer_b' },
    ];
    expect((await create(visitor, {}, '?template=low')).goTo).toBe('/alerts?did=on&n=1');
    matches = [];
    await create(visitor, {}, '?template=gain');
    const rules = await rulesOf(id);
    expect(rules.map(({ condition }) => condition.kind).sort()).toEqual([
      'all_time_low',
      'margin',
      'price_target',
    ]);
    // The channel is created once.
    expect(await accounts().listDeliveryChannels(id)).toHaveLength(1);
    const several = textOf((await visitor.get('/alerts?did=on&n=4')).html);
    expect(several).toContain('4 items already match. You’ll be alerted about new matches.');
    while (await mayUseAlerts(accounts(), 'save', { accountId: id, at: site.world.now }));
    expect((await create(visitor, {}, '?template=gain')).status).toBe(429);
    expect(await rulesOf(id)).toHaveLength(3);
  });

  test('is a sentence with choices in it', async () => {
    const { visitor, id } = await addPerson('beside@example.com');
    const typed = {
      name: 'Cheap <i>castles</i>',
      scope: 'theme:Coastline',
      condition: 'price_amount',
      amount: '$49.50',
      repeat_days: '7',
      digest: 'weekly',
      daily_cap: '3',
    };
    expect((await create(visitor, typed)).status).toBe(303);
    const [rule] = await rulesOf(id);
    expect(rule).toMatchObject({
      name: 'Cheap <i>castles</i>',
      scope: { kind: 'theme', theme: 'Coastline' },
      condition: { kind: 'price_amount', cents: 49_50 },
      repeatDays: 7,
      digest: 'weekly',
      dailyCap: 3,
    });
    const { html } = await visitor.get('/alerts');
    expect(html).not.toContain('<i>castles');
    expect(textOf(html)).toContain(
      'Tell me when anything in Coastline is offered at or below $49.50, by email',
    );
    expect(textOf(html)).toContain('repeats after 7 days · up to 3 a day');
  });

  test.each([
    [{ condition: '' }, 'Choose one of the options.'],
    [{ condition: 'price_amount', amount: '' }, 'Enter an amount'],
    [{ condition: 'price_amount', amount: '0' }, 'Enter an amount above 0.'],
    [{ condition: 'price_of_value', amount: '0.5' }, 'Enter 1 to 1000.'],
    [{ condition: 'value_up', amount: '4.9' }, 'Enter 5 to 1000.'],
    [{ condition: 'value_down', amount: '100' }, 'Enter 5 to 99.'],
    [{ condition: 'price_target', scope: 'holdings' }, 'Targets are set on a watchlist'],
    [{ condition: 'margin', amount: '20', scope: 'all' }, 'measured on what you own'],
    [{ condition: 'all_time_low', scope: 'list:999999' }, 'Choose one of the options.'],
    [{ condition: 'all_time_low', scope: 'theme:Nowhere' }, 'Choose one of the options.'],
    [{ condition: 'all_time_low', daily_cap: '0' }, 'Enter 1 or more.'],
    [{ condition: 'all_time_low', daily_cap: '101' }, 'Enter 100 or less.'],
    [{ condition: 'all_time_low', repeat_days: '366' }, 'Enter 365 or less.'],
    [{ condition: 'all_time_low', digest: 'hourly' }, 'Choose one of the options.'],
    [{ condition: 'all_time_low', name: 'x'.repeat(101) }, 'Use at most 100 characters.'],
    [{ condition: 'price_of_max_buy', amount: '100' }, 'part of the Reseller plan'],
  ])('with %p has an error at its field: %s', async (typed: Fields, message) => {
    const visitor = await site.signedIn('faulty@example.com');
    const seen = await create(visitor, typed);
    expect(seen.status).toBe(400);
    expect(textOf(seen.html)).toContain(message);
    expect(await rulesOf(await site.addAccount('faulty@example.com'))).toEqual([]);
  });

  test('sent twice is one alert; one with too many matches is rejected, also when turned on', async () => {
    const { visitor, id } = await addPerson('twice@example.com');
    const form = await visitor.get('/alerts/new?template=gain');
    const fields = readForm(form.html, '/alerts/new');
    await Promise.all([visitor.post('/alerts/new', fields), visitor.post('/alerts/new', fields)]);
    expect(await rulesOf(id)).toHaveLength(1);
    const [rule] = (await rulesOf(id)) as [AlertRule];
    const page = await visitor.get('/alerts');
    canMatch = false;
    try {
      const broad = await create(visitor, {}, '?template=gain');
      expect(broad.status).toBe(400);
      expect(textOf(broad.html)).toContain(
        'More than 1,000 items match this now. Choose a watchlist',
      );
      const path = `/alerts/${rule.id}/switch`;
      expect((await visitor.submit(page, path, { to: 'on' })).status).toBe(409);
    } finally {
      canMatch = true;
    }
    expect(await rulesOf(id)).toHaveLength(1);
  });

  test('changed and sent again, as after Back in the browser, is another alert', async () => {
    const { visitor, id } = await addPerson('back@example.com');
    const form = await visitor.get('/alerts/new?template=gain');
    const fields = readForm(form.html, '/alerts/new');
    for (const name of ['First', 'Second']) await visitor.post('/alerts/new', { ...fields, name });
    expect((await rulesOf(id)).map(({ name }) => name).sort()).toEqual(['First', 'Second']);
  });

  test('the fifty-first is rejected', async () => {
    const { visitor, owner, id } = await addPerson('many@example.com');
    const form = await visitor.get('/alerts/new?template=gain');
    for (let count = 0; count < 50; count++) await owner.rule();
    const seen = await visitor.submit(form, '/alerts/new');
    expect(seen.status).toBe(409);
    expect(textOf(seen.html)).toContain(
      'You’ve reached the limit of 50 alerts. Delete one to add another.',
    );
    expect((await visitor.get('/alerts')).html).not.toContain('/alerts/new');
    expect(await rulesOf(id)).toHaveLength(50);
  });
});

test('an alert is turned off and on, changed and deleted', async () => {
  const { visitor, id, owner } = await addPerson('change@example.com', { plan: 'reseller' });
  const ruleId = await owner.rule({ name: 'Mine', repeatDays: 5 });
  const path = `/alerts/${ruleId}`;
  const [page, form] = [await visitor.get('/alerts'), await visitor.get(path)];
  expect(readForm(form.html, path)).toMatchObject({
    name: 'Mine',
    scope: 'all',
    condition: 'price_amount',
    amount: '50.00',
    repeat_days: '5',
    daily_cap: '20',
  });
  expect((await visitor.submit(page, `${path}/switch`)).goTo).toBe('/alerts?did=off');
  expect(await rulesOf(id)).toMatchObject([{ isOn: false }]);
  const typed = { condition: 'price_of_max_buy', amount: '90', repeat_days: '' };
  expect((await visitor.submit(form, path, typed)).goTo).toBe('/alerts?did=saved');
  expect(await rulesOf(id)).toMatchObject([
    { condition: { kind: 'price_of_max_buy', percent: 90 }, repeatDays: null, isOn: false },
  ]);
  const off = await visitor.get('/alerts');
  expect((await visitor.submit(off, `${path}/switch`)).goTo).toBe('/alerts?did=on&n=0');
  expect(await rulesOf(id)).toMatchObject([{ isOn: true }]);
  const asking = await visitor.get(`${path}/delete`);
  expect(textOf(asking.html)).toContain('Delete this alert?');
  expect((await visitor.submit(asking, `${path}/delete`)).goTo).toBe('/alerts?did=deleted');
  expect(await rulesOf(id)).toEqual([]);
  expect((await visitor.get(path)).status).toBe(404);
});

test('an alert about max buy prices is paused without the Reseller plan', async () => {
  const email = 'paused@example.com';
  const { visitor, id, owner } = await addPerson(email, { plan: 'reseller' });
  const condition = { kind: 'price_of_max_buy', percent: 100 } as const;
  const ruleId = await owner.rule({ condition });
  expect(textOf((await visitor.get('/alerts')).html)).not.toContain('Paused');
  await accounts().setPlan(email, 'free');
  const page = await visitor.get('/alerts');
  expect(textOf(page.html)).toContain('Paused Max buy prices are part of the Reseller plan.');
  await visitor.submit(page, `/alerts/${ruleId}/switch`);
  const off = await visitor.get('/alerts');
  const refused = await visitor.submit(off, `/alerts/${ruleId}/switch`);
  expect(refused.status).toBe(403);
  expect(textOf(refused.html)).toContain('Max buy prices are part of the Reseller plan.');
  expect(await rulesOf(id)).toMatchObject([{ isOn: false }]);
});

test('watching a set with a target optionally creates one alert for its list', async () => {
  const { visitor, id } = await addPerson('watch@example.com');
  const watch = async (set: string, typed: Fields) =>
    visitor.submit(await visitor.get(`/sets/${set}`), '/watchlist/watch', typed);
  // Without a target there is nothing to alert about.
  await watch('200', { target: '' });
  const without = await watch('100', { target: '', alert: 'yes' });
  expect([without.status, textOf(without.html)]).toEqual([
    400,
    expect.stringContaining('Enter a target price, or clear “Alert me”.'),
  ]);
  expect(await rulesOf(id)).toEqual([]);
  expect((await watch('100', { target: '30', alert: 'yes' })).goTo).toBe('/sets/100#watch');
  expect(textOf((await visitor.get('/sets/100')).html)).toContain('target $30.00, alert on');
  const [list] = await accounts().listWatchLists(id);
  const rule = {
    name: 'Price at or below target, on Watchlist',
    scope: { kind: 'list', listId: list?.id },
    condition: { kind: 'price_target' },
    channelIds: (await accounts().listDeliveryChannels(id)).map((channel) => channel.id),
    isOn: true,
  };
  expect(await rulesOf(id)).toMatchObject([rule]);
  expect(rule.channelIds).toHaveLength(1);
  expect((await visitor.get('/sets/200')).html).not.toContain('name="alert"');
  // Another list without an alert does not affect items on this one.
  await accounts().addWatchList(id, { name: 'Other', at: site.world.now });
  expect((await visitor.get('/sets/200')).html).not.toContain('name="alert"');
  await accounts().turnOffAlertRule(id, (await rulesOf(id))[0]?.id ?? 0);
  await watch('200', { target: '40' });
  expect(await rulesOf(id)).toMatchObject([{ isOn: false }]);
  await watch('200', { target: '40', alert: 'yes' });
  expect(await rulesOf(id)).toMatchObject([rule]);
  const page = await visitor.get(`/alerts/new?template=low&list=${list?.id}`);
  expect(readForm(page.html, '/alerts/new').scope).toBe(`list:${list?.id}`);
});

/** Processes the waiting test delivery like the delivery process. */
async function settleTest(
  accountId: number,
  outcome: Pick<TriedDelivery, 'state' | 'answerStatus' | 'answer'>,
): Promise<void> {
  const { now } = site.world;
  const asked = {
    at: now,
    kinds: deliveryKinds,
    busy: [],
    busyAccounts: [],
    slow: [],
    channels: 100,
    deliveries: 1,
  };
  const due = await accounts().listDue(asked);
  const channel = due.find((each) => each.accountId === accountId);
  const [test] = channel?.deliveries ?? [];
  if (!channel || !test || outcome.state === 'waiting') return;
  const { id, kind, state, failingSince, failures } = channel;
  const tried = { id: test.id, triesBefore: 0, tries: 1, dueAt: now, triedAt: now, ...outcome };
  const rest = { stateBefore: state, state, stateReason: null, failingSince, failures };
  await accounts().saveTried([{ id, kind, ...rest, retryAt: null, deliveries: [tried] }]);
}

/** Tokens of the links in messages, latest last. */
const tokens: string[] = [];

/** Runs the delivery process until nothing is left. */
async function work(): Promise<void> {
  const { world } = site;
  const deps = {
    market: world.store.market,
    accounts: accounts(),
    clock: () => world.now,
    baseUrl: site.url,
    retailerNames: { retailer_a: 'Retailer A', retailer_b: 'Retailer B' },
    findTables: () => {
      throw new Error('No rule is about max buy prices.');
    },
    readResale: () => null,
    makeToken: () => {
      const token = `token-${tokens.length}`;
      tokens.push(token);
      return { token, hash: hashToken(token) };
    },
  };
  while (await alertStep(deps));
}

/** A retail price, some time later. */
async function offer(set: string, price: number): Promise<void> {
  const { world } = site;
  world.now += hourMs;
  const observed_at = new Date(world.now).toISOString();
  const about = { set_number: set, retailer: 'retailer_a', seller_type: 'retailer' };
  await world.load([{ kind: 'offer', ...about, observed_at, price }]);
}

test('the page of an alert lists its current matches, and when they are sent again', async () => {
  await offer('200', 80);
  await work();
  const { visitor, owner } = await addPerson('now@example.com');
  const id = await owner.rule({ scope: { kind: 'theme', theme: 'Coastline' }, repeatDays: 7 });
  const page = async () => textOf((await visitor.get(`/alerts/${id}`)).html);
  expect(await page()).toContain('Matches now Nothing matches yet.');
  await offer('200', 49.5);
  await work();
  const text = await page();
  expect(text).toContain(
    'You’ll be alerted again after the price has risen above the limit, or after 7 days.',
  );
  expect(text).toContain('Night <b>Ferry</b> 200 Retailer A $49.50');
  await offer('200', 80);
  await work();
  expect(await page()).toContain('Nothing matches yet.');
  const edge = await owner.rule({ condition: { kind: 'back_in_stock' } });
  expect(textOf((await visitor.get(`/alerts/${edge}`)).html)).not.toContain('Matches now');
});

describe('the notification history', () => {
  test('lists reasons, links to item and alert, and held-back notifications', async () => {
    const { visitor, id, owner } = await addPerson('sent@example.com');
    expect(textOf((await visitor.get('/alerts/fired')).html)).toContain('No alerts yet');
    await accounts().saveAlertSettings(id, {
      timeZone: 'America/New_York',
      quiet: { from: 0, until: 23 * 60 },
    });
    await offer('200', 80);
    await work();
    const about = { scope: { kind: 'theme', theme: 'Coastline' } } as const;
    const email = await owner.email();
    const quiet = await owner.rule({ ...about, name: 'Quiet', channelIds: [email] });
    await owner.rule({ ...about, name: 'Page <b>only</b>' });
    await offer('200', 45);
    await work();
    const { html } = await visitor.get('/alerts/fired');
    const text = textOf(html);
    expect(text).toContain('200 Night <b>Ferry</b> is $45.00 at Retailer A');
    expect(html).toContain('href="/sets/200"');
    expect(html).toContain(`href="/alerts/${quiet}"`);
    expect(html).not.toContain('<b>');
    expect(text).toContain('Waiting for your quiet hours to end at 23:00');
    expect(text).toContain('Shown here only: no channel is on');
    expect(text).toContain('Times are in America/New_York.');
    expect(text).not.toContain('Next');
    site.world.now += 24 * hourMs;
    await work();
    const sent = async () => textOf((await visitor.get('/alerts/fired')).html);
    expect(await sent()).toContain('Email: about to be sent');
    await settleTest(id, { state: 'done', answerStatus: null, answer: '' });
    expect(await sent()).toContain('Email: delivered');
    expect(textOf((await visitor.get('/alerts')).html)).toMatch(
      /Quiet .* Nov \d+, 2026, \d\d:\d\d EST On/,
    );
  });

  test('has a bell on every page, which counts new alerts until they are seen', async () => {
    const { visitor, owner } = await addPerson('bell@example.com');
    const bell = async (path = '/inventory') =>
      /class="bell"[^>]*aria-label="([^"]*)"/.exec((await visitor.get(path)).html)?.[1];
    await offer('200', 80);
    await work();
    await owner.rule({ name: 'No channel', scope: { kind: 'theme', theme: 'Coastline' } });
    expect(await bell()).toBe('Alerts, none new');
    await offer('200', 45);
    await work();
    expect(await bell()).toBe('Alerts, 1 new');
    const today = textOf((await visitor.get('/today')).html);
    expect(today).toContain('New alerts (1) See all 200 Night <b>Ferry</b> is $45.00');
    expect(await bell()).toBe('Alerts, 1 new');
    const fired = await visitor.get('/alerts/fired');
    expect(textOf(fired.html)).toContain('New 200 Night');
    expect(fired.html).toContain('aria-label="Alerts, none new"');
    expect(await bell()).toBe('Alerts, none new');
    expect(textOf((await visitor.get('/alerts/fired')).html)).not.toContain('New 200 Night');
    expect(textOf((await visitor.get('/today')).html)).toContain('Nothing new.');
  });

  test('is paged, latest first', async () => {
    const { visitor, owner } = await addPerson('paged@example.com');
    for (let count = 0; count < 26; count++) {
      await owner.rule({ name: `Rule ${count}.`, scope: { kind: 'theme', theme: 'Coastline' } });
    }
    await offer('200', 80);
    await offer('200', 44);
    await work();
    await offer('200', 80);
    await work();
    await offer('200', 43);
    await work();
    const first = await visitor.get('/alerts/fired');
    expect([...first.html.matchAll(/\$43\.00/g)]).toHaveLength(26);
    const older = /href="(\/alerts\/fired\?before=\d+)"/.exec(first.html)?.[1] ?? '';
    const second = await visitor.get(older);
    expect([...second.html.matchAll(/\$44\.00/g)]).toHaveLength(2);
    expect(textOf(second.html)).toContain('Previous');
    expect((await visitor.get('/alerts/fired?before=x')).html).toContain('$43.00');
  });
});

describe('alert settings', () => {
  const path = '/alerts/settings';

  test('have a time zone and quiet hours, also over midnight', async () => {
    const { visitor, id } = await addPerson('zone@example.com');
    const page = await visitor.get(path);
    expect(readForm(page.html, path)).toMatchObject({ time_zone: 'UTC', quiet_from: '' });
    const typed = { time_zone: 'America/New_York', quiet_from: '22:30', quiet_until: '07:00' };
    expect((await visitor.submit(page, path, typed)).goTo).toBe(`${path}?did=saved`);
    expect(await accounts().findAlertSettings(id)).toEqual({
      timeZone: 'America/New_York',
      quiet: { from: 22 * 60 + 30, until: 7 * 60 },
    });
    expect(readForm((await visitor.get(path)).html, path)).toMatchObject(typed);
    expect(textOf((await visitor.get('/alerts/new')).html)).toContain(
      'Daily digest, at 08:00 (America/New_York)',
    );
    for (const [wrong, message] of [
      [{ time_zone: 'Mars/Olympus' }, 'Choose one of the options.'],
      [{ quiet_until: '' }, 'Enter a time like 22:00, or leave both empty.'],
      [{ quiet_from: '24:00' }, 'Enter a time'],
      [{ quiet_from: '07:00' }, 'cannot begin and end at the same time'],
    ] as const) {
      const seen = await visitor.submit(page, path, { ...typed, ...wrong });
      expect([seen.status, textOf(seen.html)]).toEqual([400, expect.stringContaining(message)]);
    }
    await visitor.submit(page, path, { ...typed, quiet_from: '', quiet_until: '' });
    expect((await accounts().findAlertSettings(id)).quiet).toBeNull();
  });

  test('add ntfy and Discord, mask their addresses, and delete them', async () => {
    const { visitor, id } = await addPerson('channels@example.com');
    const page = await visitor.get(path);
    const ntfy = { kind: 'ntfy', address: 'https://ntfy.sh/my-secret-topic', name: 'Phone' };
    const fields = { ...readForm(page.html, '/alerts/channels'), ...ntfy };
    const send = () => visitor.post('/alerts/channels', fields);
    expect((await send()).goTo).toBe(`${path}?did=added`);
    await send();
    const [channel, second] = await accounts().listDeliveryChannels(id);
    expect([channel?.name, second]).toEqual(['Phone', undefined]);
    expect(Buffer.from(channel?.address ?? []).includes('my-secret-topic')).toBe(false);
    const discord = 'https://discord.com/api/webhooks/123/not-to-be-seen';
    await visitor.submit(await visitor.get(path), '/alerts/channels', {
      kind: 'discord',
      address: discord,
    });
    const { html } = await visitor.get(path);
    expect(html).not.toContain('secret-topic');
    expect(html).not.toContain('not-to-be-seen');
    expect(textOf(html)).toContain('ntfy: Phone ntfy.sh/my-s… On');
    expect(textOf(html)).toContain('Discord: Discord discord.com/api/… On');
    // Both can be chosen for an alert.
    const form = await visitor.get('/alerts/new?template=gain');
    expect(textOf(form.html)).toContain('ntfy (Phone)');
    const made = await visitor.submit(form, '/alerts/new', { [`channel_${channel?.id}`]: 'yes' });
    expect(made.status).toBe(303);
    expect((await rulesOf(id))[0]?.channelIds).toContain(channel?.id ?? 0);
    const edit = `/alerts/channels/${channel?.id}/edit`;
    const editing = await visitor.get(edit);
    expect(textOf(editing.html)).toContain('Leave it empty to keep ntfy.sh/my-s…');
    expect((await visitor.submit(editing, edit, { address: 'ntfy.sh/no' })).status).toBe(400);
    await visitor.submit(editing, edit, { name: 'Tablet' });
    const kept = (await accounts().listDeliveryChannels(id)).find(
      (each) => each.id === channel?.id,
    );
    expect([kept?.name, kept?.address]).toEqual(['Tablet', channel?.address]);
    const moved = await visitor.submit(editing, edit, { address: 'https://ntfy.sh/another-one' });
    expect(moved.goTo).toBe(`${path}?did=saved`);
    expect(textOf((await visitor.get(path)).html)).toContain('ntfy: Phone ntfy.sh/anot… On');
    const asking = await visitor.get(`/alerts/channels/${channel?.id}/delete`);
    await visitor.submit(asking, `/alerts/channels/${channel?.id}/delete`);
    expect((await accounts().listDeliveryChannels(id)).map(({ kind }) => kind)).not.toContain(
      'ntfy',
    );
    expect((await rulesOf(id))[0]?.channelIds).not.toContain(channel?.id ?? 0);
  });

  test.each(deliveryKinds)(
    'show each kind of channel where it is added, such as %s',
    async (kind) => {
      const { visitor, id } = await addPerson(`${kind}-page@example.com`, { plan: 'reseller' });
      const page = channelPath({ id: 0, kind }).replace('/0', '');
      const { title, isForPrograms } = deliveryTable[kind];
      const seen = await visitor.get(page);
      if (!hasAddress(kind)) return expect(textOf(seen.html)).toContain(`Channel Address`);
      const address = anAddress(kind);
      const form = isForPrograms ? page : '/alerts/channels';
      expect(textOf(seen.html)).toContain(deliveryTable[kind].address.example);
      const added = await visitor.submit(seen, form, { kind, address, name: 'Mine' });
      expect([200, 303]).toContain(added.status);
      const shown = textOf((await visitor.get(page)).html);
      expect(shown).toContain(isForPrograms ? 'Mine' : `${title}: Mine`);
      const [channel] = await accounts().listDeliveryChannels(id);
      expect(channel?.kind).toBe(kind);
      // Turned off by its receiver, it is on the first page, with a link to where it is turned on.
      const gone = { id: channel?.id ?? 0, kind, stateBefore: 'active', state: 'off' } as const;
      const failing = { failingSince: null, failures: 0, retryAt: null, deliveries: [] };
      await accounts().saveTried([{ ...gone, ...failing, stateReason: 'It is gone.' }]);
      const today = await visitor.get('/today');
      expect(textOf(today.html)).toContain(`${title} (Mine): It is gone.`);
      expect(today.html).toContain(`href="${channelPath({ id: gone.id, kind })}"`);
    },
  );

  test('reject invalid addresses, a sixth channel of a kind, and too many changes', async () => {
    const { visitor, id } = await addPerson('six@example.com');
    const add = async (typed: Fields) =>
      visitor.submit(await visitor.get(path), '/alerts/channels', { kind: 'ntfy', ...typed });
    for (const [address, message] of [
      ['', 'Enter a value.'],
      ['ntfy.sh/topic', 'Enter an address such as https://ntfy.sh/your-topic.'],
      ['http://ntfy.sh/topic', 'must begin with https'],
      ['https://me:secret@ntfy.sh/topic', 'user name or a password'],
    ] as const) {
      const seen = await add({ address });
      expect([address, seen.status]).toEqual([address, 400]);
      expect(textOf(seen.html)).toContain(message);
    }
    const address = 'https://ntfy.sh/topic';
    for (let count = 0; count < 5; count++) expect((await add({ address })).status).toBe(303);
    const sixth = await add({ address });
    expect([sixth.status, textOf(sixth.html)]).toEqual([
      409,
      expect.stringContaining('You’ve reached the limit of 5 ntfy channels.'),
    ]);
    while (await mayUseAlerts(accounts(), 'add', { accountId: id, at: site.world.now }));
    expect((await add({ address })).status).toBe(429);
    expect(await accounts().listDeliveryChannels(id)).toHaveLength(5);
  });

  test('send a test message, and show its result', async () => {
    const { visitor, id, owner } = await addPerson('test@example.com');
    const test = `/alerts/channels/${await owner.email()}/test`;
    const page = await visitor.get(path);
    expect(textOf(page.html)).toContain('Email test@example.com On Send test');
    const outcomes = [
      {
        state: 'done',
        answerStatus: null,
        answer: 'sent',
        text: 'The test to email was delivered.',
      },
      {
        state: 'given_up',
        answerStatus: 503,
        answer: 'come <script>back</script> later',
        text: 'The test to email failed. Response: 503. come <script>back</script> later',
      },
      {
        state: 'waiting',
        answerStatus: null,
        answer: '',
        text: 'The test to email is on its way.',
      },
    ] as const;
    for (const { text, ...outcome } of outcomes) {
      site.world.now += minuteMs;
      onSleep = () => settleTest(id, outcome);
      const sent = await visitor.submit(page, test);
      expect(sent.status).toBe(303);
      const seen = await visitor.get(sent.goTo ?? '');
      expect(textOf(seen.html)).toContain(text);
      expect(seen.html).not.toContain('<script>back');
    }
    onSleep = async () => {};
    while (await mayUseAlerts(accounts(), 'test', { accountId: id, at: site.world.now }));
    const often = await visitor.submit(page, test);
    expect([often.status, textOf(often.html)]).toEqual([
      429,
      expect.stringContaining('Too many tests.'),
    ]);
  });

  test('show what is disabled without a mail server and without a secret file', async () => {
    const bare = await startSite({ secrets: { encrypter: null, sheetSigner: null } });
    try {
      const visitor = await bare.signedIn('bare@example.com', { plan: 'reseller' });
      const page = await visitor.get(path);
      const text = textOf(page.html);
      expect(text).toContain('Off: no mail server is configured.');
      expect(text).toContain('ntfy, Discord and webhooks are off on this site.');
      expect(text).not.toContain('Send test');
      const tokens = readForm(page.html, path);
      const channel = { ...tokens, kind: 'ntfy', address: 'https://ntfy.sh/topic' };
      expect((await visitor.post('/alerts/channels', channel)).status).toBe(409);
      expect((await visitor.post('/alerts/channels/email/test', tokens)).status).toBe(404);
      const none = await visitor.get('/alerts/new?template=gain');
      expect(none.html).not.toContain('channel_email');
      const onlyListed = 'No channel selected. Matches are only shown in the app.';
      expect(textOf(none.html)).toContain(onlyListed);
      await visitor.submit(none, '/alerts/new');
      expect(textOf((await visitor.get('/alerts')).html)).toContain(onlyListed);
      // An existing alert with email keeps it when other fields are changed.
      const id = await bare.addAccount('bare@example.com');
      const owner = new AlertOwner(bare.world.store.accounts, id, bare.world.now);
      const channelIds = [await owner.email()];
      const rule = `/alerts/${await owner.rule({ channelIds })}`;
      expect((await visitor.submit(await visitor.get(rule), rule, { name: 'New' })).status).toBe(
        303,
      );
      const rules = await bare.world.store.accounts.listAlertRules(id);
      expect(rules).toMatchObject([{ channelIds: [] }, { name: 'New', channelIds }]);
      const hooks = await visitor.get('/webhooks');
      expect(textOf(hooks.html)).toContain('Webhooks are off on this site.');
      const hook = { ...tokens, address: 'https://example.com/in' };
      expect((await visitor.post('/webhooks', hook)).status).toBe(409);
      const links = await visitor.get('/keys/spreadsheets');
      expect(textOf(links.html)).toContain('Spreadsheet links are off on this site.');
      expect((await visitor.post('/keys/spreadsheets', tokens)).status).toBe(409);
      expect((await fetch(`${bare.url}/csv/x.y/values.csv`)).status).toBe(404);
    } finally {
      await bare.close();
    }
  });
});

describe('an email address', () => {
  const settings = '/alerts/settings';
  const toTest = '/alerts/channels/email/test';

  /** The last link sent to an address. */
  async function linkTo(address: string, count = 1): Promise<string> {
    const own = () => mails.filter(({ to }) => to === address);
    await until(() => own().length >= count);
    return confirmLinkIn(own().at(-1)?.text ?? '');
  }

  const emailOf = async (id: number) =>
    (await accounts().listDeliveryChannels(id)).find(({ kind }) => kind === 'email');

  test('gets only a confirmation link until it is confirmed', async () => {
    const { visitor, id } = await addPerson('confirm@example.com');
    const typed = { scope: 'theme:Coastline', condition: 'price_amount', amount: '50' };
    const made = await create(visitor, { ...typed, channel_email: 'yes' });
    expect(textOf((await visitor.get(made.goTo ?? '')).html)).toContain(
      'Check your inbox: confirm your email address to get alerts there.',
    );
    const link = await linkTo('confirm@example.com');
    const channel = await emailOf(id);
    expect(channel).toMatchObject({ state: 'off', isUnconfirmed: true });
    expect(await rulesOf(id)).toMatchObject([{ channelIds: [channel?.id] }]);
    const deliveries = () =>
      accounts().listDeliveries(id, channel?.id ?? 0, { before: null, limit: 9 });
    const fall = async (price: number) => {
      await offer('200', 80);
      await work();
      await offer('200', price);
      await work();
    };
    await fall(41);
    expect(await deliveries()).toEqual([]);
    // Mail services open links, so only the button counts, and only from our own page.
    const stranger = site.visitor();
    const page = await stranger.get(link);
    expect(page.status).toBe(200);
    const fields = readForm(page.html, link);
    const forged = await stranger.post(link, fields, { Origin: 'https://evil.example' });
    expect([forged.status, (await emailOf(id))?.state]).toEqual([403, 'off']);
    const done = await stranger.post(link, fields);
    expect([done.status, textOf(done.html)]).toEqual([
      200,
      expect.stringContaining('Email confirmed'),
    ]);
    expect(await emailOf(id)).toMatchObject({
      state: 'active',
      stateReason: null,
      isUnconfirmed: false,
    });
    expect(textOf((await visitor.get('/alerts')).html)).not.toContain('Check your inbox');
    await fall(40);
    expect(await deliveries()).toHaveLength(1);
    // A used link does not turn email on again.
    await visitor.submit(await visitor.get(settings), `/alerts/channels/${channel?.id}/switch`);
    expect((await stranger.get(link)).status).toBe(404);
    expect((await stranger.post(link, fields)).status).toBe(404);
    expect(await emailOf(id)).toMatchObject({ state: 'off' });
    await visitor.submit(await visitor.get(settings), `/alerts/channels/${channel?.id}/switch`);
    expect(await emailOf(id)).toMatchObject({ state: 'active' });
  });

  test('gets a new link instead of a test message or being turned on', async () => {
    const email = 'again@example.com';
    const { visitor, id } = await addPerson(email);
    const page = await visitor.get(settings);
    const response = await visitor.submit(page, toTest);
    expect(response.goTo).toBe(`${settings}?did=confirm`);
    const first = await linkTo(email);
    const shown = textOf((await visitor.get(response.goTo ?? '')).html);
    expect(shown).toContain('We sent you a link. Check your inbox');
    expect(shown).toContain('Confirm your email address: follow the link we sent to it.');
    const channelId = (await emailOf(id))?.id ?? 0;
    const { token = '' } = readForm(page.html, toTest);
    const paths = [`/alerts/channels/${channelId}/test`, `/alerts/channels/${channelId}/switch`];
    for (const path of paths) {
      const sent = await visitor.post(path, { token, to: 'on' });
      expect([path, sent.goTo]).toEqual([path, `${settings}?did=confirm`]);
    }
    const last = await linkTo(email, 3);
    expect((await visitor.get(first)).status).toBe(404);
    expect((await visitor.get(last)).status).toBe(200);
    expect(await emailOf(id)).toMatchObject({ state: 'off', isUnconfirmed: true });
    expect(await accounts().listDeliveries(id, channelId, { before: null, limit: 9 })).toEqual([]);
    // Five a day.
    expect((await visitor.submit(page, toTest)).status).toBe(303);
    expect((await visitor.submit(page, toTest)).status).toBe(303);
    const often = await visitor.submit(page, toTest);
    expect([often.status, textOf(often.html)]).toEqual([
      429,
      expect.stringContaining('Too many links were sent to your address.'),
    ]);
    const by = { accountId: id + 1_000, at: site.world.now };
    expect(await mayAskToConfirm(accounts(), { ...by, email: 'Again@example.COM' })).toBe(false);
    const tomorrow = { accountId: id, email, at: site.world.now + dayMs };
    expect(await mayAskToConfirm(accounts(), tomorrow)).toBe(true);
  });

  test('is confirmed within three days, and its link is sent to nobody as a referrer', async () => {
    const { id, visitor } = await addPerson('late@example.com');
    await visitor.submit(await visitor.get(settings), toTest);
    await linkTo('late@example.com');
    const channelId = (await emailOf(id))?.id ?? 0;
    const openAfter = async (ms: number) => {
      const token = confirmToken('random', site.world.now - ms);
      await accounts().replaceConfirmLink(id, channelId, hashToken(token));
      return visitor.get(confirmPath(channelId, token));
    };
    const late = await openAfter(3 * dayMs);
    expect([late.status, late.headers.get('Referrer-Policy')]).toEqual([404, 'no-referrer']);
    expect(textOf(late.html)).toContain('It was already used, has expired,');
    const inTime = await openAfter(3 * dayMs - minuteMs);
    expect([inTime.status, inTime.headers.get('Referrer-Policy')]).toEqual([200, 'no-referrer']);
  });

  test('is confirmed only by its own link', async () => {
    const [ann, bob] = [await addPerson('ann2@example.com'), await addPerson('bob2@example.com')];
    for (const { visitor } of [ann, bob]) {
      await visitor.submit(await visitor.get(settings), toTest);
    }
    const annsLink = await linkTo('ann2@example.com');
    const bobsId = (await emailOf(bob.id))?.id ?? 0;
    const mixed = confirmPath(bobsId, annsLink.split('/').at(-1) ?? '');
    expect((await bob.visitor.get(mixed)).status).toBe(404);
    // It confirms the account it was sent for, even if another one is signed in.
    await bob.visitor.submit(await bob.visitor.get(annsLink), annsLink);
    expect(await emailOf(bob.id)).toMatchObject({ state: 'off', isUnconfirmed: true });
    expect(await emailOf(ann.id)).toMatchObject({ state: 'active', isUnconfirmed: false });
  });
});

describe('the unsubscribe link', () => {
  /** An alert with a sent message, and the token of its link. */
  async function sent(email: string) {
    const person = await addPerson(email);
    const channelIds = [await person.owner.email()];
    const about = { name: `Of ${email}`, scope: { kind: 'theme', theme: 'Coastline' } } as const;
    await person.owner.rule({ ...about, channelIds });
    await offer('200', 80);
    await work();
    await offer('200', 42);
    await work();
    const path = endAlertPath(tokens.at(-1) ?? '');
    return { ...person, path };
  }

  const post = (path: string, body: BodyInit) =>
    fetch(site.url + path, { method: 'POST', body, redirect: 'manual' });

  const oneClick = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });

  test("shows the alert's name and a button that turns it off, without signing in", async () => {
    const { path, id } = await sent('link@example.com');
    const stranger = site.visitor();
    const page = await stranger.get(path);
    expect(textOf(page.html)).toContain('Of link@example.com');
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(await rulesOf(id)).toMatchObject([{ isOn: true }]);
    const done = await stranger.submit(page, path);
    expect([done.status, textOf(done.html).includes('This alert is off')]).toEqual([200, true]);
    expect(done.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(await rulesOf(id)).toMatchObject([{ isOn: false }]);
    const ended = await stranger.get(path);
    expect(textOf(ended.html)).toContain('This alert is off');
    expect(ended.html).not.toContain('link@example.com');
    // An invalid or expired link reveals nothing.
    const bad = await stranger.get(endAlertPath('nothing'));
    const posted = await stranger.post(endAlertPath('nothing'), {
      'List-Unsubscribe': 'One-Click',
    });
    for (const { status, html } of [bad, posted]) {
      expect([status, textOf(html).includes('no longer valid')]).toEqual([404, true]);
    }
  });

  test('of a message about several alerts turns all of them off', async () => {
    const { path, id, owner } = await sent('several@example.com');
    const channelIds = [await accounts().listDeliveryChannels(id)]
      .flat()
      .map((channel) => channel.id);
    await owner.rule({ name: 'The other', scope: { kind: 'all' }, channelIds });
    await offer('200', 80);
    await work();
    await offer('200', 41);
    await work();
    const ended = `${path}.${tokens.at(-2)}.${tokens.at(-1)}`;
    const page = await site.visitor().get(ended);
    expect(textOf(page.html)).toMatch(/Turn off these \d alerts\?.*Of several.*The other/s);
    expect((await post(ended, oneClick())).status).toBe(200);
    expect((await rulesOf(id)).map(({ isOn }) => isOn)).toEqual([false, false]);
  });

  test.each([
    ['fields', oneClick],
    [
      'multipart',
      () => {
        const body = new FormData();
        body.set('List-Unsubscribe', 'One-Click');
        return body;
      },
    ],
  ])(
    'is accepted from mail programs as %s, without a token, a cookie or an origin',
    async (how, body) => {
      const { path, id } = await sent(`mail-${how}@example.com`);
      // Only the one-click request of RFC 8058 counts, and only if it is small.
      expect((await post(path, new URLSearchParams({ other: 'One-Click' }))).status).toBe(200);
      expect((await post(path, `List-Unsubscribe=One-Click&x=${'x'.repeat(5000)}`)).status).toBe(
        400,
      );
      const large = new URLSearchParams({ 'List-Unsubscribe': 'One-Click', x: 'x'.repeat(5000) });
      expect((await post(path, large)).status).toBe(413);
      expect(await rulesOf(id)).toMatchObject([{ isOn: true }]);
      expect((await post(path, body())).status).toBe(200);
      expect(await rulesOf(id)).toMatchObject([{ isOn: false }]);
    },
  );

  test('is the only path that accepts a form without a token', async () => {
    for (const { path, post: answer } of site.routes) {
      if (!answer || path === endAlertPath('{token}')) continue;
      const there = path.replace(/\{\w+\}/g, '1');
      const { status, headers } = await post(there, oneClick());
      const isRefused = status === 403 || headers.get('Location')?.startsWith('/sign-in');
      expect([there, isRefused]).toEqual([there, true]);
    }
  });

  test('has a limit of attempts per network', async () => {
    const count = async () => (await site.visitor().get(endAlertPath('guess'))).status;
    const here = { network: '127.0.0.1', at: site.world.now };
    expect(await count()).toBe(404);
    while (await mayOpenMailedLink(accounts(), here));
    expect(await count()).toBe(429);
    site.world.now += 15 * minuteMs;
    expect(await count()).toBe(404);
  });
});
