/** The delivery process: reads the event log for webhooks, and sends what is due. */

import type { Mail } from '../../accounts/people/mail.ts';
import { type Clock, secondMs } from '../../kernel/time.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { startTimer } from '../../kernel/timer.ts';
import {
  addressedKinds,
  channelPath,
  deliveryKinds,
  deliveryTable,
  hasAddress,
} from '../channels/delivery-channel-kinds.ts';
import type { DeliveryQueue } from './deliveries.store.ts';
import type { DueChannel } from './delivery.ts';
import { type Step, startLoops } from './loop.ts';
import { type NoticeMessageDeps, noticeMessages } from './notice-messages.work.ts';
import { Outbox, type OutboxDeps } from './outbox.work.ts';
import { makeSend, type SenderDeps } from './senders.work.ts';
import { type SubscriptionDeps, Subscriptions } from './subscriptions.work.ts';
import { WriteTurns } from './write-turns.ts';

/** Concurrent messages: in total, per account and per channel. */
const posting = { most: 256, perAccount: 16, perChannel: 8 };

/** Mail servers accept less at a time, and an account has one email channel. */
const mailing = { most: 4, perAccount: 1, perChannel: 1 };

/** On exit, pending messages are given this long. */
const finishMsMax = 3 * secondMs;

export interface DeliveryDeps extends SenderDeps {
  readonly queue: DeliveryQueue;
  readonly notices: NoticeMessageDeps['queue'];
  readonly market: SubscriptionDeps['market'];
  readonly findItems: SubscriptionDeps['findItems'];
  readonly clock: Clock;
  random(): number;
  /** CPU time of this process so far, in milliseconds. */
  computedMs(): number;
  /** Whether others wait while this process writes, as in the embedded store. */
  readonly hasOneWriter: boolean;
  /** Names this process and its successors in the lease. */
  readonly holder: string;
  /** Counts a notification about a channel that was turned off; false: too many. */
  mayNotifyTurnedOff(email: string): Promise<boolean>;
  /** The public URL, for links; null: not configured. */
  readonly baseUrl: string | null;
  /** Other steps to run under the same lease. */
  readonly otherSteps: readonly Step[];
  readonly log: {
    warning(event: string, facts: Readonly<Record<string, string | number>>): void;
    failure(event: string, error: unknown): void;
  };
}

/** Returns a function that stops it. */
export function startDelivery(given: DeliveryDeps): () => Promise<void> {
  const deps = given.hasOneWriter ? { ...given, queue: inTurns(given) } : given;
  const { queue, market, findItems, clock, holder, otherSteps, log } = deps;
  const onFailure = (error: unknown) => log.failure('delivery', error);
  // Without the key, encrypted addresses cannot be read, so these messages wait.
  const posted = deps.encrypter ? addressedKinds : [];
  const mailed = deliveryKinds.filter((kind) => !hasAddress(kind));
  const outboxes = [
    makeOutbox(deps, { kinds: posted, ...posting }, () => loops.wake(steps.post)),
    makeOutbox(deps, { kinds: mailed, ...mailing }, () => loops.wake(steps.mail)),
  ] as const;
  const subscriptions = new Subscriptions({
    market,
    queue,
    findItems,
    clock,
    onQueued: () => loops.wake(steps.post),
    onGone: (channelId, oldest) => log.warning('delivery', { gone: channelId, oldest }),
  });
  const steps = {
    read: () => subscriptions.step(),
    notices: noticeMessages({
      queue: deps.notices,
      clock,
      onQueued: () => loops.wake(steps.post),
    }),
    post: () => outboxes[0].step(),
    mail: () => outboxes[1].step(),
  };
  const finish = async () => {
    const finished = Promise.all(outboxes.map((outbox) => outbox.finish()));
    // Pending messages are sent again by the next process, with the same ID.
    const tooLate = () => new Error('Messages pending at exit are sent again.');
    await withTimeout(finished, finishMsMax, tooLate).catch(onFailure);
  };
  const loops = startLoops({
    store: queue,
    clock,
    startTimer,
    holder,
    steps: [...Object.values(steps), ...otherSteps],
    finish,
    onFailure,
  });
  return () => loops.stop();
}

/** The operations that write many rows. */
function inTurns({ queue, computedMs }: DeliveryDeps): DeliveryQueue {
  const turns = new WriteTurns({ computedMs, sleep: Bun.sleep });
  return {
    ...queue,
    advance: (advances) => turns.run(() => queue.advance(advances)),
    saveTried: (channels) => turns.run(() => queue.saveTried(channels)),
  };
}

function makeOutbox(
  deps: DeliveryDeps,
  limits: Pick<OutboxDeps, 'kinds' | 'most' | 'perAccount' | 'perChannel'>,
  onFree: () => void,
): Outbox {
  const { queue, clock, log } = deps;
  return new Outbox({
    ...limits,
    queue,
    send: makeSend(deps),
    clock,
    sleep: Bun.sleep,
    random: () => deps.random(),
    notifyTurnedOff: (channel, reason) => notifyTurnedOff(deps, channel, reason),
    onFailure: (error) => log.failure('delivery', error),
    onFree,
  });
}

/** Anybody can sign up with any address, so one that is not confirmed gets no mail. */
async function notifyTurnedOff(
  { sendMail, mayNotifyTurnedOff, baseUrl, clock }: DeliveryDeps,
  channel: DueChannel,
  reason: string,
): Promise<void> {
  if (sendMail === null || !channel.isEmailConfirmed) return;
  if (!(await mayNotifyTurnedOff(channel.email))) return;
  await sendMail(turnedOffMail(channel, { reason, baseUrl: baseUrl ?? '', at: clock() }));
}

/** Without the name of the channel, which somebody typed; the link leads to it. */
export function turnedOffMail(
  { id, kind, email }: Pick<DueChannel, 'id' | 'kind' | 'email'>,
  { reason, baseUrl, at }: Pick<Mail, 'at'> & Readonly<Record<'reason' | 'baseUrl', string>>,
): Mail {
  const { word, isForPrograms } = deliveryTable[kind];
  const subject = `Your ${isForPrograms ? word : `${word} channel`} was turned off`;
  const next = isForPrograms
    ? 'Turn it on again, and it continues where it stopped. Events are kept for 90 days.'
    : 'Turn it on again to get alerts there.';
  const page = `${baseUrl}${channelPath({ id, kind })}`;
  const text = `${subject}.\n\n${reason}\n\n${next}\n${page}\n`;
  return { to: email, subject, text, at };
}
