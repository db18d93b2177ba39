/** Bodies of deliveries by kind of channel, stored as JSON. */
import { formatInstant } from '../kernel/time.ts';
import { staleType, testType } from './delivery.ts';
import type { ChannelKind } from './delivery-channel.ts';

/** Sent to webhooks as is. */
export interface WebhookBody {
  /** A kind of event, `alert`, `stale` or `test`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/** An email to the account's own address. */
export interface EmailBody {
  readonly subject: string;
  readonly text: string;
  /**
   * The target of one-click unsubscribe (RFC 8058); null if there is nothing to unsubscribe from.
   */
  readonly unsubscribeUrl: string | null;
}

export interface NtfyBody {
  readonly title: string;
  readonly message: string;
  /** The URL that a tap opens. */
  readonly click: string | null;
}

/** Sent to Discord as is; mentions are disabled. */
export interface DiscordBody {
  readonly content: string;
  readonly embeds?: readonly object[];
  readonly allowed_mentions: { readonly parse: readonly [] };
}

export interface MessageBodies {
  readonly webhook: WebhookBody;
  readonly email: EmailBody;
  readonly ntfy: NtfyBody;
  readonly discord: DiscordBody;
}

/** Informs a webhook that events up to a position were removed, as JSON. */
export function staleBody(oldest: number, at: number): string {
  const body: WebhookBody = { type: staleType, timestamp: formatInstant(at), data: { oldest } };
  return JSON.stringify(body);
}

const testText = 'This is a test message from Brickmark. If you can read this, the channel works.';

/** The test message that an owner can request, as JSON. */
export function testBody(kind: ChannelKind, at: number): string {
  const bodies: MessageBodies = {
    webhook: { type: testType, timestamp: formatInstant(at), data: { message: testText } },
    email: { subject: 'Test message from Brickmark', text: testText, unsubscribeUrl: null },
    ntfy: { title: 'Brickmark', message: testText, click: null },
    discord: { content: testText, allowed_mentions: { parse: [] } },
  };
  return JSON.stringify(bodies[kind]);
}
