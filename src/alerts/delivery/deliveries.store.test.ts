/** Guarantees of every store about channels and deliveries. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { AlertOwner } from '../../../test/support/alerts.ts';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import { dayMs, minuteMs } from '../../kernel/time.ts';
import {
  type DeliveryChannelChange,
  type NewDeliveryChannel,
  unconfirmedReason,
} from '../channels/delivery-channel.ts';
import { deliveryKinds, deliveryTable } from '../channels/delivery-channel-kinds.ts';
import {
  type DueChannel,
  deliveriesKeptDays,
  type EventDelivery,
  orderKeyOf,
  type TriedChannel,
  waitingMax,
} from './delivery.ts';

const shared = shareStore();
const accounts = () => shared.store.accounts;

const sealed = (byte: number) => new Uint8Array([byte, 0, 255]) as Encrypted;

const webhook: NewDeliveryChannel = {
  kind: 'webhook',
  name: 'Shop',
  address: sealed(1),
  secret: sealed(2),
  subscription: { kinds: ['retail.low', 'retail.flip'], scope: 'holdings' },
  position: 100,
  at: now,
};
const email: NewDeliveryChannel = {
  kind: 'email',
  name: 'Email',
  address: null,
  secret: null,
  subscription: null,
  position: null,
  at: now,
};

async function add(owner: Owner, channel: NewDeliveryChannel = webhook): Promise<number> {
  const added = await accounts().addDeliveryChannel(owner.id, channel);
  if (typeof added === 'string') throw new Error(added);
  return added.id;
}

function eventOf(channelId: number, position: number, key: string | null): EventDelivery {
  return {
    channelId,
    messageId: `evt_${channelId}_${position}`,
    type: 'retail.low',
    orderKey: key === null ? null : orderKeyOf({ kind: 'set', key }),
    body: `{"position":${position}}`,
    at: now,
    position,
  };
}

/** Queues events of items, from the webhook's position on. */
async function queueEvents(channelId: number, from: number, keys: readonly (string | null)[]) {
  const deliveries = keys.map((key, index) => eventOf(channelId, from + index + 1, key));
  const to = from + keys.length;
  return accounts().advance([{ channelId, from, to, deliveries }]);
}

/** Message ids due for a channel now. */
async function dueOf(channelId: number, at = now, busy: number[] = []): Promise<string[]> {
  return (await findDue(channelId, at, busy))?.deliveries.map(({ messageId }) => messageId) ?? [];
}

const dueQuery = (at: number, busy: number[]) => {
  const asked = { at, kinds: deliveryKinds, busy, channels: 1_000, deliveries: 8 };
  return { ...asked, busyAccounts: [] as number[], slow: [] as number[] };
};

async function findDue(
  channelId: number,
  at = now,
  busy: number[] = [],
): Promise<DueChannel | undefined> {
  const due = await accounts().listDue(dueQuery(at, busy));
  return due.find(({ id }) => id === channelId);
}

/** Saves the result of everything due for a channel. */
async function tried(
  channelId: number,
  how: Partial<TriedChannel> & { readonly isDone: boolean; readonly at?: number },
): Promise<void> {
  const { isDone, at = now, ...change } = how;
  const channel = await findDue(channelId, at);
  if (!channel) throw new Error('Nothing is due.');
  await accounts().saveTried([
    {
      id: channelId,
      kind: channel.kind,
      stateBefore: channel.state,
      state: 'active',
      stateReason: null,
      failingSince: isDone ? null : at,
      failures: isDone ? 0 : 1,
      retryAt: null,
      deliveries: channel.deliveries.map(({ id, tries }) => ({
        id,
        triesBefore: tries,
        state: isDone ? 'done' : 'waiting',
        tries: tries + 1,
        dueAt: isDone ? at : at + minuteMs,
        triedAt: at,
        answerStatus: isDone ? 204 : 500,
        answer: isDone ? '' : 'Oops',
      })),
      ...change,
    },
  ]);
}

const stateOf = async (owner: Owner, channelId: number) =>
  (await accounts().listDeliveryChannels(owner.id)).find(({ id }) => id === channelId);

