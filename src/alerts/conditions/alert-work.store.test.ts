/** Guarantees of every store while alert rules are evaluated and messages are sent. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { AlertOwner, ruleFacts } from '../../../test/support/alerts.ts';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import { dayMs } from '../../kernel/time.ts';
import { positionBefore } from '../../market/events/events.ts';
import type {
  AlertStep,
  ComposedAlerts,
  DueAlerts,
  Evaluated,
  NewNotification,
} from './alert-evaluation.ts';

const shared = shareStore();
const store = () => shared.store.accounts;
const owned = ({ id }: Owner) => new AlertOwner(store(), id);

const concerned = (set: string[], themes: string[] = []) =>
  store().findConcerned({ set, minifig: [] }, themes);

/** The next step through the log. */
async function nextStep(): Promise<AlertStep> {
  const { position } = await store().findAlertProgress();
  return { kind: 'log', from: position, to: (position ?? 0) + 1 };
}

/** Saves results of rules that have not changed since they were added. */
async function settle(evaluated: Partial<Evaluated>): Promise<void> {
  const { notifications = [], reported = [], ended = [] } = evaluated;
  const rules = [...notifications, ...reported, ...ended].map(({ ruleId: id }) => ({
    id,
    since: now,
  }));
  const step = await nextStep();
  const all = { notifications, reported, ended, rules, ...evaluated };
  expect(await store().settleAlerts(step, all)).toBe(true);
}

const message = (reason: string) => ({ reason, facts: '{"price_usd":5}' });

const notification = (ruleId: number, change: Partial<NewNotification> = {}): NewNotification => ({
  ruleId,
  itemKind: 'set',
  itemKey: '1',
  number: '1',
  title: 'One',
  retailer: 'retailer_a',
  say: () => message('One is cheap'),
  at: now,
  dueAt: now,
  heldFor: null,
  dayStart: now - 1,
  ...change,
});

const statesOf = async ({ id }: Owner) =>
  (await store().listNotifications(id, { before: null, limit: 999 }))
    .map(({ state }) => state)
    .reverse();

test('rules that are on are found by items on their lists, in their holdings and themes', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await one.apply(one.brickfolio('Shelf'), one.lot('a', { number: '71', priceCents: 7_00 }));
  await other.apply(other.brickfolio('Shelf'), other.lot('a', { number: '72' }));
  const listId = await owned(one).list('Wanted', { '73': 9_00, '74': null });
  const ids = {
    holdings: await owned(one).rule({ scope: { kind: 'holdings' } }),
    list: await owned(one).rule({ scope: { kind: 'list', listId } }),
    theme: await owned(one).rule({ scope: { kind: 'theme', theme: 'Castle' } }),
    all: await owned(one).rule(),
  };
  const off = await owned(one).rule({ scope: { kind: 'holdings' } });
  await store().turnOffAlertRule(one.id, off);
  const found = async (set: string[], themes: string[] = []) => {
    const { rules } = await concerned(set, themes);
    const own = rules.filter(({ accountId }) => accountId === one.id);
    return own.map(({ scope }) => scope.kind).sort();
  };
  expect(await found(['70'])).toEqual(['all']);
  expect(await found(['71'])).toEqual(['all', 'holdings']);
  // Held by another account.
  expect(await found(['72'])).toEqual(['all']);
  expect(await found(['70', '73'], ['Castle'])).toEqual(['all', 'list', 'theme']);
  const { listed, held } = await concerned(['71', '72', '73', '74']);
  const listedItems = listed.filter(({ ruleId }) => ruleId === ids.list);
  expect(listedItems.map(({ itemKey, targetCents }) => [itemKey, targetCents]).sort()).toEqual([
    ['73', 9_00],
    ['74', null],
  ]);
  expect(held.filter(({ ruleId }) => ruleId === ids.holdings)).toEqual([
    {
      ruleId: ids.holdings,
      itemKind: 'set',
      itemKey: '71',
      condition: 'sealed',
      units: 2,
      costCents: 14_00,
    },
  ]);
  // Minifigs are distinct from sets with the same number, held or not.
  const minifigs = await store().findConcerned({ set: [], minifig: ['71', '73'] }, []);
  expect([minifigs.listed, minifigs.held]).toEqual([[], []]);
  await one.apply(one.lot('fig', { kind: 'minifig', number: '71', condition: 'used' }));
  const owned71 = await store().findConcerned({ set: ['71'], minifig: ['71'] }, []);
  const units = owned71.held.filter(({ ruleId }) => ruleId === ids.holdings);
  expect(units.map(({ itemKind, condition }) => [itemKind, condition]).sort()).toEqual([
    ['minifig', 'used'],
    ['set', 'sealed'],
  ]);
});

