/**
 * The figures of recorded sales in statements, equal to those of the domain (`feeTotal`,
 * `proceedsOf`). `s` is `private.ledger_sale`, and `t` one of its `private.ledger_take`.
 */
const fees = '(s.platform_fees_cents + s.payment_fees_cents)';
const net = `(s.gross_cents - ${fees} - s.shipping_cents)`;
const profit = `(${net} - s.cost_cents)`;

/** Multiplied by 1.0, because SQLite divides integers without fractions. */
export const saleFigures = {
  fees,
  net,
  profit,
  /** A fraction; null if the cost is 0. */
  roi: `${profit}::float8 * 1.0 / nullif(s.cost_cents, 0)`,
  /** Net proceeds of the units of a take: the units of a sale share its net evenly. */
  netOfTake: `${net}::float8 * 1.0 * t.quantity / s.quantity`,
};
