/** Reads what sources show as the value of the parts of sets. */

import { formatDay } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { findRates } from '../rates/rates.store.ts';
import type { Condition, PartOutValue } from '../source-rows/source-rows.ts';
import type { ItemShownParts } from './parts.ts';

type PartsRow = PartOutValue & { readonly itemId: number };

/** By item; the latest row of each source. */
export function* loadParts(ids: readonly number[]): db.Reading<Map<number, ItemShownParts>> {
  const found = yield* db.query<PartsRow>(
    `SELECT ${columnsOf(tables.partOut, 'p')} FROM source.part_out p
     WHERE p.item_id = ANY($1::bigint[]) ORDER BY p.item_id, p.condition, p.source`,
    [ids],
  );
  const rates = yield* findRates(
    found.map(({ currency, observedAt }) => ({ currency, date: formatDay(observedAt) })),
  );
  const rows = found.map((row, index) => {
    const rate = rates[index] ?? null;
    return { ...row, amountCents: rate && Math.round(row.amountCents * rate) };
  });
  const byItem = Map.groupBy(rows, ({ itemId }) => itemId);
  return new Map(
    Array.from(byItem, ([id, own]) => {
      const of = (condition: Condition) => own.filter((row) => row.condition === condition);
      return [id, { sealed: of('sealed'), used: of('used') }];
    }),
  );
}
