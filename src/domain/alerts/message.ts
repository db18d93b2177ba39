/** Messages about what is due: one for each channel, in the form that it takes. Pure. */

import type { TokenHash } from '../account/session-store.ts';
import type { ChannelKind } from '../delivery/channel.ts';
import type { MessageBodies } from '../delivery/message.ts';
import { nounText } from '../kernel/format.ts';
import { cutText } from '../kernel/text.ts';
import { formatInstant } from '../kernel/time.ts';
import type { AlertDelivery, ComposedAlerts, DueAlerts, DueNotification } from './alert-store.ts';
import { whyText } from './alert-words.ts';
import { endAlertPath, endedMax } from './end-link.ts';

/** The type of a message about alerts. */
export const alertType = 'alert';

/** Alerts that a message lists; what there is besides is on the page that has all of them. */
const listedMax = 50;

/** Alerts in one message to a webhook; what there is besides is in another one. */
const webhookMax = 100;

/** What ntfy takes in bytes, and Discord in characters. */
const ntfyBytesMax = 4_096;
const discordLengthMax = 2_000;

/** Mail programs show less. */
const subjectLengthMax = 150;

/** What messages are made with. */
export interface MessageTools {
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  readonly at: number;
  /** A new token for a link that ends a rule, and its hash. */
  makeToken(): { readonly token: string; readonly hash: TokenHash };
}

/** A channel, and what it is told. */
interface ToldChannel {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly notifications: readonly DueNotification[];
}

/** Messages about all that is due to an account. */
export function composeAlerts(due: DueAlerts, tools: MessageTools): ComposedAlerts {
  const ruleIds = new Set(due.notifications.map(({ ruleId }) => ruleId));
  const tokens = new Map([...ruleIds].map((id) => [id, tools.makeToken()]));
  const endUrl = (...ids: readonly number[]) =>
    `${tools.baseUrl}${endAlertPath(...ids.map((id) => tokens.get(id)?.token ?? ''))}`;
  const writer = new Writer(tools, endUrl);
  return {
    deliveries: channelsOf(due).flatMap((told) => writer.deliveries(told)),
    links: new Map([...tokens].map(([id, { hash }]) => [id, hash])),
  };
}

function channelsOf({ notifications, channels }: DueAlerts): ToldChannel[] {
  const kinds = new Map([...channels.values()].flat().map(({ id, kind }) => [id, kind]));
  return [...kinds].map(([id, kind]) => ({
    id,
    kind,
    notifications: notifications.filter(({ ruleId }) =>
      channels.get(ruleId)?.some((channel) => channel.id === id),
    ),
  }));
}

class Writer {
  constructor(
    private readonly tools: MessageTools,
    private readonly endUrl: (...ruleIds: readonly number[]) => string,
  ) {}

  deliveries({ id: channelId, kind, notifications }: ToldChannel): AlertDelivery[] {
    const max = kind === 'webhook' ? webhookMax : notifications.length;
    const deliveries: AlertDelivery[] = [];
    for (let from = 0; from < notifications.length; from += max) {
      const some = notifications.slice(from, from + max);
      const [first] = some;
      if (!first) break;
      deliveries.push({
        channelId,
        messageId: `${alertType}_${channelId}_${first.id}`,
        type: alertType,
        orderKey: null,
        body: JSON.stringify(this.body(kind, some, first)),
        at: this.tools.at,
        notificationIds: some.map(({ id }) => id),
      });
    }
    return deliveries;
  }

  private body(
    kind: ChannelKind,
    some: readonly DueNotification[],
    first: DueNotification,
  ): MessageBodies[ChannelKind] {
    const single = some.length === 1 ? first : null;
    switch (kind) {
      case 'webhook':
        return {
          type: alertType,
          timestamp: formatInstant(this.tools.at),
          data: { alerts: some.map((one) => this.record(one)) },
        };
      case 'email': {
        const ruleIds = [...new Set(some.map(({ ruleId }) => ruleId))];
        return {
          subject: cutText(subjectOf(some, first), subjectLengthMax),
          text: this.text(some, { count: listedMax, style: emailText }),
          unsubscribeUrl: ruleIds.length <= endedMax ? this.endUrl(...ruleIds) : null,
        };
      }
      case 'ntfy':
        return {
          title: cutText(
            single ? `${single.number} ${single.title}` : nounText(some.length, 'alert'),
            100,
          ),
          message: this.longest(some, ntfyText, (text) => Buffer.byteLength(text) <= ntfyBytesMax),
          click: single ? this.itemUrl(single) : this.sentUrl(),
        };
      case 'discord':
        return {
          content: this.longest(some, discordText, ({ length }) => length <= discordLengthMax),
          allowed_mentions: { parse: [] },
        };
    }
  }

