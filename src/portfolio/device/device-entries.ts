/**
 * Entries that a device made, often without a network, and sends later. Each has an ID made by the
 * device; the store remembers applied ones, so that an entry that is sent again has no effect.
 */
import type { NewWatchedItem } from '../../alerts/watchlists/watch-list.ts';
import { dayMs } from '../../kernel/time.ts';
import type { EventItems } from '../../market/events/events.ts';

export const deviceEntryLimits = {
  /** Entries of one request. */
  perRequest: 50,
  /** Applied entries that are remembered per account. */
  remembered: 20_000,
  /** How long an entry may wait until it is sent. */
  days: 90,
} as const;

/** Forms that are sent again, are soon. */
export const formsKeptMs = dayMs;

/** Longer than an entry can wait, so that no forgotten one is accepted again. */
export const entriesKeptMs = (deviceEntryLimits.days + 30) * dayMs;

export interface EntryMark {
  /** A random UUID. */
  readonly id: string;
  readonly madeAt: number;
}

/** The effect of an entry on the first watch list, or the scanned barcodes. */
export type EntryChange =
  /** `keys` are those of all numbers of the item. */
  | { readonly watched: NewWatchedItem; readonly keys: EventItems }
  /** A barcode that no set has. */
  | { readonly barcode: string };

/** Why an entry is refused because it waited too long; null if it did not. */
export function entryAgeProblem({ madeAt }: Pick<EntryMark, 'madeAt'>, at: number): string | null {
  const { days } = deviceEntryLimits;
  if (at - madeAt <= days * dayMs) return null;
  return `it was made more than ${days} days ago; check whether it is in your account`;
}