const listed = async (owner: Owner, channelId: number) =>
  accounts().listDeliveries(owner.id, channelId, { before: null, limit: 100 });

// The first test, because the others leave channels behind.
test('delivery is needed for a channel or an alert rule, and figures are zero without', async () => {
  const owner = await shared.addOwner();
  const wanted = () => accounts().isDeliveryWanted();
  const nothing = { waiting: 0, oldestAt: null, dueSince: null, tallies: [] };
  expect(await accounts().findDeliveryFigures()).toEqual(nothing);
  expect(await wanted()).toBe(false);
  const rule = await new AlertOwner(accounts(), owner.id).rule();
  expect(await wanted()).toBe(true);
  await accounts().removeAlertRule(owner.id, rule);
  expect(await wanted()).toBe(false);
  const [id, other] = [await add(owner), await add(owner)];
  expect(await wanted()).toBe(true);
  const message = { messageId: 'm', type: 'alert', orderKey: null, body: '{}' };
  await accounts().addDeliveries([
    { ...message, channelId: id, at: now - 2 },
    { ...message, channelId: other, at: now - 5 },
    { ...message, channelId: other, at: now - 3 },
  ]);
  const waiting = { waiting: 3, oldestAt: now - 5, dueSince: now - 5 };
  expect(await accounts().findDeliveryFigures()).toEqual({ ...waiting, tallies: [] });
  await tried(other, { isDone: true });
  await tried(id, { isDone: false });
  expect(await accounts().findDeliveryFigures()).toEqual({
    waiting: 1,
    oldestAt: now - 2,
    dueSince: now,
    tallies: [
      { kind: 'webhook', outcome: 'done', count: 2 },
      { kind: 'webhook', outcome: 'failed', count: 1 },
    ],
  });
  for (const each of [id, other]) await accounts().removeDeliveryChannel(owner.id, each, now);
});

test('an unconfirmed email address gets no messages, and its link turns it on', async () => {
  const owner = await shared.addOwner();
  const hash = (byte: number) => new Uint8Array(32).fill(byte) as TokenHash;
  const id = await add(owner, { ...email, confirmHash: hash(1) });
  const own = async () =>
    (await accounts().listDeliveryChannels(owner.id)).find((each) => each.id === id);
  expect(await own()).toMatchObject({
    state: 'off',
    stateReason: unconfirmedReason,
    isUnconfirmed: true,
  });
  expect(await accounts().addTest(owner.id, id, now)).toBe('missing');
  for (const isOn of [true, false]) {
    expect(await accounts().changeDeliveryChannel(owner.id, id, { isOn, at: now })).toBe('missing');
  }
  expect(await accounts().replaceConfirmLink(owner.id + 1, id, hash(2))).toBe(false);
  expect(await accounts().replaceConfirmLink(owner.id, id, hash(2))).toBe(true);
  expect(await accounts().useConfirmLink(id, hash(1), now)).toBe(false);
  expect(await accounts().hasConfirmLink(id, hash(2))).toBe(true);
  expect(await accounts().useConfirmLink(id, hash(2), now)).toBe(true);
  expect(await own()).toMatchObject({ state: 'active', stateReason: null, isUnconfirmed: false });
  expect(await accounts().useConfirmLink(id, hash(2), now)).toBe(false);
  expect(await accounts().replaceConfirmLink(owner.id, id, hash(3))).toBe(false);
  // A webhook's secret is not a confirmation link.
  const hook = await add(owner);
  expect(await accounts().hasConfirmLink(hook, sealed(2) as Uint8Array as TokenHash)).toBe(false);
});

test('a channel is listed for its owner as it was added', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  const { secret: _, at, ...facts } = webhook;
  const [channel] = await accounts().listDeliveryChannels(owner.id);
  expect({ ...channel, address: [...(channel?.address ?? [])] }).toEqual({
    ...facts,
    notices: [],
    address: [1, 0, 255],
    id,
    accountId: owner.id,
    state: 'active',
    stateReason: null,
    isUnconfirmed: false,
    failingSince: null,
    retryAt: null,
    createdAt: at,
  } as never);
  const later = [await add(owner, email), await add(owner)];
  const ids = (await accounts().listDeliveryChannels(owner.id)).map((each) => each.id);
  expect(ids).toEqual([id, ...later]);
});

