/**
 * Purchases and sales at market value. A unit enters the portfolio at its value on the day of
 * purchase and leaves it at its value on the day before the sale. What was paid less, or received
 * more, is the owner's gain from buying and selling; the rest is the market's.
 */

import {
  fillDailyValues,
  firstValueDay,
  type UnitHistory,
} from '../../market/history/daily-values.ts';
import { add, type Holding, indexFrom } from './value-history.ts';

export interface Trades {
  /** The value of the units that were bought, or got their first value, since the day before. */
  readonly enteredCents: Float64Array;
  /** The value on the day before of the units that were sold since then, by day. */
  readonly leftCents: Float64Array;
  /** Value minus price of the units bought after the first day. */
  readonly buyingGainCents: number;
  /** Value minus price of the units that got their first value after the first day. */
  readonly beforeValuesCents: number;
  /** The part of that of units bought on the first day or earlier. */
  readonly olderBeforeValuesCents: number;
  /** Net proceeds minus value of the units sold after the first day; fractional. */
  readonly sellingGainCents: number;
}

/** On the given days, oldest first; the last one is today. Units without a value count at cost. */
export function sumTrades(holdings: Iterable<Holding>, days: readonly number[]): Trades {
  const grid = Int32Array.from(days);
  const last = days.length - 1;
  const [firstDay = 0, today = 0] = [days[0], days[last]];
  const enteredCents = new Float64Array(days.length);
  const leftCents = new Float64Array(days.length);
  let [buyingGainCents, sellingGainCents] = [0, 0];
  let [beforeValuesCents, olderBeforeValuesCents] = [0, 0];
  const valueOn = valueFinder(today);
  for (const { history, positions } of holdings) {
    const valuedFrom = firstValueDay(history, today);
    for (const { boughtOn, quantity, priceCents, exits } of positions) {
      const worthOn = (day: number) => valueOn(history, day) ?? priceCents;
      const valuedAt = (index: number) => valueOn(history, days[index] ?? 0) ?? 0;
      const from = indexFrom(grid, boughtOn);
      // From this day on, the units are held at a value.
      const entry = Math.max(from, indexFrom(grid, valuedFrom));
      let [bought, firstValued, entered, left] = [quantity, quantity, quantity, quantity];
      for (const exit of exits) {
        const index = indexFrom(grid, exit.day);
        // Sold before the purchase date: the price is all that is known of the purchase.
        const isEarly = exit.day < boughtOn;
        if (isEarly) bought -= exit.quantity;
        left -= exit.quantity;
        if (exit.day <= valuedFrom) firstValued -= exit.quantity;
        if (index <= entry) entered -= exit.quantity;
        if (index === 0) continue;
        const worth = isEarly ? priceCents : worthOn(Math.max(exit.day - 1, boughtOn));
        sellingGainCents += exit.netCents - exit.quantity * worth;
        if (index > entry) add(leftCents, index, exit.quantity * valuedAt(index - 1));
      }
      if (from > 0) buyingGainCents += bought * (worthOn(boughtOn) - priceCents);
      if (boughtOn < valuedFrom && valuedFrom > firstDay) {
        const cents = firstValued * (worthOn(valuedFrom) - priceCents);
        beforeValuesCents += cents;
        if (boughtOn <= firstDay) olderBeforeValuesCents += cents;
      }
      if (entry > 0) add(enteredCents, entry, entered * valuedAt(entry));
      // Without a value today, units stand at cost again.
      if (history.liveCents === null && entry < last) {
        add(leftCents, last, left * valuedAt(last - 1));
      }
    }
  }
  return {
    enteredCents,
    leftCents,
    buyingGainCents,
    beforeValuesCents,
    olderBeforeValuesCents,
    sellingGainCents,
  };
}

/** The value of a unit on a day; null if unknown. A day in the future counts as today. */
function valueFinder(today: number): (history: UnitHistory, day: number) => number | null {
  // Shared by all items: allocating them for each took longer than filling them.
  const values = new Float64Array(2);
  const days = Int32Array.of(today, today);
  return (history, day) => {
    days[0] = Math.min(day, today);
    fillDailyValues(values, history, days);
    const cents = day >= today ? values[1] : values[0];
    return cents === undefined || Number.isNaN(cents) ? null : cents;
  };
}
