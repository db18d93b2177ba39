/**
 * Sends what is due, many channels at a time and a few messages of each. A channel has one round at
 * a time: what it is sent next is found when the round before is written down, so that the order of
 * its messages is kept, and a channel that hangs holds up nobody else.
 */
import type { ChannelKind } from '../domain/delivery/channel.ts';
import type { DeliveryQueue, DueChannel, TriedChannel } from '../domain/delivery/delivery-store.ts';
import { afterRound } from '../domain/delivery/retry.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { Send } from './senders.ts';

/** Channels whose results are written at a time: whoever counts calls waits no longer. */
const writtenMax = 16;

/** After results could not be written, it is tried again this much later. */
const writeAgainMs = 500;

/** What it works with. */
export interface OutboxDeps {
  readonly queue: Pick<DeliveryQueue, 'listDue' | 'saveTried'>;
  readonly send: Send;
  /** Which kinds of channels it sends to. */
  readonly kinds: readonly ChannelKind[];
  /** Messages that are under way in all, and to one channel. */
  readonly most: number;
  readonly perChannel: number;
  readonly clock: Clock;
  random(): number;
  /** Tells the owner of a channel that was turned off; before that is written down. */
  tellOff(channel: DueChannel, reason: string): Promise<void>;
  onFailure(error: unknown): void;
  /** Something may be sent now that could not be before. */
  onFree(): void;
}

/** What is under way. */
export class Outbox {
  readonly #busy = new Set<number>();
  readonly #rounds = new Set<Promise<void>>();
  #underWay = 0;
  #tried: TriedChannel[] = [];
  #writing: Promise<void> | null = null;

  constructor(private readonly deps: OutboxDeps) {}

  /** Begins to send what is due, as far as there is room; whether any was. */
  async step(): Promise<boolean> {
    const { queue, kinds, most, perChannel, clock } = this.deps;
    const channels = Math.floor((most - this.#underWay) / perChannel);
    if (channels <= 0) return false;
    const busy = [...this.#busy];
    const asked = { at: clock(), kinds, busy, channels, deliveries: perChannel };
    const due = await queue.listDue(asked);
    for (const channel of due) this.#begin(channel);
    return due.length > 0;
  }

  /** Waits until everything that is under way is sent and written down. */
  async finish(): Promise<void> {
    await Promise.all(this.#rounds);
    await this.#writing;
  }

  #begin(channel: DueChannel): void {
    const { length } = channel.deliveries;
    this.#busy.add(channel.id);
    this.#underWay += length;
    const round = this.#run(channel).finally(() => {
      this.#underWay -= length;
      this.#rounds.delete(round);
    });
    this.#rounds.add(round);
  }

  /** What is sent and not written down is sent again later, with the same id. */
  async #run(channel: DueChannel): Promise<void> {
    const { send, clock, random, tellOff, onFailure } = this.deps;
    try {
      const round = await Promise.all(
        channel.deliveries.map(async (delivery) => ({
          delivery,
          outcome: await send(channel, delivery),
        })),
      );
      const tried = afterRound(channel, round, { at: clock(), random });
      if (tried.state === 'off' && channel.state !== 'off') {
        await tellOff(channel, tried.stateReason ?? '').catch(onFailure);
      }
      this.#tried.push(tried);
    } catch (error) {
      this.#busy.delete(channel.id);
      onFailure(error);
    }
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    // What ends at the same time is written together.
    await Bun.sleep(0);
    while (this.#tried.length > 0) {
      const some = this.#tried.slice(0, writtenMax);
      try {
        await this.deps.queue.saveTried(some);
      } catch (error) {
        this.deps.onFailure(error);
        await Bun.sleep(writeAgainMs);
        continue;
      }
      this.#tried = this.#tried.slice(some.length);
      for (const { id } of some) this.#busy.delete(id);
      this.deps.onFree();
    }
  }
}