test('the number of channels per kind is limited, also if they are added at once', async () => {
  const owner = await shared.addOwner();
  const adding = Array.from({ length: 8 }, () => accounts().addDeliveryChannel(owner.id, webhook));
  const added = await Promise.all(adding);
  expect(added.filter((each) => each === 'too many')).toHaveLength(8 - deliveryTable.webhook.max);
  expect(await accounts().listDeliveryChannels(owner.id)).toHaveLength(deliveryTable.webhook.max);
  await add(owner, email);
  expect(await accounts().addDeliveryChannel(owner.id, email)).toBe('too many');
  expect(await accounts().addDeliveryChannel(0, email)).toBe('no account');
});

test('channels and deliveries of another account are treated as missing', async () => {
  const [ann, bob] = [await shared.addOwner(), await shared.addOwner()];
  const id = await add(ann);
  await queueEvents(id, 100, ['75192-1']);
  const [delivery] = await listed(ann, id);
  const before = await stateOf(ann, id);
  const store = accounts();
  expect(await store.listDeliveryChannels(bob.id)).toEqual([]);
  expect(await store.changeDeliveryChannel(bob.id, id, { name: 'Mine', at: now })).toBe('missing');
  expect(await store.changeDeliveryChannel(bob.id, id, { isOn: false, at: now })).toBe('missing');
  const change = { secret: sealed(9), oldUntil: now, at: now };
  expect(await store.rotateSecret(bob.id, id, change)).toBe('missing');
  expect(await store.listDeliveries(bob.id, id, { before: null, limit: 9 })).toEqual([]);
  expect(await store.resendDelivery(bob.id, delivery?.id ?? 0, { at: now, by: 'owner' })).toBe(
    'missing',
  );
  expect(await store.replayFrom(bob.id, id, 0)).toBe('missing');
  expect(await store.addTest(bob.id, id, now)).toBe('missing');
  expect(await store.removeDeliveryChannel(bob.id, id, now)).toBe(false);
  expect(await stateOf(ann, id)).toEqual(before);
  expect(await listed(ann, id)).toEqual([delivery as never]);
});

test('omitted fields stay unchanged, and first kinds start at the given position', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner, { ...webhook, subscription: null });
  const change = async (fields: Omit<DeliveryChannelChange, 'at'>) => {
    expect(await accounts().changeDeliveryChannel(owner.id, id, { ...fields, at: now })).toBe(
      'done',
    );
    return stateOf(owner, id);
  };
  expect(await stateOf(owner, id)).toMatchObject({ subscription: null, position: null });
  const low = { kinds: ['retail.low'], scope: 'all' } as const;
  expect(await change({ kinds: low.kinds, position: 7 })).toMatchObject({ subscription: low });
  expect(await change({ name: 'Other', position: 9 })).toMatchObject({
    name: 'Other',
    subscription: low,
    position: 7,
  });
  const own = { ...low, scope: 'holdings' } as const;
  expect(await change({ ...own, position: 9 })).toMatchObject({ subscription: own, position: 7 });
  // Without kinds, there is no position, and the scope stays known.
  const none = { subscription: { ...own, kinds: [] }, position: null };
  expect(await change({ kinds: [] })).toMatchObject(none);
  expect(await change({ name: 'Third' })).toMatchObject(none);
  expect(await change({ kinds: low.kinds, position: 11 })).toMatchObject({
    subscription: own,
    position: 11,
  });
  expect(await change({ kinds: [], scope: 'watch' })).toMatchObject({ position: null });
  expect(await change({ scope: 'all' })).toMatchObject({
    subscription: { kinds: [], scope: 'all' },
    position: null,
  });
});

