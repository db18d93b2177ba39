/** Delivery channels, as their owners see and change them. */

import { recordAudit } from '../../accounts/audit/audit.store.ts';
import { type AuditAction, byAccount } from '../../accounts/audit/audit.ts';
import { accountMethods, isOnPlan } from '../../accounts/people/account-methods.store.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import { positionBefore } from '../../market/events/events.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../../store/sql/tables.ts';
import { insertDeliveries } from '../delivery/deliveries.store.ts';
import { type Delivery, testMessageType } from '../delivery/delivery.ts';
import { readNoticeKinds } from '../notices/account-notices.store.ts';
import {
  type DeliveryChannel,
  type DeliveryChannelChange,
  type NewDeliveryChannel,
  scopeDefault,
  unconfirmedReason,
} from './delivery-channel.ts';
import { deliveryTable, testBody } from './delivery-channel-kinds.ts';
import { readSubscription, type SubscriptionRow, subscriptionRow } from './subscriptions.store.ts';

export function deliveryChannelStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listDeliveryChannels, hasConfirmLink, listDeliveries }),
    ...db.methods(engine.transaction, { useConfirmLink }),
    ...accountMethods(engine, {
      addDeliveryChannel,
      changeDeliveryChannel,
      replaceConfirmLink,
      rotateSecret,
      resendDelivery,
      replayFrom,
      addTest,
    }),
    /** Removes a channel with its deliveries. */
    removeDeliveryChannel: async (accountId: number, channelId: number, at: number) =>
      (await engine.inSlices((rows) => removeSome({ accountId, channelId }, { rows, at }))) > 0,
  };
}

interface Own {
  readonly accountId: number;
  readonly channelId: number;
}

/** Adds to the audit log, in the transaction of the change: no caller can leave it out. */
function recordChange(
  { accountId, channelId }: Own,
  { kind }: Pick<DeliveryChannel, 'kind'>,
  { at, done, detail = [] }: ChannelRecord,
): db.Operation<void> {
  const { isForPrograms } = deliveryTable[kind];
  const action: AuditAction = isForPrograms ? `webhook.${done}` : `channel.${done}`;
  const words = [`${kind} ${channelId}`, ...detail].join(', ');
  return recordAudit({ at, by: byAccount(accountId), action, accountId, detail: words });
}

interface ChannelRecord {
  readonly at: number;
  readonly done: 'added' | 'changed' | 'removed';
  readonly detail?: readonly string[];
}

const isOwn = 'account_id = $1::bigint AND id = $2::bigint';

/** The secret of email is the hash of its confirmation link, until the address is confirmed. */
const isUnconfirmed = "(kind = 'email' AND secret IS NOT NULL)";

type StoredDeliveryChannel = Omit<DeliveryChannel, 'subscription' | 'notices'> &
  SubscriptionRow & { readonly notices: string | null };

const secretFields = ['secret', 'oldSecret', 'oldSecretUntil'];
const workFields = ['failures', 'nextAt', 'noticePosition'];
const channelFields = fieldsOf(tables.channel, [...secretFields, ...workFields]);

/** Oldest first. */
function* listDeliveryChannels(accountId: number): db.Reading<DeliveryChannel[]> {
  const rows = yield* db.query<StoredDeliveryChannel>(
    `SELECT ${columnsOf(tables.channel, 'c', channelFields)},
       ${isUnconfirmed}::boolean AS "isUnconfirmed"
     FROM private.channel c
     WHERE c.account_id = $1::bigint ORDER BY c.id`,
    [accountId],
  );
  return rows.map(({ kinds, scope, notices, ...row }) => ({
    ...row,
    subscription: readSubscription({ kinds, scope }),
    notices: readNoticeKinds(notices),
  }));
}

