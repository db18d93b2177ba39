/**
 * Operations of alert evaluation: progress, rules that concern items, results, and due messages.
 */

import { lockAccount } from '../../accounts/people/account-methods.store.ts';
import { findAllSettings } from '../../buying/prices/buying-settings.store.ts';
import type { BuyingSettings } from '../../buying/prices/buying-settings.ts';
import type { EventItems } from '../../market/events/events.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import type { DeliveryKind } from '../channels/delivery-channel-kinds.ts';
import { addDeliveries } from '../delivery/deliveries.store.ts';
import type {
  AlertProgress,
  AlertStep,
  ComposedAlerts,
  Concerned,
  DueAlerts,
  DueNotification,
  Evaluated,
  HeldUnits,
  ListedItem,
  NewNotification,
  WatchingRule,
} from './alert-evaluation.ts';
import type { AlertSettings } from './alert-rule.ts';
import {
  type RuleRow,
  settingsSql,
  toCondition,
  toScope,
  toSettings,
} from './alert-rules.store.ts';
import type { NotificationState } from './notification.ts';

/** Limits of one batch of messages. */
const accountsAtATime = 20;
const notificationsAtATime = 2_000;

/** Notifications per rule and day that are listed although they are over the daily limit. */
const overCapMax = 100;

export function alertWorkStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { findAlertProgress }),
    ...db.methods(engine.snapshot, { findConcerned }),
    /**
     * Saves results rule by rule, with the progress; false if another process was faster. An
     * interrupted step is repeated, and what it already saved stays.
     */
    settleAlerts: (step: AlertStep, evaluated: Evaluated) => {
      const parts = byRule(evaluated);
      return engine.inSlices((rows) => settleSome(step, parts, rows));
    },
    /**
     * Composes messages from due notifications and queues them: a few accounts at a time, each
     * account completely. Returns the number of notifications; 0 if nothing is due or it changed
     * meanwhile.
     */
    sendDueAlerts: (at: number, compose: (due: DueAlerts) => ComposedAlerts) =>
      sendDue(engine, at, compose),
  };
}

export interface AlertWorkStore extends ReturnType<typeof alertWorkStore> {}

function* findAlertProgress(): db.Reading<AlertProgress> {
  type Row = Pick<AlertProgress, 'position' | 'until' | 'start' | 'dueAt'> & {
    readonly lookAt: number | null;
    readonly lookAfter: string | null;
  };
  const row = yield* db.first<Row>(
    `SELECT (SELECT position FROM private.alert_progress WHERE name = 'log')::float8 AS position,
       (SELECT until FROM private.alert_progress WHERE name = 'log')::float8 AS until,
       (SELECT position FROM private.alert_progress WHERE name = 'look')::float8 AS "lookAt",
       (SELECT key FROM private.alert_progress WHERE name = 'look') AS "lookAfter",
       (SELECT min(position) FROM private.alert_rule WHERE is_on)::float8 AS start,
       (SELECT min(due_at) FROM private.notification WHERE state = 'waiting')::float8 AS "dueAt"`,
  );
  if (!row) throw new Error('Progress is one row.');
  const { lookAt, lookAfter, ...progress } = row;
  return { ...progress, look: lookAt === null ? null : { at: lookAt, after: lookAfter } };
}

const itemsOf = (kind: string, key: string) =>
  `((${kind} = 'set' AND ${key} = ANY($1::text[])) OR
    (${kind} = 'minifig' AND ${key} = ANY($2::text[])))`;

const listedSql = `SELECT r.id::float8 AS "ruleId", i.kind AS "itemKind", i.key AS "itemKey",
    i.target_cents::float8 AS "targetCents"
  FROM private.watched_item i JOIN private.alert_rule r ON r.list_id = i.list_id
  WHERE r.is_on AND ${itemsOf('i.kind', 'i.key')}`;

/** Starts from the items, because few accounts hold any one of them. */
const heldSql = `SELECT r.id::float8 AS "ruleId", l.kind AS "itemKind", l.key AS "itemKey",
    l.condition,
    sum(l.quantity - l.sold)::float8 AS units,
    sum((l.quantity - l.sold) * l.price_cents)::float8 AS "costCents"
  FROM private.lot l JOIN private.alert_rule r ON r.account_id = l.account_id
  WHERE ${itemsOf('l.kind', 'l.key')} AND l.sold < l.quantity
    AND r.is_on AND (r.scope = 'holdings' OR r.condition = 'margin')
  GROUP BY r.id, l.kind, l.key, l.condition`;

