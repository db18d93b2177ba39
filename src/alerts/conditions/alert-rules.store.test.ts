/** Guarantees of every store about alert rules, as their owners see and change them. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { AlertOwner, ruleFacts } from '../../../test/support/alerts.ts';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { NewNotification } from './alert-evaluation.ts';
import {
  type AlertCondition,
  type AlertRuleFacts,
  type AlertScope,
  alertLimits,
} from './alert-rule.ts';
import type { NewMatch } from './notification.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

const reported: NewMatch = {
  itemKind: 'set',
  itemKey: '1',
  retailer: 'retailer_a',
  baseCents: null,
};

const add = ({ id }: Owner, rule = ruleFacts(), held: readonly NewMatch[] = []) =>
  store().addAlertRule(id, { rule, reported: held, position: 0, at: now });

const owned = ({ id }: Owner) => new AlertOwner(store(), id);

async function countRows(table: string, { id }: Owner): Promise<number> {
  const sql = `SELECT count(*) AS count FROM private.${table} WHERE account_id = ?`;
  const [row] = await onTables<{ count: number }>(shared.folder, sql, [id]);
  return Number(row?.count);
}

test('of requests for one alert of a list, only one adds it', async () => {
  const one = await shared.addOwner();
  const lists = [await owned(one).list('Wanted'), await owned(one).list('Retiring')] as const;
  const only = (listId: number) => {
    const rule = ruleFacts({
      scope: { kind: 'list', listId },
      condition: { kind: 'price_target' },
    });
    const sent = { rule, reported: [], position: 0, at: now, isOnly: true };
    return store().addAlertRule(one.id, sent);
  };
  const made = await Promise.all([only(lists[0]), only(lists[0]), only(lists[1])]);
  expect(made.filter((each) => each === 'exists')).toHaveLength(1);
  const rules = await store().listAlertRules(one.id);
  const listIds = rules.map(({ scope }) => scope.kind === 'list' && scope.listId);
  expect(new Set(listIds)).toEqual(new Set(lists));
  expect(rules).toHaveLength(2);
  // One that is off does not count.
  for (const { id } of rules) await store().turnOffAlertRule(one.id, id);
  expect(await only(lists[0])).toHaveProperty('id');
});

test('every scope and condition is stored as given, and visible only to its owner', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [listId, channelId] = [await owned(one).list('Wanted'), await owned(one).email()];
  const scopes: AlertScope[] = [
    { kind: 'holdings' },
    { kind: 'list', listId },
    { kind: 'theme', theme: 'Star Wars' },
    { kind: 'all' },
  ];
  const conditions: AlertCondition[] = [
    { kind: 'price_target' },
    { kind: 'price_amount', cents: 1 },
    { kind: 'price_of_value', percent: 62.5 },
    { kind: 'price_of_max_buy', percent: 100 },
    { kind: 'all_time_low' },
    { kind: 'flip', to: 'third_party' },
    { kind: 'flip', to: 'retailer' },
    { kind: 'back_in_stock' },
    { kind: 'value_up', percent: 10 },
    { kind: 'value_down', percent: 7.5 },
    { kind: 'margin', percent: 20 },
  ];
  const rules = conditions.map((condition, index) =>
    ruleFacts({
      name: `Rule ${String.fromCharCode(90 - index)}`,
      scope: scopes[index % scopes.length] ?? { kind: 'all' },
      condition,
      channelIds: index % 2 === 0 ? [channelId] : [],
      repeatDays: index % 3 === 0 ? index + 1 : null,
      digest: (['none', 'daily', 'weekly'] as const)[index % 3] ?? 'none',
      dailyCap: index + 1,
    }),
  );
  const ids: number[] = [];
  for (const rule of rules) ids.push(await owned(one).rule(rule));
  const found = await store().listAlertRules(one.id);
  const expected = rules.map((rule, index) => {
    return { ...rule, id: ids[index], accountId: one.id, isOn: true, createdAt: now };
  });
  expect(found).toEqual(expected.reverse() as typeof found);
  expect(await store().listAlertRules(other.id)).toEqual([]);
});

test('without the plan, a rule about max buy prices is not added, changed or turned on', async () => {
  const owner = await shared.addOwner();
  const ofMaxBuy = ruleFacts({ condition: { kind: 'price_of_max_buy', percent: 100 } });
  const [max, plain] = [await owned(owner).rule(ofMaxBuy), await owned(owner).rule()];
  await store().setPlan(owner.email, 'free');
  const sent = { reported: [], position: 0, at: now };
  const change = (id: number, rule: AlertRuleFacts) =>
    store().changeAlertRule(owner.id, id, { ...sent, rule });
  expect(await add(owner, ofMaxBuy)).toBe('no plan');
  expect([await change(max, ofMaxBuy), await change(plain, ofMaxBuy)]).toEqual([
    'no plan',
    'no plan',
  ]);
  await store().turnOffAlertRule(owner.id, max);
  expect(await store().turnOnAlertRule(owner.id, max, sent)).toBe('no plan');
  // A rule that no longer needs it can be saved and turned on.
  expect(await change(max, ruleFacts())).toBe('done');
  expect(await store().turnOnAlertRule(owner.id, max, sent)).toBe('done');
});

test('a list or channel of another account is treated as missing', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [listId, channelId] = [await owned(other).list('Wanted'), await owned(other).email()];
  const own = await owned(one).email();
  const ofList = ruleFacts({ scope: { kind: 'list', listId } });
  const toChannel = ruleFacts({ channelIds: [own, channelId] });
  expect(await add(one, ofList)).toBe('no list');
  expect(await add(one, toChannel)).toBe('no channel');
  const id = await owned(one).rule();
  const change = (who: Owner, rule: AlertRuleFacts) =>
    store().changeAlertRule(who.id, id, { rule, reported: [], position: 0, at: now });
  expect(await change(one, ofList)).toBe('no list');
  expect(await change(one, toChannel)).toBe('no channel');
  expect(await change(other, ruleFacts({ name: 'Mine' }))).toBe('no rule');
  expect(await store().turnOnAlertRule(other.id, id, { reported: [], position: 0, at: now })).toBe(
    'no rule',
  );
  expect(await store().turnOffAlertRule(other.id, id)).toBe(false);
  expect(await store().removeAlertRule(other.id, id)).toBe(false);
  expect((await store().listAlertRules(one.id)).map(({ name, isOn }) => [name, isOn])).toEqual([
    ['Cheap', true],
  ]);
  expect(await add({ ...one, id: 0 })).toBe('no account');
});

test('the number of rules of an account is limited, also if many are added at once', async () => {
  const owner = await shared.addOwner();
  for (let index = 0; index < alertLimits.rules - 3; index++) await owned(owner).rule();
  const made = await Promise.all(Array.from({ length: 10 }, () => add(owner)));
  expect(made.filter((result) => result === 'too many')).toHaveLength(7);
  expect(await store().listAlertRules(owner.id)).toHaveLength(alertLimits.rules);
});

test('current matches count as reported when a rule is saved, changed or turned on', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule({}, [reported, { ...reported, retailer: null, baseCents: 5 }]);
  const keys = async () => {
    const { reported: rows } = await store().findConcerned({ set: ['1', '2'], minifig: [] }, []);
    return rows
      .filter(({ ruleId }) => ruleId === id)
      .map(({ itemKey, retailer, reportedAt }) => {
        return [itemKey, retailer, reportedAt];
      });
  };
  expect((await keys()).toSorted()).toEqual([
    ['1', null, now],
    ['1', 'retailer_a', now],
  ]);
  const change = {
    rule: ruleFacts({ name: 'Other' }),
    reported: [{ ...reported, itemKey: '2' }],
    position: 8,
    at: now + 1,
  };
  expect(await store().changeAlertRule(owner.id, id, change)).toBe('done');
  expect(await keys()).toEqual([['2', 'retailer_a', now + 1]]);
  expect(await store().turnOffAlertRule(owner.id, id)).toBe(true);
  expect(
    await store().turnOnAlertRule(owner.id, id, { reported: [reported], position: 9, at: now + 2 }),
  ).toBe('done');
  expect(await keys()).toEqual([['1', 'retailer_a', now + 2]]);
  const [rule] = (await store().findConcerned({ set: [], minifig: [] }, [])).rules.filter(
    (each) => each.id === id,
  );
  expect([rule?.name, rule?.since, rule?.position]).toEqual(['Other', now + 2, 9]);
});

test('all reports of a rule are replaced or removed, however many there are', async () => {
  const owner = await shared.addOwner();
  const many = (name: string) =>
    Array.from({ length: 400 }, (_, index) => ({ ...reported, itemKey: `${name} ${index}` }));
  const id = await owned(owner).rule({}, many('a'));
  const other = await owned(owner).rule({ name: 'Other' }, [reported]);
  const reports = () => countRows('alert_match', owner);
  expect(await reports()).toBe(401);
  for (const [matches, count] of [
    [many('a'), 401],
    [[reported], 2],
  ] as const) {
    const change = { rule: ruleFacts(), reported: matches, position: 0, at: now + 1 };
    expect(await store().changeAlertRule(owner.id, id, change)).toBe('done');
    expect(await reports()).toBe(count);
  }
  const turnOn = (matches: readonly NewMatch[], at: number) =>
    store().turnOnAlertRule(owner.id, id, { reported: matches, position: 0, at });
  for (const [matches, ms, count] of [
    [many('b'), 3, 401],
    [[reported], 4, 2],
    [many('c'), 5, 401],
  ] as const) {
    expect(await turnOn(matches, now + ms)).toBe('done');
    expect(await reports()).toBe(count);
  }
  expect(await store().removeAlertRule(owner.id, id)).toBe(true);
  expect(await reports()).toBe(1);
  expect(await store().removeAlertRule(owner.id, id)).toBe(false);
  expect((await store().listAlertRules(owner.id)).map((each) => each.id)).toEqual([other]);
});

test('reports from before a change do not count, whatever the clocks say', async () => {
  const owner = await shared.addOwner();
  const id = await owned(owner).rule({}, [reported]);
  const { position } = await store().findAlertProgress();
  const { rules } = await store().findConcerned({ set: [], minifig: [] }, []);
  const row = { ruleId: id, ...reported, itemKey: '5', reportedAt: now - 9 };
  const step = { kind: 'log', from: position, to: (position ?? 0) + 1 } as const;
  await store().settleAlerts(step, { notifications: [], reported: [row], ended: [], rules });
  const known = async () => {
    const found = await store().findConcerned({ set: ['1', '5'], minifig: [] }, []);
    return found.reported.filter(({ ruleId }) => ruleId === id).map(({ itemKey }) => itemKey);
  };
  expect((await known()).toSorted()).toEqual(['1', '5']);
  await store().changeAlertRule(owner.id, id, {
    rule: ruleFacts(),
    reported: [{ ...reported, itemKey: '5' }],
    position: 0,
    at: now - 99,
  });
  expect(await known()).toEqual(['5']);
  expect(await countRows('alert_match', owner)).toBe(1);
});

test('recordReported makes current matches of some sets reported ones, and keeps earlier times', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const [two, three] = [
    { ...reported, itemKey: '2' },
    { ...reported, itemKey: '3' },
  ];
  const id = await owned(owner).rule({}, [reported, two, three]);
  const rows = async () => {
    const concerned = await store().findConcerned({ set: ['1', '2', '3'], minifig: [] }, []);
    const own = concerned.reported.filter(({ ruleId }) => ruleId === id);
    return own.map(
      ({ itemKey, retailer, reportedAt }) => `${itemKey} ${retailer} ${reportedAt - now}`,
    );
  };
  const atB = { ...reported, retailer: 'retailer_b' } as const;
  const matches = { setKeys: ['1', '2'], reported: [reported, atB], at: now + 5 };
  expect(await store().recordReported(other.id, id, matches)).toEqual([]);
  expect(await rows()).toHaveLength(3);
  expect(await store().recordReported(owner.id, id, matches)).toEqual([atB]);
  expect((await rows()).toSorted()).toEqual(['1 retailer_a 0', '1 retailer_b 5', '3 retailer_a 0']);
  expect(await store().listReported(owner.id, id, 1)).toEqual({
    rows: [{ ...atB, reportedAt: now + 5 }],
    total: 3,
  });
  expect(await store().listReported(other.id, id, 1)).toEqual({ rows: [], total: 0 });
  await store().turnOffAlertRule(owner.id, id);
  expect(await store().recordReported(owner.id, id, { ...matches, reported: [two] })).toEqual([]);
});

test('rules are removed with their list or account, and lose removed channels', async () => {
  const owner = await shared.addOwner();
  const [listId, channelId] = [await owned(owner).list('Wanted'), await owned(owner).email()];
  await owned(owner).rule({ name: 'List', scope: { kind: 'list', listId } }, [reported]);
  await owned(owner).rule({ name: 'Channel', channelIds: [channelId] }, [reported]);
  await store().removeWatchList(owner.id, listId);
  await store().removeDeliveryChannel(owner.id, channelId, now);
  const left = await store().listAlertRules(owner.id);
  expect(left.map(({ name, channelIds }) => [name, channelIds])).toEqual([['Channel', []]]);
  expect(await countRows('alert_match', owner)).toBe(1);
  await store().saveAlertSettings(owner.id, { timeZone: 'UTC', quiet: { from: 1, until: 2 } });
  await notify(left[0]?.id ?? 0, {});
  await store().removeAccount(owner.email);
  for (const table of ['alert_rule', 'alert_match', 'notification', 'alert_settings']) {
    expect([table, await countRows(table, owner)]).toEqual([table, 0]);
  }
});

test('settings are those saved, or the defaults', async () => {
  const owner = await shared.addOwner();
  const settings = () => store().findAlertSettings(owner.id);
  expect(await settings()).toEqual({ timeZone: 'UTC', quiet: null });
  const night = { timeZone: 'America/New_York', quiet: { from: 22 * 60, until: 0 } };
  for (const saved of [night, { timeZone: 'Asia/Kolkata', quiet: null }]) {
    expect(await store().saveAlertSettings(owner.id, saved)).toBe(true);
    expect(await settings()).toEqual(saved);
  }
  expect(await store().saveAlertSettings(0, night)).toBe(false);
});

/** Triggers a rule for a set. */
async function notify(ruleId: number, change: Partial<NewNotification>): Promise<void> {
  const { position } = await store().findAlertProgress();
  const { rules } = await store().findConcerned({ set: [], minifig: [] }, []);
  const notification = {
    ruleId,
    itemKind: 'set',
    itemKey: '1',
    number: '1',
    title: 'One',
    retailer: null,
    say: () => ({ reason: 'It is cheap', facts: '{}' }),
    at: now,
    dueAt: now,
    heldFor: null,
    dayStart: 0,
    ...change,
  } as const;
  const evaluated = { notifications: [notification], reported: [], ended: [], rules };
  const step = { kind: 'log', from: position, to: (position ?? 0) + 1 } as const;
  expect(await store().settleAlerts(step, evaluated)).toBe(true);
}

