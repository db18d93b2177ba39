/** From a price that is imported to a message in a queue, and everything that may come between. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { beforeAll, expect, test } from 'bun:test';
import { AlertOwner, ruleFacts } from '../../../test/support/alerts.ts';
import { sellingEngine } from '../../../test/support/plain-engine.ts';
import { builtInTables, publishSettings } from '../../../test/support/publish-settings.ts';
import { type Owner, sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { type FeedLine, importFeed } from '../../../test/support/world.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import { toItem } from '../../buying/prices/resale-item.work.ts';
import { dayMs, formatInstant, hourMs, minuteMs, secondMs } from '../../kernel/time.ts';
import { type EventQuery, positionBefore } from '../../market/events/events.ts';
import { makePublisher, type Publisher } from '../../publish/publisher.work.ts';
import type { AlertStep } from './alert-evaluation.ts';
import type { AlertCondition, AlertRuleFacts } from './alert-rule.ts';
import { type AlertDeps, alertStep } from './alerts.work.ts';
import { findMatches, recordMatches } from './matches.work.ts';
import type { Notification } from './notification.ts';

const shared = shareStore();
let now = sharedNow;
let publisher: Publisher;
let tokens = 0;

beforeAll(() => {
  const settings = { engine: sellingEngine, ...publishSettings };
  publisher = makePublisher(shared.store.market, settings, () => now);
});

function makeToken() {
  const token = `token-${++tokens}`;
  return { token, hash: Bun.SHA256.hash(token) as Uint8Array as TokenHash };
}

const depsOf = (change: Partial<AlertDeps> = {}): AlertDeps => ({
  market: shared.store.market,
  accounts: shared.store.accounts,
  clock: () => now,
  baseUrl: 'https://b.example',
  makeToken,
  findTables: () => builtInTables,
  readResale: (record) => toItem('set', record).resale.sealed,
  retailerNames: { retailer_a: 'Retailer A', retailer_b: 'Retailer B' },
  ...change,
});

/** Runs steps until there is nothing to do. */
async function work(change: Partial<AlertDeps> = {}): Promise<void> {
  while (await alertStep(depsOf(change)));
}

const set = (number: string, facts: FeedLine = {}): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: `Set ${number}`,
  theme: 'Castles',
  release_date: '2025-01-01',
  ...facts,
});
const offer = (number: string, price: number | null, facts: FeedLine = {}): FeedLine => ({
  kind: 'offer',
  retailer: 'retailer_a',
  set_number: number,
  observed_at: formatInstant(now),
  price,
  seller_type: price === null ? null : 'retailer',
  in_stock: price !== null,
  ...facts,
});
let sales = 0;
const sale = (item: string, price: number, facts: FeedLine = {}): FeedLine => ({
  kind: 'sale',
  source: 'shop',
  source_id: `sale-${++sales}`,
  item_type: 'set',
  item,
  condition: 'sealed',
  price,
  currency: 'USD',
  sold_at: formatInstant(now - minuteMs),
  ...facts,
});

/** Imports and publishes, a minute later than before. */
async function load(...lines: ((() => FeedLine) | FeedLine)[]): Promise<void> {
  now += minuteMs;
  const made = lines.map((line) => (typeof line === 'function' ? line() : line));
  const { rejects } = await importFeed(shared.store, made, () => now);
  expect(rejects).toEqual([]);
  await publisher.publishStale();
}

const price =
  (number: string, usd: number | null, facts: FeedLine = {}) =>
  () =>
    offer(number, usd, facts);

/** An account that can have rules, all saved now. */
async function addOwner(): Promise<Owner & { readonly own: AlertOwner }> {
  const owner = await shared.addOwner();
  return { ...owner, own: new AlertOwner(shared.store.accounts, owner.id, now) };
}

async function reported({ id }: Owner): Promise<Notification[]> {
  const page = { before: null, limit: 999 };
  return (await shared.store.accounts.listNotifications(id, page)).reverse();
}
const reasons = async (owner: Owner) => (await reported(owner)).map(({ reason }) => reason);

async function sent({ id }: Owner, channelId: number) {
  const page = { before: null, limit: 999 };
  return (await shared.store.accounts.listDeliveries(id, channelId, page)).reverse();
}

test('nothing is read without rules', async () => {
  const market = new Proxy({} as AlertDeps['market'], {
    get: () => {
      throw new Error('The market was asked.');
    },
  });
  expect(await alertStep(depsOf({ market }))).toBe(false);
});

