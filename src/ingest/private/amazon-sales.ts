/** Puts the sales of Amazon together, which come in several rows: an order, and its refunds. */
import { type DayOrder, looseDay } from '../loose.ts';
import type { Refusal } from '../placed.ts';
import { SourceFileError } from '../readers/source-file.ts';
import type { Table, TableRow } from '../readers/table.ts';
import { noAmounts, type Order } from './order.ts';

/** Rows of one order may stand far apart, so all are held: more than this is no report. */
const salesMax = 200_000;

/** What is put together of one order and stock number. */
export interface AmazonSale {
  readonly row: TableRow;
  readonly currency: string;
  readonly orderId: string;
  readonly sku: string;
  date: string | null;
  quantity: number;
  grossCents: number;
  platformFeesCents: number;
  shippingCents: number;
  hasOrder: boolean;
  fault: string | null;
}

/** How the rows of a report are understood. */
export interface AmazonReport {
  /** A row that is none, such as the total of a settlement. */
  isLeftOut(row: TableRow): boolean;
  /** The columns of these. */
  readonly columns: Readonly<Record<'orderId' | 'type' | 'what' | 'date', string>>;
  currency(row: TableRow): string | null;
  /** Adds the amounts of a row; `isOrder` is false for a refund. */
  add(sale: AmazonSale, row: TableRow, isOrder: boolean): void;
}

/** Reads a report: the rows that are no sales at once, the sales at its end. */
export async function* readAmazonReport(
  table: Table,
  report: AmazonReport,
): AsyncGenerator<(Order | Refusal)[]> {
  const sales = new Map<string, AmazonSale>();
  let currency = 'USD';
  for await (const rows of table.rows()) {
    const refusals: Refusal[] = [];
    for (const row of rows) {
      currency = report.currency(row) ?? currency;
      if (report.isLeftOut(row)) continue;
      const refusal = addRow(sales, { row, currency, report });
      if (refusal !== null) refusals.push({ where: row.where, text: row.line, reason: refusal });
    }
    if (sales.size > salesMax) {
      throw new SourceFileError(`${table.name} has more than ${salesMax} sales; split the file.`);
    }
    yield refusals;
  }
  yield [...sales.values()].map(toOrder);
}

/** Why a row is no part of a sale; null when it is. */
function addRow(
  sales: Map<string, AmazonSale>,
  given: { readonly row: TableRow; readonly currency: string; readonly report: AmazonReport },
): string | null {
  const { row, currency, report } = given;
  const { columns } = report;
  if (row.oddity !== null) return row.oddity;
  const [orderId, sku] = [row.text(columns.orderId), row.text('sku')];
  const type = row.text(columns.type) ?? '';
  if (orderId === null || sku === null) {
    return `'${row.text(columns.what) ?? type}' belongs to no item of an order`;
  }
  const name = JSON.stringify([orderId, sku]);
  const known = sales.get(name) ?? newSale({ row, currency, orderId, sku });
  sales.set(name, known);
  const isOrder = /^order$/i.test(type);
  report.add(known, row, isOrder);
  known.hasOrder ||= isOrder;
  // The day of the order, not of what was paid back later.
  if (isOrder || known.date === null) known.date = dayOf(row.text(columns.date) ?? '');
  return null;
}

function newSale(about: Pick<AmazonSale, 'row' | 'currency' | 'orderId' | 'sku'>): AmazonSale {
  return {
    ...about,
    date: null,
    quantity: 0,
    grossCents: 0,
    platformFeesCents: 0,
    shippingCents: 0,
    hasOrder: false,
    fault: null,
  };
}

/** With dots the day comes first, with slashes the month. */
function dayOf(text: string): string | null {
  const order: DayOrder = text.includes('/') ? 'month first' : 'day first';
  return looseDay(text, order);
}

function toOrder(sale: AmazonSale): Order {
  const { row, sku, quantity, grossCents, platformFeesCents, shippingCents } = sale;
  const item = {
    where: row.where,
    text: row.line,
    id: sku,
    set: { texts: [sku] },
    weight: 0,
    quantity: Math.max(1, quantity),
    condition: /used/i.test(sku) ? ('used' as const) : ('sealed' as const),
    own: { ...noAmounts, grossCents, platformFeesCents, shippingCents },
    fault: faultOf(sale),
  };
  return {
    platform: 'amazon',
    id: sale.orderId,
    kind: 'sale',
    date: sale.date ?? '',
    currency: sale.currency,
    shared: noAmounts,
    fault: null,
    items: [item],
  };
}

function faultOf(sale: AmazonSale): string | null {
  if (sale.fault !== null) return sale.fault;
  if (!sale.hasOrder) return 'a refund of an order that is not in this file';
  if (sale.grossCents <= 0) return 'the order was paid back';
  if (sale.date === null) return 'the day of the order cannot be read';
  return sale.platformFeesCents < 0 || sale.shippingCents < 0
    ? 'more fees were paid back than paid'
    : null;
}