test('rules come with the settings of their owners, and with buying settings only if needed', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const settings = { timeZone: 'Europe/Berlin', quiet: { from: 0, until: 60 } };
  await store().saveAlertSettings(one.id, settings);
  await owned(one).rule({ condition: { kind: 'price_of_max_buy', percent: 100 } });
  await owned(other).rule();
  const found = await concerned(['70']);
  expect(found.settings.get(one.id)).toEqual(settings);
  expect(found.settings.get(other.id)).toEqual({ timeZone: 'UTC', quiet: null });
  expect([found.buying.has(one.id), found.buying.has(other.id)]).toEqual([true, false]);
});

test('a rule about max buy prices waits while its owner is not on the Reseller plan', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule({ condition: { kind: 'price_of_max_buy', percent: 100 } });
  const other = await owned(owner).rule();
  const found = async () => {
    const ids = (await concerned(['70'])).rules.map((rule) => rule.id);
    return [id, other].filter((one) => ids.includes(one));
  };
  await store().setPlan(owner.email, 'free');
  expect(await found()).toEqual([other]);
  await store().setPlan(owner.email, 'reseller');
  expect(await found()).toEqual([id, other]);
});

test('results of a step are saved once, by the first process, however often it is repeated', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule();
  const { rules } = await concerned([]);
  const step = await nextStep();
  const reported = [
    { ruleId: id, itemKind: 'set', itemKey: '1', retailer: null, reportedAt: now, baseCents: 3 },
  ];
  const evaluated = { notifications: [notification(id)], reported, ended: [], rules } as Evaluated;
  const tries = [1, 2, 3].map(() => store().settleAlerts(step, evaluated));
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  expect(await store().settleAlerts({ ...step, from: null } as AlertStep, evaluated)).toBe(false);
  expect(await statesOf(owner)).toEqual(['no_channel']);
  const { position } = await store().findAlertProgress();
  expect(position).toBe(step.kind === 'log' ? step.to : -1);
});

test('a long step is saved rule by rule, and continues after the last saved rule', async () => {
  const owner = await shared.addOwner();
  const [long, short] = [await owned(owner).rule(), await owned(owner).rule()];
  const reported = Array.from({ length: 2_100 }, (_, index) => {
    const item = { itemKind: 'set', itemKey: `long-${index}`, retailer: null } as const;
    return { ruleId: long, ...item, reportedAt: now, baseCents: 1 };
  });
  const { rules } = await concerned([]);
  const evaluated = (say: NewNotification['say']): Evaluated => ({
    notifications: [notification(long), notification(short, { say })],
    reported,
    ended: [],
    rules,
  });
  const step = await nextStep();
  const killed = evaluated(() => {
    throw new Error('Killed.');
  });
  await expect(store().settleAlerts(step, killed)).rejects.toThrow('Killed.');
  const to = step.kind === 'log' ? step.to : -1;
  expect(await store().findAlertProgress()).toMatchObject({ position: to - 1, until: to });
  expect(await statesOf(owner)).toHaveLength(1);
  const again = evaluated(() => message('Again'));
  const further = { kind: 'log', from: to - 1, to: to + 1 } as const;
  expect(await store().settleAlerts(further, again)).toBe(false);
  expect(await store().settleAlerts(step, again)).toBe(true);
  expect(await statesOf(owner)).toHaveLength(2);
  expect(await store().findAlertProgress()).toMatchObject({ position: to, until: null });
});

