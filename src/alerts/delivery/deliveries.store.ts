/** The delivery queue: adding messages, listing what is due, and saving results. */

import { hasConfirmedEmail } from '../../accounts/people/account-registry.store.ts';
import { compareText } from '../../catalog/items/numbers.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import type { LeaseTaken } from '../../kernel/lease.ts';
import { dayMs } from '../../kernel/time.ts';
import type { StoreClock } from '../../store/sql/clock.ts';
import { takeLease } from '../../store/sql/lease.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { WebhookSecrets } from '../channels/delivery-channel.ts';
import { type DeliveryKind, deliveryTable } from '../channels/delivery-channel-kinds.ts';
import { readSubscription, type SubscriptionRow } from '../channels/subscriptions.store.ts';
import {
  type Advance,
  type DeliveryFigures,
  type DeliveryTally,
  type DueChannel,
  type DueDelivery,
  deliveriesKeptDays,
  type NewDelivery,
  type Subscriber,
  type TriedChannel,
  testMessageType,
  waitingMax,
} from './delivery.ts';

/** Selects channels that have messages to send. */
interface DueQuery {
  readonly at: number;
  readonly kinds: readonly DeliveryKind[];
  /** Channels and accounts to skip, because enough of their messages are being sent. */
  readonly busy: readonly number[];
  readonly busyAccounts: readonly number[];
  /** Channels that took long to respond, which get one delivery at a time. */
  readonly slow: readonly number[];
  /** At most this many channels, with at most this many deliveries each. */
  readonly channels: number;
  readonly deliveries: number;
}

/** Operations of the delivery process. All can be repeated safely. */
export function deliveryQueue(engine: db.Engine, clock: StoreClock) {
  return {
    ...db.methods(engine.run, { isDeliveryWanted, listSubscribers, findDeliveryFigures }),
    ...db.methods(engine.transaction, { advance, saveTried }),
    takeLease: async (lease: LeaseTaken) =>
      (await engine.transaction(() => takeLease('private.lease', lease, clock))) !== null,
    /** Removes finished deliveries of a channel except for the latest `kept`. */
    trimDeliveries: async (channelId: number, kept: number): Promise<void> => {
      await engine.inSlices((rows) => trimSome({ channelId, kept }, rows));
    },
    /** Channels with messages to send. */
    listDue: async (dueQuery: DueQuery): Promise<DueChannel[]> => {
      for (;;) {
        const channels = await engine.run(() => listDue(dueQuery));
        const idle = channels.filter(({ deliveries }) => deliveries.length === 0);
        if (idle.length > 0) await engine.transaction(() => settle(idle, dueQuery.at));
        // There may be others after as many idle channels as were requested.
        if (idle.length === 0 || idle.length < dueQuery.channels) {
          return channels.filter(({ deliveries }) => deliveries.length > 0);
        }
      }
    },
    /**
     * Queues messages other than events; returns the channels that accepted theirs. A channel that
     * is off, removed or has `waitingMax` waiting messages does not.
     */
    addDeliveries: async (deliveries: readonly NewDelivery[]) =>
      new Set((await engine.transaction(() => addDeliveries(deliveries))).keys()),
  };
}

export interface DeliveryQueue extends ReturnType<typeof deliveryQueue> {}

/**
 * Whether the delivery process is needed. It also evaluates alert rules, including rules without a
 * channel.
 */
function* isDeliveryWanted(): db.Reading<boolean> {
  const found = yield* db.first<{ isAny: boolean }>(
    `SELECT (EXISTS (SELECT 1 FROM private.channel)
       OR EXISTS (SELECT 1 FROM private.alert_rule))::boolean AS "isAny"`,
  );
  return found?.isAny === true;
}

export const deliveriesKeptMs: number = deliveriesKeptDays * dayMs;

/**
 * Queues messages other than events, possibly within a larger transaction; returns the ids by
 * channel, in the order given.
 */
export function* addDeliveries(
  deliveries: readonly NewDelivery[],
): db.Operation<ReadonlyMap<number, readonly number[]>> {
  const byChannel = Map.groupBy(deliveries, ({ channelId }) => channelId);
  const locked = yield* lockChannels([...byChannel.keys()]);
  const ids = locked.filter(({ state }) => state !== 'off').map(({ id }) => id);
  const waiting = yield* countWaiting(ids, 'position IS NULL');
  const taking = ids.filter((id) => (waiting.get(id) ?? 0) < waitingMax);
  const added = taking.flatMap((id) => byChannel.get(id) ?? []);
  const addedIds = yield* insertDeliveries(added);
  yield* wake(added);
  const took = new Map<number, number[]>(taking.map((id) => [id, []]));
  for (const [index, { channelId }] of added.entries()) {
    const id = addedIds[index];
    if (id !== undefined) took.get(channelId)?.push(id);
  }
  return took;
}

