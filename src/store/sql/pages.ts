/** Parts of long lists. */
import type { Page, PageRange } from '../../domain/kernel/page.ts';
import { type Operation, queryLists, type Value } from './operation.ts';

/** Goes through rows in order of id; `read` reads some behind an id, `visit` may ask for more. */
export function* eachPart<Row extends { readonly id: number }>(
  read: (afterId: number) => Operation<readonly Row[]>,
  visit: (rows: readonly Row[]) => Operation<void> | undefined,
): Operation<void> {
  for (let afterId = 0; ; ) {
    const rows = yield* read(afterId);
    const last = rows.at(-1);
    if (!last) return;
    yield* visit(rows) ?? [];
    afterId = last.id;
  }
}

/** What a list is made of: `FROM … WHERE …`, the columns of a row, and the order. */
export interface ListSql {
  readonly columns: string;
  readonly from: string;
  readonly order: string;
}

/** A part of a list and how long the whole is, at one instant. */
export function* queryPage<Row extends object>(
  { columns, from, order }: ListSql,
  values: readonly Value[],
  { limit, offset }: PageRange,
): Operation<Page<Row>> {
  const given = values.length;
  const { total, rows } = yield* queryLists<{ total: { n: number }[]; rows: Row[] }>(
    {
      total: `SELECT count(*) AS n ${from}`,
      rows: `SELECT ${columns} ${from} ORDER BY ${order}
        LIMIT $${given + 1}::bigint OFFSET $${given + 2}::bigint`,
    },
    [...values, limit, offset],
  );
  return { total: total[0]?.n ?? 0, rows };
}
