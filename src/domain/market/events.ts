/**
 * What happens in the market, as the log tells it: an event exists if and only if what it tells of
 * was published. Positions grow in the order in which publications were committed.
 */
import type { ItemKind } from '../catalog/numbers.ts';
import type { StatusId } from '../catalog/status.ts';
import { dayMs, type Month } from '../kernel/time.ts';
import type { DealHeadline } from './deals.ts';
import type { DataTier } from './evidence.ts';
import type { Retailer, SellerType } from './source-rows.ts';

/** What can happen. */
export const eventKinds = [
  'retail.price',
  'retail.low',
  'retail.flip',
  'retail.stock',
  'value.move',
  'value.tier',
  'set.status',
  'history.month',
  'history.restated',
  'deal.open',
  'deal.close',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** How long events are kept. */
export const eventsKeptMs = 90 * dayMs;

/** Positions for each millisecond that goes by: far more than the events that it has time for. */
const positionsPerMs = 1_000;

/**
 * The position before anything that happens from an instant on. Positions follow the time and are
 * never overtaken by events: what comes after it is all that happened since, and maybe a little
 * more.
 */
export function positionBefore(at: number): number {
  return at * positionsPerMs - 1;
}

/** What an event tells, before or after it: published facts, and only those that it is about. */
export interface EventDetails {
  readonly priceCents?: number;
  /** By how many percent of the price before it the price changed. */
  readonly changePercent?: number;
  /** Whether the price is the lowest ever, and was higher before. */
  readonly isAtLowest?: boolean;
  readonly lowestCents?: number;
  /** By how many percent of the new value the price is below it; negative when it is above. */
  readonly belowValuePercent?: number;
  readonly sellerType?: SellerType;
  readonly inStock?: boolean;
  /** The values of a set, new and used; that of a minifig is of a used one. */
  readonly newCents?: number;
  readonly usedCents?: number;
  readonly tier?: DataTier;
  readonly statusId?: StatusId;
  readonly month?: Month;
  /** Sales of the month that support its values. */
  readonly newSales?: number;
  readonly usedSales?: number;
  /** Why history was restated, or a deal ended. */
  readonly reason?: string;
  /** What is expected of a deal at the usual terms. */
  readonly deal?: DealHeadline;
}

/** Something that happened to an item. */
export interface ItemEvent {
  readonly kind: EventKind;
  readonly retailer: Retailer | null;
  readonly before: EventDetails;
  readonly after: EventDetails;
}

/** An event as it is read back. */
export interface LoggedEvent extends ItemEvent {
  readonly position: number;
  readonly at: number;
  /** What it happened to; null, like all that names it: to the market as a whole. */
  readonly itemKind: ItemKind | null;
  /** The key that the item had when it happened. */
  readonly key: string | null;
  /** The canonical number as it is now. */
  readonly number: string | null;
  /** As it is now; null also for an item that is not published any more. */
  readonly title: string | null;
}

/** The items that events are asked for, by their keys. */
export type EventItems = Readonly<Record<ItemKind, readonly string[]>>;

/** The same, to be looked up; null: everything. */
export type EventKeys = Readonly<Record<ItemKind, ReadonlySet<string>>> | null;

/** The keys of items, to be looked up. */
export function eventKeys(items: EventItems | null): EventKeys {
  return items && { set: new Set(items.set), minifig: new Set(items.minifig) };
}

/** Whether an event is about one of some items, or about the market as a whole. */
export function isAbout(
  { itemKind, key }: { readonly itemKind: ItemKind | null; readonly key: string | null },
  keys: EventKeys,
): boolean {
  return keys === null || itemKind === null || key === null || keys[itemKind].has(key);
}

/** Which events are asked for. */
export interface EventQuery {
  /** Those after a position; null: after the latest one, so that there are none. */
  readonly after: number | null;
  /** Null: of all kinds. */
  readonly kinds: readonly EventKind[] | null;
  /** Null: of everything. What happened to the market as a whole is always told. */
  readonly items: EventItems | null;
  readonly limit: number;
}

/** Some events in order of position. */
export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** Everything up to this position was gone through; what comes next is after it. */
  readonly next: number;
  readonly hasMore: boolean;
}

/** A position whose next events are not kept any more; those after `oldest` are. */
export interface EventsGone {
  readonly oldest: number;
}
