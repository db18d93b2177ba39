/** The heading of a column as the page shows it. */
import type { ColumnHead } from './column-head.ts';
import { inDollars } from './format.ts';

/** Names that a user chose are shown as they are. */
export function headingOf({ name, isUnplaced }: ColumnHead): string {
  return isUnplaced ? name : inDollars(name);
}
