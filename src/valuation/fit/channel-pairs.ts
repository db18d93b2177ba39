/**
 * How much more expensive one channel is than another, from sales of the same item that follow each
 * other closely, one at a fixed price and one in another channel. Either may come first, so that
 * rising prices cancel out.
 */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { dayMs, type Month, monthOf } from '../../domain/kernel/time.ts';
import { conditions } from '../../domain/market/source-rows.ts';
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

const closeMs = 45 * dayMs;

/** Offsets are learned from the pairs of a year. */
const windowMonths = 12;

/** So many pairs are worth as much as the belief that channels do not differ. */
const beliefPairs = 30;

/** No channel differs by more than this. */
const offsetMax = 0.3;

const always = () => true;

/** Pairs of sales in different channels. */
export class ChannelPairs {
  readonly #differences = new MonthlyHistograms({ min: -1, max: 1, step: 0.0025 });

  /** Adds the pairs of an item, of the months in which it counts. */
  add({ kind, rows }: Subject, counts: (month: Month) => boolean = always): void {
    for (const condition of conditions) {
      let previous: Row | null = null;
      for (const row of rows) {
        if (row.condition !== condition || row.rejection || row.sale.retractedAt !== null) continue;
        const isClose = previous && row.at - previous.at <= closeMs;
        if (previous && isClose && counts(monthOf(row.at))) this.#addPair(kind, previous, row);
        previous = row;
      }
    }
  }

  /** The offsets to be used in a month. */
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

  /** How many pairs the offsets of a month are learned from. */
  counts(kind: ItemKind, month: Month): ChannelPairCounts {
    return Object.fromEntries(
      channelNames.flatMap((channel) => {
        const { count } = this.#between(kind, channel, month);
        return count === 0 ? [] : [[channel, count]];
      }),
    );
  }

  #between(kind: ItemKind, channel: ChannelName, month: Month): Histogram {
    return this.#differences.between(`${kind} ${channel}`, month - windowMonths, month);
  }

  #addPair(kind: ItemKind, first: Row, second: Row): void {
    if ((first.channel === referenceChannel) === (second.channel === referenceChannel)) return;
    const isSecond = first.channel === referenceChannel;
    const difference = isSecond ? second.log - first.log : first.log - second.log;
    const channel = isSecond ? second.channel : first.channel;
    this.#differences.add(monthOf(second.at), `${kind} ${channel}`, difference);
  }
}