export function insertDeliveries(
  deliveries: readonly (NewDelivery & { readonly position?: number })[],
): db.Operation<number[]> {
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    position: delivery.position ?? null,
    state: 'waiting',
    tries: 0,
    dueAt: delivery.at,
  }));
  return db.insertIds(tables.delivery, rows);
}

/**
 * Moves the next check of channels to the time their new deliveries are due, if that is earlier.
 */
export function* wake(deliveries: readonly NewDelivery[]): db.Operation<void> {
  const rows = [...Map.groupBy(deliveries, ({ channelId }) => channelId)].map(([id, own]) => ({
    id,
    nextAt: Math.min(...own.map(({ at }) => at)),
  }));
  yield* db.runEach(
    `UPDATE private.channel AS c SET next_at = least(coalesce(c.next_at, r."nextAt"), r."nextAt")
     FROM {rows} WHERE c.id = r.id`,
    db.givenRows(tables.channel, ['id', 'nextAt'], rows),
  );
}

/** Locks channels in order of their ids, to avoid deadlocks. */
export function lockChannels(
  ids: readonly number[],
): db.Operation<
  { readonly id: number; readonly state: string; readonly position: number | null }[]
> {
  return db.runRows(
    `SELECT id, state, position FROM private.channel WHERE id = ANY($1::bigint[])
     ORDER BY id FOR UPDATE`,
    [ids],
  );
}

/** How many deliveries of one sort wait, by channel. */
function* countWaiting(
  ids: readonly number[],
  sort: 'position IS NULL' | 'position IS NOT NULL',
): db.Reading<Map<number, number>> {
  const rows = yield* db.query<{ channelId: number; n: number }>(
    `SELECT channel_id AS "channelId", count(*) AS n FROM private.delivery
     WHERE channel_id = ANY($1::bigint[]) AND state = 'waiting' AND ${sort}
     GROUP BY channel_id`,
    [ids],
  );
  return new Map(rows.map(({ channelId, n }) => [channelId, n]));
}

/**
 * Active webhooks with a subscription that are behind a position, furthest behind first. Events
 * require the Reseller plan; webhooks of other plans stay behind.
 */
function* listSubscribers(latest: number): db.Reading<Subscriber[]> {
  const rows = yield* db.query<Omit<Subscriber, 'subscription'> & SubscriptionRow>(
    `SELECT c.id AS "channelId", c.account_id AS "accountId",
       a.private_version AS "privateVersion", c.kinds, c.scope, c.position
     FROM private.channel c JOIN private.account a ON a.id = c.account_id
     WHERE c.position < $1::bigint AND c.state <> 'off' AND c.kinds <> '' AND a.plan = 'reseller'
     ORDER BY c.position, c.id`,
    [latest],
  );
  return rows.flatMap(({ kinds, scope, ...row }) => {
    const subscription = readSubscription({ kinds, scope });
    return subscription ? [{ ...row, subscription }] : [];
  });
}

/**
 * Queues deliveries and moves positions in one transaction. At most `waitingMax` wait for a
 * webhook; returns the webhooks whose deliveries did not all fit. Webhooks that were moved or
 * turned off meanwhile are skipped.
 */
function* advance(advances: readonly Advance[]): db.Operation<ReadonlySet<number>> {
  const locked = yield* lockChannels(advances.map(({ channelId }) => channelId));
  const found = new Map(locked.map((channel) => [channel.id, channel]));
  const current = advances.filter(({ channelId, from }) => {
    const channel = found.get(channelId);
    return channel?.position === from && channel.state !== 'off';
  });
  const ids = current.filter(({ deliveries }) => deliveries.length > 0);
  const waiting = yield* countWaiting(
    ids.map(({ channelId }) => channelId),
    'position IS NOT NULL',
  );
  const fitting = current.map((each) => {
    const room = Math.max(0, waitingMax - (waiting.get(each.channelId) ?? 0));
    if (each.deliveries.length <= room) return { ...each, isFull: false };
    const deliveries = each.deliveries.slice(0, room);
    return { ...each, deliveries, to: deliveries.at(-1)?.position ?? each.from, isFull: true };
  });
  const added = fitting.flatMap(({ deliveries }) => deliveries);
  yield* insertDeliveries(added);
  yield* db.updateRows(
    tables.channel,
    ['position'],
    fitting.map(({ channelId, to }) => ({ id: channelId, position: to })),
  );
  yield* wake(added);
  return new Set(fitting.filter(({ isFull }) => isFull).map(({ channelId }) => channelId));
}

