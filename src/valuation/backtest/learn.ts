/** The parameters of every month as they would have been learned then. */

import { type Month, monthStart } from '../../domain/kernel/time.ts';
import type { StoredParameters } from '../../domain/market/estimator.ts';
import type { KnownItem } from '../../domain/market/known-market.ts';
import { Fit } from '../fit/fit.ts';
import { SetHistory } from './known.ts';

/** Which months to learn, and whom to tell how far it is. */
export interface LearnOptions {
  readonly from: Month;
  readonly to: Month;
  onProgress?(done: number, total: number): void;
}

/** Learns month by month, each from the rows that were known when it began. */
export async function learnAsKnown(
  items: readonly KnownItem[],
  options: LearnOptions,
): Promise<StoredParameters[]> {
  const histories = items.map((item) => new SetHistory(item));
  const learned: StoredParameters[] = [];
  for (let month = options.from; month <= options.to; month++) {
    const fit = new Fit();
    for (const history of histories) fit.addSet(history.at(monthStart(month)), history.lot);
    learned.push(...(await fit.learn({ frozen: learned, from: month, to: month })));
    options.onProgress?.(learned.length, options.to - options.from + 1);
  }
  return learned;
}
