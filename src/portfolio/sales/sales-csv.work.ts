/** Recorded sales as CSV: the current view, or a tax year. */

import { csvCell, usdCell } from '../../kernel/csv-cell.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { readSales, type SaleEntry } from '../lots/collection.work.ts';
import { numberFields } from '../lots/lots.ts';
import { fieldCell } from '../lots/wire-fields.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import type { Proceeds, SaleAmounts, SaleFilter, SaleOrder } from './ledger.ts';
import { termFields } from './sale-fields.ts';
import { type SoldLot, soldLots } from './sold-lots.ts';

/** Sales per read. */
const pageRows = 1000;

const laterFields = termFields.filter(({ field }) => field !== 'saleDate');

const saleColumns = [
  'sale_date',
  'set_number',
  'title',
  ...laterFields.map(({ wire }) => wire),
  'net_proceeds_usd',
  'cost_basis_usd',
  'profit_loss_usd',
];

type SalesQuery = SaleFilter & { readonly order: SaleOrder };

/** One row per sale. */
export async function* salesCsv(
  portfolio: PortfolioData,
  accountId: number,
  query: SalesQuery,
): AsyncGenerator<string> {
  yield lineOf([...saleColumns, 'sale_id', 'minifig_number']);
  for await (const sales of salePages(portfolio, accountId, query)) {
    yield sales
      .map((entry) => {
        const { sale, proceeds } = entry;
        return lineOf([...cellsOf(entry, { ...sale, ...proceeds }), sale.id, minifigCell(entry)]);
      })
      .join('');
  }
}

/** A collection, and all of its lots. */
export interface SoldFrom {
  readonly brickfolioId: number;
  readonly lotIds: ReadonlySet<number>;
}

/**
 * The sales of a year, oldest first, with one row per lot of a sale, oldest purchase first; only
 * lots of a collection, if one is given.
 */
export async function* taxYearCsv(
  portfolio: PortfolioData,
  accountId: number,
  year: string,
  from: SoldFrom | null = null,
): AsyncGenerator<string> {
  yield lineOf([...saleColumns, 'purchase_date', 'sale_id', 'term', 'lot_id', 'minifig_number']);
  const span = { from: `${year}-01-01`, to: `${year}-12-31` };
  const order = { by: 'date', isDescending: false } as const;
  const brickfolioId = from?.brickfolioId ?? null;
  for await (const sales of salePages(portfolio, accountId, { span, order, brickfolioId })) {
    const parts = await saleParts(portfolio, accountId, sales, from);
    const lines = parts.map(({ entry, part }) => {
      const { date = null, term = null, lotId = null } = part.bought ?? {};
      const cells = [...cellsOf(entry, part), date, entry.sale.id, term, lotId];
      return lineOf([...cells, minifigCell(entry)]);
    });
    yield lines.join('');
  }
}

/** Sales divided by lot; only the lots of a collection, if one is given. */
export async function saleParts(
  { accounts }: PortfolioData,
  accountId: number,
  sales: readonly SaleEntry[],
  from: SoldFrom | null,
): Promise<{ readonly entry: SaleEntry; readonly part: SoldLot }[]> {
  const ids = sales.map(({ sale }) => sale.id);
  const takes = await accounts.listTakes(accountId, ids);
  return sales.flatMap((entry) =>
    soldLots(entry.sale, takes.get(entry.sale.id) ?? [])
      .filter(({ bought }) => from === null || (bought && from.lotIds.has(bought.lotId)))
      .map((part) => ({ entry, part })),
  );
}

async function* salePages(
  portfolio: PortfolioData,
  accountId: number,
  query: SalesQuery,
): AsyncGenerator<readonly SaleEntry[]> {
  for (let offset = 0; ; offset += pageRows) {
    const { sales } = await readSales(portfolio, accountId, { limit: pageRows, offset, ...query });
    yield sales;
    if (sales.length < pageRows) return;
    await yieldToEventLoop();
  }
}

/** The cells of a sale, or of its part from one lot. */
function cellsOf(
  { sale, item }: SaleEntry,
  part: SaleAmounts & Proceeds & { readonly quantity: number },
): string[] {
  const { set_number: number } = numberFields({ kind: sale.kind, number: item.number });
  const values = { ...sale, ...part };
  return [
    ...[sale.saleDate, number, item.title].map(csvCell),
    ...laterFields.map((row) => fieldCell(row, values[row.field])),
    ...[part.netCents, part.costCents, part.profitCents].map(usdCell),
  ];
}

function minifigCell({ sale, item }: SaleEntry): string {
  return csvCell(numberFields({ kind: sale.kind, number: item.number }).minifig_number);
}

function lineOf(cells: readonly (string | number | null)[]): string {
  return `${cells.join(',')}\r\n`;
}
