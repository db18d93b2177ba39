/** Reads the log of events for webhooks, and queues what each of them asked for. */
import { presentEvent } from '../contract/plus/events.ts';
import type { EventScope } from '../domain/delivery/channel.ts';
import {
  deliveriesKeptMax,
  type EventDelivery,
  orderKeyOf,
  staleType,
} from '../domain/delivery/delivery.ts';
import type { Advance, DeliveryQueue, Subscriber } from '../domain/delivery/delivery-store.ts';
import { staleBody, type WebhookBody } from '../domain/delivery/message.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import { type Clock, minuteMs, secondMs } from '../domain/kernel/time.ts';
import {
  type EventItems,
  type EventKeys,
  eventKeys,
  isAbout,
  type LoggedEvent,
} from '../domain/market/events.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';

/** Events that are read at a time. */
const pageEvents = 250;

/** Deliveries that are written at a time: whoever counts calls waits no longer than for these. */
const writtenMax = 200;

/**
 * Pages that are read in one step, so that others have their turn: for those nearest to the end of
 * the log, and for some of those further behind, others each time. However many replay months or
 * wait for something rare, whoever keeps up is told at once.
 */
const pages = { near: 16, far: 4 };

/** While nothing new is in the log, replays and new webhooks are looked for so often. */
const lookMs = secondMs;

/** A webhook for which as many wait as may is left alone for so long. */
const fullMs = 2 * secondMs;

/** How far the log was read for a webhook that nothing concerned is written down so often. */
const noteMs = minuteMs;

/** How long items are kept: what else an item is called may change without its account. */
const itemsKeptMs = minuteMs;

/** Items that are kept of all accounts together, in characters, and what the key of one takes. */
const itemsRoomMax = 16 * 1024 * 1024;
const keyRoom = 50;

/** After so many deliveries were queued for a webhook, old ones are removed. */
const trimEvery = 1_000;

/** What it works with. */
export interface SubscriptionDeps {
  readonly market: Pick<MarketReading, 'listEvents'>;
  readonly queue: Pick<DeliveryQueue, 'listSubscribers' | 'advance' | 'trimDeliveries'>;
  /** What an account holds or watches; null: everything. */
  findItems(accountId: number, scope: EventScope): Promise<EventItems | null>;
  readonly clock: Clock;
  /** Something was queued. */
  onQueued(): void;
  /** A webhook was so far behind that events up to a position are gone from the log. */
  onGone(channelId: number, oldest: number): void;
}

/** How far the log was read for a webhook beyond what is written down. */
interface Seen {
  /** As it was then: when anything of it has changed, the log is read again. */
  readonly subscriber: Subscriber;
  readonly to: number;
  readonly at: number;
}

/** A webhook and where its next events begin. */
interface Reader {
  readonly subscriber: Subscriber;
  readonly after: number;
}

/** Webhooks whose next events begin after the same position. */
type Group = readonly [after: number, readers: readonly Reader[]];

/** An event as it is sent, made once for all webhooks. */
interface Told {
  readonly event: LoggedEvent;
  readonly body: string;
}

/** Queues events for webhooks. */
export class Subscriptions {
  #latest: number | null = null;
  #lookAt = 0;
  #hasMore = false;
  /** Where the last of those far behind that had their turn was. */
  #farAfter = 0;
  readonly #seen = new Map<number, Seen>();
  readonly #items = new BoundedMap<KeptItems>(itemsRoomMax, ({ keys }) => roomOf(keys));
  /** How many were queued for a webhook since old ones were removed. */
  readonly #untrimmed = new Map<number, number>();
  readonly #fullUntil = new Map<number, number>();

  constructor(private readonly deps: SubscriptionDeps) {}

