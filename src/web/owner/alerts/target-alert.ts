/** The alert for the target prices of a watchlist. */

import type { DeliveryChannel } from '../../../alerts/channels/delivery-channel.ts';
import { hasAddress } from '../../../alerts/channels/delivery-channel-kinds.ts';
import { type AlertRule, usualDailyCap } from '../../../alerts/conditions/alert-rule.ts';
import type { OwnSentRequest, WebDeps } from '../../page.ts';
import { usualName } from './alert-form.tsx';
import { ensureEmailChannel } from './email-channel.ts';

export const minifigTargets =
  'Retailers don’t sell minifigs, so their targets don’t trigger price alerts.';

/** Whether a rule is on and compares prices with the targets of a list. */
export function isTargetAlert(rule: AlertRule, listId: number): boolean {
  return rule.isOn && isOfTargets(rule, listId);
}

function isOfTargets({ scope, condition }: AlertRule, listId: number): boolean {
  return condition.kind === 'price_target' && scope.kind === 'list' && scope.listId === listId;
}

/** The default channels if no email can be sent. */
export function usualChannels(channels: readonly DeliveryChannel[]): readonly DeliveryChannel[] {
  return channels.filter(({ kind, state }) => hasAddress(kind) && state !== 'off');
}

/**
 * Creates the alert for the target prices of a list, or turns it on, if needed. False if the
 * account has too many alerts, or too many items match.
 */
export async function ensureTargetAlert(
  deps: WebDeps,
  sent: OwnSentRequest,
  list: { readonly id: number; readonly name: string },
): Promise<boolean> {
  const { accounts } = deps;
  const { at } = sent;
  const { accountId } = sent.who;
  const rules = await accounts.listAlertRules(accountId);
  if (rules.some((rule) => isTargetAlert(rule, list.id))) return true;
  const scope = { kind: 'list', listId: list.id } as const;
  const condition = { kind: 'price_target' } as const;
  const facts = {
    name: usualName({ scope, condition }, [list]),
    scope,
    condition,
    channelIds: [],
    repeatDays: null,
    digest: 'none',
    dailyCap: usualDailyCap,
  } as const;
  const matches = await deps.alerts.findMatches(accountId, facts);
  if (matches === 'too many') return false;
  const off = rules.find((rule) => isOfTargets(rule, list.id));
  if (off) {
    return (await accounts.turnOnAlertRule(accountId, off.id, { ...matches, at })) === 'done';
  }
  const channelIds = deps.sendMail
    ? await ensureEmailChannel(deps, sent)
    : usualChannels(await accounts.listDeliveryChannels(accountId)).map(({ id }) => id);
  const rule = { ...facts, channelIds };
  // Another request may have created it.
  const made = await accounts.addAlertRule(accountId, { rule, ...matches, at, isOnly: true });
  return typeof made === 'object' || made === 'exists';
}