test('the log is read from when the first rule was saved', async () => {
  await load(set('100'), price('100', 100));
  await load(price('100', 90));
  now += minuteMs;
  const owner = await addOwner();
  await owner.own.rule({ condition: { kind: 'all_time_low' } });
  const asked: EventQuery[] = [];
  const { market } = shared.store;
  const listEvents = (query: EventQuery) => {
    asked.push(query);
    return market.listEvents(query);
  };
  await work({ market: { ...market, listEvents } });
  expect(asked.map(({ after }) => after)).toEqual([positionBefore(now)]);
  await shared.store.accounts.removeAccount(owner.email);
});

test('a price that reaches its target is reported once, and again after it was higher', async () => {
  await load(set('101'), price('101', 100));
  const owner = await addOwner();
  const email = await owner.own.email();
  const listId = await owner.own.list('Retiring soon', { '101': 80_00 });
  const scope = { kind: 'list', listId } as const;
  const condition = { kind: 'price_target' } as const;
  await owner.own.rule({ name: 'Targets', scope, condition, channelIds: [email] });
  await load(price('101', 90));
  await work();
  expect(await reported(owner)).toEqual([]);
  await load(price('101', 79.99));
  await work();
  const sentence = '101 Set 101 is $79.99 at Retailer A, just below your target of $80.00';
  const [first, ...others] = await reported(owner);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ reason: sentence, state: 'sent', ruleName: 'Targets', at: now });
  const [delivery, ...more] = await sent(owner, email);
  expect(more).toEqual([]);
  expect(JSON.parse(delivery?.body ?? '')).toEqual({
    subject: sentence,
    text: expect.stringContaining('Price at or below target, on Retiring soon'),
    unsubscribeUrl: `https://b.example/alerts/end/token-${tokens}`,
  });
  const hash = Bun.SHA256.hash(`token-${tokens}`) as Uint8Array as TokenHash;
  expect(await shared.store.accounts.findRuleByLink(hash)).toMatchObject({ name: 'Targets' });
  // A lower price is not reported again, nor is the same price.
  await load(price('101', 75));
  await work();
  expect(await reported(owner)).toHaveLength(1);
  await load(price('101', 85));
  await work();
  await load(price('101', 80));
  await work();
  expect(await reasons(owner)).toEqual([
    sentence,
    '101 Set 101 is $80.00 at Retailer A, at your target of $80.00',
  ]);
  expect(await sent(owner, email)).toHaveLength(2);
});

test('a sold-out offer meets no price; back in stock is reported with its price', async () => {
  await load(set('102'), price('102', 50));
  const owner = await addOwner();
  const listId = await owner.own.list('Wanted', { '102': 60_00 });
  const scope = { kind: 'list', listId } as const;
  const already = { itemKind: 'set', itemKey: '102', baseCents: null } as const;
  const matches = [{ ...already, retailer: 'retailer_a' }] as const;
  await owner.own.rule({ scope, condition: { kind: 'price_target' } }, matches);
  await owner.own.rule({ scope, condition: { kind: 'back_in_stock' } });
  await load(price('102', null));
  await work();
  expect(await reported(owner)).toEqual([]);
  await load(price('102', 50));
  await work();
  expect(await reasons(owner)).toEqual([
    '102 Set 102 is $50.00 at Retailer A, 16.7% below your target of $60.00',
    '102 Set 102 is back in stock at Retailer A for $50.00',
  ]);
});

test('all-time lows and flips are reported as they are published', async () => {
  await load(set('103', { theme: 'Trains' }), price('103', 50));
  const owner = await addOwner();
  const scope = { kind: 'theme', theme: 'Trains' } as const;
  await owner.own.rule({ scope, condition: { kind: 'all_time_low' } });
  await owner.own.rule({ scope, condition: { kind: 'flip', to: 'third_party' } });
  await load(set('104'), price('104', 50));
  await load(price('104', 40));
  await load(price('103', 49));
  await work();
  await load(price('103', 55, { seller_type: 'third_party' }));
  now += 6 * hourMs;
  while ((await publisher.publishDue(20)) > 0);
  await work();
  expect(await reasons(owner)).toEqual([
    '103 Set 103 is $49.00 at Retailer A, its all-time low',
    '103 Set 103 is now sold only by third parties at Retailer A',
  ]);
});

