/** Days with slashes: a file shows by one of them which comes first, the day or the month. */
import { type DayOrder, looseDay, shownOrder } from '../loose.ts';
import type { TableRow } from '../readers/table.ts';

/** Rows that may wait for a day that shows its order; a collection is far smaller. */
const waitingRowsMax = 50_000;

/** Rows with the order in which their days are written. */
export interface OrderedRows {
  readonly rows: readonly TableRow[];
  readonly order: DayOrder;
  /** Whether some of them could be read both ways, and no other shows which one is meant. */
  readonly isUnclear: boolean;
}

/** Where the day stands, and what is known of its order. */
export interface DayColumn {
  /** What stands in a row for the day; empty where nothing does. */
  readonly textOf: (row: TableRow) => string;
  /** The order that somebody named, for days that do not show it. */
  readonly order: DayOrder | null;
}

/**
 * Rows wait while a day among them could be read both ways, until one shows its order. Where none
 * ever does, the order that was named counts, else the day comes first.
 */
export async function* withDayOrder(
  groups: AsyncIterable<readonly TableRow[]>,
  { textOf, order: named }: DayColumn,
): AsyncGenerator<OrderedRows> {
  const usual = named ?? 'day first';
  let order: DayOrder | null = null;
  let waiting: TableRow[] = [];
  let isUnclear = false;
  for await (const rows of groups) {
    order ??= rows.map((row) => shownOrder(textOf(row))).find((o) => o !== null) ?? null;
    waiting.push(...rows);
    isUnclear ||= order === null && rows.some((row) => isAmbiguous(textOf(row)));
    const mustWait = order === null && isUnclear;
    if (mustWait && waiting.length < waitingRowsMax) continue;
    yield { rows: waiting, order: order ?? usual, isUnclear: mustWait };
    if (mustWait) order = usual;
    waiting = [];
  }
  if (waiting.length > 0) {
    yield { rows: waiting, order: order ?? usual, isUnclear: order === null && isUnclear };
  }
}

/** Whether a day could be read both ways. */
export function isAmbiguous(text: string): boolean {
  const [first, second] = [looseDay(text, 'day first'), looseDay(text, 'month first')];
  return first !== null && second !== null && first !== second;
}
