/** Lists: the card with the table, or why it is empty, and the pages of long ones. */
import type { ComponentChildren } from 'preact';
import type { PageRange } from '../../kernel/page.ts';
import type { PageRequest } from '../page.ts';
import { changedAddress, idOf } from './address.ts';
import { Card, EmptyState } from './card.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { isGood, type Typed, untyped } from './fields.tsx';
import { countText } from './format.ts';

interface Pages {
  readonly request: Pick<PageRequest, 'path' | 'query'>;
  /** The number of rows on all pages. */
  readonly total: number;
}

/** A list of unknown length, or with other pages than usual, has a pager of its own. */
export function List<Row>(
  props: DataTableProps<Row> & {
    /** The filters, if they can be rejected. */
    readonly typed?: Typed;
    readonly heading?: ComponentChildren;
    readonly empty?: ComponentChildren;
  } & (Pages | { readonly pager: ComponentChildren }),
) {
  const { typed = untyped, heading, empty, ...table } = props;
  return (
    <Card>
      {heading}
      {table.rows.length > 0 ? (
        <DataTable {...table} />
      ) : isGood(typed) ? (
        empty
      ) : (
        <EmptyState title="Correct the fields marked above" />
      )}
      {'pager' in props ? props.pager : <PagePager request={props.request} total={props.total} />}
    </Card>
  );
}

export const pageRows = 50;

/** The requested page, starting at 1; anything else is the first. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

export function pageRange({ query }: Pick<PageRequest, 'query'>, rows = pageRows): PageRange {
  return { limit: rows, offset: (pageOf(query) - 1) * rows };
}

/** The address of the last page, if a page after it is requested; otherwise null. */
export function lastPagePath(
  request: Pick<PageRequest, 'path' | 'query'>,
  total: number,
  rows = pageRows,
): string | null {
  const last = Math.max(1, Math.ceil(total / rows));
  if (pageOf(request.query) <= last) return null;
  return changedAddress(request, { page: last === 1 ? '' : last });
}

/** Links to the previous and the next page; nothing if there is only one. */
export function Pager(props: {
  /** The position in the list, such as 1–50 of 1,234. */
  readonly shown?: string;
  readonly previous: string | null;
  readonly next: string | null;
}) {
  const { shown, previous, next } = props;
  if (previous === null && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages of this list">
      {shown && <span class="quiet">{shown}</span>}
      {previous !== null && (
        <a class="button plain" rel="prev" href={previous}>
          Previous
        </a>
      )}
      {next !== null && (
        <a class="button plain" rel="next" href={next}>
          Next
        </a>
      )}
    </nav>
  );
}

export function PagePager(props: {
  readonly request: Pick<PageRequest, 'path' | 'query'>;
  readonly total: number;
  readonly rows?: number;
}) {
  const { request, total, rows = pageRows } = props;
  const page = pageOf(request.query);
  const last = Math.ceil(total / rows);
  const to = (other: number) => changedAddress(request, { page: other === 1 ? '' : other });
  return (
    <Pager
      shown={pageShown(page, rows, total)}
      previous={page > 1 ? to(page - 1) : null}
      next={page < last ? to(page + 1) : null}
    />
  );
}

export function pageShown(page: number, rows: number, total: number): string {
  const first = (page - 1) * rows + 1;
  const end = Math.min(page * rows, total);
  return `${countText(first)}–${countText(end)} of ${countText(total)}`;
}

/** A page of a list of unknown length, newest first. */
export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly isFirst: boolean;
  readonly hasMore: boolean;
}

/** Reads the requested page; `before` is the id of the last row of the page before it. */
export async function readCursorPage<Row>(
  query: URLSearchParams,
  size: number,
  list: (page: { before: number | null; limit: number }) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> {
  const before = idOf(query.get('before'));
  // One row more than is shown tells whether there are more.
  const rows = await list({ before, limit: size + 1 });
  return { rows: rows.slice(0, size), isFirst: before === null, hasMore: rows.length > size };
}

export function CursorPager(props: {
  readonly path: string;
  /** Filters that all pages keep. */
  readonly query?: URLSearchParams;
  readonly page: CursorPage<{ readonly id: number }>;
}) {
  const { path, query = new URLSearchParams(), page } = props;
  const to = (before: number | null) => changedAddress({ path, query }, { before });
  const next = page.hasMore ? to(page.rows.at(-1)?.id ?? null) : null;
  return <Pager previous={page.isFirst ? null : to(null)} next={next} />;
}