test('a change with a new address that turns the channel on or off is one change', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  const change = (fields: Omit<DeliveryChannelChange, 'at'>) =>
    accounts().changeDeliveryChannel(owner.id, id, { ...fields, at: now });
  await change({ address: sealed(8), name: 'Off', isOn: false });
  expect(await stateOf(owner, id)).toMatchObject({ name: 'Off', state: 'off' });
  await change({ address: sealed(9), name: 'On', isOn: true });
  expect(await stateOf(owner, id)).toMatchObject({ name: 'On', state: 'active' });
  const unconfirmed = await add(owner, { ...email, confirmHash: new Uint8Array(32) as TokenHash });
  const refused = { name: 'Mine', isOn: true, at: now };
  expect(await accounts().changeDeliveryChannel(owner.id, unconfirmed, refused)).toBe('missing');
  expect(await stateOf(owner, unconfirmed)).toMatchObject({ name: email.name, state: 'off' });
});

test('subscribers are active webhooks with event kinds that are behind a position', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner, { ...webhook, position: 5 });
  const off = await add(owner, { ...webhook, position: 5 });
  await accounts().changeDeliveryChannel(owner.id, off, { isOn: false, at: now });
  await add(owner, { ...webhook, subscription: { kinds: [], scope: 'all' }, position: 5 });
  const list = async (latest: number) =>
    (await accounts().listSubscribers(latest)).filter(({ accountId }) => accountId === owner.id);
  const { subscription } = webhook;
  expect(await list(6)).toEqual([
    {
      channelId: id,
      accountId: owner.id,
      privateVersion: expect.any(Number),
      position: 5,
      subscription,
    } as never,
  ]);
  expect(await list(5)).toEqual([]);
});

test('webhooks of an account without the plan stay behind, and continue later', async () => {
  const email = 'downgraded@example.com';
  const owner = await shared.addOwner(email);
  const id = await add(owner, { ...webhook, position: 5 });
  const list = async () =>
    (await accounts().listSubscribers(9))
      .filter(({ accountId }) => accountId === owner.id)
      .map(({ channelId, position }) => [channelId, position]);
  await accounts().setPlan(email, 'free');
  expect(await list()).toEqual([]);
  await accounts().setPlan(email, 'reseller');
  expect(await list()).toEqual([[id, 5]]);
});

test('deliveries and the position are saved together or not at all', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', '2-1']);
  expect(await stateOf(owner, id)).toMatchObject({ position: 102 });
  // A process that does not know that another one was faster.
  await queueEvents(id, 100, ['1-1', '2-1', '3-1']);
  expect(await stateOf(owner, id)).toMatchObject({ position: 102 });
  expect((await listed(owner, id)).map(({ position }) => position)).toEqual([102, 101]);
});

test('the number of waiting deliveries is limited; further events stay in the log', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  const keys = Array.from({ length: waitingMax }, () => null);
  expect(await queueEvents(id, 100, keys)).toEqual(new Set());
  const last = 100 + keys.length;
  await tried(id, { isDone: true });
  const done = 8;
  expect(await queueEvents(id, last, Array<null>(done + 2).fill(null))).toEqual(new Set([id]));
  expect(await stateOf(owner, id)).toMatchObject({ position: last + done });
  expect(await queueEvents(id, last + done, [null])).toEqual(new Set([id]));
  expect(await stateOf(owner, id)).toMatchObject({ position: last + done });
  expect(await dueOf(id)).toHaveLength(done);
  await tried(id, { isDone: true });
  expect(await queueEvents(id, last + done, [null])).toEqual(new Set());
  await accounts().removeDeliveryChannel(owner.id, id, now);
});

test('deliveries about one item are due one at a time, those of others at once', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', '1-1', '2-1', null, null, '2-1']);
  const messages = (...positions: number[]) => positions.map((each) => `evt_${id}_${each}`);
  expect(await dueOf(id)).toEqual(messages(101, 103, 104, 105));
  expect(await dueOf(id, now, [id])).toEqual([]);
  await tried(id, { isDone: true });
  expect(await dueOf(id)).toEqual(messages(102, 106));
  await tried(id, { isDone: true });
  expect(await dueOf(id)).toEqual([]);
  expect(await dueOf(id, now + dayMs)).toEqual([]);
});