test('max buy prices depend on the settings of each account', async () => {
  const { accounts } = shared.store;
  // A deal needs three sales.
  const sold = [1, 2, 3].map(() => () => sale('105', 200));
  await load(set('105'), ...sold, price('105', 190));
  const [usual, greedy] = [await addOwner(), await addOwner()];
  await accounts.saveBuyingSettings(greedy.id, { ...usualSettings, marginBasisPoints: 10_000 });
  const rule = { condition: { kind: 'price_of_max_buy', percent: 100 } } as const;
  for (const { own } of [usual, greedy]) {
    const listId = await own.list('Wanted', { '105': null });
    await own.rule({ ...rule, scope: { kind: 'list', listId } });
  }
  await load(price('105', 100));
  await work();
  expect(await reported(greedy)).toEqual([]);
  const [sentence] = await reasons(usual);
  expect(sentence).toMatch(
    /^105 Set 105 is \$100\.00 at Retailer A, [\d.]+% below your max buy price of \$1\d\d\.\d\d$/,
  );
  await load(price('105', 60));
  await work();
  expect(await reasons(greedy)).toHaveLength(1);
});

test("changes and margins are of the account's own holdings", async () => {
  await load(
    set('106'),
    () => sale('106', 100),
    set('107'),
    () => sale('107', 100),
  );
  const [one, other] = [await addOwner(), await addOwner()];
  for (const owner of [one, other]) await owner.apply(owner.brickfolio('Shelf'));
  const lot = { quantity: 2, priceCents: 90_00 };
  await one.apply(one.lot('a', { number: '106', ...lot }));
  await other.apply(other.lot('a', { number: '107', ...lot }));
  for (const { own } of [one, other]) {
    await own.rule({ scope: { kind: 'holdings' }, condition: { kind: 'margin', percent: 50 } });
    await own.rule({ scope: { kind: 'holdings' }, condition: { kind: 'value_up', percent: 40 } });
  }
  await load(() => sale('106', 150));
  await work();
  expect((await reasons(one)).toSorted()).toEqual([
    '106 Set 106 is worth $150.00, up 50% from $100.00',
    'Your 106 Set 106 is worth $300.00, 66.7% over its cost basis of $180.00',
  ]);
  expect(await reported(other)).toEqual([]);
});

test('a minifig on a list is watched under any of its numbers', async () => {
  const minifig = { kind: 'minifig', minifig_number: 'fig0106', name: 'Guard' };
  const used = { item_type: 'minifig', condition: 'used' };
  await load({ ...minifig, aliases: ['fig0107'] }, () => sale('fig0106', 10, used));
  const owner = await addOwner();
  const listId = await owner.own.list('Figures');
  const item = { kind: 'minifig', key: 'fig0107', number: 'fig0107', targetCents: null } as const;
  const items = [{ ...item, note: '' }];
  await shared.store.accounts.saveWatchedItems(owner.id, listId, { items, at: now });
  const scope = { kind: 'list', listId } as const;
  await owner.own.rule({ scope, condition: { kind: 'value_up', percent: 20 } });
  await load(() => sale('fig0106', 15, used));
  await work();
  expect(await reasons(owner)).toEqual(['fig0106 Guard is worth $15.00, up 50% from $10.00']);
});

test('a held minifig above its margin when the rule is saved is not reported later', async () => {
  const used = { item_type: 'minifig', condition: 'used' };
  const minifig = { kind: 'minifig', minifig_number: 'fig0108', name: 'Cook' };
  await load({ ...minifig, aliases: ['fig0109'] }, () => sale('fig0108', 10, used));
  const owner = await addOwner();
  const lot = { kind: 'minifig', number: 'fig0109', condition: 'used', quantity: 1 } as const;
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('a', { ...lot, priceCents: 5_00 }));
  const { market, accounts } = shared.store;
  const rule = { scope: { kind: 'holdings' }, condition: { kind: 'margin', percent: 50 } } as const;
  const found = await findMatches({ ...depsOf(), market, accounts }, owner.id, rule, now);
  if (found === 'too many') throw new Error(found);
  expect(found.reported).toMatchObject([{ itemKind: 'minifig', itemKey: 'fig0108' }]);
  await owner.own.rule(rule, found.reported);
  // A rule without them reports, so the publication is seen.
  const other = await addOwner();
  await other.apply(other.brickfolio('Shelf'), other.lot('a', { ...lot, priceCents: 5_00 }));
  await other.own.rule(rule);
  await load(() => sale('fig0108', 15, used));
  await work();
  expect(await reported(owner)).toEqual([]);
  expect(await reported(other)).toHaveLength(1);
});