  /** Queues what is new; whether there is more to do at once. */
  async step(): Promise<boolean> {
    const { market, queue, clock } = this.deps;
    const at = clock();
    const page = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
    const latest = 'next' in page ? page.next : 0;
    if (latest === this.#latest && !this.#hasMore && at < this.#lookAt) return false;
    this.#latest = latest;
    this.#lookAt = at + lookMs;
    const readers = (await queue.listSubscribers(latest))
      .filter(({ channelId }) => (this.#fullUntil.get(channelId) ?? 0) <= at)
      .map((subscriber) => ({ subscriber, after: this.#afterOf(subscriber) }))
      .filter(({ after }) => after < latest);
    const groups = [...Map.groupBy(readers, ({ after }) => after)];
    const chosen = this.#choose(groups.sort(([a], [b]) => b - a));
    const isMore = [];
    for (const [after, group] of chosen) isMore.push(await this.#tell(after, group));
    this.#hasMore = groups.length > chosen.length || isMore.includes(true);
    return this.#hasMore;
  }

  /** Whose turn it is, of groups of which those nearest to the end of the log come first. */
  #choose(groups: readonly Group[]): Group[] {
    const far = groups.slice(pages.near);
    // Whoever had a turn is nearer to the end now, and those further behind follow.
    const next = Math.max(
      0,
      far.findIndex(([after]) => after < this.#farAfter),
    );
    const inTurn = far.slice(next, next + pages.far);
    this.#farAfter = inTurn.at(-1)?.[0] ?? 0;
    return [...groups.slice(0, pages.near), ...inTurn];
  }

  #afterOf(subscriber: Subscriber): number {
    return this.#seenOf(subscriber)?.to ?? subscriber.position;
  }

  /** How far the log was read for a webhook as it is now; null when it was changed since. */
  #seenOf(subscriber: Subscriber): Seen | null {
    const seen = this.#seen.get(subscriber.channelId);
    return seen && isSame(seen.subscriber, subscriber) ? seen : null;
  }

  /** Queues the events of one page for those who are at its beginning; whether more follow. */
  async #tell(after: number, readers: readonly Reader[]): Promise<boolean> {
    const query = { after, kinds: null, items: null, limit: pageEvents };
    const page = await this.deps.market.listEvents(query);
    if ('oldest' in page) {
      const { oldest } = page;
      for (const { subscriber } of readers) this.deps.onGone(subscriber.channelId, oldest);
      const at = this.deps.clock();
      await this.#write(
        readers.map((reader) =>
          advanceOf(reader, oldest, [staleOf(reader.subscriber, { oldest, at })]),
        ),
      );
      return true;
    }
    if (page.next === after) return false;
    const told = page.events.map((event) => ({ event, body: bodyOf(event) }));
    const advances: Advance[] = [];
    for (const reader of readers) {
      const deliveries = await this.#deliveriesOf(reader.subscriber, told);
      if (deliveries.length > 0 || this.#isToBeNoted(reader.subscriber)) {
        advances.push(advanceOf(reader, page.next, deliveries));
      } else this.#note(reader.subscriber, page.next);
    }
    await this.#write(advances);
    return page.hasMore;
  }

  #isToBeNoted(subscriber: Subscriber): boolean {
    const seen = this.#seenOf(subscriber);
    return seen !== null && this.deps.clock() - seen.at >= noteMs;
  }

  #note(subscriber: Subscriber, to: number): void {
    const at = this.#seenOf(subscriber)?.at ?? this.deps.clock();
    this.#seen.set(subscriber.channelId, { subscriber, to, at });
  }

  async #deliveriesOf(subscriber: Subscriber, told: readonly Told[]): Promise<EventDelivery[]> {
    const { channelId, subscription } = subscriber;
    const wanted = told.filter(({ event }) => subscription.kinds.includes(event.kind));
    if (wanted.length === 0) return [];
    const items = await this.#findKeys(subscriber);
    const at = this.deps.clock();
    return wanted
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

  /** An account may hold very much, and is read again only when it has changed. */
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

  /** A few at a time. */
  async #write(advances: readonly Advance[]): Promise<void> {
    let batch: Advance[] = [];
    let size = 0;
    const flush = async () => {
      if (batch.length === 0) return;
      const full = await this.deps.queue.advance(batch);
      for (const { channelId } of batch) this.#seen.delete(channelId);
      for (const id of full) this.#fullUntil.set(id, this.deps.clock() + fullMs);
      if (size > 0) this.deps.onQueued();
      for (const advance of batch) await this.#trim(advance);
      batch = [];
      size = 0;
    };
    for (const advance of advances) {
      if (size + advance.deliveries.length > writtenMax) await flush();
      batch.push(advance);
      size += advance.deliveries.length;
    }
    await flush();
  }

  /** A webhook that is told of everything, or replays often, would fill the store in 30 days. */
  async #trim({ channelId, deliveries }: Advance): Promise<void> {
    if (deliveries.length === 0) return;
    // A process that was just started does not know how many there are.
    const untrimmed = (this.#untrimmed.get(channelId) ?? trimEvery) + deliveries.length;
    const isTime = untrimmed > trimEvery;
    if (isTime) await this.deps.queue.trimDeliveries(channelId, deliveriesKeptMax);
    this.#untrimmed.set(channelId, isTime ? 0 : untrimmed);
  }
}

function isSame(a: Subscriber, b: Subscriber): boolean {
  const [one, other] = [a.subscription, b.subscription];
  const isSameSubscription = one.scope === other.scope && one.kinds.join() === other.kinds.join();
  return a.position === b.position && a.replays === b.replays && isSameSubscription;
}

function advanceOf(
  { subscriber }: Reader,
  to: number,
  deliveries: readonly EventDelivery[],
): Advance {
  return { channelId: subscriber.channelId, from: subscriber.position, to, deliveries };
}

/** Whoever keeps a copy of something learns that it missed events, as from a stream. */
function staleOf(
  { channelId }: Subscriber,
  { oldest, at }: { readonly oldest: number; readonly at: number },
): EventDelivery {
  return {
    channelId,
    messageId: `stale_${channelId}_${oldest}`,
    type: staleType,
    orderKey: null,
    body: staleBody(oldest, at),
    at,
    position: oldest,
  };
}

function bodyOf(event: LoggedEvent): string {
  const data = presentEvent(event);
  const body: WebhookBody = { type: event.kind, timestamp: data.at, data };
  return JSON.stringify(body);
}

function orderOf({ itemKind: kind, key }: LoggedEvent): string | null {
  return kind === null || key === null ? null : orderKeyOf({ kind, key });
}

/** The items of an account as they were at a version of it. */
interface KeptItems {
  readonly version: number;
  readonly until: number;
  readonly keys: EventKeys;
}

function roomOf(keys: EventKeys): number {
  return keys === null ? 0 : keyRoom * (keys.set.size + keys.minifig.size);
}
