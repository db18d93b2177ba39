/** Sends a delivery to its channel, and returns the outcome. */
import type { Mail } from '../../accounts/people/mail.ts';
import type { Encrypted, Encrypter } from '../../kernel/encryption.ts';
import type { Clock } from '../../kernel/time.ts';
import { deliveryTable } from '../channels/delivery-channel-kinds.ts';
import type { EmailBody, PostedRow } from '../channels/kinds/delivery-channel-row.ts';
import type { DueChannel, DueDelivery } from './delivery.ts';
import type { Outcome } from './retry.ts';
import { type HttpAnswer, SendError, type SendOptions, sendHttp } from './send.work.ts';
import { signatureHeaders } from './signature.ts';

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
    const row = deliveryTable[channel.kind];
    try {
      if (row.sentBy === 'mail') return await sendEmail(deps, channel, delivery);
      return await post(deps, row, { channel, delivery });
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
  row: PostedRow,
  { channel, delivery }: { readonly channel: DueChannel; readonly delivery: DueDelivery },
): Promise<Outcome> {
  const address = open(deps, channel, 'address', channel.address);
  const request = row.request({ address, body: delivery.body });
  if ('problem' in request) return failure(request.problem);
  const signature = row.isForPrograms ? signatureOf(deps, channel, delivery) : {};
  const headers = { 'Content-Type': 'application/json', ...signature };
  return outcomeOf(row, await sendHttp({ ...request, headers }, deps.http));
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

function signatureOf(deps: SenderDeps, channel: DueChannel, { messageId, body }: DueDelivery) {
  const at = deps.clock();
  return signatureHeaders({ messageId, at, body }, secretsOf(deps, channel, at));
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

function outcomeOf(row: PostedRow, { status, text, retryAfterMs }: HttpAnswer): Outcome {
  const isDone = status >= 200 && status < 300;
  const isGone = status === 410 || status === row.gone?.status;
  return {
    kind: isDone ? 'done' : isGone ? 'gone' : 'failed',
    status,
    answer: text,
    retryAfterMs: isDone ? null : (retryAfterMs ?? row.pauseMs?.(text) ?? null),
  };
}
