/**
 * Parameters learned across items, month by month, and then frozen: the same rows and parameters
 * always give the same value.
 */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { type Channel, type Condition, channels } from '../../source-rows/source-rows.ts';
import { defaultMinifigPrior } from '../prior/minifig-prior.ts';
import type { Prior } from '../prior/prior.ts';
import type { SetPriors } from '../prior/set-estimate.ts';
import { defaultSetPrior } from '../prior/set-prior.ts';
import { defaultUnpricedPrior } from '../prior/unpriced-prior.ts';
import { defaultMinifigRatio, defaultUsedRatio, type UsedRatio } from '../prior/used-ratio.ts';
import type { RangeTable } from './range.ts';
import type { RateTable } from './rate.ts';

export type ChannelName = Channel | 'unknown';

export const channelNames: readonly ChannelName[] = [...channels, 'unknown'];

/** Values are prices in this channel. */
export const referenceChannel = 'fixed' satisfies ChannelName;

/** Log offset of prices from the reference channel. */
export type ChannelOffsets = Readonly<Record<ChannelName, number>>;

/** Pairs of sales each offset was learned from. */
export type ChannelPairCounts = Readonly<Partial<Record<ChannelName, number>>>;

/** Growth of prices per year (log scale). */
export type Growth = Readonly<Record<Condition, number>>;

export interface Parameters {
  readonly prior: SetPriors & { readonly minifig: Prior };
  /** Used over new. */
  readonly usedRatio: Readonly<Record<ItemKind, UsedRatio>>;
  readonly offsets: Readonly<Record<ItemKind, ChannelOffsets>>;
  /** Absent before anything was learned. */
  readonly offsetPairs?: Readonly<Record<ItemKind, ChannelPairCounts>>;
  readonly ranges: RangeTable;
  /** How fast prices rose; absent before anything was learned. */
  readonly growth?: Readonly<Record<ItemKind, Growth>>;
  /** The currency of most sales; absent if it is US dollars, or none is. */
  readonly mainCurrency?: string;
  /** Sales rates; absent before anything was learned. */
  readonly rates?: RateTable;
}

export const evenOffsets: ChannelOffsets = {
  fixed: 0,
  auction: 0,
  bricklink: 0,
  amazon: 0,
  other: 0,
  unknown: 0,
};

export const defaultParameters: Parameters = {
  prior: {
    set: defaultSetPrior,
    unpricedSet: defaultUnpricedPrior,
    minifig: defaultMinifigPrior,
  },
  usedRatio: { set: defaultUsedRatio, minifig: defaultMinifigRatio },
  offsets: { set: evenOffsets, minifig: evenOffsets },
  ranges: {},
};
