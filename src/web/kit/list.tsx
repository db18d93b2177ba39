/** The card of a list: its table, or why it is empty, and its pager. */
import type { ComponentChildren } from 'preact';
import type { PageRequest } from '../page.ts';
import { Card } from './card.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { isGood, type Typed, untyped } from './fields.tsx';
import { PagePager } from './pager.tsx';

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
    /** Shown if there are no rows. */
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
