/** Creating and editing alerts. */

import { hasPlan } from '../../../accounts/keys/quota.ts';
import { mayUseAlerts } from '../../../accounts/sign-in/attempt-limits.work.ts';
import type { DeliveryChannel } from '../../../alerts/channels/delivery-channel.ts';
import { hasAddress } from '../../../alerts/channels/delivery-channel-kinds.ts';
import type { AlertRule } from '../../../alerts/conditions/alert-rule.ts';
import type { SentRule } from '../../../alerts/conditions/notification.ts';
import type { ThemeList } from '../../../contract/catalog.ts';
import { SubmitOrCancel } from '../../kit/buttons.tsx';
import { Notice, PostForm } from '../../kit/fields.tsx';
import { applyForm, formPage, type Refusal, type Sent } from '../../kit/form-page.tsx';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { changedTooOften } from './alert-channels.tsx';
import { type RuleChoices, RuleFields, readRule, ruleValues } from './alert-form.tsx';
import { MatchesNow, readMatches } from './alert-matches.tsx';
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

/** The choices of the form, and all channels of the account. */
interface Offered {
  readonly choices: RuleChoices;
  readonly channels: readonly DeliveryChannel[];
}

async function findOffered(
  { accounts, market, sendMail }: WebDeps,
  { who }: OwnRequest,
  rule: AlertRule | undefined,
): Promise<Offered> {
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
  const { choices, channels } = input.offered;
  const { accountId } = sent.who;
  if (!(await mayUseAlerts(deps.accounts, 'save', { accountId, at: sent.at }))) {
    return { refused: changedTooOften, status: 429 };
  }
  const matches = await deps.alerts.findMatches(accountId, facts);
  if (matches === 'too many') return { refused: tooManyMatches };
  const kept = choices.canMail ? [] : keptEmail(rule, channels);
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
  const { accounts } = deps;
  const { at } = sent;
  const { accountId } = sent.who;
  if (ruleId !== null) {
    const outcome = await accounts.changeAlertRule(accountId, ruleId, { ...saved, at });
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
