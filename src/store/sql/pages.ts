/** Reading rows in pages. */
import type { Page, PageRange } from '../../kernel/page.ts';
import * as db from './operation.ts';

/** Iterates over rows in order of id; `read` loads rows after an id. */
export function* eachPart<Row extends { readonly id: number }>(
  read: (afterId: number) => db.Operation<readonly Row[]>,
  visit: (rows: readonly Row[]) => db.Operation<void> | undefined,
): db.Operation<void> {
  for (let afterId = 0; ; ) {
    const rows = yield* read(afterId);
    const last = rows.at(-1);
    if (!last) return;
    yield* visit(rows) ?? [];
    afterId = last.id;
  }
}

/** A list: `FROM … WHERE …`, columns and order. */
export interface ListSql {
  readonly columns: string;
  readonly from: string;
  readonly order: string;
}

/** A page of a list and its total, on one snapshot. */
export function* queryPage<Row extends object>(
  { columns, from, order }: ListSql,
  values: readonly db.Value[],
  { limit, offset }: PageRange,
): db.Reading<Page<Row>> {
  const given = values.length;
  const { total, rows } = yield* db.queryLists<{ total: { n: number }[]; rows: Row[] }>(
    {
      total: `SELECT count(*) AS n ${from}`,
      rows: `SELECT ${columns} ${from} ORDER BY ${order}
        LIMIT $${given + 1}::bigint OFFSET $${given + 2}::bigint`,
    },
    [...values, limit, offset],
  );
  return { total: total[0]?.n ?? 0, rows };
}
