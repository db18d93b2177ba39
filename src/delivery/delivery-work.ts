/** Joins what the process that sends does: reading the log for webhooks, and sending. */
import type { Mail } from '../domain/account/mail.ts';
import type { ChannelKind } from '../domain/delivery/channel.ts';
import type { DeliveryQueue, DueChannel } from '../domain/delivery/delivery-store.ts';
import { type Clock, secondMs } from '../domain/kernel/time.ts';
import { withTimeout } from '../domain/kernel/timeout.ts';
import { type Step, startLoops } from './loop.ts';
import { Outbox, type OutboxDeps } from './outbox.ts';
import { turnedOffMail } from './owner-mail.ts';
import { makeSend, type SenderDeps } from './senders.ts';
import { type SubscriptionDeps, Subscriptions } from './subscriptions.ts';

/** Messages that are under way to everybody, to the channels of an account, and to one channel. */
const posting = { most: 256, perAccount: 16, perChannel: 8 };

/** A mail server is not asked as much at once, and an account has one channel for e-mail. */
const mailing = { most: 4, perAccount: 1, perChannel: 1 };

/** What is under way when the process is to end is waited for no longer than this. */
const finishMsMax = 3 * secondMs;

/** What it all works with. */
export interface DeliveryDeps extends SenderDeps {
  readonly queue: DeliveryQueue;
  readonly market: SubscriptionDeps['market'];
  readonly findItems: SubscriptionDeps['findItems'];
  readonly clock: Clock;
  random(): number;
  /** Names this process, and whoever is started in its place. */
  readonly holder: string;
  /** Counts that an address is told of a channel that was turned off; false: too often. */
  mayNotifyTurnedOff(email: string): Promise<boolean>;
  /** The public address, for links; null: there is none. */
  readonly baseUrl: string | null;
  /** What else is done under the same lease. */
  readonly beside: readonly Step[];
  readonly log: {
    warning(event: string, facts: Readonly<Record<string, string | number>>): void;
    failure(event: string, error: unknown): void;
  };
}

/** Starts it; the result ends it. */
export function startDelivery(deps: DeliveryDeps): () => Promise<void> {
  const { queue, market, findItems, clock, holder, beside, log } = deps;
  const onFailure = (error: unknown) => log.failure('delivery', error);
  // Without the key, nothing that is sealed can be sent to: it waits.
  const posted: readonly ChannelKind[] = deps.sealer ? ['webhook', 'ntfy', 'discord'] : [];
  const outboxes = [
    makeOutbox(deps, { kinds: posted, ...posting }, () => loops.wake(steps.post)),
    makeOutbox(deps, { kinds: ['email'], ...mailing }, () => loops.wake(steps.mail)),
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
    post: () => outboxes[0].step(),
    mail: () => outboxes[1].step(),
  };
  const finish = async () => {
    const finished = Promise.all(outboxes.map((outbox) => outbox.finish()));
    // What is not finished by then is sent again by the next process, with the same id.
    const tooLate = () => new Error('What was under way when the process ended is sent again.');
    await withTimeout(finished, finishMsMax, tooLate).catch(onFailure);
  };
  const loops = startLoops({
    store: queue,
    clock,
    holder,
    steps: [...Object.values(steps), ...beside],
    finish,
    onFailure,
  });
  return () => loops.stop();
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
    random: () => deps.random(),
    notifyTurnedOff: (channel, reason) => notifyTurnedOff(deps, channel, reason),
    onFailure: (error) => log.failure('delivery', error),
    onFree,
  });
}

async function notifyTurnedOff(
  { sendMail, mayNotifyTurnedOff, baseUrl, clock }: DeliveryDeps,
  channel: DueChannel,
  reason: string,
): Promise<void> {
  if (sendMail === null || !(await mayNotifyTurnedOff(channel.email))) return;
  const mail: Mail = turnedOffMail(channel, { reason, baseUrl: baseUrl ?? '', at: clock() });
  await sendMail(mail);
}