test('a failing channel gets one message at a time, and none before its retry time', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', '2-1', '3-1']);
  await tried(id, { isDone: false, retryAt: now + minuteMs });
  expect(await dueOf(id, now + minuteMs - 1)).toEqual([]);
  expect(await dueOf(id, now + minuteMs)).toEqual([`evt_${id}_101`]);
  expect(await stateOf(owner, id)).toMatchObject({ failingSince: now, retryAt: now + minuteMs });
  const [latest] = await listed(owner, id);
  expect(latest).toMatchObject({
    state: 'waiting',
    tries: 1,
    triedAt: now,
    answerStatus: 500,
    answer: 'Oops',
  });
});

test('messages to ntfy and Discord are sent one at a time', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner, { ...webhook, kind: 'discord', secret: null, subscription: null });
  const alert = { channelId: id, type: 'alert', orderKey: null, body: '{}', at: now };
  await accounts().addDeliveries([1, 2].map((each) => ({ ...alert, messageId: `alert_${each}` })));
  expect(await dueOf(id)).toEqual(['alert_1']);
  await tried(id, { isDone: true });
  expect(await dueOf(id)).toEqual(['alert_2']);
});

test('a delivery added to an idle channel is found at once', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  expect(await dueOf(id)).toEqual([]);
  await queueEvents(id, 100, ['1-1']);
  expect(await dueOf(id)).toEqual([`evt_${id}_101`]);
  const other = await add(owner);
  expect(await dueOf(other)).toEqual([]);
  await accounts().addTest(owner.id, other, now);
  expect(await dueOf(other)).toEqual([`test_${other}_${now}`]);
});

test('a test message is sent even if the channel is paused or off, other messages are not', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', null]);
  await tried(id, { isDone: false, retryAt: now + minuteMs });
  expect(await dueOf(id)).toEqual([]);
  const testId = await accounts().addTest(owner.id, id, now);
  expect((await findDue(id))?.deliveries.map((each) => each.id)).toEqual([testId as number]);
  await accounts().changeDeliveryChannel(owner.id, id, { isOn: false, at: now });
  expect(await dueOf(id, now + dayMs)).toEqual([`test_${id}_${now}`]);
  expect(await findDue(id, now + dayMs)).toMatchObject({ failures: 0, failingSince: null });
  await tried(id, { isDone: true, state: 'off' });
  expect(await dueOf(id, now + dayMs)).toEqual([]);
});

test('a channel that is turned on continues where it was', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await tried(id, { isDone: false, state: 'off', stateReason: 'It failed.', failures: 9 });
  expect(await stateOf(owner, id)).toMatchObject({ state: 'off', stateReason: 'It failed.' });
  await queueEvents(id, 101, ['2-1']);
  expect(await stateOf(owner, id)).toMatchObject({ position: 101 });
  expect(await dueOf(id, now + dayMs)).toEqual([]);
  await accounts().changeDeliveryChannel(owner.id, id, { isOn: true, at: now + 1 });
  expect(await dueOf(id, now + 1)).toEqual([`evt_${id}_101`]);
  const state = { state: 'active', stateReason: null, failingSince: null, retryAt: null };
  expect(await stateOf(owner, id)).toMatchObject(state as never);
  // Earlier attempts do not count.
  expect(await findDue(id, now + 1)).toMatchObject({ failures: 0, deliveries: [{ tries: 0 }] });
});

test('a new address is tried at once', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await tried(id, { isDone: false, state: 'paused', retryAt: now + dayMs });
  expect(await dueOf(id)).toEqual([]);
  await accounts().changeDeliveryChannel(owner.id, id, { address: sealed(8), at: now });
  const due = await findDue(id);
  expect([...(due?.address ?? [])]).toEqual([8, 0, 255]);
  expect(due?.deliveries).toHaveLength(1);
  expect(await stateOf(owner, id)).toMatchObject({ state: 'active' });
});

