/**
 * Learns channel offsets from pairs of consecutive sales of an item, one at a fixed price and one
 * in another channel. Either may come first, so that trends cancel out.
 */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { dayMs, type Month, monthOf } from '../../../kernel/time.ts';
import { conditions } from '../../source-rows/source-rows.ts';
import type { Row } from '../engine/admit.ts';
import {
  type ChannelName,
  type ChannelOffsets,
  type ChannelPairCounts,
  channelNames,
  evenOffsets,
  referenceChannel,
} from '../engine/parameters.ts';
import type { Subject } from '../engine/subject.ts';
import { type Histogram, MonthlyHistograms } from './histogram.ts';
import { isCounted } from './sale-shares.ts';

const closeMs = 45 * dayMs;

/** Offsets of a month are learned from the pairs of the year before it. */
const windowMonths = 12;

/** Shrinkage: the prior of no offset counts as this many pairs. */
const beliefPairs = 30;

const offsetMax = 0.3;

/** A row, and the effective sales that it is. */
interface SharedRow {
  readonly row: Row;
  readonly share: number;
}

export class ChannelPairs {
  readonly #differences = new MonthlyHistograms({ min: -1, max: 1, step: 0.0025 });

  /** Adds the pairs of an item, given the effective sales that each of its rows is. */
  add({ kind, rows }: Subject, shares: Float64Array): void {
    for (const condition of conditions) {
      let previous: SharedRow | null = null;
      for (const [index, row] of rows.entries()) {
        if (row.condition !== condition || !isCounted(row)) continue;
        const shared: SharedRow = { row, share: shares[index] ?? 0 };
        const isClose = previous && row.at - previous.row.at <= closeMs;
        if (previous && isClose && shared.share > 0) this.#addPair(kind, previous, shared);
        previous = shared;
      }
    }
  }

  offsets(kind: ItemKind, month: Month): ChannelOffsets {
    const learned = channelNames.flatMap((channel): [ChannelName, number][] => {
      const differences = this.#between(kind, channel, month);
      if (differences.count === 0) return [];
      const share = differences.count / (differences.count + beliefPairs);
      const offset = share * differences.median();
      return [[channel, Math.max(-offsetMax, Math.min(offsetMax, offset))]];
    });
    return { ...evenOffsets, ...Object.fromEntries(learned) };
  }

  counts(kind: ItemKind, month: Month): ChannelPairCounts {
    return Object.fromEntries(
      channelNames.flatMap((channel) => {
        const { count } = this.#between(kind, channel, month);
        return count === 0 ? [] : [[channel, Math.round(100 * count) / 100]];
      }),
    );
  }

  #between(kind: ItemKind, channel: ChannelName, month: Month): Histogram {
    return this.#differences.between(`${kind} ${channel}`, month - windowMonths, month);
  }

  #addPair(kind: ItemKind, { row: first, ...earlier }: SharedRow, later: SharedRow): void {
    const { row: second } = later;
    if ((first.channel === referenceChannel) === (second.channel === referenceChannel)) return;
    const isSecond = first.channel === referenceChannel;
    const difference = isSecond ? second.log - first.log : first.log - second.log;
    const channel = isSecond ? second.channel : first.channel;
    const weight = Math.min(earlier.share || later.share, later.share);
    this.#differences.add(monthOf(second.at), `${kind} ${channel}`, difference, weight);
  }
}
