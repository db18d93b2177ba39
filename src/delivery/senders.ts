/** Sends a delivery in the way of its channel, and tells what became of it. */
import type { Mail } from '../domain/account/mail.ts';
import type { ChannelKind, Sealed } from '../domain/delivery/channel.ts';
import type { DueChannel, DueDelivery } from '../domain/delivery/delivery-store.ts';
import type { EmailBody, NtfyBody } from '../domain/delivery/message.ts';
import type { Outcome } from '../domain/delivery/retry.ts';
import type { Sealer } from '../domain/delivery/seal.ts';
import { signatureHeaders } from '../domain/delivery/signature.ts';
import { type Clock, dayMs, secondMs } from '../domain/kernel/time.ts';
import {
  type HttpAnswer,
  type HttpMessage,
  SendError,
  type SendOptions,
  sendHttp,
} from './send.ts';

/** What messages are sent with. */
export interface SenderDeps {
  /** Null where the operator has set no secret: nothing that is sealed can be sent to. */
  readonly sealer: Sealer | null;
  readonly http: SendOptions;
  /** Null where there is no mail server. */
  readonly sendMail: ((mail: Mail) => Promise<void>) | null;
  readonly clock: Clock;
}

/** Sends one delivery of a channel. What fails is an outcome, and nothing is thrown. */
export type Send = (channel: DueChannel, delivery: DueDelivery) => Promise<Outcome>;

/** Sends by e-mail, webhook, ntfy and Discord. */
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

/** Something that was sealed cannot be opened; a sentence for its owner. */
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
    // What a mail server answers is for whoever runs it; the log has it.
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
  { sealer }: SenderDeps,
  { accountId }: DueChannel,
  purpose: 'address' | 'secret',
  sealed: Sealed | null,
): string {
  const text = sealed === null ? null : sealer?.open(sealed, { accountId, purpose });
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
  // One of before the secret file changed signs nothing any more: that is why there is a new one.
  const { accountId } = channel;
  const before = deps.sealer?.open(old.secret, { accountId, purpose: 'secret' }) ?? null;
  return before === null ? [current] : [current, before];
}

/** ntfy takes JSON at its root, with the topic in it: its headers would hold English alone. */
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
  // Discord answers 404 for a webhook that was removed.
  const isGone = status === 410 || (kind === 'discord' && status === 404);
  return {
    kind: isDone ? 'done' : isGone ? 'gone' : 'failed',
    status,
    answer: text,
    retryAfterMs: isDone ? null : (retryAfterMs ?? discordPauseMs(kind, text)),
  };
}

/** Discord says in its answer, too, for how many seconds it is to be left alone. */
function discordPauseMs(kind: ChannelKind, text: string): number | null {
  const seconds = kind === 'discord' ? /"retry_after":\s*(\d+(?:\.\d+)?)/.exec(text)?.[1] : null;
  return seconds ? Math.min(Math.ceil(Number(seconds) * secondMs), dayMs) : null;
}
