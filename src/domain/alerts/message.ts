/** Composes messages for due notifications, in the format of each channel. Pure. */
import type { TokenHash } from '../account/session.ts';
import type { ChannelKind } from '../delivery/delivery-channel.ts';
import type { MessageBodies } from '../delivery/message.ts';
import { nounText } from '../kernel/format.ts';
import { cutText } from '../kernel/text.ts';
import { formatInstant } from '../kernel/time.ts';
import type {
  AlertDelivery,
  ComposedAlerts,
  DueAlerts,
  DueNotification,
} from './alert-evaluation.ts';
import { whyText } from './alert-words.ts';
import { endAlertPath, endedMax } from './end-link.ts';

/** The delivery type of alerts. */
export const alertType = 'alert';

/** Maximum number of alerts listed in a message; the rest are on the page of all alerts. */
const listedMax = 50;

/** Maximum number of alerts per webhook message; the rest are sent in another one. */
const webhookMax = 100;

/** The message limits of ntfy in bytes and of Discord in characters. */
const ntfyBytesMax = 4_096;
const discordLengthMax = 2_000;

/** Mail clients show less than this. */
const subjectLengthMax = 150;

export interface MessageTools {
  /** The public address without a trailing slash. */
  readonly baseUrl: string;
  readonly at: number;
  /** A new token for a link that ends a rule, and its hash. */
  makeToken(): { readonly token: string; readonly hash: TokenHash };
}

/** A channel and the notifications for it. */
interface ChannelMessages {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly notifications: readonly DueNotification[];
}

export function composeAlerts(due: DueAlerts, tools: MessageTools): ComposedAlerts {
  const ruleIds = new Set(due.notifications.map(({ ruleId }) => ruleId));
  const tokens = new Map([...ruleIds].map((id) => [id, tools.makeToken()]));
  const endUrl = (...ids: readonly number[]) =>
    `${tools.baseUrl}${endAlertPath(...ids.map((id) => tokens.get(id)?.token ?? ''))}`;
  const writer = new Writer(tools, endUrl);
  return {
    deliveries: channelsOf(due).flatMap((channel) => writer.deliveries(channel)),
    links: new Map([...tokens].map(([id, { hash }]) => [id, hash])),
  };
}

function channelsOf({ notifications, channels }: DueAlerts): ChannelMessages[] {
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

  deliveries({ id: channelId, kind, notifications }: ChannelMessages): AlertDelivery[] {
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

  /** The longest text that fits; without any alert in full, only their number. */
  private longest(
    some: readonly DueNotification[],
    style: TextStyle,
    fits: (text: string) => boolean,
  ): string {
    // Bisection: texts get longer with more alerts, except that the last one drops the link to the
    // rest.
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

  /**
   * Alerts grouped by rule, each with its link, followed by the reason and the unsubscribe link.
   */
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

/** How a channel formats text and links. */
interface TextStyle {
  /**
   * Whether people other than the owner may read it, such as members of a Discord server or
   * subscribers of an ntfy topic: they must not get an unsubscribe link.
   */
  readonly isShared: boolean;
  escape(text: string): string;
  link(url: string): string;
}

const emailText: TextStyle = { isShared: false, escape: (text) => text, link: (url) => url };

const ntfyText: TextStyle = { ...emailText, isShared: true };

/** Escapes formatting and mentions in names, and suppresses link previews. */
const discordText: TextStyle = {
  isShared: true,
  escape: (text) => text.replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&'),
  link: (url) => `<${url}>`,
};
