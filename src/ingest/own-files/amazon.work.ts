/**
 * Amazon's seller reports: settlements, and transactions of a date range. An order and its refunds
 * are in several rows, which are combined.
 */

import { SourceFileError } from '../readers/source-file.work.ts';
import type { Table, TableRow } from '../readers/table.work.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import type { Rejection } from '../runner/located-row.ts';
import { type DayOrder, looseDay, looseMoney, looseWhole } from '../runner/loose.ts';
import { noAmounts, type Order } from './order.ts';

/** All sales are held in memory, because rows of an order may be far apart. */
const salesMax = 200_000;

/** Sums per order and SKU. */
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
  problem: string | null;
}

export interface AmazonReport {
  /** Whether the row is not a transaction, such as the total of a settlement. */
  isLeftOut(row: TableRow): boolean;
  readonly columns: Readonly<Record<'orderId' | 'type' | 'what' | 'date', string>>;
  currency(row: TableRow): string | null;
  /** Adds the amounts of a row; `isOrder` is false for a refund. */
  add(sale: AmazonSale, row: TableRow, isOrder: boolean): void;
}

/** Yields rejects as they occur, and all sales at the end. */
export async function* readAmazonReport(
  table: Table,
  report: AmazonReport,
  corrector?: Corrector,
): AsyncGenerator<(Order | Rejection)[]> {
  const sales = new Map<string, AmazonSale>();
  let currency = 'USD';
  for await (const rows of table.rows()) {
    const rejections: Rejection[] = [];
    for (const row of rows) {
      currency = report.currency(row) ?? currency;
      if (report.isLeftOut(row)) continue;
      const reason = addRow(sales, { row, currency, report });
      if (reason !== null) rejections.push({ where: row.where, text: row.line, reason: reason });
    }
    if (sales.size > salesMax) {
      throw new SourceFileError(`${table.name} has more than ${salesMax} sales; split the file.`);
    }
    yield rejections;
  }
  yield Array.from(sales.values(), (sale) => toOrder(sale, corrector));
}

/** Why the row is not part of a sale; null if it is. */
function addRow(
  sales: Map<string, AmazonSale>,
  given: { readonly row: TableRow; readonly currency: string; readonly report: AmazonReport },
): string | null {
  const { row, currency, report } = given;
  const { columns } = report;
  if (row.mismatch !== null) return row.mismatch;
  const [orderId, sku] = [row.text(columns.orderId), row.text('sku')];
  const type = row.text(columns.type) ?? '';
  if (orderId === null || sku === null) {
    return `'${row.text(columns.what) ?? type}' is not for an item of an order`;
  }
  const name = JSON.stringify([orderId, sku]);
  const known = sales.get(name) ?? newSale({ row, currency, orderId, sku });
  sales.set(name, known);
  const isOrder = /^order$/i.test(type);
  report.add(known, row, isOrder);
  known.hasOrder ||= isOrder;
  // The date of the order, not of its refund.
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
    problem: null,
  };
}

/** Dates with dots start with the day, dates with slashes with the month. */
function dayOf(text: string): string | null {
  const order: DayOrder = text.includes('/') ? 'month first' : 'day first';
  return looseDay(text, order);
}

/** The label of a sale can be corrected here, because it has the amounts of several rows. */
function toOrder(sale: AmazonSale, corrector?: Corrector): Order {
  const { row, quantity, grossCents, platformFeesCents, shippingCents } = sale;
  const { sku } = corrector?.correct(row.where, { sku: sale.sku }, { sku: 'SKU' }) ?? sale;
  const item = {
    where: row.where,
    text: row.line,
    id: sale.sku,
    kind: 'set' as const,
    set: { texts: [sku] },
    weight: 0,
    quantity: Math.max(1, quantity),
    condition: /used/i.test(sku) ? ('used' as const) : ('sealed' as const),
    own: { ...noAmounts, grossCents, platformFeesCents, shippingCents },
    problem: problemOf(sale),
  };
  return {
    platform: 'amazon',
    id: sale.orderId,
    kind: 'sale',
    date: sale.date ?? '',
    currency: sale.currency,
    shared: noAmounts,
    problem: null,
    items: [item],
  };
}

