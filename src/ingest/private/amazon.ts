/** Amazon's reports for sellers: settlements, and transactions of a range of dates. */
import { looseMoney, looseWhole } from '../loose.ts';
import type { TableRow } from '../readers/table.ts';
import type { AmazonReport, AmazonSale } from './amazon-sales.ts';

/** Columns by which settlements are known. */
export const settlementColumns = ['settlement-id', 'order-id', 'amount-type', 'amount', 'sku'];

/** Settlements (V2): a row for each part of an amount. */
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

/** Taxes come in and are withheld again; they are nobody's proceeds. */
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

/** Columns by which transactions of a range of dates are known. */
export const rangeColumns = ['date/time', 'order id', 'sku', 'product sales', 'selling fees'];

/** Where the header of such a file begins: explanations stand above it. */
export const rangeHeader = /^"?date\/time"?,/im;

/** Transactions of a range of dates: a row has all amounts of a sale. */
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

/** What marketplaces that write in English pay in. */
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
  if (money === null) sale.fault ??= `'${column}' must be an amount; it is '${text}'`;
  return money?.cents ?? 0;
}