test('quiet hours and digests delay messages, and those due together are combined', async () => {
  await load(set('108'), price('108', 50), set('109'), price('109', 50));
  const owner = await addOwner();
  const { accounts } = shared.store;
  const email = await owner.own.email();
  const hour = new Date(now).getUTCHours();
  const quiet = { from: hour * 60, until: ((hour + 3) % 24) * 60 };
  await accounts.saveAlertSettings(owner.id, { timeZone: 'UTC', quiet });
  const listId = await owner.own.list('Wanted', { '108': 45_00, '109': 45_00 });
  const scope = { kind: 'list', listId } as const;
  const rule = { scope, condition: { kind: 'price_target' }, channelIds: [email] } as const;
  await owner.own.rule(rule);
  await owner.own.rule({ ...rule, digest: 'weekly' });
  await load(price('108', 45));
  await work();
  await load(price('109', 45));
  await work();
  const held = (await reported(owner)).map(({ state, heldFor }) => [state, heldFor]);
  expect(held.toSorted()).toEqual([
    ['waiting', 'digest'],
    ['waiting', 'digest'],
    ['waiting', 'quiet'],
    ['waiting', 'quiet'],
  ]);
  expect(await sent(owner, email)).toEqual([]);
  now += 3 * hourMs;
  await work();
  const subjects = async () =>
    (await sent(owner, email)).map(({ body }) => JSON.parse(body).subject);
  expect(await subjects()).toEqual(['2 alerts: 108 Set 108 and 1 more']);
  now += 7 * dayMs;
  await work();
  expect(await subjects()).toHaveLength(2);
  expect((await reported(owner)).map(({ state }) => state)).toEqual(Array(4).fill('sent'));
});

test('due messages are sent while the log has more to read', async () => {
  await load(set('115'), price('115', 50));
  const owner = await addOwner();
  const email = await owner.own.email();
  const listId = await owner.own.list('Wanted', { '115': 45_00 });
  const scope = { kind: 'list', listId } as const;
  await owner.own.rule({ scope, condition: { kind: 'price_target' }, channelIds: [email] });
  await load(price('115', 45));
  const { market } = shared.store;
  const listEvents: typeof market.listEvents = async (query) => {
    const page = await market.listEvents(query);
    return 'oldest' in page ? page : { ...page, next: page.next + 1, hasMore: true };
  };
  const step = () => alertStep(depsOf({ market: { ...market, listEvents } }));
  expect(await step()).toBe(true);
  // Matches within a second can be in the same message.
  expect(await sent(owner, email)).toEqual([]);
  now += secondMs;
  expect(await step()).toBe(true);
  expect(await sent(owner, email)).toHaveLength(1);
});

test('killed between any two steps, nothing is reported or sent twice, and nothing is lost', async () => {
  await load(set('110'), price('110', 50));
  const owner = await addOwner();
  const email = await owner.own.email();
  const listId = await owner.own.list('Wanted', { '110': 45_00 });
  const scope = { kind: 'list', listId } as const;
  await owner.own.rule({ scope, condition: { kind: 'price_target' }, channelIds: [email] });
  await load(price('110', 44));
  const { accounts } = shared.store;
  const names = ['findAlertProgress', 'findConcerned', 'settleAlerts', 'sendDueAlerts'] as const;
  // Each operation is one transaction: a process dies before it or after it.
  for (const name of names) {
    for (const when of ['before', 'after']) {
      const method = accounts[name] as (...given: unknown[]) => Promise<unknown>;
      const dying = async (...given: unknown[]) => {
        if (when === 'after') await method(...given);
        throw new Error('Killed.');
      };
      const killed = { ...accounts, [name]: dying } as AlertDeps['accounts'];
      await alertStep(depsOf({ accounts: killed })).catch(() => {});
      await alertStep(depsOf({ accounts: killed })).catch(() => {});
    }
  }
  // Also with two concurrent processes.
  await Promise.all([work(), work()]);
  expect(await reasons(owner)).toEqual([
    '110 Set 110 is $44.00 at Retailer A, 2.2% below your target of $45.00',
  ]);
  expect(await sent(owner, email)).toHaveLength(1);
});

