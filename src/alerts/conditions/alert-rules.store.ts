/** Alert rules, alert settings and notifications, as their owners see them. */

import {
  accountMethods,
  changeAccount,
  isOnPlan,
  lockingAccount,
} from '../../accounts/people/account-methods.store.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, columnsOf, tables } from '../../store/sql/tables.ts';
import type { ChannelState } from '../channels/delivery-channel.ts';
import type { DeliveryKind } from '../channels/delivery-channel-kinds.ts';
import {
  type AlertCondition,
  type AlertRule,
  type AlertRuleFacts,
  type AlertScope,
  type AlertSettings,
  alertLimits,
  type Digest,
  needsPlan,
  usualAlertSettings,
} from './alert-rule.ts';
import type {
  NewMatch,
  Notification,
  NotificationDelivery,
  ReportedMatch,
  SentRule,
} from './notification.ts';

export function alertStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { findAlertSettings, listLastSent, findRuleByLink }),
    ...accountMethods(engine, {
      saveAlertSettings,
      addAlertRule,
      recordReported,
      turnOffAlertRule,
    }),
    ...db.methods(engine.snapshot, { listAlertRules, listReported, listNotifications }),
    ...db.methods(engine.transaction, { endRuleByLink }),
    /** Replaces what the rule has reported with what matches now. The rule stays on or off. */
    changeAlertRule: async (
      accountId: number,
      ruleId: number,
      sent: SentRule,
    ): Promise<Changed> => {
      const changed = await changeAccount(engine, accountId, () =>
        changeRule(accountId, ruleId, sent),
      );
      if (changed === 'done') await engine.inSlices((rows) => forgetSome(ruleId, rows));
      return changed;
    },
    /** Events while it was off and current matches are not reported. */
    turnOnAlertRule: async (
      accountId: number,
      ruleId: number,
      sent: Omit<SentRule, 'rule'>,
    ): Promise<'done' | 'no rule' | 'no plan'> => {
      const changed = await changeAccount(engine, accountId, () => turnOn(accountId, ruleId, sent));
      if (changed === 'done') await engine.inSlices((rows) => forgetSome(ruleId, rows));
      return changed;
    },
    removeAlertRule: (accountId: number, ruleId: number) =>
      engine.inSlices((rows) =>
        lockingAccount(accountId, function* () {
          if (!(yield* turnOffAlertRule(accountId, ruleId))) return false;
          return (yield* removeSome(ruleId, rows)) === 'more' ? 'more' : true;
        }),
      ),
  };
}

/** The rule that an end link turns off; null if the link is invalid. */
function findRuleByLink(
  tokenHash: TokenHash,
): db.Reading<Pick<AlertRule, 'id' | 'name' | 'isOn'> | null> {
  return db.first<Pick<AlertRule, 'id' | 'name' | 'isOn'>>(
    `SELECT r.id::float8 AS id, r.name, r.is_on::boolean AS "isOn" ${linkedRule}`,
    [tokenHash],
  );
}

const notificationColumns = columnsBut(tables.notification, 'n', [
  'accountId',
  'itemKey',
  'facts',
  'tokenHash',
]);

type NotificationRow = Omit<Notification, 'deliveries'> & { readonly deliveryIds: string | null };

/** Newest first, before an id. */
function* listNotifications(
  accountId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): db.Reading<Notification[]> {
  const rows = yield* db.query<NotificationRow>(
    `SELECT ${notificationColumns} FROM private.notification n
     WHERE n.account_id = $1::bigint AND n.id < $2::bigint
     ORDER BY n.id DESC LIMIT $3::bigint`,
    [accountId, before ?? Number.MAX_SAFE_INTEGER, limit],
  );
  const idsOf = ({ deliveryIds }: NotificationRow) => deliveryIds?.split(' ').map(Number) ?? [];
  const deliveries = yield* findDeliveries(accountId, rows.flatMap(idsOf));
  return rows.map((row) => {
    const { deliveryIds: _, ...notification } = row;
    return { ...notification, deliveries: idsOf(row).flatMap((id) => deliveries.get(id) ?? []) };
  });
}