/** Without reports from before the rule was changed or turned on, which are being removed. */
const reportedSql = `SELECT ${columnsOf(tables.alertMatch, 't')}, r.since::float8 AS since
  FROM private.alert_match t JOIN private.alert_rule r ON r.id = t.rule_id
  WHERE r.is_on AND t.reported_at >= r.since AND ${itemsOf('t.item_kind', 't.item_key')}`;

/** Max buy prices require the Reseller plan; on other plans these rules wait. */
const rulesOnSql = `SELECT ${columnsOf(tables.alertRule, 'r')}
  FROM private.alert_rule r JOIN private.account a ON a.id = r.account_id
  WHERE r.is_on AND (r.condition <> 'price_of_max_buy' OR a.plan = 'reseller')`;

/** Rules that are on and concern items; `themes` are the themes of the items. */
function* findConcerned(
  { set, minifig }: EventItems,
  themes: readonly string[],
): db.Reading<Concerned> {
  const [listed, held, reported] = yield* db.together([
    db.query<ListedItem>(listedSql, [set, minifig]),
    db.query<HeldUnits>(heldSql, [set, minifig]),
    db.query<Concerned['reported'][number]>(reportedSql, [set, minifig]),
  ]);
  const named = [...new Set([...listed, ...held].map(({ ruleId }) => ruleId))];
  // Each query uses an index, because most rules do not concern the items.
  const found = yield* db.together([
    db.query<RuleRow>(`${rulesOnSql} AND r.scope = 'all'`),
    db.query<RuleRow>(`${rulesOnSql} AND r.theme = ANY($1::text[])`, [themes]),
    db.query<RuleRow>(
      `${rulesOnSql} AND r.scope IN ('list', 'holdings') AND r.id = ANY($1::bigint[])`,
      [named],
    ),
  ]);
  const rules = found.flat().map(toRule);
  const owners = [...new Set(rules.map(({ accountId }) => accountId))];
  const buying = rules.filter(({ condition }) => condition.kind === 'price_of_max_buy');
  const buyers = [...new Set(buying.map(({ accountId }) => accountId))];
  return {
    rules,
    listed,
    held,
    reported: reported.map((row) => ({ ...row, retailer: row.retailer || null })),
    settings: yield* findSettings(owners),
    buying:
      buyers.length === 0 ? new Map<number, BuyingSettings>() : yield* findAllSettings(buyers),
  };
}

function toRule(row: RuleRow): WatchingRule {
  const { id, accountId, name, repeatDays, digest, dailyCap, since, position } = row;
  const [scope, condition] = [toScope(row), toCondition(row)];
  const rhythm = { repeatDays, digest, dailyCap, since, position };
  return { id, accountId, name, scope, condition, ...rhythm };
}

function* findSettings(accountIds: readonly number[]): db.Reading<Map<number, AlertSettings>> {
  if (accountIds.length === 0) return new Map();
  const rows = yield* db.query<Parameters<typeof toSettings>[0] & { accountId: number }>(
    `${settingsSql} WHERE a.id = ANY($1::bigint[])`,
    [accountIds],
  );
  return new Map(rows.map((row) => [row.accountId, toSettings(row)]));
}

interface RulePart extends Omit<Evaluated, 'rules'> {
  readonly id: number;
  readonly since: number | undefined;
  /** The maximum number of rows to write. */
  readonly rows: number;
}

/** Results by rule, in order of rule ids. */
function byRule({ notifications, reported, ended, rules }: Evaluated): RulePart[] {
  const since = new Map(rules.map((rule) => [rule.id, rule.since]));
  const of = <Row extends { readonly ruleId: number }>(rows: readonly Row[]) =>
    Map.groupBy(rows, ({ ruleId }) => ruleId);
  const [notified, known, forgotten] = [of(notifications), of(reported), of(ended)];
  const ids = [...new Set([...notified.keys(), ...known.keys(), ...forgotten.keys()])];
  return ids
    .sort((a, b) => a - b)
    .map((id) => {
      const own = {
        notifications: notified.get(id) ?? [],
        reported: known.get(id) ?? [],
        ended: forgotten.get(id) ?? [],
      };
      const rows = own.notifications.length + own.reported.length + own.ended.length;
      return { id, since: since.get(id), ...own, rows };
    });
}