test('an interrupted step ends at the same position', async () => {
  await load(set('117'), price('117', 50));
  const owner = await addOwner();
  const listId = await owner.own.list('Wanted', { '117': null });
  const scope = { kind: 'list', listId } as const;
  await owner.own.rule({ scope, condition: { kind: 'price_amount', cents: 45_00 } });
  await work();
  await load(price('117', 44));
  const { accounts, market } = shared.store;
  const page = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
  const until = 'next' in page ? page.next : 0;
  await load(price('117', 43));
  const steps: AlertStep[] = [];
  const settleAlerts: typeof accounts.settleAlerts = (step, evaluated) => {
    steps.push(step);
    return accounts.settleAlerts(step, evaluated);
  };
  const findAlertProgress = async () => ({ ...(await accounts.findAlertProgress()), until });
  const interrupted = { ...accounts, settleAlerts, findAlertProgress };
  expect(await alertStep(depsOf({ accounts: interrupted }))).toBe(true);
  expect(steps).toMatchObject([{ kind: 'log', to: until }]);
  await work();
  expect(await reported(owner)).toHaveLength(1);
});

test('once a day everything is checked, for repeated reports and for drift without events', async () => {
  await load(set('111'), price('111', 50));
  const owner = await addOwner();
  const listId = await owner.own.list('Wanted', { '111': 55_00 });
  const scope = { kind: 'list', listId } as const;
  const repeated = { name: 'Again', scope, condition: { kind: 'price_target' } } as const;
  await owner.own.rule({ ...repeated, repeatDays: 2 }, [
    { itemKind: 'set', itemKey: '111', retailer: 'retailer_a', baseCents: null },
  ]);
  const later = {
    name: 'Later',
    scope,
    condition: { kind: 'price_amount', cents: 10_00 },
  } as const;
  await owner.own.rule(later);
  await work();
  for (let day = 0; day < 4; day++) {
    now += dayMs;
    await work();
  }
  // Reported when it was saved, after two days, and again after two more.
  const first = await reported(owner);
  expect(first.map(({ ruleName }) => ruleName)).toEqual(['Again', 'Again']);
  // Without an observation for more than a week, the price is unknown.
  now += 5 * dayMs;
  await work();
  expect(await reported(owner)).toHaveLength(2);
});

test('what happened while a rule was off, or before it was saved, is not reported', async () => {
  await load(set('112'), price('112', 50));
  await load(price('112', null));
  const owner = await addOwner();
  const listId = await owner.own.list('Wanted', { '112': null });
  const scope = { kind: 'list', listId } as const;
  await load(price('112', 50));
  now += minuteMs;
  const condition = { kind: 'back_in_stock' } as const;
  const id = await new AlertOwner(shared.store.accounts, owner.id, now).rule({ scope, condition });
  await work();
  await shared.store.accounts.turnOffAlertRule(owner.id, id);
  await load(price('112', null));
  await load(price('112', 50));
  now += minuteMs;
  await shared.store.accounts.turnOnAlertRule(owner.id, id, {
    reported: [],
    position: positionBefore(now),
    at: now,
  });
  await work();
  expect(await reported(owner)).toEqual([]);
});

test('an item that left a list or the holdings is reported again once it is back', async () => {
  await load(set('115'), price('115', 50));
  const { accounts } = shared.store;
  const owner = await addOwner();
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('a', { number: '115' }));
  const listId = await owner.own.list('Wanted', { '115': 45_00 });
  const list = { kind: 'list', listId } as const;
  await owner.own.rule({ scope: list, condition: { kind: 'price_target' } });
  const atMost = { kind: 'price_amount', cents: 45_00 } as const;
  await owner.own.rule({ scope: { kind: 'holdings' }, condition: atMost });
  await load(price('115', 44));
  await work();
  expect(await reported(owner)).toHaveLength(2);
  const [watched] = await accounts.listWatchedItems(owner.id, listId, { after: 0, limit: 1 });
  await accounts.removeWatchedItems(owner.id, [watched?.id ?? 0]);
  const [lot] =
    (await accounts.listEntries(owner.id, { brickfolioId: null, limit: 1, offset: 0 }))?.rows ?? [];
  const rows = [{ kind: 'lot_removal', lotId: lot?.id ?? 0 } as const];
  await accounts.change(owner.id, { rows }, now);
  await load(price('115', 50));
  await work();
  const back = { kind: 'set', key: '115', number: '115', targetCents: 45_00, note: '' } as const;
  await accounts.saveWatchedItems(owner.id, listId, { items: [back], at: now });
  await owner.apply(owner.lot('b', { number: '115' }));
  await load(price('115', 43));
  await work();
  expect(await reported(owner)).toHaveLength(4);
});

