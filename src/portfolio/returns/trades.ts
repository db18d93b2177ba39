/**
 * Purchases and sales at market value. A unit enters the portfolio at its value on the day of
 * purchase and leaves it at its value on the day before the sale. What was paid less, or received
 * more, is the owner's gain from buying and selling; the rest is the market's.
 */

import { fillDailyValues, type UnitHistory } from '../../market/history/daily-values.ts';
import { indexFrom, type Position } from './value-history.ts';

export interface Trades {
  /** The value of the units that were bought since the day before, by day. */
  readonly enteredCents: Float64Array;
  /** The value on the day before of the units that were sold since then, by day. */
  readonly leftCents: Float64Array;
  /** Value minus price of the units bought after the first day. */
  readonly buyingGainCents: number;
  /** Net proceeds minus value of the units sold after the first day; fractional. */
  readonly sellingGainCents: number;
}

/** On the given days, oldest first; the last one is today. Units without a value count at cost. */
export function sumTrades(
  holdings: Iterable<{ readonly history: UnitHistory; readonly positions: readonly Position[] }>,
  days: readonly number[],
): Trades {
  const grid = Int32Array.from(days);
  const enteredCents = new Float64Array(days.length);
  const leftCents = new Float64Array(days.length);
  let [buyingGainCents, sellingGainCents] = [0, 0];
  const valueOn = valueFinder(days.at(-1) ?? 0);
  for (const { history, positions } of holdings) {
    for (const { boughtOn, quantity, priceCents, exits } of positions) {
      const worthOn = (day: number) => valueOn(history, day) ?? priceCents;
      const from = indexFrom(grid, boughtOn);
      let [bought, entered] = [quantity, quantity];
      for (const exit of exits) {
        const index = indexFrom(grid, exit.day);
        // Sold before the purchase date: the price is all that is known of the purchase.
        const isEarly = exit.day < boughtOn;
        if (isEarly) bought -= exit.quantity;
        if (isEarly || index === from) entered -= exit.quantity;
        if (index === 0) continue;
        const worth = isEarly ? priceCents : worthOn(Math.max(exit.day - 1, boughtOn));
        sellingGainCents += exit.netCents - exit.quantity * worth;
        if (isEarly || index === from) continue;
        add(leftCents, index, exit.quantity * worthOn(days[index - 1] ?? 0));
      }
      if (from === 0) continue;
      const paidFor = worthOn(boughtOn);
      buyingGainCents += bought * (paidFor - priceCents);
      // Units bought and sold within a day are held at the end of none.
      const worth = days[from] === boughtOn ? paidFor : worthOn(days[from] ?? 0);
      add(enteredCents, from, entered * worth);
    }
  }
  return { enteredCents, leftCents, buyingGainCents, sellingGainCents };
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

function add(sums: Float64Array, index: number, amount: number): void {
  sums[index] = (sums[index] ?? 0) + amount;
}
