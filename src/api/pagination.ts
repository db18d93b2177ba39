/** The pagination object of every list. */

import type { Pagination } from '../contract/catalog.ts';
import type { PageRange } from '../domain/kernel/page.ts';

/** Where a page stands in a list. */
export function paginationOf(total: number, { limit, offset }: PageRange): Pagination {
  return { total, limit, offset, has_more: offset + limit < total };
}
