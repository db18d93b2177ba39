/**
 * The market's event log: an event exists if and only if the change it reports was published.
 * Positions increase in the order in which publications were committed.
 */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import { dayMs, type Month } from '../../kernel/time.ts';
import type { DataTier } from '../evidence/evidence.ts';
import type { DealHeadline } from '../published/deals.ts';
import type { Retailer, SellerType } from '../source-rows/source-rows.ts';

export const eventKinds = [
  'retail.price',
  'retail.low',
  'retail.flip',
  'retail.stock',
  'retail.offer',
  'value.move',
  'value.tier',
  'set.status',
  'history.month',
  'history.restated',
  'deal.open',
  'deal.close',
] as const;
export type EventKind = (typeof eventKinds)[number];

export const eventsKeptMs = 90 * dayMs;

/** Positions per millisecond: far more than the events that can occur in one. */
const positionsPerMs = 1_000;

/**
 * A position before all events from an instant on. Positions follow the clock and never lag behind
 * it, so reading after it returns all events since, and possibly a few earlier ones.
 */
export function positionBefore(at: number): number {
  return at * positionsPerMs - 1;
}

/** The published facts that an event is about, before or after it. */
export interface EventDetails {
  /** The latest known price, even if there is no offer. */
  readonly priceCents?: number;
  readonly hasOffer?: boolean;
  /** The price change in percent of the previous price. */
  readonly changePercent?: number;
  /** Whether the price is the lowest ever, and has been higher. */
  readonly isAtLowest?: boolean;
  readonly lowestCents?: number;
  /** How far the price is below the value of a new unit, in percent; negative if above. */
  readonly belowValuePercent?: number;
  readonly sellerType?: SellerType;
  readonly inStock?: boolean;
  /** Values of a new and of a used unit; a minifig only has the latter. */
  readonly newCents?: number;
  readonly usedCents?: number;
  readonly tier?: DataTier;
  readonly statusId?: StatusId;
  readonly month?: Month;
  /** Sales in the month that support its values. */
  readonly newSales?: number;
  readonly usedSales?: number;
  /** Why history was restated, or a deal closed. */
  readonly reason?: string;
  /** The prediction for a deal at the usual terms. */
  readonly deal?: DealHeadline;
}

export interface ItemEvent {
  readonly kind: EventKind;
  readonly retailer: Retailer | null;
  readonly before: EventDetails;
  readonly after: EventDetails;
}

export interface LoggedEvent extends ItemEvent {
  readonly position: number;
  readonly at: number;
  /** Null, like the key, number and title, if the event concerns the whole market. */
  readonly itemKind: ItemKind | null;
  /** The item's key at the time of the event. */
  readonly key: string | null;
  /** The item's current canonical number. */
  readonly number: string | null;
  /** The current title; null also for an item that is no longer published. */
  readonly title: string | null;
}

export type EventItems = Readonly<Record<ItemKind, readonly string[]>>;

/** The same as sets; null matches every item. */
export type EventKeys = Readonly<Record<ItemKind, ReadonlySet<string>>> | null;

export function eventKeys(items: EventItems | null): EventKeys {
  return items && { set: new Set(items.set), minifig: new Set(items.minifig) };
}

/** Whether an event concerns one of the items, or the whole market. */
export function isAbout(
  { itemKind, key }: { readonly itemKind: ItemKind | null; readonly key: string | null },
  keys: EventKeys,
): boolean {
  return keys === null || itemKind === null || key === null || keys[itemKind].has(key);
}

export interface EventQuery {
  /** Events after this position; null: after the latest one, which returns none. */
  readonly after: number | null;
  /** Null: all kinds. */
  readonly kinds: readonly EventKind[] | null;
  /** Null: all items. Events that concern the whole market always match. */
  readonly items: EventItems | null;
  readonly limit: number;
}

/** Events in order of position. */
export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** Everything up to this position was searched; pass it as `after` for the next page. */
  readonly next: number;
  readonly hasMore: boolean;
}

/** The position is too old: only events after `oldest` are kept. */
export interface EventsGone {
  readonly oldest: number;
}
