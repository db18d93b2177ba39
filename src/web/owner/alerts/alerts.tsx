/** The list of alerts, and turning them on and off or deleting them. */

import { hasPlan } from '../../../accounts/keys/quota.ts';
import { mayUseAlerts } from '../../../accounts/sign-in/attempt-limits.work.ts';
import { type AlertRule, alertLimits, needsPlan } from '../../../alerts/conditions/alert-rule.ts';
import type { Matches } from '../../../alerts/conditions/notification.ts';
import { ButtonLink, RowLink, SwitchForm } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { actionColumn, column, mainColumn } from '../../kit/columns.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Notice } from '../../kit/fields.tsx';
import { countText, limitText, momentText } from '../../kit/format.ts';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import { Missing } from '../../kit/money.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId, page, routes } from '../../page-table.ts';
import { changedTooOften } from './alert-channels.tsx';
import { usualName } from './alert-form.tsx';
import { Templates } from './alert-templates.tsx';
import {
  alreadyMatchText,
  needsPlanText,
  noChannelText,
  type RuleNames,
  rhythmText,
  sentenceText,
} from './alert-text.ts';
import { checkInbox } from './email-channel.ts';

export const findRule = byId(({ accounts }, { who }) => accounts.listAlertRules(who.accountId));

export const alertRoutes = routes('own', {
  '/alerts': { get: showAlerts },
  '/alerts/{id}/switch': page({ find: findRule, post: postSwitch }),
  '/alerts/{id}/delete': deletionPage({
    find: findRule,
    noun: 'alert',
    describe: ({ name }) => ({
      name,
      outcome: 'Its messages stay listed under Fired. To pause it, turn it off instead.',
      cancel: '/alerts',
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.removeAlertRule(who.accountId, id),
    goTo: '/alerts?did=deleted',
  }),
});

async function showAlerts({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [rules, lists, channels, lastSent] = await Promise.all([
    accounts.listAlertRules(accountId),
    accounts.listWatchLists(accountId),
    accounts.listDeliveryChannels(accountId),
    accounts.listLastSent(accountId),
  ]);
  const unconfirmed = channels.find(({ isUnconfirmed }) => isUnconfirmed);
  // Whether an alert uses an email address that is not confirmed.
  const isAwaited = rules.some(({ channelIds }) => channelIds.includes(unconfirmed?.id ?? 0));
  const canAdd = rules.length < alertLimits.rules;
  return (
    <Layout
      title="Alerts"
      request={request}
      done={{
        on: `Alert on. ${matchesText(Number(request.query.get('n')) || 0)}`,
        off: 'Alert off.',
        saved: 'Saved. The alert is still off.',
        deleted: 'Alert deleted.',
      }}
      tabs={watchlistTabs}
      actions={canAdd && <ButtonLink href="/alerts/new">New alert</ButtonLink>}
    >
      {isAwaited && <Notice kind="warn">{checkInbox}</Notice>}
      {rules.length > 0 && (
        <Card>
          <DataTable
            label="Alerts"
            columns={columnsOf({ request, names: { lists, channels }, lastSent })}
            rows={rules}
          />
        </Card>
      )}
      {canAdd ? (
        <Templates
          plan={request.who.plan}
          isFirst={rules.length === 0}
          hasLists={lists.length > 0}
        />
      ) : (
        <p class="quiet">{tooManyAlerts}</p>
      )}
    </Layout>
  );
}

/** An alert that is turned on again does not send current matches. */
async function postSwitch(deps: WebDeps, sent: OwnSentRequest, rule: AlertRule) {
  const { accounts } = deps;
  const { accountId } = sent.who;
  if (sent.form.text('to') !== 'on') {
    const isDone = await accounts.turnOffAlertRule(accountId, rule.id);
    return isDone ? { goTo: '/alerts?did=off' } : missingPage(sent);
  }
  if (!(await mayUseAlerts(accounts, 'save', { accountId, at: sent.at }))) {
    return faultAnswer(sent, 429, changedTooOften);
  }
  const matches = await deps.alerts.findMatches(accountId, rule);
  if (matches === 'too many') return faultAnswer(sent, 409, tooManyMatches);
  const done = await accounts.turnOnAlertRule(accountId, rule.id, { ...matches, at: sent.at });
  if (done === 'no plan') return faultAnswer(sent, 403, needsPlanText);
  return done === 'done' ? { goTo: matchesPath(matches) } : missingPage(sent);
}

/** The list of alerts, with the number of matching items; an item may match at both retailers. */
export function matchesPath({ reported }: Matches): string {
  const items = new Set(reported.map(({ itemKind, itemKey }) => `${itemKind} ${itemKey}`));
  return `/alerts?did=on&n=${items.size}`;
}

export const tooManyMatches =
  `More than ${countText(alertLimits.matches)} items match this now. Choose a watchlist or a ` +
  'theme, or a lower price.';

export const tooManyAlerts = limitText(alertLimits.rules, 'alert');

function matchesText(count: number): string {
  if (count === 0) return 'Nothing matches yet.';
  return `${alreadyMatchText(count)}. You’ll be alerted about new matches.`;
}

function columnsOf(list: {
  readonly request: OwnRequest;
  readonly names: RuleNames;
  readonly lastSent: ReadonlyMap<number, number>;
}): readonly Column<AlertRule>[] {
  const { request, names, lastSent } = list;
  return [
    mainColumn('Alert', (rule) => <RuleWords rule={rule} names={names} />),
    column('Last sent', ({ id }) => {
      const at = lastSent.get(id);
      if (at === undefined) return <Missing reason="Never sent" />;
      return momentText(at, request.timeZone);
    }),
    column('Status', (rule) => <RuleState rule={rule} who={request.who} />),
    { ...actionColumn((rule) => <RuleActions rule={rule} />), isWide: true },
  ];
}

/** Without the plan, rules that need it are not evaluated. */
function RuleState({ rule, who }: { readonly rule: AlertRule; readonly who: OwnRequest['who'] }) {
  if (!rule.isOn) return <Badge kind="warn">Off</Badge>;
  if (!needsPlan(rule.condition) || hasPlan(who)) return <Badge kind="good">On</Badge>;
  return (
    <>
      <Badge kind="warn">Paused</Badge>
      <div class="small">{needsPlanText}</div>
    </>
  );
}

/** The name of a rule, unless it is the default, and its sentence. */
function RuleWords({ rule, names }: { readonly rule: AlertRule; readonly names: RuleNames }) {
  const text = sentenceText(rule, names);
  const isNamed = rule.name !== usualName(rule, names.lists);
  return (
    <span>
      <a href={`/alerts/${rule.id}`}>{isNamed ? rule.name : text}</a>
      {isNamed && <div>{text}</div>}
      <div class="quiet small">{rhythmText(rule)}</div>
      {rule.channelIds.length === 0 && <div class="small warning">{noChannelText}</div>}
    </span>
  );
}

function RuleActions(props: { readonly rule: AlertRule }) {
  const { id, name, isOn } = props.rule;
  return (
    <div class="row actions">
      <SwitchForm action={`/alerts/${id}/switch`} isOn={isOn} look="link" of={name} />
      <RowLink href={`/alerts/${id}/delete`} of={name}>
        Delete
      </RowLink>
    </div>
  );
}