test('the check of all items continues where it stopped', async () => {
  const look = async () => (await store().findAlertProgress()).look;
  const nothing = { notifications: [], reported: [], ended: [], rules: [] };
  const go = (from: Awaited<ReturnType<typeof look>>, to: NonNullable<typeof from>) =>
    store().settleAlerts({ kind: 'look', from, to }, nothing);
  const start = await look();
  expect(await go(start, { at: now, after: 'set ' })).toBe(true);
  expect(await go(start, { at: now, after: 'set 5' })).toBe(false);
  expect(await go({ at: now, after: null }, { at: now, after: 'set 5' })).toBe(false);
  expect(await go({ at: now, after: 'set ' }, { at: now, after: null })).toBe(true);
  expect(await look()).toEqual({ at: now, after: null });
});

test('a match is reported again after it was cleared', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule();
  const of = { ruleId: id, itemKind: 'set', itemKey: '9' } as const;
  const reported = async () =>
    (await concerned(['9'])).reported
      .filter(({ ruleId }) => ruleId === id)
      .map(({ retailer, reportedAt, baseCents }) => [retailer, reportedAt, baseCents])
      .toSorted();
  await settle({
    reported: [
      { ...of, retailer: 'retailer_a', reportedAt: now + 1, baseCents: null },
      { ...of, retailer: null, reportedAt: now + 1, baseCents: 5 },
    ],
  });
  await settle({ reported: [{ ...of, retailer: null, reportedAt: now + 2, baseCents: 6 }] });
  expect(await reported()).toEqual([
    [null, now + 2, 6],
    ['retailer_a', now + 1, null],
  ]);
  await settle({
    ended: [
      { ...of, retailer: 'retailer_a' },
      { ...of, retailer: 'retailer_b' },
    ],
  });
  expect(await reported()).toEqual([[null, now + 2, 6]]);
});

test('results of a rule that was changed, turned off or removed meanwhile are dropped', async () => {
  const owner = await shared.addOwner();
  const ids = [await owned(owner).rule(), await owned(owner).rule(), await owned(owner).rule()];
  const [changed = 0, off = 0, gone = 0] = ids;
  const { rules } = await concerned([]);
  await store().changeAlertRule(owner.id, changed, {
    rule: ruleFacts(),
    reported: [],
    position: positionBefore(now + 5),
    at: now + 5,
  });
  await store().turnOffAlertRule(owner.id, off);
  await store().removeAlertRule(owner.id, gone);
  const reported = ids.map((ruleId) => {
    return {
      ruleId,
      itemKind: 'set',
      itemKey: '8',
      retailer: null,
      reportedAt: 1,
      baseCents: null,
    };
  }) as Evaluated['reported'];
  await settle({ notifications: ids.map((id) => notification(id)), reported, rules });
  expect(await statesOf(owner)).toEqual([]);
  expect((await concerned(['8'])).reported.filter(({ ruleId }) => ids.includes(ruleId))).toEqual(
    [],
  );
});

test('notifications per day are limited, some more are listed, and the next day starts again', async () => {
  const owner = await shared.addOwner();
  const channelIds = [await owned(owner).email()];
  const id = await owned(owner).rule({ dailyCap: 2, channelIds });
  const three = [notification(id), notification(id), notification(id)];
  await settle({ notifications: three });
  expect(await statesOf(owner)).toEqual(['waiting', 'waiting', 'over_cap']);
  await settle({ notifications: [notification(id, { at: now + 1 })] });
  const tomorrow = { at: now + dayMs, dayStart: now + dayMs - 1 };
  await settle({ notifications: [notification(id, tomorrow)] });
  expect((await statesOf(owner)).slice(3)).toEqual(['over_cap', 'waiting']);
  await settle({ notifications: Array.from({ length: 300 }, () => notification(id, tomorrow)) });
  const states = await statesOf(owner);
  expect(states.filter((state) => state === 'waiting')).toHaveLength(4);
  expect(states.filter((state) => state === 'over_cap')).toHaveLength(2 + 100);
});

