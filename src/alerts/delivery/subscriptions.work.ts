/** Reads the event log for webhooks, and queues the events that each has subscribed to. */
import { presentEvent } from '../../contract/plus/events.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { type Clock, minuteMs, secondMs } from '../../kernel/time.ts';
import {
  type EventItems,
  type EventKeys,
  eventKeys,
  isAbout,
  type LoggedEvent,
} from '../../market/events/events.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { EventScope } from '../channels/delivery-channel.ts';
import { webhookBody } from '../channels/kinds/webhook.ts';
import type { DeliveryQueue } from './deliveries.store.ts';
import {
  type Advance,
  deliveriesKeptMax,
  type EventDelivery,
  orderKeyOf,
  removedEventsType,
  type Subscriber,
} from './delivery.ts';

/** Events per page of the log. */
const pageEvents = 250;

/** Rows per transaction: the server that counts calls waits for the same writer. */
const writtenMax = 100;

/** A webhook with `waitingMax` deliveries waiting is skipped for this long. */
const fullMs = 2 * secondMs;

/** Items of an account are cached this long: their aliases can change without the account. */
const itemsKeptMs = minuteMs;

/** Cached items of all accounts, in characters, and the size of one key. */
const itemsRoomMax = 16 * 1024 * 1024;
const keyRoom = 50;

/** Old deliveries of a webhook are removed each time this many were queued. */
const trimEvery = 1_000;

export interface SubscriptionDeps {
  readonly market: Pick<MarketReading, 'listEvents'>;
  readonly queue: Pick<DeliveryQueue, 'listSubscribers' | 'advance' | 'trimDeliveries'>;
  /** The items that an account holds or watches; null: all items. */
  findItems(accountId: number, scope: EventScope): Promise<EventItems | null>;
  readonly clock: Clock;
  onQueued(): void;
  /** The events up to `oldest` were removed from the log before they were queued for a webhook. */
  onGone(channelId: number, oldest: number): void;
}

/** An event with its message, serialized once for all webhooks. */
interface EventMessage {
  readonly event: LoggedEvent;
  readonly body: string;
}

/**
 * Queues events for webhooks. A step reads one page of the log for each position that webhooks
 * have reached, latest position first, so those that keep up do not wait for a replay to end.
 */
export class Subscriptions {
  readonly #items = new BoundedMap<KeptItems>(itemsRoomMax, ({ keys }) => roomOf(keys));
  readonly #fullUntil = new Map<number, number>();
  /** Deliveries queued for a webhook since old ones were last removed. */
  readonly #untrimmed = new Map<number, number>();

  constructor(private readonly deps: SubscriptionDeps) {}