/** The account is locked, so that the number of channels stays within its limit. */
function* addDeliveryChannel(
  accountId: number,
  {
    at,
    subscription,
    position,
    confirmHash,
    isNameUnique,
    notices,
    ...channel
  }: NewDeliveryChannel,
): db.Operation<{ readonly id: number } | 'name taken' | 'too many' | 'no account' | 'no plan'> {
  if (!(yield* db.hasRow(tables.account, { id: accountId }))) return 'no account';
  if (channel.kind === 'webhook' && !(yield* isOnPlan(accountId))) return 'no plan';
  const others = yield* db.query<{ readonly name: string }>(
    'SELECT name FROM private.channel WHERE account_id = $1::bigint AND kind = $2::text',
    [accountId, channel.kind],
  );
  if (isNameUnique && others.some(({ name }) => name === channel.name)) return 'name taken';
  if (others.length >= deliveryTable[channel.kind].max) return 'too many';
  const row = {
    ...channel,
    ...subscriptionRow(subscription ?? null),
    accountId,
    position: subscription?.kinds.length ? (position ?? null) : null,
    secret: confirmHash ?? channel.secret ?? null,
    state: confirmHash ? 'off' : 'active',
    stateReason: confirmHash ? unconfirmedReason : null,
    createdAt: at,
    ...noticeRow(notices ?? [], at),
  };
  const id = yield* db.insertRow(tables.channel, row);
  yield* recordChange({ accountId, channelId: id }, channel, { at, done: 'added' });
  return { id };
}

/** The notices of a channel that gets those from a time on. */
function noticeRow(kinds: DeliveryChannel['notices'], at: number) {
  if (kinds.length === 0) return { notices: null, noticePosition: null };
  return { notices: kinds.join(','), noticePosition: positionBefore(at) };
}

type LockedChannel = Pick<DeliveryChannel, 'id' | 'kind' | 'state' | 'isUnconfirmed'>;

/** Locks a channel until the transaction ends; null if it does not belong to the account. */
function lockOwn({ accountId, channelId }: Own): db.Operation<LockedChannel | null> {
  return db.runFirst(
    `SELECT id, kind, state, ${isUnconfirmed}::boolean AS "isUnconfirmed" FROM private.channel
     WHERE ${isOwn} FOR UPDATE`,
    [accountId, channelId],
  );
}

/** Locks a channel that is used or changed; webhooks are part of the plan. */
function* lockUsable(own: Own): db.Operation<LockedChannel | Unusable> {
  const channel = yield* lockOwn(own);
  if (channel?.kind === 'webhook' && !(yield* isOnPlan(own.accountId))) return 'no plan';
  return channel ?? 'missing';
}

/** Why a channel was not changed: it is gone, or it is a webhook of an account without the plan. */
export type Unusable = 'missing' | 'no plan';

/**
 * Makes all of a change, or nothing. `missing` also if it is to be turned on or off and its email
 * is not confirmed. A new address is tried at once. Without the plan, a webhook can only be turned
 * off.
 */
function* changeDeliveryChannel(
  accountId: number,
  channelId: number,
  { at, ...change }: DeliveryChannelChange,
): db.Operation<'done' | Unusable> {
  const own = { accountId, channelId };
  const { name, address, notices, isOn } = change;
  const onlyEnds = isOn === false && Object.keys(change).length === 1;
  const channel = onlyEnds ? ((yield* lockOwn(own)) ?? 'missing') : yield* lockUsable(own);
  if (typeof channel === 'string') return channel;
  if (isOn !== undefined && channel.isUnconfirmed) return 'missing';
  const { id } = channel;
  if (name !== undefined) yield* db.changeRows(tables.channel, { name }, { id });
  yield* changeSubscription(id, change);
  if (notices !== undefined) yield* changeNotices(id, notices, at);
  if (address !== undefined) {
    yield* db.changeRows(tables.channel, { address }, { id });
    // Failures of the old address do not count for the new one.
    if (channel.state !== 'off') yield* startAnew(id, at);
  }
  if (isOn !== undefined) yield* turn(channel, isOn, at);
  const detail = changedParts(channel, change);
  if (detail.length > 0) yield* recordChange(own, channel, { at, done: 'changed', detail });
  return 'done';
}

/** Names the parts that a change affects, for the audit log. */
function changedParts(
  { state }: LockedChannel,
  { name, address, kinds, scope, notices, isOn }: Omit<DeliveryChannelChange, 'at'>,
): string[] {
  const parts = Object.entries({ name, address, events: kinds ?? scope, notices })
    .filter(([, value]) => value !== undefined)
    .map(([part]) => part);
  if (isOn === undefined || state === (isOn ? 'active' : 'off')) return parts;
  return [...parts, isOn ? 'turned on' : 'turned off'];
}

