/** Recognizes tables with collections or sales by their columns. */

import { SourceFileError } from '../readers/source-file.work.ts';
import type { Table, TableRow } from '../readers/table.work.ts';
import { columnsNamed, correctedTable } from '../runner/corrections.work.ts';
import type { ReadOptions } from '../runner/format.work.ts';
import { isRejection, rejectedRow, type SourceItem } from '../runner/located-row.ts';
import {
  type AmazonReport,
  dateRange,
  rangeColumns,
  readAmazonReport,
  settlement,
  settlementColumns,
} from './amazon.work.ts';
import { brickLinkColumns, readBrickLinkCsv } from './bricklink-downloads.work.ts';
import { toOrder } from './bricklink-order.work.ts';
import {
  brickmarkColumns,
  brickmarkCorrectable,
  readBrickmarkRow,
} from './brickmark-export.work.ts';
import {
  brickEconomy,
  brickEconomyOld,
  bricksetA,
  bricksetB,
  type CollectionTable,
  minifigList,
  readCollectionRow,
  rebrickableList,
} from './collection-tables.work.ts';
import { withDayOrder } from './day-order.work.ts';
import { ebayColumns, ebayCorrectable, readEbay } from './ebay.work.ts';
import { readMappedTable } from './mapped-table.work.ts';
import type { Order } from './order.ts';
import type { Writers } from './writers.work.ts';

interface TableKind {
  /** As shown to users. */
  readonly name: string;
  /** All of these must exist. */
  readonly columns: readonly string[];
  /** Those that owners can correct in the preview, as far as the table has them. */
  readonly correctable?: readonly string[];
  read(table: Table, writers: Writers, options: ReadOptions): AsyncGenerator<SourceItem[]>;
}

/** The first match wins. */
const tableKinds: readonly TableKind[] = [
  {
    name: 'Brickmark export',
    columns: brickmarkColumns,
    correctable: brickmarkCorrectable,
    read: readBrickmark,
  },
  { name: 'BrickLink orders', columns: brickLinkColumns, read: readBrickLink },
  { name: 'eBay orders', columns: ebayColumns, correctable: ebayCorrectable, read: readEbayOrders },
  {
    name: 'Amazon settlement',
    columns: settlementColumns,
    read: (table, writers, options) => readAmazon(table, settlement, writers, options),
  },
  {
    name: 'Amazon date range report',
    columns: rangeColumns,
    read: (table, writers, options) => readAmazon(table, dateRange, writers, options),
  },
  {
    name: 'BrickEconomy collection',
    columns: ['Number', 'Paid', 'Condition'],
    correctable: ['Number', 'Owned', 'Condition', 'Paid', 'Date'],
    read: collectionReader(brickEconomy),
  },
  {
    name: 'BrickEconomy collection',
    columns: ['Number', 'Owned', 'Retail'],
    correctable: ['Number', 'Owned'],
    read: collectionReader(brickEconomyOld),
  },
  {
    name: 'Brickset collection',
    columns: ['Number', 'Qty owned'],
    correctable: ['Number', 'Qty owned', 'Qty owned new', 'Qty owned used'],
    read: collectionReader(bricksetA),
  },
  {
    name: 'Brickset collection',
    columns: ['Number', 'QtyOwned'],
    correctable: ['Number', 'Variant', 'QtyOwned', 'QtyOwnedNew', 'QtyOwnedUsed'],
    read: collectionReader(bricksetB),
  },
  {
    name: 'Rebrickable set list',
    columns: ['Set Number', 'Quantity', 'Includes Spares'],
    correctable: ['Set Number', 'Quantity'],
    read: collectionReader(rebrickableList),
  },
  ...['minifigure_no', 'minifig_number', 'fig_num', 'minifig no'].map((column) => ({
    name: 'Minifig list',
    columns: [column],
    correctable: [column, 'quantity', 'condition', 'purchase_price', 'price_paid', 'date_added'],
    read: collectionReader(minifigList(column)),
  })),
];

/** Unknown tables are mapped by their owner on the import page, and throw elsewhere. */
export function readTable(
  table: Table,
  writers: Writers,
  options: ReadOptions,
): AsyncGenerator<SourceItem[]> {
  const { answers, onRecognized } = options;
  const kind = tableKinds.find(({ columns }) => columns.every((column) => table.has(column)));
  if (kind) {
    onRecognized?.({ name: kind.name });
    const columns = columnsNamed(table, kind.correctable ?? []);
    const corrected = kind.correctable ? correctedTable(table, columns, options.corrector) : table;
    return kind.read(corrected, writers, options);
  }
  if (answers) return readMappedTable(table, writers.lots, { ...options, answers });
  throw new SourceFileError(
    `${table.name}:1: the columns match no supported file: ${tableKinds
      .map(({ name, columns }) => `${name} (${columns.join(', ')})`)
      .join('; ')}.`,
  );
}

function collectionReader(columns: CollectionTable): TableKind['read'] {
  const textOf = (row: TableRow) => row.text(columns.dateColumn ?? '') ?? '';
  return async function* (table, { lots }, { answers }) {
    const days = { textOf, order: answers?.dayOrder ?? null };
    for await (const { rows, order, unclearDay } of withDayOrder(table.rows(), days)) {
      const drafts = rows.flatMap((row) =>
        readCollectionRow(columns, row, order).map((draft) => ({ ...draft, ...unclearDay(row) })),
      );
      yield lots.toRows(drafts);
    }
  };
}

async function* readBrickmark(table: Table, writers: Writers): AsyncGenerator<SourceItem[]> {
  const own = writers.brickmark();
  for await (const rows of table.rows()) yield rows.map((row) => readBrickmarkRow(row, own));
}

async function* readBrickLink(
  table: Table,
  { orders }: Writers,
  { corrector }: ReadOptions,
): AsyncGenerator<SourceItem[]> {
  for await (const raw of readBrickLinkCsv(table)) {
    yield orders.toRows(raw.map((order) => toOrder(order, corrector)));
  }
}

async function* readEbayOrders(table: Table, { orders }: Writers): AsyncGenerator<SourceItem[]> {
  for await (const group of readEbay(table)) yield orders.toRows(group);
}

async function* readAmazon(
  table: Table,
  report: AmazonReport,
  { orders }: Writers,
  { corrector }: ReadOptions,
): AsyncGenerator<SourceItem[]> {
  for await (const group of readAmazonReport(table, report, corrector)) {
    yield group.filter(isRejection).map((each) => rejectedRow(each, each.reason));
    yield orders.toRows(group.filter((each): each is Order => !isRejection(each)));
  }
}
