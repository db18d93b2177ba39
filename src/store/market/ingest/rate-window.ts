/** Which sales an exchange rate applies to. */

import { parseDay } from '../../../domain/kernel/time.ts';
import type { ExchangeRate } from '../../../domain/market/source-rows.ts';

/** The sales in a currency from one instant on and before another. */
export interface RateWindow {
  readonly currency: string;
  readonly from: number;
  readonly to: number;
}

/** After every rate. */
const lastDate = '9999-12-31';

/** A rate applies from its day on, until the day of the next one; null: there is none. */
export function rateWindow(rate: ExchangeRate, nextDate: string | null): RateWindow {
  return {
    currency: rate.currency,
    from: parseDay(rate.date) ?? 0,
    to: parseDay(nextDate ?? lastDate) ?? 0,
  };
}
