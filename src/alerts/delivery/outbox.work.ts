/**
 * Sends what is due, to many channels concurrently. A channel has one round of a few messages at a
 * time, and the next round is loaded once the results are saved, which keeps messages in order. A
 * hanging channel does not delay others: a slow one gets one message at a time, and all slow ones
 * together get half of the capacity.
 */

import { type Clock, secondMs } from '../../kernel/time.ts';
import type { DeliveryKind } from '../channels/delivery-channel-kinds.ts';
import type { DeliveryQueue } from './deliveries.store.ts';
import type { DueChannel, TriedChannel } from './delivery.ts';
import { afterRound } from './retry.ts';
import type { Send } from './senders.work.ts';

/**
 * Channels per transaction that saves results: the server that counts calls waits for the same
 * writer.
 */
const writtenMax = 8;

/** A channel is slow if its last round took longer than this. */
const slowMs = 2 * secondMs;

/** The share of the capacity that slow channels can use. */
const slowShare = 0.5;

const saveRetryMs = 500;

export interface OutboxDeps {
  readonly queue: Pick<DeliveryQueue, 'listDue' | 'saveTried'>;
  readonly send: Send;
  readonly kinds: readonly DeliveryKind[];
  /** Concurrent messages: in total, per account and per channel. */
  readonly most: number;
  readonly perAccount: number;
  readonly perChannel: number;
  readonly clock: Clock;
  sleep(ms: number): Promise<unknown>;
  random(): number;
  /** Notifies the owner, before the channel is saved as turned off. */
  notifyTurnedOff(channel: DueChannel, reason: string): Promise<void>;
  onFailure(error: unknown): void;
  /** Capacity became available. */
  onFree(): void;
}

export class Outbox {
  readonly #busy = new Set<number>();
  readonly #slow = new Set<number>();
  /** Pending messages by account. */
  readonly #ofAccounts = new Map<number, number>();
  readonly #rounds = new Set<Promise<void>>();
  #underWay = 0;
  #tried: TriedChannel[] = [];
  #writing: Promise<void> | null = null;

  constructor(private readonly deps: OutboxDeps) {}

  /** Starts sending what is due, within the capacity; returns whether anything was due. */
  async step(): Promise<boolean> {
    const { queue, kinds, most, perChannel, clock } = this.deps;
    // Results that are not saved yet count, as their messages would be sent again after a restart.
    const channels = Math.floor((most - this.#underWay) / perChannel) - this.#tried.length;
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
      // Other channels of the account follow once these are done.
      if (!this.#isFull(channel.accountId)) this.#begin(channel);
    }
    return due.length > 0;
  }

  /**
   * Channels to skip: those with a round in progress, and all slow ones if these use up their
   * share.
   */
  #listBusy(): number[] {
    const slow = [...this.#slow];
    const slowUnderWay = slow.filter((id) => this.#busy.has(id)).length;
    const isShareTaken = slowUnderWay >= this.deps.most * slowShare;
    return [...this.#busy, ...(isShareTaken ? slow : [])];
  }

  #isFull(accountId: number): boolean {
    return (this.#ofAccounts.get(accountId) ?? 0) >= this.deps.perAccount;
  }

  /** Waits until all pending messages are sent and their results saved. */
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

  /** A message whose result is not saved is sent again later, with the same ID. */
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
    // Save the results of rounds that end at the same time together.
    await this.deps.sleep(0);
    while (this.#tried.length > 0) {
      const some = this.#tried.slice(0, writtenMax);
      try {
        await this.deps.queue.saveTried(some);
      } catch (error) {
        this.deps.onFailure(error);
        await this.deps.sleep(saveRetryMs);
        continue;
      }
      this.#tried = this.#tried.slice(some.length);
      for (const { id } of some) this.#busy.delete(id);
      this.deps.onFree();
    }
  }
}
