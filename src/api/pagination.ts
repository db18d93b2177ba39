/** The pagination object of every list. */
import type { Pagination } from '../contract/catalog.ts';
import type { PageWish } from '../domain/portfolio/holding-store.ts';

/** Where a page stands in a list. */
export function paginationOf(total: number, { limit, offset }: PageWish): Pagination {
  return { total, limit, offset, has_more: offset + limit < total };
}
