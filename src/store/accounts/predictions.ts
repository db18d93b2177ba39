/** Predictions of purchases, and what became of them. */
import type { Grade, LotPrediction } from '../../domain/buying/prediction.ts';
import type { Recorded } from '../../domain/portfolio/lot-store.ts';
import type { PredictionStore } from '../../domain/portfolio/prediction-store.ts';
import { type Engine, first, type Operation, query } from '../sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';

const columns = columnsOf(
  tables.lotPrediction,
  'p',
  fieldsOf(tables.lotPrediction, ['lotId', 'accountId']),
);

/** Reading predictions. */
export function predictionStore(engine: Engine): PredictionStore {
  return {
    findPrediction: (accountId, lotId) =>
      engine.run(() =>
        first<LotPrediction>(
          `SELECT ${columns} FROM private.lot_prediction p
           WHERE p.account_id = $1::bigint AND p.lot_id = $2::bigint`,
          [accountId, lotId],
        ),
      ),
    listPredictions: (accountId, { after, limit }) =>
      engine.run(() =>
        query<Recorded<LotPrediction & { lot: string }>>(
          `SELECT p.lot_id::float8 AS place, lot.source_id AS lot, ${columns}
           FROM private.lot_prediction p JOIN private.lot ON lot.id = p.lot_id
           WHERE p.account_id = $1::bigint AND p.lot_id > $2::bigint
           ORDER BY p.lot_id LIMIT $3::bigint`,
          [accountId, after, limit],
        ),
      ),
    gradePurchases: (accountId, lotId) => engine.run(() => gradePurchases(accountId, lotId)),
  };
}

/** What a whole sale netted; of its units each one an even part. */
const net =
  '(s.gross_cents - s.platform_fees_cents - s.payment_fees_cents - s.shipping_cents)::float8';

function* gradePurchases(accountId: number, lotId?: number): Operation<Grade> {
  const one = lotId === undefined ? '' : 'AND p.lot_id = $2::bigint';
  const grade = yield* first<{ readonly [Field in keyof Grade]: number | null }>(
    `SELECT sum(t.quantity)::float8 AS units,
       sum(t.quantity * l.price_cents)::float8 AS "costCents",
       sum(t.quantity * p.net_half_cents)::float8 AS "predictedCents",
       sum(t.quantity * ${net} / s.quantity)::float8 AS "gotCents",
       sum(CASE WHEN ${net} >= p.net_safe_cents * s.quantity THEN t.quantity ELSE 0 END)::float8
         AS cleared
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
