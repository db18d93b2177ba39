/** The lots of a view as a table that spreadsheets open. */
import { csvCell, usdCell } from '../../../domain/kernel/csv-cell.ts';
import { yieldToEventLoop } from '../../../domain/kernel/event-loop.ts';
import { percentOf } from '../../../domain/kernel/money.ts';
import { type InventoryRow, rowGainCents } from '../../../domain/portfolio/inventory.ts';

/** The columns, and what stands in them. */
const columns: readonly (readonly [name: string, cell: (row: InventoryRow) => string])[] = [
  ['lot_id', ({ lot }) => String(lot.id)],
  ['set_number', ({ set }) => csvCell(set.number)],
  ['title', ({ set }) => csvCell(set.title)],
  ['theme', ({ set }) => csvCell(set.theme || null)],
  ['collection', ({ brickfolio }) => csvCell(brickfolio)],
  ['condition', ({ lot }) => lot.condition],
  ['quantity', ({ units }) => String(units)],
  ['quantity_bought', ({ lot }) => String(lot.quantity)],
  ['purchase_price_usd', ({ lot }) => usdCell(lot.priceCents)],
  ['price_is_estimated', ({ lot }) => String(lot.isEstimated)],
  ['purchase_date', ({ lot }) => (lot.dateBasis === 'unknown' ? '' : lot.purchaseDate)],
  ['purchase_date_is', ({ lot }) => lot.dateBasis],
  ['status', ({ lot }) => lot.status],
  ['cost_basis_usd', ({ costCents }) => usdCell(costCents)],
  ['unit_value_usd', ({ unitCents }) => usdCell(unitCents)],
  [
    'market_value_usd',
    ({ unitCents, units }) => usdCell(unitCents === null ? null : unitCents * units),
  ],
  ['value_confidence', ({ tier }) => tier ?? ''],
  ['gain_usd', (row) => usdCell(rowGainCents(row))],
  ['gain_pct', gainCell],
];

/** Rows that are written at once. */
const rowsAtOnce = 2_000;

/** The table, in the order of the view. */
export async function* inventoryCsv(rows: readonly InventoryRow[]): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`;
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = rows.slice(from, from + rowsAtOnce);
    yield part.map((row) => `${columns.map(([, cell]) => cell(row)).join(',')}\r\n`).join('');
    await yieldToEventLoop();
  }
}

function gainCell(row: InventoryRow): string {
  const gain = rowGainCents(row);
  return gain === null || row.costCents === 0 ? '' : percentOf(gain, row.costCents).toFixed(2);
}
