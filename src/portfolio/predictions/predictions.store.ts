/** Predictions of purchases and their results. They are written and removed with their lots. */
import type { Grade, LotPrediction } from '../../buying/prices/prediction.ts';
import type { RowsAfter } from '../../kernel/page.ts';
import * as db from '../../store/sql/operation.ts';
import { saleFigures } from '../../store/sql/sale-figures.ts';
import { columnsOf, fieldsOf, tables } from '../../store/sql/tables.ts';
import type { Recorded } from '../lots/lots.ts';

const fields = fieldsOf(tables.lotPrediction, ['lotId', 'accountId']);
const columns = columnsOf(tables.lotPrediction, 'p', fields);

export function predictionStore(engine: db.Engine) {
  return db.methods(engine.run, { gradePurchases, findPrediction, listPredictions });
}

function findPrediction(accountId: number, lotId: number): db.Reading<LotPrediction | null> {
  return db.findRow(tables.lotPrediction, { accountId, lotId }, fields);
}

/** With the source ids of their lots, in order of recording. */
function listPredictions(
  accountId: number,
  { after, limit }: RowsAfter,
): db.Reading<Recorded<LotPrediction & { lot: string }>[]> {
  return db.query<Recorded<LotPrediction & { lot: string }>>(
    `SELECT p.lot_id::float8 AS sequence, lot.source_id AS lot, ${columns}
     FROM private.lot_prediction p JOIN private.lot ON lot.id = p.lot_id
     WHERE p.account_id = $1::bigint AND p.lot_id > $2::bigint
     ORDER BY p.lot_id LIMIT $3::bigint`,
    [accountId, after, limit],
  );
}

/** The results of predicted units that were sold, of one lot or all. */
function* gradePurchases(accountId: number, lotId?: number): db.Reading<Grade> {
  const one = lotId === undefined ? '' : 'AND p.lot_id = $2::bigint';
  const grade = yield* db.first<{ readonly [Field in keyof Grade]: number | null }>(
    `SELECT sum(t.quantity)::float8 AS units,
       sum(t.quantity * l.price_cents)::float8 AS "costCents",
       sum(t.quantity * p.net_half_cents)::float8 AS "predictedCents",
       sum(${saleFigures.netOfTake})::float8 AS "gotCents",
       sum(CASE WHEN ${saleFigures.net} >= p.net_safe_cents * s.quantity
         THEN t.quantity ELSE 0 END)::float8 AS cleared
     FROM private.lot_prediction p JOIN private.lot l ON l.id = p.lot_id
     JOIN private.ledger_take t ON t.lot_id = p.lot_id
     JOIN private.ledger_sale s ON s.id = t.sale_id
     WHERE p.account_id = $1::bigint ${one}`,
    lotId === undefined ? [accountId] : [accountId, lotId],
  );
  return {
    units: grade?.units ?? 0,
    costCents: grade?.costCents ?? 0,
    predictedCents: grade?.predictedCents ?? 0,
    gotCents: Math.round(grade?.gotCents ?? 0),
    cleared: grade?.cleared ?? 0,
  };
}