/** One message per channel, with the notification ids it is about. */
function compose({ notifications, channels }: DueAlerts): ComposedAlerts {
  const kinds = new Map([...channels.values()].flat().map(({ id, kind }) => [id, kind]));
  return {
    deliveries: [...kinds].map(([channelId, kind]) => ({
      channelId,
      messageId: `alert_${channelId}_${notifications[0]?.id}`,
      type: 'alert',
      orderKey: null,
      body: JSON.stringify({ kind, about: notifications.map(({ reason }) => reason) }),
      at: now,
      notificationIds: notifications
        .filter(({ ruleId }) => channels.get(ruleId)?.some(({ id }) => id === channelId))
        .map(({ id }) => id),
    })),
    links: new Map(),
  };
}

test('due notifications are sent once, in one message, and others wait', async () => {
  const owner = await shared.addOwner();
  const email = await owned(owner).email();
  const listId = await owned(owner).list('Retiring soon');
  const noted = { kind: 'set', key: '1', number: '1', targetCents: null, note: 'For Ben' } as const;
  await store().saveWatchedItems(owner.id, listId, { items: [noted], at: now });
  const scope = { kind: 'list', listId } as const;
  const first = await owned(owner).rule({ channelIds: [email], scope });
  const second = await owned(owner).rule({ channelIds: [email] });
  const later = { say: () => message('Later'), dueAt: now + 5, heldFor: 'quiet' } as const;
  await settle({
    notifications: [
      notification(first, { say: () => message('First') }),
      notification(second, { say: () => message('Second') }),
      notification(second, later),
    ],
  });
  const seen: DueAlerts[] = [];
  const send = (at: number) =>
    store().sendDueAlerts(at, (due) => {
      if (due.accountId === owner.id) seen.push(due);
      return compose(due);
    });
  await Promise.all([send(now), send(now), send(now)]);
  expect(await statesOf(owner)).toEqual(['sent', 'sent', 'waiting']);
  const [due] = seen;
  expect(due?.notifications[0]).toMatchObject({
    ruleId: first,
    rule: { name: 'Cheap', scope, condition: { kind: 'price_amount', cents: 50_00 } },
    listName: 'Retiring soon',
    note: 'For Ben',
    number: '1',
    retailer: 'retailer_a',
    facts: '{"price_usd":5}',
  });
  expect(due?.notifications[1]).toMatchObject({ listName: null, note: null });
  const deliveries = () => store().listDeliveries(owner.id, email, { before: null, limit: 9 });
  const about = async () => (await deliveries()).map(({ body }) => JSON.parse(body).about);
  expect(await about()).toEqual([['First', 'Second']]);
  await send(now + 5);
  expect(await about()).toEqual([['Later'], ['First', 'Second']]);
  expect(await send(now + 5)).toBe(0);
});

test('a notification is listed with the state of its message on each channel', async () => {
  const owner = await shared.addOwner();
  const email = await owned(owner).email();
  const address = new Uint8Array([1]) as Encrypted;
  const nothing = { secret: null, subscription: null, position: null };
  const phone = { kind: 'ntfy', name: 'Phone', address, ...nothing, at: now } as const;
  const added = await store().addDeliveryChannel(owner.id, phone);
  const ntfy = typeof added === 'object' ? added.id : 0;
  const both = await owned(owner).rule({ channelIds: [ntfy, email] });
  const one = await owned(owner).rule({ channelIds: [ntfy] });
  const rules = await store().listAlertRules(owner.id);
  expect(rules.map(({ channelIds }) => channelIds)).toEqual([[email, ntfy], [ntfy]]);
  await settle({ notifications: [notification(both), notification(one)] });
  await store().sendDueAlerts(now, compose);
  const page = { before: null, limit: 9 };
  const list = async () =>
    (await store().listNotifications(owner.id, page))
      .reverse()
      .map(({ deliveries }) => deliveries.map(({ channel, state }) => [channel.name, state]));
  expect(await list()).toEqual([
    [
      ['Email', 'waiting'],
      ['Phone', 'waiting'],
    ],
    [['Phone', 'waiting']],
  ]);
  const [sent] = await store().listDeliveries(owner.id, ntfy, page);
  const tried = { triesBefore: 0, tries: 1, triedAt: now, answerStatus: 503, answer: 'Busy' };
  const working = { stateBefore: 'active', state: 'active', stateReason: null } as const;
  const again = { failingSince: now, failures: 1, retryAt: now + 9 };
  const delivery = { id: sent?.id ?? 0, state: 'waiting', dueAt: now + 5, ...tried } as const;
  await store().saveTried([
    { id: ntfy, kind: 'ntfy', ...working, ...again, deliveries: [delivery] },
  ]);
  const [last] = await store().listNotifications(owner.id, { before: null, limit: 1 });
  expect(last?.deliveries).toEqual([
    {
      channel: { id: ntfy, kind: 'ntfy', name: 'Phone', state: 'active' },
      state: 'waiting',
      tries: 1,
      answerStatus: 503,
      answer: 'Busy',
      nextAt: now + 9,
    },
  ]);
  await store().removeDeliveryChannel(owner.id, ntfy, now);
  expect(await list()).toEqual([[['Email', 'waiting']], []]);
});

