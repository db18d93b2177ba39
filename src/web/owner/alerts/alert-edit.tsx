/** Creating and editing alerts, with their current matches. */

import { hasPlan } from '../../../accounts/keys/quota.ts';
import { mayUseAlerts } from '../../../accounts/sign-in/attempt-limits.work.ts';
import type { DeliveryChannel } from '../../../alerts/channels/delivery-channel.ts';
import { hasAddress } from '../../../alerts/channels/delivery-channel-kinds.ts';
import type { AlertCondition, AlertRule } from '../../../alerts/conditions/alert-rule.ts';
import { itemFacts } from '../../../alerts/conditions/item-facts.ts';
import { isLevel } from '../../../alerts/conditions/next-notifications.ts';
import type { SentRule } from '../../../alerts/conditions/notification.ts';
import type { ThemeList } from '../../../contract/catalog.ts';
import { SubmitOrCancel } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { column, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Notice, PostForm } from '../../kit/fields.tsx';
import { applyForm, formPage, type Refusal, type Sent } from '../../kit/form-page.tsx';
import { countText, momentText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { changedTooOften } from './alert-channels.tsx';
import { RuleFields, readRule, ruleValues } from './alert-form.tsx';
import { templateValues } from './alert-templates.tsx';
import { needsPlanText } from './alert-text.ts';
import { findRule, matchesPath, tooManyAlerts, tooManyMatches } from './alerts.tsx';
import { ensureEmailChannel } from './email-channel.ts';

/** The form of a new alert, if no rule is found, or of an existing one. */
const ruleForm = formPage({
  show: showRule,
  read: async ({ deps, sent, found: rule, fields }) => {
    const offered = await findOffered(deps, sent, rule);
    return { offered, read: readRule(fields, offered.choices) };
  },
  save: saveRule,
});

export const alertEditRoutes = routes('own', {
  '/alerts/new': ruleForm,
  '/alerts/{id}': page({ find: findRule, ...ruleForm }),
});

type Offered = Awaited<ReturnType<typeof findOffered>>;

async function findOffered(
  { accounts, market, sendMail }: WebDeps,
  { who }: OwnRequest,
  rule: AlertRule | undefined,
) {
  const [lists, channels, body, { timeZone }] = await Promise.all([
    accounts.listWatchLists(who.accountId),
    accounts.listDeliveryChannels(who.accountId),
    market.findThemes(),
    accounts.findAlertSettings(who.accountId),
  ]);
  const { themes }: ThemeList = body === null ? { themes: [] } : JSON.parse(body);
  const names = themes.map(({ theme }) => theme);
  const choices = {
    lists,
    themes: withOwnTheme(names, rule),
    channels: channels.filter(({ kind }) => hasAddress(kind)),
    canMail: sendMail !== undefined,
    timeZone,
    hasPlan: hasPlan(who),
  };
  return { choices, channels };
}

async function showRule(deps: WebDeps, request: OwnRequest, rule: AlertRule | undefined) {
  const { choices, channels } = await findOffered(deps, request, rule);
  const values = rule ? ruleValues(rule, channels) : templateValues(request.query, choices);
  const matches = rule && !request.rejected ? await readMatches(deps, request, rule) : null;
  return (
    <Layout title={rule ? 'Edit alert' : 'New alert'} request={request} tabs={watchlistTabs}>
      {rule && !rule.isOn && (
        <Notice kind="warn">This alert is off. Saving does not turn it on.</Notice>
      )}
      <PostForm action={request.path} typed={{ values, faults: {} }} class="form-column">
        <RuleFields choices={choices} />
        <SubmitOrCancel cancel="/alerts">{rule ? 'Save changes' : 'Create alert'}</SubmitOrCancel>
      </PostForm>
      {matches && <MatchesNow {...matches} />}
    </Layout>
  );
}

/** Adds the theme of the rule if it no longer has sets, so that saving keeps it. */
function withOwnTheme(themes: readonly string[], rule: AlertRule | undefined): readonly string[] {
  const scope = rule?.scope;
  if (scope?.kind !== 'theme' || themes.includes(scope.theme)) return themes;
  return [scope.theme, ...themes];
}

async function saveRule(
  { deps, sent, found: rule }: Sent<OwnRequest, AlertRule | undefined>,
  input: { readonly offered: Offered; readonly read: ReturnType<typeof readRule> },
) {
  const { usesEmail, ...facts } = input.read;
  const { accountId } = sent.who;
  if (!(await mayUseAlerts(deps.accounts, 'save', { accountId, at: sent.at }))) {
    return { refused: changedTooOften, status: 429 };
  }
  const matches = await deps.alerts.findMatches(accountId, facts);
  if (matches === 'too many') return { refused: tooManyMatches };
  const kept = input.offered.choices.canMail ? [] : keptEmail(rule, input.offered.channels);
  const email = usesEmail ? await ensureEmailChannel(deps, sent) : kept;
  const saved = { rule: { ...facts, channelIds: [...facts.channelIds, ...email] }, ...matches };
  const refusal = await storeRule(deps, sent, rule?.id ?? null, saved);
  if (refusal !== null) return refusal;
  return { goTo: rule?.isOn === false ? '/alerts?did=saved' : matchesPath(matches) };
}

/** Without a mail server, email is not offered, but a rule that uses it keeps it. */
function keptEmail(rule: AlertRule | undefined, channels: readonly DeliveryChannel[]): number[] {
  const email = channels.filter(({ kind }) => !hasAddress(kind)).map(({ id }) => id);
  return email.filter((id) => rule?.channelIds.includes(id));
}

/** Returns why the rule could not be saved; null if it was, now or by the same form before. */
async function storeRule(
  deps: WebDeps,
  sent: OwnSentRequest,
  ruleId: number | null,
  saved: Omit<SentRule, 'at'>,
): Promise<Refusal | null> {
  const { at } = sent;
  const { accountId } = sent.who;
  if (ruleId !== null) {
    const outcome = await deps.accounts.changeAlertRule(accountId, ruleId, { ...saved, at });
    return outcome === 'done' ? null : refusals[outcome];
  }
  const outcome = await applyForm(deps, sent, (store) =>
    store.addAlertRule(accountId, { ...saved, at }),
  );
  const isAdded = typeof outcome === 'object' || outcome === 'sent before';
  return isAdded ? null : refusals[outcome];
}

const conflict = (refused: string) => ({ refused, status: 409 });

const refusals = {
  exists: conflict('You have this alert.'),
  'too many': conflict(tooManyAlerts),
  'no list': conflict('That watchlist was deleted. Choose another one.'),
  'no channel': conflict('That channel was deleted. Choose another one.'),
  'no rule': conflict('This alert was deleted.'),
  'no account': conflict('This account was deleted.'),
  'no plan': { refused: needsPlanText, field: 'condition' },
} as const;

const shownMax = 50;

type Match = ShownMatches['rows'][number];

type ShownMatches = NonNullable<Awaited<ReturnType<typeof readMatches>>>;

/** Null if the alert is off, or if its condition is about changes, which have no current state. */
async function readMatches(
  { accounts, market, site }: WebDeps,
  { at, timeZone }: OwnRequest,
  rule: AlertRule,
) {
  if (!rule.isOn || !isLevel(rule.condition)) return null;
  const matched = await accounts.listReported(rule.accountId, rule.id, shownMax);
  const keys = [...new Set(matched.rows.map(({ itemKey }) => itemKey))];
  const records = await market.findResaleRecords('set', keys);
  const rows = matched.rows.flatMap(({ itemKey: key, retailer, reportedAt }) => {
    const record = records.get(key);
    if (!record) return [];
    const { number, title, offers } = itemFacts('set', record, at);
    const offer = offers.find((each) => each.retailer === retailer);
    return [{ key, number, title, retailer, reportedAt, priceCents: offer?.priceCents ?? null }];
  });
  return { rule, rows, total: matched.total, timeZone, retailerNames: site.retailerNames };
}

function MatchesNow({ rule, rows, total, timeZone, retailerNames }: ShownMatches) {
  const ofOffers: readonly Column<Match>[] = [
    column('Retailer', ({ retailer }) => retailer && retailerNames[retailer]),
    moneyColumn('Price', ({ priceCents }) => priceCents, { missing: 'No offer' }),
  ];
  const columns: readonly Column<Match>[] = [
    mainColumn('Set', ({ number, title }) => <ItemCell kind="set" number={number} name={title} />),
    ...(rule.condition.kind === 'margin' ? [] : ofOffers),
    column('Since', ({ reportedAt }) => momentText(reportedAt, timeZone)),
  ];
  return (
    <Card title="Matches now">
      {total === 0 ? (
        <p>Nothing matches yet.</p>
      ) : (
        <>
          <p>{resetText(rule)}</p>
          <DataTable label="Matches now" columns={columns} rows={rows} />
          {total > rows.length && (
            <p class="quiet">{`And ${countText(total - rows.length)} more.`}</p>
          )}
        </>
      )}
    </Card>
  );
}

function resetText({ condition, repeatDays }: AlertRule): string {
  const repeat = repeatDays === null ? '' : `, or after ${nounText(repeatDays, 'day')}`;
  return `You’ll be alerted again after ${endText(condition)}${repeat}.`;
}

function endText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'price_target':
      return 'the price has risen above the target';
    case 'all_time_low':
      return 'the price has risen above its low';
    case 'margin':
      return `the gain has fallen below ${condition.percent}%`;
    default:
      return 'the price has risen above the limit';
  }
}
