/** Which sales an exchange rate applies to. */

import { parseDay } from '../../../domain/kernel/time.ts';
import type { ExchangeRate } from '../../../domain/market/source-rows.ts';

/** Sales in a currency with `from` <= time < `to`. */
export interface RateWindow {
  readonly currency: string;
  readonly from: number;
  readonly to: number;
}

/** After every rate. */
const lastDate = '9999-12-31';

/** A rate applies from its day until the next rate's day; `nextDate` is null if there is none. */
export function rateWindow(
  rate: Pick<ExchangeRate, 'currency' | 'date'>,
  nextDate: string | null,
): RateWindow {
  return {
    currency: rate.currency,
    from: parseDay(rate.date) ?? 0,
    to: parseDay(nextDate ?? lastDate) ?? 0,
  };
}