/** When each rule last sent a notification; without rules that never did. */
function* listLastSent(accountId: number): db.Reading<Map<number, number>> {
  const rows = yield* db.query<{ readonly ruleId: number; readonly at: number }>(
    `SELECT n.rule_id::float8 AS "ruleId", max(n.at)::float8 AS at FROM private.notification n
     WHERE n.account_id = $1::bigint AND n.rule_id IS NOT NULL AND n.state = 'sent'
     GROUP BY n.rule_id`,
    [accountId],
  );
  return new Map(rows.map(({ ruleId, at }) => [ruleId, at]));
}

function* findDeliveries(
  accountId: number,
  ids: readonly number[],
): db.Reading<Map<number, NotificationDelivery>> {
  if (ids.length === 0) return new Map();
  type Row = Omit<NotificationDelivery, 'channel'> & {
    readonly id: number;
    readonly channelId: number;
    readonly kind: DeliveryKind;
    readonly name: string;
    readonly channelState: ChannelState;
  };
  const rows = yield* db.query<Row>(
    `SELECT d.id::float8 AS id, d.state, d.tries::float8 AS tries,
       d.answer_status::float8 AS "answerStatus", d.answer,
       greatest(d.due_at, coalesce(c.retry_at, 0))::float8 AS "nextAt",
       c.id::float8 AS "channelId", c.kind, c.name, c.state AS "channelState"
     FROM private.delivery d JOIN private.channel c ON c.id = d.channel_id
     WHERE d.id = ANY($1::bigint[]) AND c.account_id = $2::bigint`,
    [[...new Set(ids)], accountId],
  );
  return new Map(
    rows.map(({ id, channelId, kind, name, channelState, ...delivery }) => [
      id,
      { ...delivery, channel: { id: channelId, kind, name, state: channelState } },
    ]),
  );
}

const linkedRule = `FROM private.notification n JOIN private.alert_rule r ON r.id = n.rule_id
  WHERE n.token_hash = $1::bytea LIMIT 1`;

interface SettingsRow {
  readonly timeZone: string | null;
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
}

/** Reads settings of accounts `a`; those that were never saved are null. */
export const settingsSql = `SELECT a.id AS "accountId", a.time_zone AS "timeZone",
     s.quiet_from AS "quietFrom", s.quiet_until AS "quietUntil"
   FROM private.account a LEFT JOIN private.alert_settings s ON s.account_id = a.id`;

export function toSettings({ timeZone, quietFrom, quietUntil }: SettingsRow): AlertSettings {
  const isQuiet = quietFrom !== null && quietUntil !== null;
  return {
    timeZone: timeZone ?? usualAlertSettings.timeZone,
    quiet: isQuiet ? { from: quietFrom, until: quietUntil } : null,
  };
}

function* findAlertSettings(accountId: number): db.Reading<AlertSettings> {
  const row = yield* db.first<SettingsRow>(`${settingsSql} WHERE a.id = $1::bigint`, [accountId]);
  return row ? toSettings(row) : usualAlertSettings;
}

/** False if there is no such account. */
function* saveAlertSettings(
  accountId: number,
  { timeZone, quiet }: AlertSettings,
): db.Operation<boolean> {
  const zoned = yield* db.changeRows(tables.account, { timeZone }, { id: accountId });
  if (zoned === 0) return false;
  const { from: quietFrom = null, until: quietUntil = null } = quiet ?? {};
  yield* db.saveRows(tables.alertSettings, [{ accountId, quietFrom, quietUntil }]);
  return true;
}

/** A stored rule. Fields that its scope or condition does not have are null. */
export type RuleRow = ScopeRow &
  ConditionRow & {
    readonly id: number;
    readonly accountId: number;
    readonly name: string;
    readonly repeatDays: number | null;
    readonly digest: Digest;
    readonly dailyCap: number;
    readonly since: number;
    readonly position: number;
  };

type ScopeRow =
  | { readonly scope: 'list'; readonly listId: number }
  | { readonly scope: 'theme'; readonly theme: string }
  | { readonly scope: Exclude<AlertScope['kind'], 'list' | 'theme'> };

type PercentKind = Extract<AlertCondition, { readonly percent: number }>['kind'];

