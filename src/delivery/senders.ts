/** Sends a delivery to its channel, and returns the outcome. */
import type { Mail } from '../domain/account/mail.ts';
import type { DueChannel, DueDelivery } from '../domain/delivery/delivery.ts';
import type { ChannelKind, Encrypted } from '../domain/delivery/delivery-channel.ts';
import type { Encrypter } from '../domain/delivery/encryption.ts';
import type { EmailBody, NtfyBody } from '../domain/delivery/message.ts';
import type { Outcome } from '../domain/delivery/retry.ts';
import { signatureHeaders } from '../domain/delivery/signature.ts';
import { type Clock, dayMs, secondMs } from '../domain/kernel/time.ts';
import {
  type HttpAnswer,
  type HttpMessage,
  SendError,
  type SendOptions,
  sendHttp,
} from './send.ts';

export interface SenderDeps {
  /** Null: no secret file is configured, so encrypted addresses cannot be read. */
  readonly encrypter: Encrypter | null;
  readonly http: SendOptions;
  /** Null: no mail server is configured. */
  readonly sendMail: ((mail: Mail) => Promise<void>) | null;
  readonly clock: Clock;
}

/** Never throws: a failure is an outcome. */
export type Send = (channel: DueChannel, delivery: DueDelivery) => Promise<Outcome>;

export function makeSend(deps: SenderDeps): Send {
  return async (channel, delivery) => {
    try {
      return channel.kind === 'email'
        ? await sendEmail(deps, channel, delivery)
        : await post(deps, channel, delivery);
    } catch (error) {
      const isExpected = error instanceof SendError || error instanceof UnreadableError;
      return failure(isExpected ? error.message : 'The message could not be sent.');
    }
  };
}

/** An encrypted value cannot be decrypted; the message is a sentence for the owner. */
class UnreadableError extends Error {}

function failure(answer: string): Outcome {
  return { kind: 'failed', status: null, answer, retryAfterMs: null };
}

async function sendEmail(
  { sendMail, clock }: SenderDeps,
  channel: DueChannel,
  delivery: DueDelivery,
): Promise<Outcome> {
  if (sendMail === null) return failure('Email is not set up on this server.');
  const { subject, text, unsubscribeUrl } = JSON.parse(delivery.body) as EmailBody;
  try {
    await sendMail({ to: channel.email, subject, text, unsubscribeUrl, at: clock() });
  } catch {
    // The response of a mail server is for the operator, who finds it in the log.
    return failure('The mail server did not accept the message.');
  }
  return { kind: 'done', status: null, answer: '', retryAfterMs: null };
}

async function post(
  deps: SenderDeps,
  channel: DueChannel,
  delivery: DueDelivery,
): Promise<Outcome> {
  const address = open(deps, channel, 'address', channel.address);
  const answer = await sendHttp(messageOf(deps, channel, { delivery, address }), deps.http);
  return outcomeOf(channel.kind, answer);
}

function open(
  { encrypter }: SenderDeps,
  { accountId }: DueChannel,
  purpose: 'address' | 'secret',
  encrypted: Encrypted | null,
): string {
  const text = encrypted === null ? null : encrypter?.decrypt(encrypted, { accountId, purpose });
  if (text) return text;
  throw new UnreadableError(
    purpose === 'address'
      ? 'The secret file of this server has changed. Enter the address again.'
      : 'The secret file of this server has changed. Create a new secret.',
  );
}

function messageOf(
  deps: SenderDeps,
  channel: DueChannel,
  { delivery, address }: { readonly delivery: DueDelivery; readonly address: string },
): HttpMessage {
  const json = { 'Content-Type': 'application/json' };
  if (channel.kind === 'ntfy') {
    return { ...ntfyMessage(address, JSON.parse(delivery.body)), headers: json };
  }
  const { body, messageId } = delivery;
  if (channel.kind === 'discord') return { address, headers: json, body };
  const at = deps.clock();
  const signature = signatureHeaders({ messageId, at, body }, secretsOf(deps, channel, at));
  return { address, headers: { ...json, ...signature }, body };
}

function secretsOf(deps: SenderDeps, channel: DueChannel, at: number): string[] {
  const { secrets } = channel;
  const current = open(deps, channel, 'secret', secrets?.current ?? null);
  const { old } = secrets ?? { old: null };
  if (old === null || old.until <= at) return [current];
  // A secret encrypted with an earlier secret file cannot sign any more.
  const { accountId } = channel;
  const before = deps.encrypter?.decrypt(old.secret, { accountId, purpose: 'secret' }) ?? null;
  return before === null ? [current] : [current, before];
}

/**
 * As JSON posted to the root with the topic inside, because ntfy's headers cannot hold all of
 * Unicode.
 */
function ntfyMessage(
  address: string,
  { title, message, click }: NtfyBody,
): Pick<HttpMessage, 'address' | 'body'> {
  const url = URL.parse(address);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const topic = path.slice(path.lastIndexOf('/') + 1);
  if (url === null || topic === '') throw new SendError('The address has no topic.');
  url.pathname = path.slice(0, path.lastIndexOf('/') + 1);
  const body = JSON.stringify({ topic, title, message, ...(click !== null && { click }) });
  return { address: url.href, body };
}

function outcomeOf(kind: ChannelKind, { status, text, retryAfterMs }: HttpAnswer): Outcome {
  const isDone = status >= 200 && status < 300;
  // Discord returns 404 for a deleted webhook.
  const isGone = status === 410 || (kind === 'discord' && status === 404);
  return {
    kind: isDone ? 'done' : isGone ? 'gone' : 'failed',
    status,
    answer: text,
    retryAfterMs: isDone ? null : (retryAfterMs ?? discordPauseMs(kind, text)),
  };
}

/** Discord also sends the retry delay in the body. */
function discordPauseMs(kind: ChannelKind, text: string): number | null {
  const seconds = kind === 'discord' ? /"retry_after":\s*(\d+(?:\.\d+)?)/.exec(text)?.[1] : null;
  return seconds ? Math.min(Math.ceil(Number(seconds) * secondMs), dayMs) : null;
}
