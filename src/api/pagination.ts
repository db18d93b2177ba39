/** The pagination object of every list. */

import type { Pagination } from '../contract/catalog.ts';
import { type AskedRange, rangeOf } from '../domain/kernel/page.ts';

/** Where a page stands in a list. */
export function paginationOf(total: number, asked: AskedRange): Pagination {
  const { limit, offset } = rangeOf(asked);
  const exact = typeof asked.offset === 'number' ? offset : asWritten(asked.offset);
  return { total, limit, offset: exact, has_more: offset + limit < total };
}

/** Digits that no number holds exactly, which JSON is given as they are. */
function asWritten(digits: string): number {
  return (JSON as typeof JSON & RawJson).rawJSON(digits);
}

/** What the runtime has, and the compiler does not know of yet. */
interface RawJson {
  rawJSON(text: string): number;
}