/** The scope stays known without kinds, for when there are kinds again. */
function* changeSubscription(
  channelId: number,
  { kinds, scope, position }: Omit<DeliveryChannelChange, 'at'>,
): db.Operation<void> {
  if (kinds === undefined && scope === undefined) return;
  yield* db.run(
    `UPDATE private.channel SET kinds = coalesce($2::text, kinds, ''),
       scope = coalesce($3::text, scope, $5::text),
       position = CASE WHEN coalesce($2::text, kinds, '') = '' THEN NULL
         ELSE coalesce(position, $4::bigint) END
     WHERE id = $1::bigint`,
    [channelId, kinds?.join(',') ?? null, scope ?? null, position ?? null, scopeDefault],
  );
}

function* changeNotices(
  channelId: number,
  kinds: DeliveryChannel['notices'],
  at: number,
): db.Operation<void> {
  const { notices, noticePosition } = noticeRow(kinds, at);
  yield* db.run(
    `UPDATE private.channel SET notices = $2::text, notice_position = CASE
       WHEN $2::text IS NULL THEN NULL ELSE coalesce(notice_position, $3::bigint) END
     WHERE id = $1::bigint`,
    [channelId, notices, noticePosition],
  );
}

/** Turning on what is on would make failed messages due at once. */
function* turn({ id, state }: LockedChannel, isOn: boolean, at: number): db.Operation<void> {
  if (isOn && state !== 'active') yield* startAnew(id, at);
  if (isOn || state === 'off') return;
  yield* db.changeRows(tables.channel, { state: 'off', ...noFailures }, { id });
}

const noFailures = { stateReason: null, failingSince: null, failures: 0, retryAt: null };

/** Makes a channel active and all waiting deliveries due, as if it had never failed. */
function* startAnew(id: number, at: number): db.Operation<void> {
  yield* db.changeRows(tables.channel, { state: 'active', ...noFailures, nextAt: at }, { id });
  yield* db.run(
    `UPDATE private.delivery SET tries = 0, due_at = least(due_at, $2::bigint)
     WHERE channel_id = $1::bigint AND state = 'waiting'`,
    [id, at],
  );
}

/** False if there is nothing to confirm. */
function replaceConfirmLink(
  accountId: number,
  channelId: number,
  hash: TokenHash,
): db.Operation<boolean> {
  return db.runAny(
    `UPDATE private.channel SET secret = $3::bytea, state_reason = $4::text
     WHERE ${isOwn} AND ${isUnconfirmed}`,
    [accountId, channelId, hash, unconfirmedReason],
  );
}

/** Whether a link confirms the address of a channel of any account. */
function hasConfirmLink(channelId: number, hash: TokenHash): db.Reading<boolean> {
  return db.hasRow(tables.channel, { id: channelId, kind: 'email', secret: hash });
}

/** Confirms the address of a channel and turns it on; false if the link is no longer valid. */
function* useConfirmLink(channelId: number, hash: TokenHash, at: number): db.Operation<boolean> {
  const channel = yield* db.runFirst<Pick<DeliveryChannel, 'accountId' | 'kind'>>(
    `SELECT account_id AS "accountId", kind FROM private.channel
     WHERE id = $1::bigint AND ${isUnconfirmed} AND secret = $2::bytea FOR UPDATE`,
    [channelId, hash],
  );
  if (!channel) return false;
  yield* db.changeRows(tables.channel, { secret: null }, { id: channelId });
  yield* startAnew(channelId, at);
  const own = { accountId: channel.accountId, channelId };
  yield* recordChange(own, channel, { at, done: 'changed', detail: ['confirmed'] });
  return true;
}

/** There may be many deliveries, so the channel is turned off first and removed last. */
function* removeSome(
  own: Own,
  { rows, at }: { readonly rows: number; readonly at: number },
): db.Operation<number | 'more'> {
  const { channelId } = own;
  const channel = yield* lockOwn(own);
  if (!channel) return 0;
  yield* db.changeRows(tables.channel, { state: 'off' }, { id: channelId });
  const removed = yield* db.run(
    `DELETE FROM private.delivery WHERE id IN (
       SELECT id FROM private.delivery WHERE channel_id = $1::bigint LIMIT $2::bigint)`,
    [channelId, rows],
  );
  if (removed === rows) return 'more';
  yield* recordChange(own, channel, { at, done: 'removed' });
  return yield* db.deleteRows(tables.channel, { id: channelId });
}

