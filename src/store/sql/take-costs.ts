/** What the units of sales cost, lot by lot, for sales from before that was recorded. */

/**
 * The cost of a sale, divided by what its lots say now, as `shareOut` does: rounded by the largest
 * remainder, so that the parts add up to it. Where all lots are free, they are alike.
 */
export const fillTakeCosts = `
  WITH taken AS (
    SELECT t.sale_id, t.lot_id, l.purchase_date, s.cost_cents::numeric AS whole,
      t.quantity * l.price_cents AS price,
      sum(t.quantity * l.price_cents) OVER (PARTITION BY t.sale_id) AS prices
    FROM private.ledger_take t JOIN private.ledger_sale s ON s.id = t.sale_id
    JOIN private.lot l ON l.id = t.lot_id
  ), weighed AS (
    SELECT sale_id, lot_id, purchase_date, whole,
      CASE WHEN prices = 0 THEN 1 ELSE price END AS weight,
      CASE WHEN prices = 0 THEN count(*) OVER (PARTITION BY sale_id) ELSE prices END AS weights
    FROM taken
  ), divided AS (
    SELECT sale_id, lot_id, purchase_date, whole, whole * weight % weights AS remainder,
      (whole * weight - whole * weight % weights) / weights AS share
    FROM weighed
  ), ranked AS (
    SELECT sale_id, lot_id, share, whole - sum(share) OVER (PARTITION BY sale_id) AS missing,
      row_number() OVER (
        PARTITION BY sale_id ORDER BY remainder DESC, purchase_date, lot_id) AS place
    FROM divided
  )
  UPDATE private.ledger_take
  SET cost_cents = share + CASE WHEN place <= missing THEN 1 ELSE 0 END
  FROM ranked
  WHERE ranked.sale_id = ledger_take.sale_id AND ranked.lot_id = ledger_take.lot_id;`;
