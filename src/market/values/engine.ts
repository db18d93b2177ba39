/** The value engine: learns parameters across items, and values each item from its rows. */

import { engineVersion } from './engine/engine-version.ts';
import { makeEstimator } from './engine/estimator.ts';
import { areOwnParameters } from './engine/parameter-timeline.ts';
import type { ValueEngine } from './estimator.ts';
import { Fit, learnedItemsMax } from './fit/fit.ts';

export const valueEngine: ValueEngine = {
  version: engineVersion,
  learnedItemsMax,
  startLearning: () => new Fit(),
  makeEstimator,
  hasLearned: areOwnParameters,
};