/** Sets a new secret of a webhook; the old one is used as well until `oldUntil`. */
function* rotateSecret(
  accountId: number,
  channelId: number,
  change: { readonly secret: Encrypted; readonly oldUntil: number; readonly at: number },
): db.Operation<'done' | Unusable> {
  const { secret, oldUntil, at } = change;
  const own = { accountId, channelId };
  const channel = yield* lockUsable(own);
  if (typeof channel === 'string') return channel;
  if (!deliveryTable[channel.kind].isForPrograms) return 'missing';
  yield* db.run(
    `UPDATE private.channel
     SET old_secret = secret, old_secret_until = $3::bigint, secret = $2::bytea
     WHERE id = $1::bigint`,
    [channelId, secret, oldUntil],
  );
  yield* recordChange(own, channel, { at, done: 'changed', detail: ['secret'] });
  return 'done';
}

/** Newest first, before an id. */
function listDeliveries(
  accountId: number,
  channelId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): db.Reading<Delivery[]> {
  return db.query(
    `SELECT ${columnsOf(tables.delivery, 'd')} FROM private.delivery d
     WHERE d.channel_id IN (SELECT id FROM private.channel WHERE ${isOwn})
       AND ($3::bigint IS NULL OR d.id < $3::bigint)
     ORDER BY d.id DESC LIMIT $4::bigint`,
    [accountId, channelId, before, limit],
  );
}

/**
 * Sends a delivery again with the same message id, at once even if the channel is paused. Operators
 * may do so without the plan of the account.
 */
function* resendDelivery(
  accountId: number,
  deliveryId: number,
  { at, by }: { readonly at: number; readonly by: 'owner' | 'operator' },
): db.Operation<'done' | Unusable> {
  const found = yield* db.first<{ channelId: number }>(
    `SELECT d.channel_id AS "channelId" FROM private.delivery d
     JOIN private.channel c ON c.id = d.channel_id
     WHERE d.id = $2::bigint AND c.account_id = $1::bigint`,
    [accountId, deliveryId],
  );
  if (!found) return 'missing';
  const own = { accountId, channelId: found.channelId };
  const channel = by === 'owner' ? yield* lockUsable(own) : ((yield* lockOwn(own)) ?? 'missing');
  if (typeof channel === 'string') return channel;
  yield* db.changeRows(tables.channel, { retryAt: null, nextAt: at }, { id: channel.id });
  const again = { state: 'waiting', tries: 0, dueAt: at };
  const changed = yield* db.changeRows(tables.delivery, again, { id: deliveryId });
  return changed > 0 ? 'done' : 'missing';
}

/**
 * Sends all events after a position again; `missing` also without a subscription. Waiting
 * deliveries of these events are removed, because they are queued again.
 */
function* replayFrom(
  accountId: number,
  channelId: number,
  position: number,
): db.Operation<'done' | Unusable> {
  const channel = yield* lockUsable({ accountId, channelId });
  if (typeof channel === 'string') return channel;
  const changed = yield* db.run(
    `UPDATE private.channel SET position = least(position, $3::bigint)
     WHERE ${isOwn} AND position IS NOT NULL`,
    [accountId, channelId, position],
  );
  if (changed === 0) return 'missing';
  yield* db.run(
    `DELETE FROM private.delivery
     WHERE channel_id = $1::bigint AND state = 'waiting' AND position > $2::bigint`,
    [channelId, position],
  );
  return 'done';
}

/**
 * Queues a test message, even if the channel is off; returns its id. `missing` also if its email
 * address is not confirmed.
 */
function* addTest(
  accountId: number,
  channelId: number,
  at: number,
): db.Operation<number | Unusable> {
  const channel = yield* lockUsable({ accountId, channelId });
  if (typeof channel === 'string') return channel;
  if (channel.isUnconfirmed) return 'missing';
  const messageId = `test_${channelId}_${at}`;
  const body = testBody(channel.kind, at);
  const test = { channelId, messageId, type: testMessageType, orderKey: null, body, at };
  const [id] = yield* insertDeliveries([test]);
  if (id === undefined) throw new Error('The test was not written.');
  yield* db.changeRows(tables.channel, { nextAt: at }, { id: channelId });
  return id;
}