/** Removes the oldest first. */
function* trimSome(
  { channelId, kept }: { readonly channelId: number; readonly kept: number },
  rows: number,
): db.Operation<number | 'more'> {
  const removed = yield* db.run(
    `DELETE FROM private.delivery WHERE state <> 'waiting' AND id IN (
       SELECT d.id FROM private.delivery d
       WHERE d.channel_id = $1::bigint AND d.state <> 'waiting' AND d.id <= (
         SELECT e.id FROM private.delivery e WHERE e.channel_id = $1::bigint
         ORDER BY e.id DESC LIMIT 1 OFFSET $3::bigint)
       ORDER BY d.id LIMIT $2::bigint)`,
    [channelId, rows, kept],
  );
  return removed === rows ? 'more' : removed;
}

interface DueRow extends Omit<DueChannel, 'secrets' | 'deliveries'> {
  readonly secret: Encrypted | null;
  readonly oldSecret: Encrypted | null;
  readonly oldSecretUntil: number | null;
}

/** Deliveries about the same item are sent in order. */
const isFirstOfItem = `NOT EXISTS (SELECT 1 FROM private.delivery e
  WHERE e.channel_id = d.channel_id AND e.state = 'waiting' AND e.order_key = d.order_key
    AND e.id < d.id)`;

/** Channels whose next check is due; some have nothing to send. */
function* listDue(dueQuery: DueQuery): db.Reading<DueChannel[]> {
  const { at } = dueQuery;
  const slow = new Set(dueQuery.slow);
  const isQuick = ({ id, failures }: DueRow) => failures === 0 && !slow.has(id);
  const rows = yield* db.query<DueRow>(
    `SELECT c.id, c.account_id AS "accountId", c.kind, c.name, a.email, c.address, c.secret,
       ${hasConfirmedEmail}::boolean AS "isEmailConfirmed",
       c.old_secret AS "oldSecret", c.old_secret_until AS "oldSecretUntil", c.state,
       c.state_reason AS "stateReason",
       c.failing_since AS "failingSince", c.failures, c.retry_at AS "retryAt"
     FROM private.channel c JOIN private.account a ON a.id = c.account_id
     WHERE c.next_at <= $1::bigint AND NOT (c.id = ANY($2::bigint[]))
       AND c.kind = ANY($3::text[]) AND NOT (c.account_id = ANY($5::bigint[]))
     ORDER BY c.next_at, c.id LIMIT $4::bigint`,
    [at, dueQuery.busy, dueQuery.kinds, dueQuery.channels, dueQuery.busyAccounts],
  );
  const groups = yield* db.queryGroups<DueDelivery>(
    `SELECT d.id, d.message_id AS "messageId", d.type, d.body, d.tries, d.at
     FROM private.delivery d
     WHERE d.channel_id = r.id AND d.state = 'waiting' AND d.due_at <= r.at
       AND (r."isOpen" OR (d.order_key IS NULL AND d.type = '${testMessageType}'))
       AND ${isFirstOfItem}
     ORDER BY CASE WHEN d.type = '${testMessageType}' THEN 0 ELSE 1 END, d.id LIMIT r.most`,
    {
      types: { id: 'bigint', at: 'bigint', isOpen: 'boolean', most: 'bigint' },
      rows: rows.map((row) => ({
        id: row.id,
        at,
        // Whether it accepts more than test messages now.
        isOpen: row.state !== 'off' && (row.retryAt === null || row.retryAt <= at),
        // For people, in order and within the rate limits of services.
        most: isQuick(row) && deliveryTable[row.kind].isForPrograms ? dueQuery.deliveries : 1,
      })),
    },
  );
  return rows.map((row, index) => toDueChannel(row, groups[index] ?? []));
}

function toDueChannel(
  { secret, oldSecret, oldSecretUntil, ...row }: DueRow,
  deliveries: readonly DueDelivery[],
): DueChannel {
  const isKept = oldSecret !== null && oldSecretUntil !== null;
  const old = isKept ? { secret: oldSecret, until: oldSecretUntil } : null;
  const secrets: WebhookSecrets | null = secret === null ? null : { current: secret, old };
  return { ...row, secrets, deliveries };
}

