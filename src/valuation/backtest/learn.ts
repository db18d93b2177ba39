/** The parameters of every month as they would have been learned then. */

import { type Month, monthStart } from '../../domain/kernel/time.ts';
import type { BacktestItem } from '../../domain/market/backtest-market.ts';
import type { StoredParameters } from '../../domain/market/estimator.ts';
import { Fit } from '../fit/fit.ts';
import { SetHistory } from './snapshots.ts';

/** Which months to learn, and who is informed of the progress. */
export interface LearnOptions {
  readonly from: Month;
  readonly to: Month;
  onProgress?(done: number, total: number): void;
}

/** Learns month by month, each from the rows that were known when it began. */
export async function learnAsKnown(
  items: readonly BacktestItem[],
  options: LearnOptions,
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
