/** Signatures of webhooks by Standard Webhooks 1.0. */
import { createHmac } from 'node:crypto';
import { hourMs, secondMs } from '../kernel/time.ts';

const secretPrefix = 'whsec_';

/** The standard asks for 24 to 64. */
const secretBytes = 32;

/** After a change, the old secret signs as well for so long. */
export const oldSecretMs: number = 24 * hourMs;

/** A new secret, as its owner is shown it once. */
export function newWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return `${secretPrefix}${Buffer.from(randomBytes(secretBytes)).toString('base64')}`;
}

/** What is signed. */
export interface SignedMessage {
  readonly messageId: string;
  /** When it is sent, which a receiver holds against its own clock. */
  readonly at: number;
  readonly body: string;
}

/** The three headers of a message; every secret gives a signature, and one that fits is enough. */
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