  /** Returns whether there is more to queue at once. */
  async step(): Promise<boolean> {
    const { market, queue, clock } = this.deps;
    const end = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
    if (!('next' in end)) return false;
    const at = clock();
    const behind = (await queue.listSubscribers(end.next)).filter(
      ({ channelId }) => (this.#fullUntil.get(channelId) ?? 0) <= at,
    );
    const byPosition = [...Map.groupBy(behind, ({ position }) => position)];
    byPosition.sort(([a], [b]) => b - a);
    let hasMore = false;
    for (const [position, subscribers] of byPosition) {
      if (await this.#queuePage(position, subscribers)) hasMore = true;
    }
    return hasMore;
  }

  /** Queues one page of the log for the webhooks at its start; returns whether more follow. */
  async #queuePage(after: number, subscribers: readonly Subscriber[]): Promise<boolean> {
    const query = { after, kinds: null, items: null, limit: pageEvents };
    const page = await this.deps.market.listEvents(query);
    if ('oldest' in page) {
      const { oldest } = page;
      for (const { channelId } of subscribers) this.deps.onGone(channelId, oldest);
      const stale = (each: Subscriber) =>
        advanceOf(each, oldest, [this.#staleOf(each.channelId, oldest)]);
      await this.#write(subscribers.map(stale));
      return true;
    }
    if (page.next === after) return false;
    const messages = page.events.map((event) => ({ event, body: bodyOf(event) }));
    const advances: Advance[] = [];
    for (const subscriber of subscribers) {
      const deliveries = await this.#deliveriesOf(subscriber, messages);
      advances.push(advanceOf(subscriber, page.next, deliveries));
    }
    await this.#write(advances);
    return page.hasMore;
  }

  /** Tells a receiver that it has missed events, like a stream does. */
  #staleOf(channelId: number, oldest: number): EventDelivery {
    const at = this.deps.clock();
    return {
      channelId,
      messageId: `stale_${channelId}_${oldest}`,
      type: removedEventsType,
      orderKey: null,
      body: JSON.stringify(webhookBody(removedEventsType, at, { oldest })),
      at,
      position: oldest,
    };
  }

  async #deliveriesOf(
    subscriber: Subscriber,
    messages: readonly EventMessage[],
  ): Promise<EventDelivery[]> {
    const { channelId, subscription } = subscriber;
    const subscribed = messages.filter(({ event }) => subscription.kinds.includes(event.kind));
    if (subscribed.length === 0) return [];
    const items = await this.#findKeys(subscriber);
    const at = this.deps.clock();
    return subscribed
      .filter(({ event }) => isAbout(event, items))
      .map(({ event, body }) => ({
        channelId,
        messageId: `evt_${channelId}_${event.position}`,
        type: event.kind,
        orderKey: orderOf(event),
        body,
        at,
        position: event.position,
      }));
  }

  /** Large accounts are read again only after a change. */
  async #findKeys({ accountId, privateVersion, subscription }: Subscriber): Promise<EventKeys> {
    const { scope } = subscription;
    const name = `${accountId} ${scope}`;
    const at = this.deps.clock();
    const known = this.#items.get(name);
    if (known?.version === privateVersion && at < known.until) return known.keys;
    const keys = eventKeys(await this.deps.findItems(accountId, scope));
    this.#items.set(name, { version: privateVersion, until: at + itemsKeptMs, keys });
    return keys;
  }

  /** Writes in transactions of at most `writtenMax` rows, unless one webhook has more. */
  async #write(advances: readonly Advance[]): Promise<void> {
    let batch: Advance[] = [];
    let rows = 0;
    for (const advance of advances) {
      const added = Math.max(1, advance.deliveries.length);
      if (batch.length > 0 && rows + added > writtenMax) {
        await this.#writeBatch(batch);
        batch = [];
        rows = 0;
      }
      batch.push(advance);
      rows += added;
    }
    await this.#writeBatch(batch);
  }

  async #writeBatch(batch: readonly Advance[]): Promise<void> {
    const full = await this.deps.queue.advance(batch);
    for (const id of full) this.#fullUntil.set(id, this.deps.clock() + fullMs);
    const withDeliveries = batch.filter(({ deliveries }) => deliveries.length > 0);
    if (withDeliveries.length > 0) this.deps.onQueued();
    for (const advance of withDeliveries) await this.#trim(advance);
  }

  /** Otherwise a webhook that gets all events, or replays often, would fill the store. */
  async #trim({ channelId, deliveries }: Advance): Promise<void> {
    // After a restart, the number of deliveries is unknown: trim at once.
    const untrimmed = (this.#untrimmed.get(channelId) ?? trimEvery) + deliveries.length;
    const isDue = untrimmed > trimEvery;
    if (isDue) await this.deps.queue.trimDeliveries(channelId, deliveriesKeptMax);
    this.#untrimmed.set(channelId, isDue ? 0 : untrimmed);
  }
}

function advanceOf(
  { channelId, position }: Subscriber,
  to: number,
  deliveries: readonly EventDelivery[],
): Advance {
  return { channelId, from: position, to, deliveries };
}

function bodyOf(event: LoggedEvent): string {
  return JSON.stringify(webhookBody(event.kind, event.at, presentEvent(event)));
}

function orderOf({ itemKind: kind, key }: LoggedEvent): string | null {
  return kind === null || key === null ? null : orderKeyOf({ kind, key });
}

/** The items of an account at one version of it. */
interface KeptItems {
  readonly version: number;
  readonly until: number;
  readonly keys: EventKeys;
}

function roomOf(keys: EventKeys): number {
  return keys === null ? 0 : keyRoom * (keys.set.size + keys.minifig.size);
}
