/** Long lists, a page at a time. */

import { countText } from '../../domain/kernel/format.ts';
import type { PageRequest } from '../page.ts';

/** Rows of a page. */
export const pageRows = 50;

/** The most that a page may be; nobody turns so many. */
const pageMax = 1_000_000;

/** Which rows a request wants. */
export function pageRange(request: PageRequest): {
  readonly limit: number;
  readonly offset: number;
} {
  return { limit: pageRows, offset: (pageNumber(request) - 1) * pageRows };
}

function pageNumber({ query }: PageRequest): number {
  const text = query.get('page') ?? '';
  return /^\d{1,7}$/.test(text) ? Math.min(Math.max(Number(text), 1), pageMax) : 1;
}

/** The way to the last page, when a request wants one behind it; null when there is no need. */
export function lastPagePath(request: PageRequest, total: number): string | null {
  const last = Math.max(1, Math.ceil(total / pageRows));
  if (pageNumber(request) <= last) return null;
  return last === 1 ? request.path : `${request.path}?page=${last}`;
}

/** The way to the pages before and after; nothing when all is on one. */
export function Pager({
  request,
  total,
}: {
  readonly request: PageRequest;
  readonly total: number;
}) {
  const page = pageNumber(request);
  const last = Math.max(1, Math.ceil(total / pageRows));
  if (last === 1 && page === 1) return null;
  const first = (page - 1) * pageRows + 1;
  const shown = Math.min(page * pageRows, total);
  return (
    <nav class="row pager" aria-label="Pages of this list">
      {page > 1 && (
        <a
          class="button plain"
          rel="prev"
          href={`${request.path}?page=${Math.min(page - 1, last)}`}
        >
          Before
        </a>
      )}
      <span class="quiet">
        {first > total
          ? `There are ${countText(total)}`
          : `${countText(first)} to ${countText(shown)} of ${countText(total)}`}
      </span>
      {page < last && (
        <a class="button plain" rel="next" href={`${request.path}?page=${page + 1}`}>
          After
        </a>
      )}
    </nav>
  );
}
