/**
 * Sends what is due, many channels at a time and a few messages of each. A channel has one round at
 * a time: what it is sent next is found when the round before is written down, so that the order of
 * its messages is kept, and a channel that hangs holds up nobody else. Nor do many of them: whoever
 * is slow is sent one message at a time, and those who are have half of the room.
 */
import type { ChannelKind } from '../domain/delivery/channel.ts';
import type { DeliveryQueue, DueChannel, TriedChannel } from '../domain/delivery/delivery-store.ts';
import { afterRound } from '../domain/delivery/retry.ts';
import { type Clock, secondMs } from '../domain/kernel/time.ts';
import type { Send } from './senders.ts';

/** Channels whose results are written at a time: whoever counts calls waits no longer. */
const writtenMax = 16;

/** A channel whose last round took longer than this is slow. */
const slowMs = 2 * secondMs;

/** Channels that are slow have no more of the room than this. */
const slowShare = 0.5;

/** After results could not be written, it is tried again this much later. */
const writeAgainMs = 500;

/** What it works with. */
export interface OutboxDeps {
  readonly queue: Pick<DeliveryQueue, 'listDue' | 'saveTried'>;
  readonly send: Send;
  /** Which kinds of channels it sends to. */
  readonly kinds: readonly ChannelKind[];
  /** Messages that are under way in all, to the channels of an account, and to one channel. */
  readonly most: number;
  readonly perAccount: number;
  readonly perChannel: number;
  readonly clock: Clock;
  random(): number;
  /** Tells the owner of a channel that was turned off; before that is written down. */
  notifyTurnedOff(channel: DueChannel, reason: string): Promise<void>;
  onFailure(error: unknown): void;
  /** Something may be sent now that could not be before. */
  onFree(): void;
}

/** What is under way. */
export class Outbox {
  readonly #busy = new Set<number>();
  readonly #slow = new Set<number>();
  /** Messages that are under way to the channels of accounts. */
  readonly #ofAccounts = new Map<number, number>();
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
    const due = await queue.listDue({
      at: clock(),
      kinds,
      busy: this.#listBusy(),
      busyAccounts: [...this.#ofAccounts.keys()].filter((id) => this.#isFull(id)),
      slow: [...this.#slow],
      channels,
      deliveries: perChannel,
    });
    for (const channel of due) {
      // The others of the same account have their turn when these are done.
      if (!this.#isFull(channel.accountId)) this.#begin(channel);
    }
    return due.length > 0;
  }

  /** Those who are sent nothing now: what is under way to them is not done, or many are slow. */
  #listBusy(): number[] {
    const slow = [...this.#slow];
    const slowUnderWay = slow.filter((id) => this.#busy.has(id)).length;
    const isShareTaken = slowUnderWay >= this.deps.most * slowShare;
    return [...this.#busy, ...(isShareTaken ? slow : [])];
  }

  #isFull(accountId: number): boolean {
    return (this.#ofAccounts.get(accountId) ?? 0) >= this.deps.perAccount;
  }

  /** Waits until everything that is under way is sent and written down. */
  async finish(): Promise<void> {
    await Promise.all(this.#rounds);
    await this.#writing;
  }

  #begin(channel: DueChannel): void {
    const { length } = channel.deliveries;
    const beganAt = this.deps.clock();
    this.#busy.add(channel.id);
    this.#count(channel, length);
    const round = this.#run(channel).finally(() => {
      this.#count(channel, -length);
      this.#rounds.delete(round);
      if (this.deps.clock() - beganAt > slowMs) this.#slow.add(channel.id);
      else this.#slow.delete(channel.id);
    });
    this.#rounds.add(round);
  }

  #count({ accountId }: DueChannel, messages: number): void {
    this.#underWay += messages;
    const ofAccount = (this.#ofAccounts.get(accountId) ?? 0) + messages;
    if (ofAccount === 0) this.#ofAccounts.delete(accountId);
    else this.#ofAccounts.set(accountId, ofAccount);
  }

  /** What is sent and not written down is sent again later, with the same id. */
  async #run(channel: DueChannel): Promise<void> {
    const { send, clock, random, notifyTurnedOff, onFailure } = this.deps;
    try {
      const round = await Promise.all(
        channel.deliveries.map(async (delivery) => ({
          delivery,
          outcome: await send(channel, delivery),
        })),
      );
      const tried = afterRound(channel, round, { at: clock(), random });
      if (tried.state === 'off' && channel.state !== 'off') {
        await notifyTurnedOff(channel, tried.stateReason ?? '').catch(onFailure);
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
