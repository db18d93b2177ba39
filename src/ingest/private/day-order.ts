/** Days with slashes: a file shows by one of them which comes first, the day or the month. */
import { type DayOrder, looseDay, shownOrder } from '../loose.ts';
import type { TableRow } from '../readers/table.ts';

/** Rows that may wait for a day that shows its order; a collection is far smaller. */
const waitingRowsMax = 50_000;

/** Rows with the order in which their days are written. */
export interface OrderedRows {
  readonly rows: readonly TableRow[];
  readonly order: DayOrder;
}

/**
 * Rows wait while a day among them could be read both ways, until one shows its order. Where none
 * ever does, the day comes first.
 */
export async function* withDayOrder(
  groups: AsyncIterable<readonly TableRow[]>,
  column: string,
): AsyncGenerator<OrderedRows> {
  let order: DayOrder | null = null;
  let waiting: TableRow[] = [];
  let isUnclear = false;
  for await (const rows of groups) {
    order ??= rows.map((row) => shownOrder(row.text(column) ?? '')).find((o) => o !== null) ?? null;
    waiting.push(...rows);
    isUnclear ||= order === null && rows.some((row) => isAmbiguous(row.text(column) ?? ''));
    const mustWait = order === null && isUnclear;
    if (mustWait && waiting.length < waitingRowsMax) continue;
    if (mustWait) order = 'day first';
    yield { rows: waiting, order: order ?? 'day first' };
    waiting = [];
  }
  if (waiting.length > 0) yield { rows: waiting, order: order ?? 'day first' };
}

function isAmbiguous(text: string): boolean {
  const [first, second] = [looseDay(text, 'day first'), looseDay(text, 'month first')];
  return first !== null && second !== null && first !== second;
}
