/** Retries of deliveries, and when their channels are paused or turned off. */
import { describe, expect, test } from 'bun:test';
import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/time.ts';
import type { DueChannel, DueDelivery } from './delivery.ts';
import { afterRound, type Outcome, restDelayMs, retryDelayMs, retryDelaysMs } from './retry.ts';

const at = Date.UTC(2026, 10, 15, 12);
/** No jitter. */
const chance = { at, random: () => 0.5 };

const webhook: Omit<DueChannel, 'deliveries'> = {
  id: 3,
  accountId: 1,
  kind: 'webhook',
  name: 'Shop',
  email: 'ann@example.com',
  isEmailConfirmed: true,
  address: null,
  secrets: null,
  state: 'active',
  stateReason: null,
  failingSince: null,
  failures: 0,
  retryAt: null,
};
const delivery: DueDelivery = {
  id: 9,
  messageId: 'evt_3_5',
  type: 'retail.low',
  body: '{}',
  tries: 0,
  at: at - 1,
};
const done: Outcome = { kind: 'done', status: 204, answer: '', retryAfterMs: null };
const failed: Outcome = { kind: 'failed', status: 500, answer: 'Oops', retryAfterMs: null };
const gone: Outcome = { kind: 'gone', status: 410, answer: '', retryAfterMs: null };

const round = (channel: Partial<DueChannel>, ...outcomes: Outcome[]) =>
  afterRound({ ...webhook, ...channel }, tried(0, ...outcomes), chance);
const tried = (tries: number, ...outcomes: Outcome[]) =>
  outcomes.map((outcome, index) => ({ delivery: { ...delivery, id: 9 + index, tries }, outcome }));

test('attempts follow after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then end', () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
  const delays = minutes.map((_, index) => retryDelayMs(index + 1, chance.random));
  expect(delays).toEqual(minutes.map((each) => each * minuteMs));
  expect(retryDelayMs(10, chance.random)).toBeNull();
});

test('delays vary by up to a tenth in either direction', () => {
  expect(retryDelayMs(2, () => 0)).toBe(4.5 * minuteMs);
  expect(retryDelayMs(2, () => 0.999_999)).toBeCloseTo(5.5 * minuteMs, -3);
});

test('the pause of a channel doubles, up to five minutes', () => {
  const rests = [1, 2, 3, 6, 7, 1_000].map(restDelayMs);
  expect(rests).toEqual([5, 10, 20, 160, 300, 300].map((each) => each * secondMs));
});

test('a successful delivery is done, and its channel is active', () => {
  const after = round({ state: 'paused', failures: 8, failingSince: 5, retryAt: 6 }, done);
  expect(after).toEqual({
    id: 3,
    kind: 'webhook',
    stateBefore: 'paused',
    state: 'active',
    stateReason: null,
    failingSince: null,
    failures: 0,
    retryAt: null,
    deliveries: [
      {
        id: 9,
        triesBefore: 0,
        tries: 1,
        state: 'done',
        dueAt: at,
        triedAt: at,
        answerStatus: 204,
        answer: '',
      },
    ],
  });
});

test('one success is enough for a channel to be active; failed deliveries are retried', () => {
  const after = round({}, failed, done);
  expect(after).toMatchObject({ state: 'active', failures: 0, retryAt: null });
  expect(after.deliveries.map(({ state }) => state)).toEqual(['waiting', 'done']);
  expect(after.deliveries[0]?.dueAt).toBe(at + 5 * secondMs);
});

test('without any success the channel pauses, and the start of the failures is kept', () => {
  expect(round({}, failed, failed)).toMatchObject({
    state: 'active',
    failures: 1,
    failingSince: at,
    retryAt: at + 5 * secondMs,
    stateReason: null,
  });
  expect(round({ failures: 1, failingSince: at - 7 }, failed)).toMatchObject({
    failures: 2,
    failingSince: at - 7,
    retryAt: at + 10 * secondMs,
  });
});

test('a longer pause requested by the receiver is respected', () => {
  const busy: Outcome = { ...failed, status: 429, retryAfterMs: hourMs };
  const after = round({}, busy);
  expect(after.retryAt).toBe(at + hourMs);
  expect(after.deliveries[0]?.dueAt).toBe(at + hourMs);
  // The longest of several; a shorter one than usual has no effect.
  const short: Outcome = { ...busy, retryAfterMs: 1 };
  expect(round({}, short, busy, failed).retryAt).toBe(at + hourMs);
  expect(round({}, short)).toMatchObject({
    retryAt: at + 5 * secondMs,
    deliveries: [{ dueAt: at + 5 * secondMs }],
  });
});