type ConditionRow =
  | { readonly condition: 'price_amount'; readonly cents: number }
  | { readonly condition: 'flip'; readonly flipTo: 'third_party' | 'retailer' }
  | { readonly condition: PercentKind; readonly percent: number }
  | { readonly condition: Exclude<AlertCondition['kind'], 'price_amount' | 'flip' | PercentKind> };

export function toScope(row: ScopeRow): AlertScope {
  if (row.scope === 'list') return { kind: row.scope, listId: row.listId };
  if (row.scope === 'theme') return { kind: row.scope, theme: row.theme };
  return { kind: row.scope };
}

export function toCondition(row: ConditionRow): AlertCondition {
  switch (row.condition) {
    case 'price_amount':
      return { kind: row.condition, cents: row.cents };
    case 'flip':
      return { kind: row.condition, to: row.flipTo };
    case 'price_of_value':
    case 'price_of_max_buy':
    case 'value_up':
    case 'value_down':
    case 'margin':
    case 'sell_through':
      return { kind: row.condition, percent: row.percent };
    default:
      return { kind: row.condition };
  }
}

/** Sorted by name. */
function* listAlertRules(accountId: number): db.Reading<AlertRule[]> {
  const rows = yield* db.query<RuleRow & Pick<AlertRule, 'isOn' | 'createdAt'>>(
    `SELECT ${columnsOf(tables.alertRule, 'r')} FROM private.alert_rule r
     WHERE r.account_id = $1::bigint ORDER BY r.name, r.id`,
    [accountId],
  );
  const channels = yield* db.query<{ ruleId: number; channelId: number }>(
    `SELECT ${columnsOf(tables.alertRuleChannel, 'c')} FROM private.alert_rule_channel c
     JOIN private.alert_rule r ON r.id = c.rule_id
     WHERE r.account_id = $1::bigint ORDER BY c.channel_id`,
    [accountId],
  );
  const idsOf = Map.groupBy(channels, ({ ruleId }) => ruleId);
  return rows.map((row) => ({
    id: row.id,
    accountId,
    name: row.name,
    scope: toScope(row),
    condition: toCondition(row),
    channelIds: (idsOf.get(row.id) ?? []).map(({ channelId }) => channelId),
    repeatDays: row.repeatDays,
    digest: row.digest,
    dailyCap: row.dailyCap,
    isOn: row.isOn,
    createdAt: row.createdAt,
  }));
}

type Refused = 'no list' | 'no channel' | 'no plan';

/** A new rule is on. With `isOnly`, its list has no other one that is on with this condition. */
function* addAlertRule(
  accountId: number,
  sent: SentRule & { readonly isOnly?: boolean },
): db.Operation<{ readonly id: number } | 'exists' | 'too many' | 'no account' | Refused> {
  if (!(yield* db.hasRow(tables.account, { id: accountId }))) return 'no account';
  const { listId, condition } = rowOf(sent.rule);
  const same = { accountId, listId, condition, isOn: true };
  if (sent.isOnly && (yield* db.hasRow(tables.alertRule, same))) return 'exists';
  if ((yield* db.countRows(tables.alertRule, { accountId })) >= alertLimits.rules)
    return 'too many';
  const refusal = yield* refuse(accountId, sent.rule);
  if (refusal) return refusal;
  const { at, position } = sent;
  const row = { ...rowOf(sent.rule), accountId, isOn: true, since: at, position, createdAt: at };
  const id = yield* db.insertRow(tables.alertRule, row);
  yield* keepChannels(id, sent.rule);
  yield* keepReported({ accountId, id, since: at }, sent.reported);
  return { id };
}

type Changed = 'done' | 'no rule' | Refused;

function* changeRule(accountId: number, id: number, sent: SentRule): db.Operation<Changed> {
  const next = yield* findNext(accountId, id, sent.at);
  if (next === null) return 'no rule';
  const { since } = next;
  const refusal = yield* refuse(accountId, sent.rule);
  if (refusal) return refusal;
  const changed = { since, position: sent.position, ...rowOf(sent.rule) };
  yield* db.changeRows(tables.alertRule, changed, { id });
  yield* db.deleteRows(tables.alertRuleChannel, { ruleId: id });
  yield* keepChannels(id, sent.rule);
  yield* keepReported({ accountId, id, since }, sent.reported);
  return 'done';
}