function problemOf(sale: AmazonSale): string | null {
  if (sale.problem !== null) return sale.problem;
  if (!sale.hasOrder) return 'a refund of an order that is not in this file';
  if (sale.grossCents <= 0) return 'the order was refunded';
  if (sale.date === null) return 'the order date is not recognized';
  return sale.platformFeesCents < 0 || sale.shippingCents < 0
    ? 'more fees were refunded than paid'
    : null;
}

export const settlementColumns = ['settlement-id', 'order-id', 'amount-type', 'amount', 'sku'];

/** Settlements (V2), with a row for each part of an amount. */
export const settlement: AmazonReport = {
  // The first row of a settlement is its total.
  isLeftOut: (row) => row.text('transaction-type') === null && row.text('total-amount') !== null,
  columns: {
    orderId: 'order-id',
    type: 'transaction-type',
    what: 'amount-description',
    date: 'posted-date',
  },
  currency: (row) => row.text('currency'),
  add: addPart,
};

/** Taxes are collected and withheld again, so they are no proceeds. */
function addPart(sale: AmazonSale, row: TableRow, isOrder: boolean): void {
  const type = row.text('amount-type') ?? '';
  const what = row.text('amount-description') ?? '';
  const cents = amount(sale, row, 'amount');
  if (/tax/i.test(type) || /tax/i.test(what)) return;
  if (/^itemfees$/i.test(type)) {
    if (/^(fba|fulfil)/i.test(what)) sale.shippingCents -= cents;
    else sale.platformFeesCents -= cents;
    return;
  }
  sale.grossCents += cents;
  if (isOrder && /^principal$/i.test(what) && /^itemprice$/i.test(type)) {
    sale.quantity += looseWhole(row.text('quantity-purchased') ?? '1') ?? 1;
  }
}

export const rangeColumns = ['date/time', 'order id', 'sku', 'product sales', 'selling fees'];

/** The header, which follows lines of explanations. */
export const rangeHeader = /^"?date\/time"?,/im;

/** Date range reports, in which a row has all amounts of a sale. */
export const dateRange: AmazonReport = {
  isLeftOut: () => false,
  columns: { orderId: 'order id', type: 'type', what: 'description', date: 'date/time' },
  currency: (row) => currencies.get((row.text('marketplace') ?? '').toLowerCase()) ?? null,
  add: (sale, row, isOrder) => {
    const sum = (columns: readonly string[]) =>
      columns.reduce((cents, column) => cents + amount(sale, row, column), 0);
    sale.grossCents += sum(proceeds);
    sale.platformFeesCents -= sum(['selling fees', 'other transaction fees']);
    sale.shippingCents -= sum(['fba fees']);
    if (isOrder) sale.quantity += looseWhole(row.text('quantity') ?? '1') ?? 1;
  },
};

const proceeds = ['product sales', 'shipping credits', 'gift wrap credits', 'promotional rebates'];

/** Currencies of marketplaces with reports in English. */
const currencies: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'amazon.com': 'USD',
    'amazon.ca': 'CAD',
    'amazon.co.uk': 'GBP',
    'amazon.com.au': 'AUD',
    'amazon.de': 'EUR',
    'amazon.fr': 'EUR',
    'amazon.it': 'EUR',
    'amazon.es': 'EUR',
  }),
);

function amount(sale: AmazonSale, row: TableRow, column: string): number {
  const text = row.text(column);
  if (text === null) return 0;
  const money = looseMoney(text);
  if (money === null) sale.problem ??= `'${column}' must be an amount, not '${text}'`;
  return money?.cents ?? 0;
}