/**
 * Schedules the next check of channels that had nothing to send. They are locked first, so that
 * deliveries added meanwhile are seen or schedule the check themselves.
 */
function* settle(channels: readonly DueChannel[], at: number): db.Operation<void> {
  const ids = channels.map(({ id }) => id);
  yield* lockChannels(ids);
  const isClosed = "(c.state = 'off' OR coalesce(c.retry_at, 0) > $2::bigint)";
  yield* db.run(
    `UPDATE private.channel AS c SET next_at = coalesce(
       (SELECT min(d.due_at) FROM private.delivery d WHERE d.channel_id = c.id
         AND d.state = 'waiting' AND d.order_key IS NULL AND d.type = '${testMessageType}'),
       CASE WHEN c.state = 'off' THEN NULL ELSE c.retry_at END)
     WHERE c.id = ANY($1::bigint[]) AND ${isClosed}`,
    [ids, at],
  );
  yield* db.run(
    `UPDATE private.channel AS c SET next_at = (SELECT min(d.due_at) FROM private.delivery d
       WHERE d.channel_id = c.id AND d.state = 'waiting' AND ${isFirstOfItem})
     WHERE c.id = ANY($1::bigint[]) AND NOT ${isClosed}`,
    [ids, at],
  );
}

function* saveTried(channels: readonly TriedChannel[]): db.Operation<void> {
  yield* lockChannels(channels.map(({ id }) => id));
  yield* db.runEach(
    `UPDATE private.channel AS c SET state = r.state, state_reason = r."stateReason",
       failing_since = r."failingSince", failures = r.failures, retry_at = r."retryAt",
       next_at = r."nextAt"
     FROM {rows} WHERE c.id = r.id AND c.state = r."stateBefore"`,
    {
      types: {
        id: 'bigint',
        state: 'text',
        stateBefore: 'text',
        stateReason: 'text',
        failingSince: 'bigint',
        failures: 'bigint',
        retryAt: 'bigint',
        nextAt: 'bigint',
      },
      // Other due channels come first.
      rows: channels.map((channel) => ({ ...channel, nextAt: lastTriedAt(channel) })),
    },
  );
  yield* db.runEach(
    `UPDATE private.delivery AS d SET state = r.state, tries = r.tries, due_at = r."dueAt",
       tried_at = r."triedAt", answer_status = r."answerStatus", answer = r.answer
     FROM {rows} WHERE d.id = r.id AND d.state = 'waiting' AND d.tries = r."triesBefore"`,
    {
      types: {
        id: 'bigint',
        triesBefore: 'bigint',
        state: 'text',
        tries: 'bigint',
        dueAt: 'bigint',
        triedAt: 'bigint',
        answerStatus: 'bigint',
        answer: 'text',
      },
      rows: channels.flatMap(({ deliveries }) => deliveries),
    },
  );
  yield* db.addCounts(tables.deliveryTally, tallyOf(channels));
}

function lastTriedAt({ deliveries }: TriedChannel): number {
  return Math.max(0, ...deliveries.map(({ triedAt }) => triedAt));
}

/** In order of their names, in which all processes lock them. */
function tallyOf(channels: readonly TriedChannel[]): DeliveryTally[] {
  const nameOf = ({ kind, outcome }: DeliveryTally) => `${kind} ${outcome}`;
  return channels
    .flatMap(({ kind, deliveries }) =>
      deliveries.map(({ state }): DeliveryTally => {
        return { kind, outcome: state === 'waiting' ? 'failed' : state, count: 1 };
      }),
    )
    .sort((a, b) => compareText(nameOf(a), nameOf(b)));
}

/** For metrics: each query only reads an index, because it blocks the server. */
function* findDeliveryFigures(): db.Reading<DeliveryFigures> {
  const counted = yield* db.first<{ waiting: number }>(
    "SELECT count(*) AS waiting FROM private.delivery WHERE state = 'waiting'",
  );
  const oldest = yield* db.first<{ at: number | null }>(
    "SELECT min(at) AS at FROM private.delivery WHERE state = 'waiting'",
  );
  const due = yield* db.first<{ dueSince: number | null }>(
    'SELECT min(next_at) AS "dueSince" FROM private.channel WHERE next_at IS NOT NULL',
  );
  const tallies = yield* db.query<DeliveryTally>(
    'SELECT kind, outcome, count FROM private.delivery_tally t ORDER BY t.kind, t.outcome',
  );
  return {
    waiting: counted?.waiting ?? 0,
    oldestAt: oldest?.at ?? null,
    dueSince: due?.dueSince ?? null,
    tallies,
  };
}