/**
 * Performs a step for some rules, to keep transactions short. The progress includes the last rule
 * done, so no rule is processed twice, whichever process continues.
 */
function* settleSome(
  step: AlertStep,
  parts: readonly RulePart[],
  rows: number,
): db.Operation<boolean | 'more'> {
  const { from, to } = step.kind === 'log' ? logRows(step) : lookRows(step);
  if (from.position === null) {
    // At the very first step, another process may be faster.
    if (!(yield* db.addRow(tables.alertProgress, { name: step.kind, ...to }))) return false;
    yield* settle(parts);
    return true;
  }
  const under = yield* db.runFirst<{ ruleId: number | null; until: number | null }>(
    `SELECT rule_id::float8 AS "ruleId", until::float8 AS until FROM private.alert_progress
     WHERE name = $1::text AND position = $2::bigint AND key IS NOT DISTINCT FROM $3::text
     FOR UPDATE`,
    [step.kind, from.position, from.key],
  );
  if (!under) return false;
  const isOther = step.kind === 'log' && under.until !== null && under.until !== step.to;
  if (isOther && parts.length > 0) return false;
  const left = parts.filter(({ id }) => id > (under.ruleId ?? 0));
  const some = firstParts(left, rows);
  yield* settle(some);
  const isLast = some.length === left.length;
  const next = isLast ? to : from;
  yield* db.changeRows(
    tables.alertProgress,
    {
      position: next.position,
      key: next.key,
      ruleId: isLast ? null : (some.at(-1)?.id ?? null),
      until: isLast || step.kind === 'look' ? null : step.to,
    },
    { name: step.kind },
  );
  return isLast || 'more';
}

