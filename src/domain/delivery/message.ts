/** What the body of a delivery says, for each kind of channel. It is kept as JSON. */
import { formatInstant } from '../kernel/time.ts';
import type { ChannelKind } from './channel.ts';
import { staleType, testType } from './delivery.ts';

/** What a webhook is sent, as it is. */
export interface WebhookBody {
  /** A kind of event, `alert`, `stale` or `test`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/** An e-mail to the account's own address. */
export interface EmailBody {
  readonly subject: string;
  readonly text: string;
  /** Where a POST ends what it was sent for (RFC 8058); null when there is nothing to end. */
  readonly unsubscribeUrl: string | null;
}

/** A message of ntfy. */
export interface NtfyBody {
  readonly title: string;
  readonly message: string;
  /** What is opened when it is tapped. */
  readonly click: string | null;
}

/** What Discord is sent, as it is: nobody is ever mentioned. */
export interface DiscordBody {
  readonly content: string;
  readonly embeds?: readonly object[];
  readonly allowed_mentions: { readonly parse: readonly [] };
}

/** The body for each kind of channel. */
export interface MessageBodies {
  readonly webhook: WebhookBody;
  readonly email: EmailBody;
  readonly ntfy: NtfyBody;
  readonly discord: DiscordBody;
}

/** What a webhook is sent when events up to a position are gone, as JSON. */
export function staleBody(oldest: number, at: number): string {
  const body: WebhookBody = { type: staleType, timestamp: formatInstant(at), data: { oldest } };
  return JSON.stringify(body);
}

const testText = 'This is a test message from Brickmark. If you can read this, the channel works.';

/** What "Send a test" sends, as JSON. */
export function testBody(kind: ChannelKind, at: number): string {
  const bodies: MessageBodies = {
    webhook: { type: testType, timestamp: formatInstant(at), data: { message: testText } },
    email: { subject: 'Test message from Brickmark', text: testText, unsubscribeUrl: null },
    ntfy: { title: 'Brickmark', message: testText, click: null },
    discord: { content: testText, allowed_mentions: { parse: [] } },
  };
  return JSON.stringify(bodies[kind]);
}