test('a change by the owner during an attempt is not overwritten', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await accounts().changeDeliveryChannel(owner.id, id, { isOn: false, at: now });
  await accounts().addTest(owner.id, id, now);
  await tried(id, { isDone: true, stateBefore: 'active', state: 'active' });
  expect(await stateOf(owner, id)).toMatchObject({ state: 'off' });
  expect((await listed(owner, id))[0]).toMatchObject({ type: 'test', state: 'done' });
});

test('channels with a recent attempt come after others, and idle ones do not hide others', async () => {
  const owner = await shared.addOwner();
  const ids = [await add(owner), await add(owner), await add(owner)];
  for (const id of ids) await queueEvents(id, 100, ['1-1', '1-1']);
  await accounts().addDeliveries([]);
  const others = (await accounts().listDue(dueQuery(now, []))).map(({ id }) => id);
  const busy = others.filter((id) => !ids.includes(id));
  const next = async (at: number) =>
    (await accounts().listDue({ ...dueQuery(at, busy), channels: 1 })).map(({ id }) => id);
  const [first = 0] = await next(now);
  await tried(first, { isDone: true, at: now + 1 });
  expect(await next(now + 1)).not.toEqual([first]);
  // Only the last of the three has deliveries left.
  for (const id of ids.slice(0, 2)) {
    while ((await findDue(id, now + 2)) !== undefined) {
      await tried(id, { isDone: true, at: now + 2 });
    }
  }
  expect(await next(now + 3)).toEqual(ids.slice(2));
});

test('channels with nothing to send are skipped, however many there are', async () => {
  const owner = await shared.addOwner();
  const others = (await accounts().listDue(dueQuery(now, []))).map(({ id }) => id);
  const idle = [await add(owner), await add(owner), await add(owner)];
  const [first, second] = [await add(owner), await add(await shared.addOwner())];
  await queueEvents(first, 100, ['1-1']);
  await queueEvents(second, 100, ['1-1']);
  const dueBehind = async (count: number, channels: number) => {
    for (const id of idle.slice(0, count)) {
      await onTables(shared.folder, 'UPDATE private.channel SET next_at = 1 WHERE id = ?', [id]);
    }
    const due = await accounts().listDue({ ...dueQuery(now, others), channels });
    return due.map(({ id }) => id);
  };
  expect(await dueBehind(3, 1)).toEqual([first]);
  expect(await dueBehind(2, 2)).toEqual([first, second]);
  // The other one follows with the next call.
  expect(await dueBehind(1, 2)).toEqual([first]);
  expect(await dueBehind(0, 2)).toEqual([first, second]);
});

test('a test message is sent before older messages', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await accounts().addTest(owner.id, id, now);
  const types = (await findDue(id))?.deliveries.map(({ type }) => type);
  expect(types).toEqual(['test', 'retail.low']);
});

test('a slow channel gets one message at a time, and a busy account gets none', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', '2-1']);
  const asked = async (more: Partial<ReturnType<typeof dueQuery>>) =>
    (await accounts().listDue({ ...dueQuery(now, []), ...more })).find((due) => due.id === id);
  expect((await asked({}))?.deliveries).toHaveLength(2);
  expect((await asked({ slow: [id] }))?.deliveries).toHaveLength(1);
  expect(await asked({ busyAccounts: [owner.id] })).toBeUndefined();
});

test('a delivery is sent again with its id, at once', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await tried(id, { isDone: true });
  const [done] = await listed(owner, id);
  const again = { at: now + 5, by: 'owner' } as const;
  expect(await accounts().resendDelivery(owner.id, done?.id ?? 0, again)).toBe('done');
  expect(await dueOf(id, now + 5)).toEqual([`evt_${id}_101`]);
  expect(await listed(owner, id)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  expect(await accounts().resendDelivery(owner.id, 0, again)).toBe('missing');
});

