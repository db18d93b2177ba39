/** Those who are slow hold up nobody else, however many they are. */
import { expect, test } from 'bun:test';
import type { DueChannel } from '../domain/delivery/delivery-store.ts';
import { Outbox } from './outbox.ts';

/** A queue that never ends, and messages that are under way until they are released. */
class World {
  now = 0;
  /** Channels with their accounts, those who were sent something longest ago first. */
  channels: { readonly id: number; readonly accountId: number }[] = [];
  /** How many messages each channel was sent last. */
  readonly sent = new Map<number, number>();
  #release = Promise.withResolvers<void>();
  readonly outbox = new Outbox({
    queue: {
      listDue: async ({ busy, busyAccounts, slow, channels, deliveries }) =>
        this.channels
          .filter(({ id }) => !busy.includes(id))
          .filter(({ accountId }) => !busyAccounts.includes(accountId))
          .slice(0, channels)
          .map((channel) => dueOf(channel, slow.includes(channel.id) ? 1 : deliveries)),
      saveTried: async () => {},
    },
    send: async ({ id, deliveries }) => {
      this.sent.set(id, deliveries.length);
      await this.#release.promise;
      return { kind: 'done', status: 200, answer: '', retryAfterMs: null };
    },
    kinds: ['webhook'],
    most: 16,
    perAccount: 8,
    perChannel: 8,
    clock: () => this.now,
    random: () => 0,
    notifyTurnedOff: async () => {},
    onFailure: (error) => {
      throw error;
    },
    onFree: () => {},
  });

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
}

function dueOf(channel: { readonly id: number; readonly accountId: number }, count: number) {
  const due: DueChannel = {
    ...channel,
    kind: 'webhook',
    name: 'Shop',
    email: 'ann@example.com',
    address: null,
    secrets: null,
    state: 'active',
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

test('those who are slow are sent one message at a time, and others have half of the room', async () => {
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

test('the channels of one account do not take all room', async () => {
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
