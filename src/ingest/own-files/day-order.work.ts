/** Detects whether dates with slashes have the day or the month first. */

import type { TableRow } from '../readers/table.work.ts';
import { type DayOrder, looseDay, shownOrder } from '../runner/loose.ts';

/** Rows held until a date is unambiguous; more than any collection has. */
const waitingRowsMax = 50_000;

export interface OrderedRows {
  readonly rows: readonly TableRow[];
  readonly order: DayOrder;
  /** The date of a row as written if it is ambiguous, and no other date shows the order. */
  unclearDay(row: TableRow): { readonly unclearDay?: string };
}

export interface DayColumn {
  /** The date of a row; empty if there is none. */
  readonly textOf: (row: TableRow) => string;
  /** The order chosen by the owner; null if not asked. */
  readonly order: DayOrder | null;
}

/**
 * Holds rows with ambiguous dates until an unambiguous one shows the order. If there is none, uses
 * the chosen order, or day first.
 */
export async function* withDayOrder(
  groups: AsyncIterable<readonly TableRow[]>,
  { textOf, order: named }: DayColumn,
): AsyncGenerator<OrderedRows> {
  const usual = named ?? 'day first';
  const clear = () => ({});
  const unclear = (row: TableRow) => (isAmbiguous(textOf(row)) ? { unclearDay: textOf(row) } : {});
  let order: DayOrder | null = null;
  let waiting: TableRow[] = [];
  let isUnclear = false;
  for await (const rows of groups) {
    order ??= rows.map((row) => shownOrder(textOf(row))).find((o) => o !== null) ?? null;
    waiting.push(...rows);
    isUnclear ||= order === null && rows.some((row) => isAmbiguous(textOf(row)));
    const mustWait = order === null && isUnclear;
    if (mustWait && waiting.length < waitingRowsMax) continue;
    yield { rows: waiting, order: order ?? usual, unclearDay: mustWait ? unclear : clear };
    if (mustWait) order = usual;
    waiting = [];
  }
  if (waiting.length === 0) return;
  const unclearDay = order === null && isUnclear ? unclear : clear;
  yield { rows: waiting, order: order ?? usual, unclearDay };
}

export function isAmbiguous(text: string): boolean {
  const [first, second] = [looseDay(text, 'day first'), looseDay(text, 'month first')];
  return first !== null && second !== null && first !== second;
}
