/** Slow channels do not delay others, however many there are. */
import { expect, test } from 'bun:test';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import type { DeliveryQueue } from './deliveries.store.ts';
import type { DueChannel } from './delivery.ts';
import { Outbox, type OutboxDeps } from './outbox.work.ts';
import type { Outcome } from './retry.ts';

const done: Outcome = { kind: 'done', status: 200, answer: '', retryAfterMs: null };

/** A queue that never ends, and messages that are under way until they are released. */
class World {
  now = 0;
  /** Channels with their accounts, least recently used first. */
  channels: { readonly id: number; readonly accountId: number; readonly state?: 'off' }[] = [];
  /** The size of the last round of each channel. */
  readonly sent = new Map<number, number>();
  readonly asked: Parameters<DeliveryQueue['listDue']>[0][] = [];
  /** The channels that were written down together. */
  readonly written: number[][] = [];
  readonly failures: unknown[] = [];
  readonly turnedOff: string[] = [];
  freed = 0;
  outcome: (channelId: number) => Outcome = () => done;
  onWrite: () => void = () => {};
  onTurnedOff: () => void = () => {};
  #release = Promise.withResolvers<void>();
  readonly #deps: OutboxDeps = {
    queue: {
      listDue: async (question) => {
        this.asked.push(question);
        const { busy, busyAccounts, slow, channels, deliveries } = question;
        return this.channels
          .filter(({ id }) => !busy.includes(id))
          .filter(({ accountId }) => !busyAccounts.includes(accountId))
          .slice(0, channels)
          .map((channel) => dueOf(channel, slow.includes(channel.id) ? 1 : deliveries));
      },
      saveTried: async (tried) => {
        this.onWrite();
        await yieldToEventLoop();
        this.written.push(tried.map(({ id }) => id));
      },
    },
    send: async ({ id, deliveries }) => {
      this.sent.set(id, deliveries.length);
      await this.#release.promise;
      return this.outcome(id);
    },
    kinds: ['webhook'],
    most: 16,
    perAccount: 8,
    perChannel: 8,
    clock: () => this.now,
    random: () => 0,
    notifyTurnedOff: async ({ id }, reason) => {
      await Bun.sleep(2);
      this.turnedOff.push(`${id}: ${reason}`);
      this.onTurnedOff();
    },
    sleep: (ms) => this.sleep(ms),
    onFailure: (error) => this.failures.push(error),
    onFree: () => this.freed++,
  };
  sleep: OutboxDeps['sleep'] = Bun.sleep;
  outbox = new Outbox(this.#deps);

  /** With room for other numbers of messages. */
  limit(limits: Pick<OutboxDeps, 'most' | 'perAccount' | 'perChannel'>): void {
    this.outbox = new Outbox({ ...this.#deps, ...limits });
  }

  /** Begins to send as much as there is room for. */
  async begin(): Promise<void> {
    this.sent.clear();
    while (await this.outbox.step());
    this.channels.sort((a, b) => Number(this.sent.has(a.id)) - Number(this.sent.has(b.id)));
  }

  /** Everything that is under way is answered after a time. */
  async answer(afterMs: number): Promise<void> {
    this.now += afterMs;
    this.#release.resolve();
    await this.outbox.finish();
    this.#release = Promise.withResolvers();
  }

  /** Channels of `count` accounts, one each. */
  addChannels(count: number): void {
    this.channels = Array.from({ length: count }, (_, id) => ({ id, accountId: id }));
  }
}

function dueOf(
  channel: { readonly id: number; readonly accountId: number; readonly state?: 'off' },
  count: number,
) {
  const due: DueChannel = {
    state: 'active',
    ...channel,
    kind: 'webhook',
    name: 'Shop',
    email: 'ann@example.com',
    isEmailConfirmed: true,
    address: null,
    secrets: null,
    stateReason: null,
    failingSince: null,
    failures: 0,
    retryAt: null,
    deliveries: Array.from({ length: count }, (_, id) => {
      return { id, messageId: `evt_${id}`, type: 'retail.price', body: '{}', tries: 0, at: 0 };
    }),
  };
  return due;
}

test('slow channels get one message at a time, and half of the capacity', async () => {
  const world = new World();
  world.channels = Array.from({ length: 16 }, (_, id) => ({ id, accountId: id }));
  for (let round = 0; round < 8; round++) {
    await world.begin();
    expect([...world.sent.values()]).toEqual([8, 8]);
    await world.answer(14_000);
  }
  world.channels.push({ id: 99, accountId: 99 });
  await world.begin();
  expect(world.sent.get(99)).toBe(8);
  expect([...world.sent].filter(([id]) => id !== 99).map(([, count]) => count)).toEqual(
    Array.from({ length: 8 }, () => 1),
  );
  // Once they answer in time again, they are sent as many as anybody.
  await world.answer(100);
  world.channels = world.channels.filter(({ id }) => world.sent.has(id) && id !== 99);
  await world.begin();
  expect([...world.sent.values()]).toEqual([8, 8]);
  await world.answer(100);
});

test('the channels of one account do not use up the capacity', async () => {
  const world = new World();
  world.channels = [1, 2, 3].map((id) => ({ id, accountId: 1 }));
  world.channels.push({ id: 4, accountId: 2 });
  await world.begin();
  expect([...world.sent]).toEqual([
    [1, 8],
    [4, 8],
  ]);
  await world.answer(100);
});

test('the queue is asked for as many channels as the capacity allows', async () => {
  const world = new World();
  world.addChannels(3);
  world.now = 7;
  const nothing = { busy: [], busyAccounts: [], slow: [] };
  const question = { at: 7, kinds: ['webhook'], channels: 2, deliveries: 8 };
  expect(await world.outbox.step()).toBe(true);
  expect<unknown>(world.asked).toEqual([{ ...question, ...nothing }]);
  expect(await world.outbox.step()).toBe(false);
  expect(world.asked).toHaveLength(1);
  await world.answer(100);
  world.channels = [];
  expect(await world.outbox.step()).toBe(false);
  expect<unknown>(world.asked[1]).toEqual({ ...question, at: 107, ...nothing });
});

test('channels and accounts are busy until results are saved', async () => {
  const world = new World();
  world.addChannels(1);
  await world.outbox.step();
  await world.outbox.step();
  expect(world.asked[1]).toMatchObject({ busy: [0], busyAccounts: [0], channels: 1 });
  await world.answer(100);
  expect(world.written).toEqual([[0]]);
  expect(world.freed).toBe(1);
  await world.outbox.step();
  expect(world.asked[2]).toMatchObject({ busy: [], busyAccounts: [], channels: 2 });
  await world.answer(100);
});

test.each([
  [2_000, []],
  [2_001, [0]],
])('a channel that took %i ms is slow: %p', async (ms, slow) => {
  const world = new World();
  world.addChannels(1);
  await world.outbox.step();
  await world.answer(ms);
  await world.outbox.step();
  expect(world.asked[1]?.slow).toEqual(slow);
  // Capacity that is less than the limit per channel is not used.
  await world.outbox.step();
  expect(world.asked[2]?.channels).toBe(1);
  await world.answer(100);
});

test('results are saved 8 channels at a time, in order', async () => {
  const world = new World();
  world.limit({ most: 19, perAccount: 1, perChannel: 1 });
  world.addChannels(40);
  await world.outbox.step();
  await world.outbox.step();
  expect(world.asked).toHaveLength(1);
  await world.answer(100);
  const ids = Array.from({ length: 19 }, (_, id) => id);
  expect(world.written).toEqual([ids.slice(0, 8), ids.slice(8, 16), ids.slice(16)]);
  expect(world.freed).toBe(3);
  await world.outbox.step();
  expect(world.asked[1]).toMatchObject({ busy: [], busyAccounts: [], channels: 19 });
  await world.answer(100);
});

test('an account at its limit of one message is busy', async () => {
  const world = new World();
  world.limit({ most: 2, perAccount: 1, perChannel: 1 });
  world.addChannels(1);
  await world.outbox.step();
  await world.outbox.step();
  expect(world.asked[1]).toMatchObject({ busyAccounts: [0], channels: 1 });
  await world.answer(100);
});

test('results that could not be saved are retried, and the channel waits until then', async () => {
  const world = new World();
  const sleeps: number[] = [];
  world.sleep = async (ms) => {
    await yieldToEventLoop();
    sleeps.push(ms);
  };
  world.addChannels(1);
  let tries = 0;
  world.onWrite = () => {
    if (++tries === 1) throw new Error('locked');
    expect([world.freed, sleeps]).toEqual([0, [0, 500]]);
  };
  await world.outbox.step();
  await world.answer(100);
  expect(world.failures).toEqual([new Error('locked')]);
  expect([world.written, world.freed]).toEqual([[[0]], 1]);
});

test('an unexpected failure is reported, and the channel can be tried again', async () => {
  const world = new World();
  world.addChannels(1);
  world.outcome = () => {
    throw new Error('broken');
  };
  await world.outbox.step();
  await world.answer(100);
  expect(world.failures).toHaveLength(1);
  expect(world.written).toEqual([]);
  world.outcome = () => done;
  await world.outbox.step();
  expect(world.asked[1]?.busy).toEqual([]);
  await world.answer(100);
  expect(world.written).toEqual([[0]]);
});

test('the owner of a channel that is turned off is notified once, and the state is saved anyway', async () => {
  const world = new World();
  const gone: Outcome = { kind: 'gone', status: 410, answer: '', retryAfterMs: null };
  world.outcome = (id) => (id === 2 ? done : gone);
  world.channels = [{ id: 1, accountId: 1 }];
  world.onTurnedOff = () => {
    throw new Error('no mail');
  };
  world.onWrite = () => expect(world.turnedOff).toHaveLength(1);
  await world.outbox.step();
  await world.answer(100);
  expect(world.turnedOff).toEqual([expect.stringMatching(/^1: .+/)]);
  expect(world.failures).toEqual([new Error('no mail')]);
  expect(world.written).toEqual([[1]]);
  world.channels = [
    { id: 2, accountId: 2 },
    { id: 3, accountId: 3, state: 'off' },
  ];
  await world.outbox.step();
  await world.answer(100);
  expect(world.turnedOff).toHaveLength(1);
});