/** Lists and channels must belong to the account, and some conditions need the plan. */
function* refuse(
  accountId: number,
  { scope, condition, channelIds }: AlertRuleFacts,
): db.Reading<Refused | null> {
  if (needsPlan(condition) && !(yield* isOnPlan(accountId))) return 'no plan';
  if (scope.kind === 'list') {
    const list = { accountId, id: scope.listId };
    if (!(yield* db.hasRow(tables.watchList, list))) return 'no list';
  }
  const chosen = new Set(channelIds);
  const own = yield* db.first<{ n: number }>(
    `SELECT count(*)::int AS n FROM private.channel
     WHERE account_id = $1::bigint AND id = ANY($2::bigint[])`,
    [accountId, [...chosen]],
  );
  return own?.n === chosen.size ? null : 'no channel';
}

function rowOf(rule: AlertRuleFacts) {
  const { name, scope, condition, repeatDays, digest, dailyCap } = rule;
  return {
    name,
    scope: scope.kind,
    listId: scope.kind === 'list' ? scope.listId : null,
    theme: scope.kind === 'theme' ? scope.theme : null,
    condition: condition.kind,
    cents: 'cents' in condition ? condition.cents : null,
    percent: 'percent' in condition ? condition.percent : null,
    flipTo: 'to' in condition ? condition.to : null,
    repeatDays,
    digest,
    dailyCap,
  };
}

function* keepChannels(ruleId: number, { channelIds }: AlertRuleFacts): db.Operation<void> {
  const rows = [...new Set(channelIds)].map((channelId) => ({ ruleId, channelId }));
  yield* db.insertRows(tables.alertRuleChannel, rows);
}

/**
 * The start of the changed rule, always later than the one before, and the kind of its condition
 * until now; null if there is no such rule.
 */
function* findNext(accountId: number, id: number, at: number) {
  const known = yield* db.first<{ since: number; kind: AlertCondition['kind'] }>(
    `SELECT since::float8 AS since, condition AS kind FROM private.alert_rule
     WHERE account_id = $1::bigint AND id = $2::bigint`,
    [accountId, id],
  );
  return known && { ...known, since: Math.max(at, known.since + 1) };
}

/**
 * Marks current matches as reported. Earlier reports are ignored, because they are older than the
 * rule.
 */
function* keepReported(
  { accountId, id: ruleId, since: reportedAt }: { accountId: number; id: number; since: number },
  reported: SentRule['reported'],
): db.Operation<void> {
  const owned = { ruleId, accountId, reportedAt };
  yield* db.saveRows(
    tables.alertMatch,
    reported.map((one) => ({ ...one, ...owned, retailer: one.retailer ?? '' })),
  );
}

/** Removes some reports from before the rule was changed; there may be many. */
function* forgetSome(ruleId: number, rows: number): db.Operation<'more' | null> {
  const isOld = 'reported_at < (SELECT since FROM private.alert_rule WHERE id = $1::bigint)';
  return (yield* removeReported(ruleId, rows, isOld)) === rows ? 'more' : null;
}

function removeReported(ruleId: number, rows: number, which: string): db.Operation<number> {
  const key = tables.alertMatch.key.join(', ');
  return db.run(
    `DELETE FROM private.alert_match WHERE (${key}) IN (
       SELECT ${key} FROM private.alert_match WHERE rule_id = $1::bigint AND ${which}
       LIMIT $2::bigint)`,
    [ruleId, rows],
  );
}

/**
 * Removes some reports of a rule that is off, detaches some of its notifications and finally
 * removes the rule. Returns how many rules were removed.
 */
export function* removeSome(ruleId: number, rows: number): db.Operation<number | 'more'> {
  const reported = yield* removeReported(ruleId, rows, 'true');
  const left = rows - reported;
  if (left === 0) return 'more';
  const freed = yield* db.run(
    `UPDATE private.notification SET rule_id = NULL WHERE id IN (
       SELECT id FROM private.notification WHERE rule_id = $1::bigint LIMIT $2::bigint)`,
    [ruleId, left],
  );
  if (freed === left) return 'more';
  return yield* db.deleteRows(tables.alertRule, { id: ruleId });
}