/** The rules that fit into a number of rows, at least one. */
function firstParts(parts: readonly RulePart[], rowsMax: number): readonly RulePart[] {
  let rows = 0;
  const end = parts.findIndex((part, index) => {
    rows += part.rows;
    return index > 0 && rows > rowsMax;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

/**
 * Accounts are locked in order of their ids, like by owners who change a rule. Results of rules
 * that were changed meanwhile are dropped.
 */
function* settle(parts: readonly RulePart[]): db.Operation<void> {
  if (parts.length === 0) return;
  const touched = parts.map(({ id }) => id);
  yield* db.runRows(
    `SELECT 1 FROM private.account WHERE id IN (
       SELECT account_id FROM private.alert_rule WHERE id = ANY($1::bigint[]))
     ORDER BY id FOR NO KEY UPDATE`,
    [touched],
  );
  const since = new Map(parts.map((part) => [part.id, part.since]));
  const found = yield* db.query<LiveRule>(liveSql, [touched]);
  const live = new Map(
    found.filter((rule) => since.get(rule.id) === rule.since).map((rule) => [rule.id, rule]),
  );
  const kept = parts.filter(({ id }) => live.has(id));
  yield* db.deleteEach(
    tables.alertMatch,
    kept.flatMap(({ ended }) => ended.map(named)),
  );
  yield* db.saveRows(
    tables.alertMatch,
    kept.flatMap(({ id, reported }) => {
      const { accountId, since: start } = live.get(id) ?? { accountId: 0, since: 0 };
      // The clock of the node that saved the rule may be ahead.
      return reported.map((row) => {
        return { ...named(row), accountId, reportedAt: Math.max(row.reportedAt, start) };
      });
    }),
  );
  const notifications = kept.flatMap((part) => part.notifications);
  yield* addNotifications(notifications, live);
}

interface LiveRule {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly since: number;
  readonly dailyCap: number;
  readonly hasChannels: boolean;
}

const liveSql = `SELECT r.id::float8 AS id, r.account_id::float8 AS "accountId", r.name,
    r.since::float8 AS since, r.daily_cap::float8 AS "dailyCap",
    EXISTS (SELECT 1 FROM private.alert_rule_channel c
      WHERE c.rule_id = r.id)::boolean AS "hasChannels"
  FROM private.alert_rule r WHERE r.is_on AND r.id = ANY($1::bigint[])`;

/** The retailer is stored as an empty text if there is none. */
function named<Row extends { readonly retailer: Retailer | null }>(row: Row) {
  return { ...row, retailer: row.retailer ?? '' };
}

/** A stored position in the log, or in the pass over all items. */
interface StepPosition {
  readonly position: number | null;
  readonly key: string | null;
}

function logRows({ from, to }: Extract<AlertStep, { kind: 'log' }>) {
  return { from: { position: from, key: null }, to: { position: to, key: null } };
}

function lookRows({ from, to }: Extract<AlertStep, { kind: 'look' }>) {
  const positionOf = (look: AlertProgress['look']): StepPosition => {
    return { position: look?.at ?? null, key: look?.after ?? null };
  };
  return { from: positionOf(from), to: positionOf(to) };
}

/** Notifications up to the daily limit are sent, and some more are only listed. */
function* addNotifications(
  given: readonly NewNotification[],
  live: ReadonlyMap<number, LiveRule>,
): db.Operation<void> {
  if (given.length === 0) return;
  const days = new Map(given.map(({ ruleId, dayStart }) => [ruleId, dayStart]));
  const counts = yield* db.queryEach<{ ruleId: number; sent: number; over: number }>(
    `SELECT r."ruleId"::float8 AS "ruleId",
       count(CASE WHEN n.state <> 'over_cap' THEN 1 END)::float8 AS sent,
       count(CASE WHEN n.state = 'over_cap' THEN 1 END)::float8 AS over
     FROM private.notification n
     WHERE n.rule_id = r."ruleId" AND n.at >= r."dayStart"`,
    {
      types: { ruleId: 'bigint', dayStart: 'bigint' },
      rows: [...days].map(([ruleId, dayStart]) => ({ ruleId, dayStart })),
    },
  );
  const today = new Map(counts.map(({ ruleId, sent, over }) => [ruleId, { sent, over }]));
  const rows = given.flatMap(({ dayStart: _, say, ...notification }) => {
    const rule = live.get(notification.ruleId);
    if (!rule) return [];
    const count = today.get(rule.id) ?? { sent: 0, over: 0 };
    const state = stateOf(rule, count);
    if (state === 'over_cap' && count.over >= overCapMax) return [];
    if (state === 'over_cap') count.over++;
    else count.sent++;
    today.set(rule.id, count);
    const { accountId, name: ruleName } = rule;
    return [{ ...notification, ...say(), accountId, ruleName, state }];
  });
  yield* db.insertRows(tables.notification, rows);
}

function stateOf(
  { dailyCap, hasChannels }: LiveRule,
  { sent }: { readonly sent: number },
): NotificationState {
  if (sent >= dailyCap) return 'over_cap';
  return hasChannels ? 'waiting' : 'no_channel';
}

/**
 * Messages are composed outside the transaction, because many digests are due at the same time.
 * Entries that changed meanwhile are composed again next time.
 */
async function sendDue(
  engine: db.Engine,
  at: number,
  compose: (due: DueAlerts) => ComposedAlerts,
): Promise<number> {
  let sent = 0;
  for (const [accountId, ids] of await engine.run(() => listDue(at))) {
    const found = await engine.snapshot(() => findDue(accountId, ids));
    const composed = found.due.notifications.length > 0 ? compose(found.due) : null;
    sent += await engine.transaction(() => keepSent(found, composed));
  }
  return sent;
}

/** The accounts that have waited longest. */
function* listDue(at: number): db.Reading<[owner: number, ids: number[]][]> {
  const due = yield* db.query<{ id: number; accountId: number }>(
    `SELECT n.id::float8 AS id, n.account_id::float8 AS "accountId" FROM private.notification n
     WHERE n.state = 'waiting' AND n.due_at <= $1::bigint
     ORDER BY n.due_at LIMIT ${notificationsAtATime}`,
    [at],
  );
  const groups = Map.groupBy(due, ({ accountId }) => accountId);
  return [...groups]
    .slice(0, accountsAtATime)
    .map(([owner, own]) => [owner, own.map(({ id }) => id)]);
}

type DueRow = Omit<DueNotification, 'rule' | 'ruleId'> & { readonly ruleId: number | null };

/** Due notifications of an account, including those of rules that have ended. */
interface FoundDue {
  readonly rows: readonly DueRow[];
  readonly due: DueAlerts;
}

const dueSql = `SELECT n.id::float8 AS id, r.id::float8 AS "ruleId", n.at::float8 AS at,
    n.item_kind AS "itemKind", n.number, n.title, n.retailer, n.reason, n.facts,
    w.name AS "listName", i.note
  FROM private.notification n LEFT JOIN private.alert_rule r ON r.id = n.rule_id AND r.is_on
  LEFT JOIN private.watch_list w ON w.id = r.list_id
  LEFT JOIN private.watched_item i ON i.list_id = r.list_id AND i.kind = n.item_kind
    AND i.key = n.item_key
  WHERE n.id = ANY($1::bigint[]) AND n.state = 'waiting' ORDER BY n.id`;

const channelsSql = `SELECT rc.rule_id::float8 AS "ruleId", c.id::float8 AS id, c.kind
  FROM private.alert_rule_channel rc JOIN private.channel c ON c.id = rc.channel_id
  WHERE rc.rule_id = ANY($1::bigint[]) AND c.state <> 'off' ORDER BY c.id`;

function* findDue(accountId: number, ids: readonly number[]): db.Reading<FoundDue> {
  const rows = yield* db.query<DueRow>(dueSql, [ids]);
  const ruleIds = [...new Set(rows.flatMap(({ ruleId }) => ruleId ?? []))];
  const rules = new Map(
    (yield* db.query<RuleRow>(
      `SELECT ${columnsOf(tables.alertRule, 'r')} FROM private.alert_rule r
       WHERE r.id = ANY($1::bigint[])`,
      [ruleIds],
    )).map((row) => [row.id, toRule(row)]),
  );
  const found = yield* db.query<{ ruleId: number; id: number; kind: DeliveryKind }>(channelsSql, [
    ruleIds,
  ]);
  const channels = Map.groupBy(found, ({ ruleId }) => ruleId);
  const notifications = rows.flatMap(({ ruleId, ...row }): DueNotification[] => {
    const rule = ruleId === null ? undefined : rules.get(ruleId);
    return rule && channels.has(rule.id) ? [{ ...row, ruleId: rule.id, rule }] : [];
  });
  return { rows, due: { accountId, notifications, channels } };
}

/**
 * Queues composed messages, unless one of their notifications or rules has changed; returns the
 * number of notifications.
 */
function* keepSent({ rows, due }: FoundDue, composed: ComposedAlerts | null): db.Operation<number> {
  yield* lockAccount(due.accountId);
  const now = yield* db.query<DueRow>(dueSql, [rows.map(({ id }) => id)]);
  const isSame = rows.every(
    ({ id, ruleId }, index) => now[index]?.id === id && now[index].ruleId === ruleId,
  );
  if (!isSame) return 0;
  const took = yield* addDeliveries(composed?.deliveries ?? []);
  const isSent = (ruleId: number) =>
    (due.channels.get(ruleId) ?? []).some(({ id }) => took.has(id));
  const deliveryIds = deliveryIdsOf(composed, took);
  const outcomes = rows.map(({ id, ruleId }) => ({
    id,
    deliveryIds: deliveryIds.get(id)?.join(' ') ?? null,
    state: ruleId === null ? 'ended' : isSent(ruleId) ? 'sent' : 'no_channel',
    tokenHash: ruleId === null ? null : (composed?.links.get(ruleId) ?? null),
  }));
  yield* db.updateRows(tables.notification, ['state', 'tokenHash', 'deliveryIds'], outcomes);
  return rows.length;
}

function deliveryIdsOf(
  composed: ComposedAlerts | null,
  took: ReadonlyMap<number, readonly number[]>,
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const byChannel = Map.groupBy(composed?.deliveries ?? [], ({ channelId }) => channelId);
  for (const [channelId, deliveries] of byChannel) {
    const ids = took.get(channelId) ?? [];
    for (const [index, { notificationIds }] of deliveries.entries()) {
      const deliveryId = ids[index];
      if (deliveryId === undefined) continue;
      for (const id of notificationIds) found.set(id, [...(found.get(id) ?? []), deliveryId]);
    }
  }
  return found;
}
