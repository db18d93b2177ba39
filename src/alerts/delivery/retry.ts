/** Retries of failed deliveries, and the state of their channels. */
import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/time.ts';
import type { ChannelState } from '../channels/delivery-channel.ts';
import { deliveryTable } from '../channels/delivery-channel-kinds.ts';
import {
  type DueChannel,
  type DueDelivery,
  type TriedChannel,
  type TriedDelivery,
  testMessageType,
} from './delivery.ts';

export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** Random variation of delays, so that deliveries that failed together are not retried together. */
const jitter = 0.1;

/** The interval of attempts for a paused webhook. */
const pausedMs = dayMs;

/** A channel without any success for this long is turned off. */
const failingMsMax = 5 * dayMs;

/** The pause of a channel after a failure, which doubles up to a limit. */
const restMs = { first: 5 * secondMs, most: 5 * minuteMs };

export interface Outcome {
  /** `gone`: the receiver wants no further messages. */
  readonly kind: 'done' | 'failed' | 'gone';
  readonly status: number | null;
  readonly answer: string;
  /** The pause that the receiver requested; null: none. */
  readonly retryAfterMs: number | null;
}

export interface Tried {
  readonly delivery: DueDelivery;
  readonly outcome: Outcome;
}

export interface Chance {
  readonly at: number;
  /** From 0 up to 1 (exclusive). */
  random(): number;
}

/** The delay after a number of failed attempts; null: that was the last one. */
export function retryDelayMs(tries: number, random: () => number): number | null {
  const delay = retryDelaysMs[tries - 1];
  return delay === undefined ? null : Math.round(delay * (1 + jitter * (2 * random() - 1)));
}

/** The pause of a channel after a number of consecutive failed rounds. */
export function restDelayMs(failures: number): number {
  return Math.min(restMs.first * 2 ** Math.max(0, failures - 1), restMs.most);
}

/** The new state of a channel and its deliveries after a round of attempts. */
export function afterRound(
  channel: Omit<DueChannel, 'deliveries'>,
  round: readonly Tried[],
  chance: Chance,
): TriedChannel {
  const deliveries = round.map((tried) => afterTry(channel, tried, chance));
  const { id, kind, state: stateBefore } = channel;
  const kept = { id, kind, stateBefore, deliveries };
  if (round.some(({ outcome }) => outcome.kind === 'done')) {
    // A successful test shows that a channel works, but only its owner turns it on.
    const isOff = channel.state === 'off';
    const stateReason = isOff ? channel.stateReason : null;
    return { ...kept, ...noFailures, state: isOff ? 'off' : 'active', stateReason };
  }
  const failed = round.filter(({ delivery }) => delivery.type !== testMessageType);
  // A failed test does not affect the state of the channel.
  if (failed.length === 0) return { ...kept, ...unchanged(channel) };
  return { ...kept, ...afterFailure(channel, failed, chance) };
}

const noFailures = { failingSince: null, failures: 0, retryAt: null };

type ChannelAfter = Omit<TriedChannel, 'id' | 'kind' | 'stateBefore' | 'deliveries'>;

function unchanged(channel: Omit<DueChannel, 'deliveries'>): ChannelAfter {
  const { state, stateReason, failingSince, failures, retryAt } = channel;
  return { state, stateReason, failingSince, failures, retryAt };
}

/** The new state after a round without any success. */
function afterFailure(
  channel: Omit<DueChannel, 'deliveries'>,
  failed: readonly Tried[],
  { at }: Chance,
): ChannelAfter {
  const failures = channel.failures + 1;
  const failingSince = channel.failingSince ?? at;
  const last = failed.at(-1)?.outcome;
  const base = { failingSince, failures };
  const row = deliveryTable[channel.kind];
  // Email fails because of the operator's mail server, which is no reason to turn channels off.
  const posted = row.sentBy === 'mail' ? null : row;
  const gone = failed.find(({ outcome }) => outcome.kind === 'gone');
  if (posted && gone) {
    const status = gone.outcome.status ?? 410;
    const stateReason = posted.gone?.text(status) ?? `Your server answered ${status} Gone.`;
    return { ...base, state: 'off', stateReason, retryAt: null };
  }
  if (posted && at - failingSince >= failingMsMax) {
    const stateReason = `No message was delivered for five days. Last try: ${wordsOf(last)}`;
    return { ...base, state: 'off', stateReason, retryAt: null };
  }
  const isExhausted = failed.some(({ delivery }) => delivery.tries >= retryDelaysMs.length);
  const isPaused = row.isForPrograms && (isExhausted || channel.state === 'paused');
  const state: ChannelState = isPaused ? 'paused' : 'active';
  const stateReason = isPaused ? `Now tried once a day. Last try: ${wordsOf(last)}` : null;
  const requestedMs = failed.flatMap(({ outcome }) => outcome.retryAfterMs ?? []);
  const rest = Math.max(isPaused ? pausedMs : restDelayMs(failures), ...requestedMs);
  return { ...base, state, stateReason, retryAt: at + rest };
}

function wordsOf(outcome: Outcome | undefined): string {
  if (!outcome) return 'no answer.';
  return outcome.status === null ? outcome.answer : `HTTP status ${outcome.status}.`;
}

function afterTry(
  channel: Omit<DueChannel, 'deliveries'>,
  { delivery, outcome }: Tried,
  { at, random }: Chance,
): TriedDelivery {
  const tries = delivery.tries + 1;
  const tried = {
    id: delivery.id,
    triesBefore: delivery.tries,
    tries,
    triedAt: at,
    answerStatus: outcome.status,
    answer: outcome.answer,
  };
  if (outcome.kind === 'done') return { ...tried, state: 'done', dueAt: at };
  if (delivery.type === testMessageType) return { ...tried, state: 'given_up', dueAt: at };
  const delay = retryDelayMs(tries, random);
  // Programs eventually receive everything; for people, messages are useless after days.
  if (delay === null && !deliveryTable[channel.kind].isForPrograms) {
    return { ...tried, state: 'given_up', dueAt: at };
  }
  const dueAt = at + Math.max(delay ?? pausedMs, outcome.retryAfterMs ?? 0);
  return { ...tried, state: 'waiting', dueAt };
}