test('without the plan, a webhook can only be turned off and removed', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  const mail = await add(owner, email);
  await queueEvents(id, 100, ['1-1']);
  const [waiting] = await listed(owner, id);
  const store = accounts();
  await store.setPlan(owner.email, 'free');
  const before = await stateOf(owner, id);
  const rotation = { secret: sealed(9), oldUntil: now, at: now };
  const resent = waiting?.id ?? 0;
  expect([
    await store.addDeliveryChannel(owner.id, webhook),
    await store.changeDeliveryChannel(owner.id, id, { name: 'Mine', at: now }),
    await store.changeDeliveryChannel(owner.id, id, { isOn: true, at: now }),
    await store.changeDeliveryChannel(owner.id, id, { isOn: false, name: 'Mine', at: now }),
    await store.rotateSecret(owner.id, id, rotation),
    await store.replayFrom(owner.id, id, 0),
    await store.addTest(owner.id, id, now),
    await store.resendDelivery(owner.id, resent, { at: now, by: 'owner' }),
  ]).toEqual(Array.from({ length: 8 }, () => 'no plan'));
  expect(await stateOf(owner, id)).toEqual(before);
  expect(await listed(owner, id)).toHaveLength(1);
  expect(await store.resendDelivery(owner.id, resent, { at: now, by: 'operator' })).toBe('done');
  expect(await store.addTest(owner.id, mail, now)).toBeNumber();
  expect(await store.changeDeliveryChannel(owner.id, mail, { name: 'Mine', at: now })).toBe('done');
  expect(await store.changeDeliveryChannel(owner.id, id, { isOn: false, at: now })).toBe('done');
  expect(await store.removeDeliveryChannel(owner.id, id, now)).toBe(true);
});

test('a replay only moves back, and events that wait are sent once', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', '2-1']);
  expect(await accounts().replayFrom(owner.id, id, 101)).toBe('done');
  expect(await stateOf(owner, id)).toMatchObject({ position: 101 });
  expect(await dueOf(id)).toEqual([`evt_${id}_101`]);
  await accounts().replayFrom(owner.id, id, 500);
  expect(await stateOf(owner, id)).toMatchObject({ position: 101 });
  const mail = await add(owner, email);
  expect(await accounts().replayFrom(owner.id, mail, 1)).toBe('missing');
});

test('after a rotation, the old secret is kept until its time', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  expect((await findDue(id))?.secrets?.old).toBeNull();
  await accounts().rotateSecret(owner.id, id, {
    secret: sealed(3),
    oldUntil: now + dayMs,
    at: now,
  });
  const secrets = (await findDue(id))?.secrets;
  expect([...(secrets?.current ?? [])]).toEqual([3, 0, 255]);
  expect([...(secrets?.old?.secret ?? [])]).toEqual([2, 0, 255]);
  expect(secrets?.old?.until).toBe(now + dayMs);
});

test('deliveries are listed newest first, in pages, and removed with their channel', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, [null, null, null]);
  const page = (before: number | null) =>
    accounts().listDeliveries(owner.id, id, { before, limit: 2 });
  const first = await page(null);
  expect(first.map(({ position }) => position)).toEqual([103, 102]);
  expect((await page(first.at(-1)?.id ?? 0)).map(({ position }) => position)).toEqual([101]);
  const other = await add(owner);
  await queueEvents(other, 100, [null]);
  const many = Array.from({ length: 450 }, () => null);
  await queueEvents(id, 103, many);
  expect(await accounts().removeDeliveryChannel(owner.id, id, now)).toBe(true);
  expect(await page(null)).toEqual([]);
  expect(await accounts().removeDeliveryChannel(owner.id, id, now)).toBe(false);
  expect(await listed(owner, other)).toHaveLength(1);
});

test('finished deliveries are removed after 30 days, waiting ones never', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1', '1-1']);
  await tried(id, { isDone: true });
  const end = now + deliveriesKeptDays * dayMs;
  while ((await accounts().sweep(end - 1, 1_000)) > 0) {}
  expect(await listed(owner, id)).toHaveLength(2);
  while ((await accounts().sweep(end, 1_000)) > 0) {}
  expect((await listed(owner, id)).map(({ position }) => position)).toEqual([102]);
});

