/**
 * What is learned across all items, month by month, and then frozen: the same rows and the same
 * parameters make the same value for ever.
 */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { type Channel, channels } from '../../domain/market/source-rows.ts';
import { defaultMinifigPrior } from '../prior/minifig-prior.ts';
import type { Prior } from '../prior/prior.ts';
import type { SetPriors } from '../prior/set-estimate.ts';
import { defaultSetPrior } from '../prior/set-prior.ts';
import { defaultUnpricedPrior } from '../prior/unpriced-prior.ts';
import { defaultMinifigRatio, defaultUsedRatio, type UsedRatio } from '../prior/used-ratio.ts';
import type { RangeTable } from './range.ts';
import type { RateTable } from './rate.ts';

/** A channel, or none that is known. */
export type ChannelName = Channel | 'unknown';

/** Every channel. */
export const channelNames: readonly ChannelName[] = [...channels, 'unknown'];

/** Prices in this channel are what values are about. */
export const referenceChannel: ChannelName = 'fixed';

/** How far prices in each channel are above those in the reference channel (logarithm). */
export type ChannelOffsets = Readonly<Record<ChannelName, number>>;

/** How many pairs of sales each channel was compared by; nothing for those that never were. */
export type ChannelPairCounts = Readonly<Partial<Record<ChannelName, number>>>;

/** The parameters of one month. */
export interface Parameters {
  readonly prior: SetPriors & { readonly minifig: Prior };
  /** Used over new. */
  readonly usedRatio: Readonly<Record<ItemKind, UsedRatio>>;
  readonly offsets: Readonly<Record<ItemKind, ChannelOffsets>>;
  /** What offsets were learned from; absent before anything was learned. */
  readonly offsetPairs?: Readonly<Record<ItemKind, ChannelPairCounts>>;
  readonly ranges: RangeTable;
  /** How often things sell; absent before anything was learned. */
  readonly rates?: RateTable;
}

/** No channel is known to be more expensive than another. */
export const evenOffsets: ChannelOffsets = {
  fixed: 0,
  auction: 0,
  bricklink: 0,
  amazon: 0,
  other: 0,
  unknown: 0,
};

/** What is believed before anything is learned. */
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
