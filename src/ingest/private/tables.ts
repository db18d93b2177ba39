/** The tables that hold collections or sales, recognized by their columns. */
import {
  isRejection,
  type LocatedRow,
  rejectedRow,
  rejectionRow,
  type SourceItem,
} from '../located-row.ts';
import { looseWhole } from '../loose.ts';
import { SourceFileError } from '../readers/source-file.ts';
import type { Table, TableRow } from '../readers/table.ts';
import {
  type AmazonReport,
  dateRange,
  rangeColumns,
  readAmazonReport,
  settlement,
  settlementColumns,
} from './amazon.ts';
import { brickLinkColumns, readBrickLinkCsv } from './bricklink-csv.ts';
import { toOrder } from './bricklink-order.ts';
import { brickmarkColumns, readBrickmarkRow } from './brickmark-export.ts';
import {
  brickEconomy,
  brickEconomyOld,
  bricksetA,
  bricksetB,
  type CollectionTable,
  readCollectionRow,
  rebrickableList,
} from './collection-tables.ts';
import { withDayOrder } from './day-order.ts';
import { ebayColumns, readEbay } from './ebay.ts';
import type { Order } from './order.ts';
import type { Writers } from './writers.ts';

/** A table that is known. */
interface TableKind {
  /** As people call it. */
  readonly name: string;
  /** It is this one when it has all of these. */
  readonly columns: readonly string[];
  read(table: Table, writers: Writers): AsyncGenerator<SourceItem[]>;
}

/** The first that fits is the one. */
const tableKinds: readonly TableKind[] = [
  { name: "Brickmark's own export", columns: brickmarkColumns, read: readBrickmark },
  { name: 'BrickLink orders', columns: brickLinkColumns, read: readBrickLink },
  { name: 'eBay orders', columns: ebayColumns, read: readEbayOrders },
  {
    name: 'an Amazon settlement',
    columns: settlementColumns,
    read: (table, writers) => readAmazon(table, settlement, writers),
  },
  {
    name: "Amazon's transactions of a range of dates",
    columns: rangeColumns,
    read: (table, writers) => readAmazon(table, dateRange, writers),
  },
  {
    name: 'a BrickEconomy collection',
    columns: ['Number', 'Paid', 'Condition'],
    read: (table, writers) => readCollection(table, brickEconomy, writers),
  },
  {
    name: 'an older BrickEconomy collection',
    columns: ['Number', 'Owned', 'Retail'],
    read: (table, writers) => readCollection(table, brickEconomyOld, writers),
  },
  {
    name: "Brickset's export",
    columns: ['Number', 'Qty owned'],
    read: (table, writers) => readCollection(table, bricksetA, writers),
  },
  {
    name: "Brickset's other export",
    columns: ['Number', 'QtyOwned'],
    read: (table, writers) => readCollection(table, bricksetB, writers),
  },
  {
    name: 'a Rebrickable set list',
    columns: ['Set Number', 'Quantity', 'Includes Spares'],
    read: (table, writers) => readCollection(table, rebrickableList, writers),
  },
];

/** Columns that only lists of minifigs have. */
const minifigColumns = ['minifigure_no', 'minifig_number', 'fig_num', 'minifig no'];

/** Reads a table as what its columns say it is; throws with what is known when they say nothing. */
export function readTable(table: Table, writers: Writers): AsyncGenerator<SourceItem[]> {
  const kind = tableKinds.find(({ columns }) => columns.every((column) => table.has(column)));
  if (kind) return kind.read(table, writers);
  const minifigs = minifigColumns.find((column) => table.has(column));
  if (minifigs !== undefined) return readMinifigs(table, minifigs);
  throw new SourceFileError(
    `${table.name}:1: the columns are those of no file that is known, which are: ${tableKinds
      .map(({ name, columns }) => `${name} (${columns.join(', ')})`)
      .join('; ')}.`,
  );
}

async function* readCollection(
  table: Table,
  columns: CollectionTable,
  { lots }: Writers,
): AsyncGenerator<SourceItem[]> {
  for await (const { rows, order } of withDayOrder(table.rows(), columns.dateColumn ?? '')) {
    yield await lots.toRows(rows.flatMap((row) => readCollectionRow(columns, row, order)));
  }
}

async function* readBrickmark(table: Table, writers: Writers): AsyncGenerator<SourceItem[]> {
  const own = writers.brickmark();
  for await (const rows of table.rows()) yield rows.map((row) => readBrickmarkRow(row, own));
}

async function* readBrickLink(table: Table, { orders }: Writers): AsyncGenerator<SourceItem[]> {
  for await (const raw of readBrickLinkCsv(table)) yield await orders.toRows(raw.map(toOrder));
}

async function* readEbayOrders(table: Table, { orders }: Writers): AsyncGenerator<SourceItem[]> {
  for await (const group of readEbay(table)) yield await orders.toRows(group);
}

async function* readAmazon(
  table: Table,
  report: AmazonReport,
  { orders }: Writers,
): AsyncGenerator<SourceItem[]> {
  for await (const group of readAmazonReport(table, report)) {
    yield group.filter(isRejection).map((each) => rejectedRow(each, each.reason));
    yield await orders.toRows(group.filter((each): each is Order => !isRejection(each)));
  }
}

/** A list of minifigs is understood, and every row of it refused. */
async function* readMinifigs(table: Table, column: string): AsyncGenerator<SourceItem[]> {
  for await (const rows of table.rows()) yield rows.map((row) => refusedMinifig(row, column));
}

function refusedMinifig(row: TableRow, column: string): LocatedRow {
  const number = row.text(column) ?? '';
  const reason = `'${number}' is a minifig; brickfolios hold sets`;
  const quantity = looseWhole(row.text('quantity') ?? '1') ?? 0;
  const { where, text } = row.location;
  if (number === '' || quantity === 0) return rejectedRow(row.location, reason);
  // Lists of minifigs are of loose ones, unless they say otherwise.
  const condition = /^(new|sealed)/i.test(row.text('condition') ?? '') ? 'sealed' : 'used';
  return rejectionRow({ where, text, reason, minifig: { number, quantity, condition } });
}