test('trimming keeps the latest finished deliveries, and all waiting ones', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await queueEvents(
    id,
    101,
    Array.from({ length: 4 }, () => '2-1'),
  );
  await tried(id, { isDone: true });
  await tried(id, { isDone: true });
  const trimmed = async (kept: number) => {
    await accounts().trimDeliveries(id, kept);
    return (await listed(owner, id)).map(({ position, state }) => `${position} ${state}`);
  };
  const waiting = ['105 waiting', '104 waiting'];
  const done = ['103 done', '102 done', '101 done'];
  expect(await trimmed(5)).toEqual([...waiting, ...done]);
  expect(await trimmed(4)).toEqual([...waiting, ...done.slice(0, 2)]);
  expect(await trimmed(0)).toEqual(waiting);
});

test('an account is removed with its channels and deliveries', async () => {
  const address = 'leaving@example.com';
  const owner = await shared.addOwner(address);
  const id = await add(owner);
  await queueEvents(id, 100, ['1-1']);
  await accounts().removeAccount(address);
  expect(await accounts().listDeliveryChannels(owner.id)).toEqual([]);
  expect(await dueOf(id)).toEqual([]);
});

test('figures count waiting deliveries, since when, and outcomes of attempts', async () => {
  const owner = await shared.addOwner();
  const id = await add(owner);
  const before = await accounts().findDeliveryFigures();
  await queueEvents(id, 100, ['1-1', '2-1']);
  const after = await accounts().findDeliveryFigures();
  expect(after.waiting - before.waiting).toBe(2);
  expect(after.oldestAt).not.toBeNull();
  expect(after.dueSince).not.toBeNull();
  await tried(id, { isDone: true });
  const count = (figures: typeof before) =>
    figures.tallies.find(({ kind, outcome }) => kind === 'webhook' && outcome === 'done')?.count;
  expect((count(await accounts().findDeliveryFigures()) ?? 0) - (count(before) ?? 0)).toBe(2);
});

test('alerts are queued on channels that are on and not full, which are returned', async () => {
  const owner = await shared.addOwner();
  const [on, off, full] = [await add(owner, email), await add(owner), await add(owner)];
  await accounts().changeDeliveryChannel(owner.id, off, { isOn: false, at: now });
  const alert = (channelId: number, messageId = 'alert_1') => {
    return { channelId, messageId, type: 'alert', orderKey: null, body: '{}', at: now };
  };
  const many = Array.from({ length: waitingMax }, (_, index) => alert(full, `alert_${index}`));
  expect(await accounts().addDeliveries(many)).toEqual(new Set([full]));
  const alerts = [alert(on), alert(off), alert(full), alert(0)];
  expect(await accounts().addDeliveries(alerts)).toEqual(new Set([on]));
  expect(await dueOf(on)).toEqual(['alert_1']);
  expect(await listed(owner, off)).toEqual([]);
  await accounts().removeDeliveryChannel(owner.id, full, now);
});

test('one process at a time has the lease', async () => {
  const lease = (holder: string, at: number) =>
    accounts().takeLease({ name: 'delivery', holder, at, until: at + 5 });
  expect(await lease('a', now)).toBe(true);
  expect(await lease('b', now + 4)).toBe(false);
  expect(await lease('a', now + 4)).toBe(true);
  expect(await lease('b', now + 8)).toBe(false);
  expect(await lease('b', now + 9)).toBe(true);
  // A process suspended for a minute since it read the clock cannot take the lease of b.
  expect(await lease('c', now + 4 - minuteMs)).toBe(false);
  // The clock was set back by more than that.
  expect(await lease('c', now + 3 - minuteMs)).toBe(true);
});

test('a process can release only its own lease', async () => {
  const name = 'released';
  const lease = (holder: string, at: number, ms: number) =>
    accounts().takeLease({ name, holder, at, until: at + ms });
  expect(await lease('a', now, 5)).toBe(true);
  expect(await lease('b', now + 5, 5)).toBe(true);
  // Too late: another process has it already.
  expect(await lease('a', now + 6, -dayMs)).toBe(false);
  expect(await lease('c', now + 7, 5)).toBe(false);
  expect(await lease('b', now + 7, -dayMs)).toBe(true);
  expect(await lease('c', now + 7, 5)).toBe(true);
});