describe('after the last attempt', () => {
  const last = tried(retryDelaysMs.length, failed);

  test('a webhook is paused and retried once a day; nothing is dropped', () => {
    const after = afterRound(webhook, last, chance);
    expect(after).toMatchObject({ state: 'paused', retryAt: at + dayMs });
    expect(after.stateReason).toBe('Now tried once a day. Last try: HTTP status 500.');
    expect(after.deliveries[0]).toMatchObject({ state: 'waiting', dueAt: at + dayMs });
    const both = [...last, ...tried(retryDelaysMs.length, { ...failed, status: 502 })];
    expect(afterRound(webhook, both, chance).stateReason).toEndWith('HTTP status 502.');
    const again = round({ state: 'paused', failingSince: at - 4 * dayMs }, failed);
    expect(again).toMatchObject({ state: 'paused', retryAt: at + dayMs });
  });

  test('a webhook is also paused if other messages have attempts left', () => {
    expect(afterRound(webhook, [...last, ...tried(0, failed)], chance).state).toBe('paused');
  });

  test('but not before it, a webhook is paused', () => {
    const after = afterRound(webhook, tried(retryDelaysMs.length - 1, failed), chance);
    expect(after.state).toBe('active');
    expect(after.deliveries[0]?.dueAt).toBe(at + dayMs);
  });

  test('a message of another channel is given up', () => {
    const after = afterRound({ ...webhook, kind: 'ntfy' }, last, chance);
    expect(after.state).toBe('active');
    expect(after.deliveries[0]?.state).toBe('given_up');
  });
});

test('after five days without success a channel is off, and its deliveries keep waiting', () => {
  const silent: Outcome = { ...failed, status: null, answer: 'No answer within 15 s.' };
  const failingSince = at - 5 * dayMs;
  const after = round({ state: 'paused', failingSince }, silent);
  expect(after).toMatchObject({ state: 'off', retryAt: null });
  expect(after.stateReason).toBe(
    'No message was delivered for five days. Last try: No answer within 15 s.',
  );
  expect(after.deliveries[0]?.state).toBe('waiting');
  expect(round({ failingSince: failingSince + 1 }, silent).state).toBe('active');
});

test('a webhook that always fails is retried for three days, then daily, and is off after five', () => {
  let now = at;
  let channel = webhook;
  let { tries } = delivery;
  const seen: string[] = [];
  while (channel.state !== 'off') {
    const round = [{ delivery: { ...delivery, tries }, outcome: failed }];
    const after = afterRound(channel, round, { at: now, random: chance.random });
    seen.push(`${((now - at) / hourMs).toFixed(1)} h ${after.state}`);
    const { failingSince, failures, retryAt, state, stateReason } = after;
    channel = { ...channel, failingSince, failures, retryAt, state, stateReason };
    tries = after.deliveries[0]?.tries ?? 0;
    now = Math.max(retryAt ?? 0, after.deliveries[0]?.dueAt ?? 0);
  }
  expect(seen).toEqual([
    '0.0 h active',
    '0.0 h active',
    '0.1 h active',
    '0.6 h active',
    '2.6 h active',
    '7.6 h active',
    '17.6 h active',
    '31.6 h active',
    '51.6 h active',
    '75.6 h paused',
    '99.6 h paused',
    '123.6 h off',
  ]);
});

test('status 410 turns a channel off at once', () => {
  const after = round({}, gone);
  expect(after).toMatchObject({ state: 'off', retryAt: null });
  expect(after.stateReason).toBe('Your server answered 410 Gone.');
  expect(round({}, { ...gone, status: null }).stateReason).toBe(after.stateReason);
  const discord = round({ kind: 'discord' }, { ...gone, status: 404 });
  expect(discord.stateReason).toStartWith('Discord answered 404: this webhook was deleted');
  expect(after.deliveries[0]?.state).toBe('waiting');
});

test("failures of the operator's mail server never turn email off", () => {
  expect(round({ kind: 'email', failingSince: at - 9 * dayMs }, failed).state).toBe('active');
  expect(round({ kind: 'email' }, gone).state).toBe('active');
});

describe('a test message', () => {
  const testing = (channel: Partial<DueChannel>, outcome: Outcome) =>
    afterRound(
      { ...webhook, ...channel },
      [{ delivery: { ...delivery, type: 'test' }, outcome }],
      chance,
    );

  test('is attempted once, and does not affect the channel if it fails', () => {
    const resting = { failures: 3, failingSince: 5, retryAt: 8 };
    expect(testing(resting, failed)).toMatchObject({ ...resting, state: 'active' });
    expect(testing(resting, failed).deliveries[0]?.state).toBe('given_up');
    expect(testing({}, gone).state).toBe('active');
    const off = { state: 'off', stateReason: 'It failed.' } as const;
    expect(testing(off, failed)).toMatchObject(off);
  });

  test('that succeeds resets failures, but does not turn a channel on', () => {
    expect(testing({ state: 'paused', failures: 3 }, done)).toMatchObject({
      state: 'active',
      failures: 0,
    });
    const off = { state: 'off', stateReason: 'It failed.' } as const;
    expect(testing(off, done)).toMatchObject(off);
  });
});