test('accounts that waited longest are first, and sent messages stay sent if a later one fails', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const due = async (owner: Owner, dueAt: number) => {
    const id = await owned(owner).rule({ channelIds: [await owned(owner).email()] });
    return notification(id, { dueAt });
  };
  await settle({ notifications: [await due(one, now - 8), await due(other, now - 9)] });
  const asked: number[] = [];
  const failing = (found: DueAlerts) => {
    asked.push(found.accountId);
    if (found.accountId === one.id) throw new Error('It cannot be message.');
    return compose(found);
  };
  await expect(store().sendDueAlerts(now - 8, failing)).rejects.toThrow('It cannot be message.');
  expect(asked).toEqual([other.id, one.id]);
  expect([await statesOf(one), await statesOf(other)]).toEqual([['waiting'], ['sent']]);
  await store().sendDueAlerts(now - 8, compose);
  expect(await statesOf(one)).toEqual(['sent']);
});

test('one call sends the messages of twenty accounts, and the next call those of the others', async () => {
  const due = Array.from({ length: 21 }, async (_, index) => {
    const owner = await shared.addOwner();
    const id = await owned(owner).rule({ channelIds: [await owned(owner).email()] });
    return notification(id, { dueAt: now - 99 + index });
  });
  await settle({ notifications: await Promise.all(due) });
  const notYet = () => ({ deliveries: [], links: new Map() });
  expect(await store().sendDueAlerts(now - 50, notYet)).toBe(20);
  expect(await store().sendDueAlerts(now - 50, notYet)).toBe(1);
});

test('due notifications of rules that ended or have no active channel are not sent', async () => {
  const owner = await shared.addOwner();
  const email = await owned(owner).email();
  const rule = () => owned(owner).rule({ channelIds: [email] });
  const ids = [await rule(), await rule(), await rule()];
  const [off = 0, gone = 0] = ids;
  await settle({ notifications: ids.map((id) => notification(id)) });
  await store().turnOffAlertRule(owner.id, off);
  await store().removeAlertRule(owner.id, gone);
  await store().changeDeliveryChannel(owner.id, email, { isOn: false, at: now });
  await store().sendDueAlerts(now, compose);
  expect(await statesOf(owner)).toEqual(['ended', 'ended', 'no_channel']);
  expect(await store().listDeliveries(owner.id, email, { before: null, limit: 9 })).toEqual([]);
});

test('evaluation starts at the earliest position of the rules that are on', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule();
  expect((await store().findAlertProgress()).start).toBe(positionBefore(now));
  await store().turnOnAlertRule(owner.id, id, { reported: [], position: -7, at: now });
  expect((await store().findAlertProgress()).start).toBe(-7);
});

test('notifications are kept for ninety days', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule();
  await settle({ notifications: [notification(id, { at: now - 90 * dayMs }), notification(id)] });
  while ((await store().sweep(now, 100)) > 0);
  expect(await statesOf(owner)).toEqual(['no_channel']);
});