/**
 * For some sets, makes the current matches of a rule that is on the only reported ones; matches
 * that were reported before keep their times. Returns the new ones.
 */
function* recordReported(
  accountId: number,
  ruleId: number,
  {
    setKeys,
    reported,
    at,
  }: {
    readonly setKeys: readonly string[];
    readonly reported: readonly NewMatch[];
    readonly at: number;
  },
): db.Operation<readonly NewMatch[]> {
  const rule = yield* db.first<{ since: number }>(
    `SELECT since::float8 AS since FROM private.alert_rule
     WHERE account_id = $1::bigint AND id = $2::bigint AND is_on`,
    [accountId, ruleId],
  );
  if (!rule) return [];
  const known = yield* db.query<{ itemKey: string; retailer: string }>(
    `SELECT item_key AS "itemKey", retailer FROM private.alert_match
     WHERE item_kind = 'set' AND item_key = ANY($1::text[]) AND rule_id = $2::bigint
       AND reported_at >= $3::bigint`,
    [setKeys, ruleId, rule.since],
  );
  const named = (row: { readonly itemKey: string; readonly retailer: string | null }) =>
    `${row.itemKey} ${row.retailer ?? ''}`;
  const [before, now] = [new Set(known.map(named)), new Set(reported.map(named))];
  const ended = known.filter((row) => !now.has(named(row)));
  yield* db.deleteEach(
    tables.alertMatch,
    ended.map((row) => ({ ...row, itemKind: 'set', ruleId })),
  );
  const added = reported.filter((row) => !before.has(named(row)));
  const since = Math.max(at, rule.since);
  yield* keepReported({ accountId, id: ruleId, since }, added);
  return added;
}

/** The reported matches of a rule, newest first, and their total. */
function* listReported(
  accountId: number,
  ruleId: number,
  limit: number,
): db.Reading<{ readonly rows: readonly ReportedMatch[]; readonly total: number }> {
  const own = `FROM private.alert_match t JOIN private.alert_rule r ON r.id = t.rule_id
    WHERE t.rule_id = $1::bigint AND t.account_id = $2::bigint AND t.reported_at >= r.since`;
  const counted = yield* db.first<{ n: number }>(`SELECT count(*)::int AS n ${own}`, [
    ruleId,
    accountId,
  ]);
  const rows = yield* db.query<ReportedMatch>(
    `SELECT t.item_kind AS "itemKind", t.item_key AS "itemKey", t.retailer,
       t.reported_at::float8 AS "reportedAt", t.base_cents::float8 AS "baseCents"
     ${own}
     ORDER BY t.reported_at DESC, t.item_key, t.retailer LIMIT $3::bigint`,
    [ruleId, accountId, limit],
  );
  return {
    rows: rows.map((row) => ({ ...row, retailer: row.retailer || null })),
    total: counted?.n ?? 0,
  };
}

function* turnOn(
  accountId: number,
  id: number,
  { reported, position, at }: Omit<SentRule, 'rule'>,
): db.Operation<'done' | 'no rule' | 'no plan'> {
  const next = yield* findNext(accountId, id, at);
  if (next === null) return 'no rule';
  if (needsPlan(next) && !(yield* isOnPlan(accountId))) return 'no plan';
  const { since } = next;
  yield* db.changeRows(tables.alertRule, { isOn: true, since, position }, { id });
  yield* keepReported({ accountId, id, since }, reported);
  return 'done';
}

function* turnOffAlertRule(accountId: number, id: number): db.Operation<boolean> {
  const changed = yield* db.changeRows(tables.alertRule, { isOn: false }, { accountId, id });
  return changed > 0;
}

/**
 * Turns off the rule of an end link; false if the link is invalid. The account is locked first,
 * like for every change of a rule.
 */
function* endRuleByLink(tokenHash: Uint8Array): db.Operation<boolean> {
  const rule = yield* db.first<{ id: number; accountId: number }>(
    `SELECT r.id::float8 AS id, r.account_id::float8 AS "accountId" ${linkedRule}`,
    [tokenHash],
  );
  if (!rule) return false;
  const { id, accountId } = rule;
  return yield* lockingAccount(accountId, () => turnOffAlertRule(accountId, id));
}
