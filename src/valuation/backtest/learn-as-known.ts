/** What was learned of a market by each month, and the estimators that know no more than that. */

import { type Month, monthStart } from '../../domain/kernel/time.ts';
import type { BacktestItem } from '../../domain/market/backtest-market.ts';
import type { Estimator, StoredParameters } from '../../domain/market/estimator.ts';
import { makeEstimator } from '../engine/estimator.ts';
import { Fit } from '../fit/fit.ts';
import { SetHistory } from './snapshots.ts';

/** Learns month by month, each from the rows that were known when it began. */
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

/** The estimator of each month: with the parameters learned up to it. */
export function estimators(learned: readonly StoredParameters[]): (month: Month) => Estimator {
  const made = new Map<Month, Estimator>();
  return (month) => {
    const found = made.get(month) ?? makeEstimator(learned.filter((one) => one.month <= month));
    made.set(month, found);
    return found;
  };
}
