/** Webhook signatures according to Standard Webhooks 1.0. */
import { createHmac } from 'node:crypto';
import { hourMs, secondMs } from '../../kernel/time.ts';

const secretPrefix = 'whsec_';

/** The standard requires 24 to 64. */
const secretBytes = 32;

/** How long messages are also signed with the old secret after a change. */
export const oldSecretMs: number = 24 * hourMs;

/** A new secret in the form that is shown to its owner once. */
export function newWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return `${secretPrefix}${Buffer.from(randomBytes(secretBytes)).toString('base64')}`;
}

export interface SignedMessage {
  readonly messageId: string;
  /** When it is sent; receivers compare it with their own clock. */
  readonly at: number;
  readonly body: string;
}

/** One signature per secret; receivers accept a message if any of them matches. */
export function signatureHeaders(
  { messageId, at, body }: SignedMessage,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / secondMs));
  const signed = `${messageId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
