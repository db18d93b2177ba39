/**
 * What is learned across all items, month by month, and then frozen: the same rows and the same
 * parameters make the same value for ever.
 */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { formatMonth, type Month } from '../../domain/kernel/time.ts';
import type { StoredParameters } from '../../domain/market/estimator.ts';
import { type Channel, channels } from '../../domain/market/source-rows.ts';
import { defaultMinifigPrior } from '../prior/minifig-prior.ts';
import type { Prior } from '../prior/prior.ts';
import { defaultSetPrior } from '../prior/set-prior.ts';
import { defaultUsedRatio, type UsedRatio } from '../prior/used-ratio.ts';
import { shortHash } from './input-hash.ts';
import type { RangeTable } from './range.ts';

/** A channel, or none that is known. */
export type ChannelName = Channel | 'unknown';

/** Every channel. */
export const channelNames: readonly ChannelName[] = [...channels, 'unknown'];

/** Prices in this channel are what values are about. */
export const referenceChannel: ChannelName = 'fixed';

/** How far prices in each channel are above those in the reference channel (logarithm). */
export type ChannelOffsets = Readonly<Record<ChannelName, number>>;

/** The parameters of one month. */
export interface Parameters {
  readonly prior: Readonly<Record<ItemKind, Prior>>;
  /** Used over new, for sets. */
  readonly usedRatio: UsedRatio;
  /** New over used, for minifigs (logarithm). */
  readonly newMinifig: number;
  readonly offsets: Readonly<Record<ItemKind, ChannelOffsets>>;
  readonly ranges: RangeTable;
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
  prior: { set: defaultSetPrior, minifig: defaultMinifigPrior },
  usedRatio: defaultUsedRatio,
  newMinifig: 0.25,
  offsets: { set: evenOffsets, minifig: evenOffsets },
  ranges: {},
};

/** The month that what is believed without learning is said to be of. */
const parametersEpoch: Month = 1970 * 12;

/** Parameters in force, and the name of that version. */
export interface NamedParameters {
  readonly version: string;
  readonly parameters: Parameters;
}

/** The parameters of a month, as they are stored. */
export function storeParameters(month: Month, parameters: Parameters): StoredParameters {
  const body = JSON.stringify(parameters);
  return { month, version: `${formatMonth(month)}-${shortHash(body)}`, body };
}

/** All parameters, by month. */
export class ParameterTimeline {
  #first: Month | null = null;
  readonly #named: NamedParameters[] = [];

  /** From stored ones, in order of month without gaps. */
  constructor(stored: readonly StoredParameters[]) {
    for (const { month, version, body } of stored) {
      this.add(month, { version, parameters: JSON.parse(body) as Parameters });
    }
  }

  /** Adds those of the next month. */
  add(month: Month, named: NamedParameters): void {
    this.#first ??= month;
    if (month !== this.#first + this.#named.length) throw new Error('Parameters have a gap.');
    this.#named.push(named);
  }

  /** Those of a month; the latest earlier ones where it has none of its own. */
  at(month: Month): NamedParameters {
    if (this.#first === null || month < this.#first) return nothingLearned;
    return this.#named[Math.min(month - this.#first, this.#named.length - 1)] ?? nothingLearned;
  }
}

const nothingLearned: NamedParameters = {
  version: storeParameters(parametersEpoch, defaultParameters).version,
  parameters: defaultParameters,
};
