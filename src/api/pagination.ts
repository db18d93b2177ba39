/** The pagination object of every list. */

import type { Pagination } from '../contract/catalog.ts';
import { type RequestedRange, rangeOf } from '../kernel/page.ts';

export function paginationOf(total: number, range: RequestedRange): Pagination {
  const { limit, offset } = rangeOf(range);
  const exact = typeof range.offset === 'number' ? offset : asWritten(range.offset);
  return { total, limit, offset: exact, has_more: offset + limit < total };
}

/** Writes digits that exceed the precision of a number unchanged to JSON. */
function asWritten(digits: string): number {
  return (JSON as typeof JSON & RawJson).rawJSON(digits);
}

/** Exists in the runtime but not yet in the compiler's library. */
interface RawJson {
  rawJSON(text: string): number;
}