test('what is published while a rule is saved is reported', async () => {
  await load(set('116'), price('116', 50));
  const owner = await addOwner();
  const { market, accounts } = shared.store;
  const listId = await owner.own.list('Wanted', { '116': 45_00 });
  const scope = { kind: 'list', listId } as const;
  const rule = ruleFacts({ scope, condition: { kind: 'price_target' } });
  const matches = await findMatches({ ...depsOf(), market, accounts }, owner.id, rule, now);
  if (matches === 'too many') throw new Error(matches);
  const savedAt = now + hourMs;
  await accounts.addAlertRule(owner.id, { rule, ...matches, at: savedAt });
  await load(price('116', 45));
  expect(now).toBeLessThan(savedAt);
  await work();
  expect(await reported(owner)).toHaveLength(1);
});

test('what a changed target or an added item already matches is not reported', async () => {
  await load(set('118'), price('118', 54.99), set('117'), price('117', 30));
  const { market, accounts } = shared.store;
  const owner = await addOwner();
  const listId = await owner.own.list('Wanted', { '118': 52_00 });
  const scope = { kind: 'list', listId } as const;
  await owner.own.rule({ scope, condition: { kind: 'price_target' } });
  const save = async (targets: Readonly<Record<string, number>>) => {
    const items = Object.entries(targets).map(([key, targetCents]) => {
      return { kind: 'set', key, number: key, targetCents, note: '' } as const;
    });
    await accounts.saveWatchedItems(owner.id, listId, { items, at: now });
    const deps = { ...depsOf(), market, accounts };
    const setKeys = Object.keys(targets);
    return recordMatches(deps, owner.id, listId, { setKeys, at: now });
  };
  expect(await save({ '118': 60_00, '117': 35_00 })).toBe(2);
  expect(await save({ '118': 60_00 })).toBe(0);
  await load(price('118', 58.5), price('117', 31));
  await work();
  expect(await reported(owner)).toEqual([]);
  // With a lower target it no longer matches, and would be reported again.
  expect(await save({ '118': 50_00 })).toBe(0);
  await load(price('118', 49), price('117', 29));
  await work();
  expect(await reasons(owner)).toEqual([
    '118 Set 118 is $49.00 at Retailer A, 2% below your target of $50.00',
  ]);
});

test('a rule is saved with its current matches, in every scope', async () => {
  const theme = 'Windmills';
  const sold = [1, 2, 3].map(() => () => sale('113', 100));
  const offered = [set('113', { theme }), price('113', 50), set('114', { theme })];
  await load(...offered, price('114', 60), ...sold);
  const owner = await addOwner();
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('a', { number: '113' }));
  const listId = await owner.own.list('Wanted', { '113': 50_00, '114': 59_99 });
  const matches = async (scope: AlertRuleFacts['scope'], condition: AlertCondition) => {
    const { market, accounts } = shared.store;
    const deps = { ...depsOf(), market, accounts };
    const found = await findMatches(deps, owner.id, { scope, condition }, now);
    return found === 'too many' ? found : found.reported.map(({ itemKey }) => itemKey).toSorted();
  };
  const list = { kind: 'list', listId } as const;
  const atMost = (cents: number) => ({ kind: 'price_amount', cents }) as const;
  expect(await matches(list, { kind: 'price_target' })).toEqual(['113']);
  expect(await matches(list, atMost(60_00))).toEqual(['113', '114']);
  expect(await matches({ kind: 'theme', theme }, atMost(60_00))).toEqual(['113', '114']);
  expect(await matches({ kind: 'holdings' }, atMost(60_00))).toEqual(['113']);
  expect(await matches({ kind: 'holdings' }, { kind: 'margin', percent: 900 })).toEqual(['113']);
  expect(await matches({ kind: 'holdings' }, { kind: 'margin', percent: 901 })).toEqual([]);
  expect(await matches({ kind: 'theme', theme }, { kind: 'price_of_value', percent: 50 })).toEqual([
    '113',
  ]);
  expect(await matches(list, { kind: 'price_of_max_buy', percent: 100 })).toEqual(['113']);
  expect(await matches({ kind: 'all' }, atMost(1))).toEqual([]);
  expect(await matches({ kind: 'all' }, atMost(50_00))).toContain('113');
  for (const kind of ['value_up', 'value_down'] as const) {
    expect(await matches(list, { kind, percent: 1 })).toEqual([]);
  }
});
