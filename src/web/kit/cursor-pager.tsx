/** Lists that grow at their beginning, a page at a time: what is older than an id. */
import { idOf } from '../owner/inventory/lot-form.ts';
import type { PageRequest } from '../page.ts';

/** Before which id a request wants rows; null: the latest. */
export function cursorOf({ query }: Pick<PageRequest, 'query'>): number | null {
  return idOf(query.get('before') ?? undefined);
}

/** A page of rows, and whether there are more: one more is asked for than is shown. */
export async function cursorPage<T>(
  size: number,
  list: (limit: number) => Promise<readonly T[]>,
): Promise<{ readonly rows: readonly T[]; readonly hasMore: boolean }> {
  const rows = await list(size + 1);
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}

/** The ways to the latest and to older rows; nothing when all is on one page. */
export function CursorPager(props: {
  readonly request: Pick<PageRequest, 'path' | 'query'>;
  /** The id of the last row, when there are older ones. */
  readonly last: number | null;
}) {
  const { request, last } = props;
  const isFirst = cursorOf(request) === null;
  if (isFirst && last === null) return null;
  return (
    <nav class="row pager" aria-label="Pages of this list">
      {!isFirst && (
        <a class="button plain" href={request.path}>
          Latest
        </a>
      )}
      {last !== null && (
        <a class="button plain" rel="next" href={`${request.path}?before=${last}`}>
          Older
        </a>
      )}
    </nav>
  );
}
