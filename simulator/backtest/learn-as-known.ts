/** Learns parameters month by month, each from the rows known at the time. */

import { type Month, monthStart } from '../../src/kernel/time.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import type { Estimator, StoredParameters } from '../../src/market/values/estimator.ts';
import { Fit } from '../../src/market/values/fit/fit.ts';
import { SetHistory } from './snapshots.ts';
import type { BacktestItem } from './worlds.ts';

export async function learnAsKnown(
  items: readonly BacktestItem[],
  options: {
    readonly from: Month;
    readonly to: Month;
    onProgress?(done: number, total: number): void;
  },
): Promise<StoredParameters[]> {
  const histories = items.map((item) => new SetHistory(item));
  const learned: StoredParameters[] = [];
  for (let month = options.from; month <= options.to; month++) {
    const fit = new Fit();
    for (const history of histories) fit.addSet(history.at(monthStart(month)), history.rank);
    learned.push(...(await fit.learn({ frozen: learned, from: month, to: month })));
    options.onProgress?.(learned.length, options.to - options.from + 1);
  }
  return learned;
}

/** The estimator of each month, with the parameters learned up to it. */
export function estimators(learned: readonly StoredParameters[]): (month: Month) => Estimator {
  const cache = new Map<Month, Estimator>();
  return (month) => {
    const found = cache.get(month) ?? makeEstimator(learned.filter((one) => one.month <= month));
    cache.set(month, found);
    return found;
  };
}