test('notifications are listed newest first, in pages, for their owner only', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const id = await owned(one).rule();
  for (const number of ['1', '2', '3']) await notify(id, { number, retailer: 'retailer_b' });
  const list = async (owner: Owner, before: number | null, limit = 2) =>
    store().listNotifications(owner.id, { before, limit });
  const first = await list(one, null);
  expect(first[0]).toEqual({
    id: expect.any(Number),
    ruleId: id,
    ruleName: 'Cheap',
    at: now,
    itemKind: 'set',
    number: '3',
    title: 'One',
    retailer: 'retailer_b',
    reason: 'It is cheap',
    state: 'no_channel',
    dueAt: now,
    heldFor: null,
    deliveries: [],
  });
  const rest = await list(one, first.at(-1)?.id ?? 0);
  expect([...first, ...rest].map(({ number }) => number)).toEqual(['3', '2', '1']);
  expect(await list(other, null)).toEqual([]);
  expect(await store().listLastSent(one.id)).toEqual(new Map());
  await store().removeAlertRule(one.id, id);
  expect((await list(one, null))[0]).toMatchObject({ ruleId: null, ruleName: 'Cheap' });
});

test('a link in a message turns off its rule, and no other', async () => {
  const owner = await shared.addOwner();
  const channelId = await owned(owner).email();
  const id = await owned(owner).rule({ channelIds: [channelId] });
  const other = await owned(owner).rule({ name: 'Other' });
  const hash = Bun.SHA256.hash(`link of ${id}`) as Uint8Array as TokenHash;
  for (const at of [now, now + 5, now + 3]) {
    await notify(id, { at, dueAt: at });
    await store().sendDueAlerts(at, ({ notifications, channels }) => ({
      deliveries: [...channels.values()].flat().map(({ id: to }) => ({
        channelId: to,
        messageId: `alert_${notifications[0]?.id}`,
        type: 'alert',
        orderKey: null,
        body: '{}',
        at,
        notificationIds: notifications.map((each) => each.id),
      })),
      links: new Map([[id, hash]]),
    }));
  }
  expect(await store().listLastSent(owner.id)).toEqual(new Map([[id, now + 5]]));
  const listed = async () =>
    (await store().listNotifications(owner.id, { before: null, limit: 1 }))[0];
  expect(await listed()).toMatchObject({
    state: 'sent',
    deliveries: [
      {
        state: 'waiting',
        tries: 0,
        answerStatus: null,
        answer: null,
        nextAt: now + 3,
        channel: { id: channelId, kind: 'email', name: 'Email', state: 'active' },
      },
    ],
  });
  expect(await store().findRuleByLink(hash)).toEqual({ id, name: 'Cheap', isOn: true });
  expect(await store().endRuleByLink(hash)).toBe(true);
  expect(await store().findRuleByLink(hash)).toEqual({ id, name: 'Cheap', isOn: false });
  const wrong = Bun.SHA256.hash('wrong') as Uint8Array as TokenHash;
  expect(await store().findRuleByLink(wrong)).toBeNull();
  expect(await store().endRuleByLink(wrong)).toBe(false);
  const rules = await store().listAlertRules(owner.id);
  expect(rules.filter(({ isOn }) => isOn).map((rule) => rule.id)).toEqual([other]);
  // Deliveries are removed with their channel, the notification stays.
  await store().removeDeliveryChannel(owner.id, channelId, now);
  expect(await listed()).toMatchObject({ state: 'sent', deliveries: [] });
});
