/** Composes messages for due notifications; the table of channels has their formats. Pure. */
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { at } from '../../kernel/at.ts';
import { nounText } from '../../kernel/format.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { DeliveryChannel } from '../channels/delivery-channel.ts';
import { deliveryTable } from '../channels/delivery-channel-kinds.ts';
import type { AlertMessage, TextStyle } from '../channels/kinds/delivery-channel-row.ts';
import { alertMessageType } from '../delivery/delivery.ts';
import type {
  AlertDelivery,
  ComposedAlerts,
  DueAlerts,
  DueNotification,
} from './alert-evaluation.ts';
import { whyText } from './alert-words.ts';
import { endAlertPath, endedMax } from './end-link.ts';

/** Maximum number of alerts listed in a message; the rest are on the page of all alerts. */
const listedMax = 50;

/** Maximum number of alerts per message to a program; the rest are sent in another one. */
const recordsMax = 100;

export interface MessageContext {
  /** The public address without a trailing slash. */
  readonly baseUrl: string;
  readonly at: number;
  /** A new token for a link that ends a rule, and its hash. */
  makeToken(): { readonly token: string; readonly hash: TokenHash };
}

export function composeAlerts(due: DueAlerts, context: MessageContext): ComposedAlerts {
  const ruleIds = new Set(due.notifications.map(({ ruleId }) => ruleId));
  const tokens = new Map([...ruleIds].map((id) => [id, context.makeToken()]));
  const endUrl = (...ids: readonly number[]) =>
    `${context.baseUrl}${endAlertPath(...ids.map((id) => tokens.get(id)?.token ?? ''))}`;
  const channels = new Map([...due.channels.values()].flat().map((each) => [each.id, each]));
  return {
    deliveries: [...channels.values()].flatMap((channel) => {
      const isFor = ({ ruleId }: DueNotification) =>
        due.channels.get(ruleId)?.some(({ id }) => id === channel.id);
      return deliveriesOf(channel, due.notifications.filter(isFor), { ...context, endUrl });
    }),
    links: new Map([...tokens].map(([id, { hash }]) => [id, hash])),
  };
}

interface Links {
  readonly baseUrl: string;
  endUrl(...ruleIds: readonly number[]): string;
}

function deliveriesOf(
  { id: channelId, kind }: Pick<DeliveryChannel, 'id' | 'kind'>,
  notifications: readonly DueNotification[],
  { at: now, ...links }: Links & { readonly at: number },
): AlertDelivery[] {
  const { isForPrograms, alertBody } = deliveryTable[kind];
  const max = isForPrograms ? recordsMax : notifications.length;
  const deliveries: AlertDelivery[] = [];
  for (let from = 0; from < notifications.length; from += max) {
    const some = notifications.slice(from, from + max);
    deliveries.push({
      channelId,
      messageId: `${alertMessageType}_${channelId}_${at(some, 0).id}`,
      type: alertMessageType,
      orderKey: null,
      body: JSON.stringify(alertBody(messageOf(some, links), now)),
      at: now,
      notificationIds: some.map(({ id }) => id),
    });
  }
  return deliveries;
}

function messageOf(some: readonly DueNotification[], links: Links): AlertMessage {
  const first = at(some, 0);
  const isOne = some.length === 1;
  const item = `${first.number} ${first.title}`;
  const count = nounText(some.length, 'alert');
  const ruleIds = new Set(some.map(({ ruleId }) => ruleId));
  return {
    subject: isOne ? first.reason : `${count}: ${item} and ${some.length - 1} more`,
    title: isOne ? item : count,
    url: isOne ? itemUrl(first, links) : sentUrl(links),
    unsubscribeUrl: ruleIds.size <= endedMax ? links.endUrl(...ruleIds) : null,
    text: (style) => longestText(some, { ...links, ...asIs, ...style }),
    records: () => some.map((one) => recordOf(one, links)),
  };
}

const asIs = { escape: (text: string) => text, link: (url: string) => url, fits: () => true };

function itemUrl({ itemKind, number }: DueNotification, { baseUrl }: Links): string {
  return `${baseUrl}/${itemKind}s/${encodeURIComponent(number)}`;
}

function sentUrl({ baseUrl }: Links): string {
  return `${baseUrl}/alerts/fired`;
}

type Writer = Links & Required<TextStyle>;

/** The longest text that fits; without any alert in full, only their number. */
function longestText(some: readonly DueNotification[], writer: Writer): string {
  // Bisection: texts get longer with more alerts, except that the last one drops the link to the
  // rest.
  let [best, least, most] = ['', 0, Math.min(some.length, listedMax)];
  for (let count = most; least <= most; count = (least + most) >> 1) {
    const text = textOf(some, count, writer);
    if (count === 0 || writer.fits(text)) {
      best = text;
      least = count + 1;
    } else most = count - 1;
  }
  return best;
}

/** Alerts grouped by rule, each with its link, followed by the reason and the unsubscribe link. */
function textOf(some: readonly DueNotification[], count: number, writer: Writer): string {
  const shown = some.slice(0, count);
  const byRule = Map.groupBy(shown, ({ ruleId }) => ruleId);
  const parts = [...byRule.values()].map((own) => partOf(own, writer));
  const left = some.length - shown.length;
  const more = count === 0 ? `${nounText(some.length, 'alert')}:` : `And ${left} more:`;
  if (left > 0) parts.push(`${more} ${writer.link(sentUrl(writer))}`);
  return parts.join('\n\n');
}

function partOf(own: readonly DueNotification[], writer: Writer): string {
  const { rule, ruleId, listName } = at(own, 0);
  const { isShared, link, baseUrl, endUrl } = writer;
  const about = [
    writer.escape(whyText(rule, listName)),
    isShared
      ? `Manage this alert: ${link(`${baseUrl}/alerts/${ruleId}`)}`
      : `Unsubscribe from this alert: ${link(endUrl(ruleId))}`,
  ].join('\n');
  return [...own.map((one) => itemText(one, writer)), about].join('\n\n');
}

function itemText(one: DueNotification, writer: Writer): string {
  const lines = [`${writer.escape(one.reason)}.`, writer.link(itemUrl(one, writer))];
  return [...lines, ...(one.note ? [`Note: ${writer.escape(one.note)}`] : [])].join('\n');
}

function recordOf(one: DueNotification, links: Links): object {
  return {
    id: one.id,
    at: formatInstant(one.at),
    rule: { id: one.ruleId, name: one.rule.name },
    condition: one.rule.condition.kind,
    item_type: one.itemKind,
    number: one.number,
    title: one.title,
    retailer: one.retailer,
    reason: `${one.reason}.`,
    why: whyText(one.rule, one.listName),
    facts: JSON.parse(one.facts),
    url: itemUrl(one, links),
    end_url: links.endUrl(one.ruleId),
  };
}
