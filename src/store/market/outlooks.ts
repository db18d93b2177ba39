/** How uncertain the values of items are: what is written with their documents. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { PublishedItem } from '../../domain/market/publishing-store.ts';
import { type KeptOutlook, keepOutlook } from '../../domain/market/uncertainty.ts';
import { type Operation, saveRows } from '../sql/operation.ts';
import { fieldsOf, tables } from '../sql/tables.ts';

/** An item, and the row that is published of it. */
interface Published {
  readonly item: PublishedItem;
  readonly row: { readonly kind: ItemKind; readonly key: string };
}

interface OutlookRow extends KeptOutlook {
  readonly itemId: number;
  readonly kind: ItemKind;
  readonly key: string;
}

const fields = fieldsOf(tables.uncertainty) as (keyof OutlookRow & string)[];

/** Writes what plans need to know of items in place of what was there. */
export function* saveOutlooks(published: readonly Published[]): Operation<void> {
  const rows = published.map(({ item: { id, outlook }, row: { kind, key } }) => ({
    itemId: id,
    kind,
    key,
    ...keepOutlook(outlook),
  }));
  yield* saveRows<OutlookRow>(tables.uncertainty, fields, rows);
}
