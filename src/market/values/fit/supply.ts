/** How long the units for sale last, by kind, condition and channel: the medians of many items. */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { SalesRate, SupplyMonths } from '../../evidence/evidence.ts';
import type { Channel, Condition } from '../../source-rows/source-rows.ts';
import type { SupplyTable } from '../engine/rate.ts';
import type { Listings } from '../listings.ts';
import { quantile } from '../quantile.ts';
import { countedPerMonth } from '../wait.ts';

/** Older counts, relative to the month that is learned, are not used. */
const countedMs = 180 * dayMs;

/** A median of fewer items is not used. */
export const suppliedItemsMin = 30;

type Months = Map<Channel, number[]>;

export class SupplyCounts {
  readonly #months: Readonly<Record<ItemKind, Readonly<Record<Condition, Months>>>> = {
    set: { sealed: new Map(), used: new Map() },
    minifig: { sealed: new Map(), used: new Map() },
  };

  constructor(private readonly at: number) {}

  /** Adds the units for sale of an item, over its rate of sale in the same channel. */
  add(
    item: { readonly kind: ItemKind; readonly condition: Condition },
    listings: readonly Listings[],
    rate: SalesRate,
  ): void {
    const months = this.#months[item.kind][item.condition];
    for (const { channel, units, observedAt } of listings) {
      const share = rate.shares?.[channel];
      if (!share || observedAt < this.at - countedMs) continue;
      months.getOrInsert(channel, []).push(units / (countedPerMonth(rate) * share));
    }
  }

  /** Null if there are too few items everywhere. */
  table(): SupplyTable | null {
    const { set, minifig } = this.#months;
    const table = {
      set: { sealed: medians(set.sealed), used: medians(set.used) },
      minifig: { sealed: medians(minifig.sealed), used: medians(minifig.used) },
    };
    const all = Object.values(table).flatMap((ofKind) => Object.values(ofKind));
    return all.some((channels) => Object.keys(channels).length > 0) ? table : null;
  }
}

function medians(months: Months): SupplyMonths {
  return Object.fromEntries(
    [...months]
      .filter(([, known]) => known.length >= suppliedItemsMin)
      .map(([channel, known]) => [channel, Math.round(10 * quantile(known, 0.5)) / 10])
      .sort(),
  );
}