  private record(one: DueNotification): object {
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
      url: this.itemUrl(one),
      end_url: this.endUrl(one.ruleId),
    };
  }

  private itemUrl({ itemKind, number }: DueNotification): string {
    return `${this.tools.baseUrl}/${itemKind}s/${encodeURIComponent(number)}`;
  }

  private ruleUrl(ruleId: number): string {
    return `${this.tools.baseUrl}/alerts/${ruleId}`;
  }

  private sentUrl(): string {
    return `${this.tools.baseUrl}/alerts/sent`;
  }

  /** As many as a channel takes; where even one is too long, how many there are. */
  private longest(
    some: readonly DueNotification[],
    style: TextStyle,
    fits: (text: string) => boolean,
  ): string {
    // With more alerts a text is longer, but for the last one: with it, no link to the rest is due.
    let [best, least, most] = ['', 0, Math.min(some.length, listedMax)];
    for (let count = most; least <= most; count = (least + most) >> 1) {
      const text = this.text(some, { count, style });
      if (count === 0 || fits(text)) {
        best = text;
        least = count + 1;
      } else most = count - 1;
    }
    return best;
  }

  /** All alerts by rule, each with its link; which rule, and why; and the link that ends it. */
  private text(
    some: readonly DueNotification[],
    { count, style }: { readonly count: number; readonly style: TextStyle },
  ): string {
    const shown = some.slice(0, count);
    const parts = [...Map.groupBy(shown, ({ ruleId }) => ruleId).values()].map((own) =>
      this.part(own, style),
    );
    const left = some.length - shown.length;
    const more = shown.length === 0 ? `${nounText(some.length, 'alert')}:` : `And ${left} more:`;
    if (left > 0) parts.push(`${more} ${style.link(this.sentUrl())}`);
    return parts.join('\n\n');
  }

  private part(own: readonly DueNotification[], style: TextStyle): string {
    const [first] = own;
    if (!first) return '';
    const about = [
      style.escape(whyText(first.rule, first.listName)),
      style.isShared
        ? `Manage this alert: ${style.link(this.ruleUrl(first.ruleId))}`
        : `Unsubscribe from this alert: ${style.link(this.endUrl(first.ruleId))}`,
    ].join('\n');
    return [...own.map((one) => this.item(one, style)), about].join('\n\n');
  }

  private item(one: DueNotification, style: TextStyle): string {
    const lines = [`${style.escape(one.reason)}.`, style.link(this.itemUrl(one))];
    return [...lines, ...(one.note ? [`Note: ${style.escape(one.note)}`] : [])].join('\n');
  }
}

function subjectOf(some: readonly DueNotification[], { reason, number, title }: DueNotification) {
  if (some.length === 1) return reason;
  return `${nounText(some.length, 'alert')}: ${number} ${title} and ${some.length - 1} more`;
}

/** How text and links are written. */
interface TextStyle {
  /**
   * Whether others than the owner of the alert may read it, as everybody does who is on a Discord
   * server or knows a topic of ntfy: they get no link that ends it.
   */
  readonly isShared: boolean;
  escape(text: string): string;
  link(url: string): string;
}

const emailText: TextStyle = { isShared: false, escape: (text) => text, link: (url) => url };

const ntfyText: TextStyle = { ...emailText, isShared: true };

/** Nothing in a name is formatting or a mention, and links show no preview. */
const discordText: TextStyle = {
  isShared: true,
  escape: (text) => text.replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&'),
  link: (url) => `<${url}>`,
};
