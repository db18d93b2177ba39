/** Collection exports of other services. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Grade } from '../../market/grades/grades.ts';
import { type Condition, usualCondition } from '../../market/source-rows/source-rows.ts';
import type { HoldingStatus } from '../../portfolio/lots/lots.ts';
import type { TableRow } from '../readers/table.work.ts';
import { RowError, readOr } from '../runner/fields.ts';
import type { Rejection } from '../runner/located-row.ts';
import { type DayOrder, type LooseMoney, looseDay } from '../runner/loose.ts';
import { noteOf } from './imported-lot-details.ts';
import {
  type LotDraft,
  readCondition,
  readGraded,
  readMoney,
  readWhole,
} from './lot-writer.work.ts';

interface Share {
  readonly condition: Condition;
  readonly quantity: number;
  readonly grade?: Grade | null;
  /** Remarks about these copies that no field can hold. */
  readonly note?: string | null;
}

/** How to read the rows of a service's table. */
export interface CollectionTable {
  /** The prefix of source IDs. */
  readonly source: string;
  readonly kind?: ItemKind;
  readonly dateColumn: string | null;
  number(row: TableRow): string;
  shares(row: TableRow): Share[];
  price(row: TableRow): LooseMoney | null;
  retail(row: TableRow): LooseMoney | null;
  status?(row: TableRow): HoldingStatus;
  /** The column with the owner's notes. */
  readonly notesColumn?: string;
  readonly nameColumn?: string;
}

/** BrickEconomy, with a row for each copy and its price. */
export const brickEconomy: CollectionTable = {
  source: 'brickeconomy',
  dateColumn: 'Date',
  number: (row) => required(row, 'Number'),
  shares: (row) => [
    { ...readGraded(row.text('Condition') ?? 'New'), quantity: owned(row, 'Owned') },
  ],
  price: (row) => money(row, 'Paid'),
  retail: (row) => money(row, 'Retail'),
  notesColumn: 'Notes',
  nameColumn: 'Name',
};

/** BrickEconomy's older export, with quantities but no prices. */
export const brickEconomyOld: CollectionTable = { ...brickEconomy, dateColumn: null };

/** Brickset's export with spaces in its column names. */
export const bricksetA: CollectionTable = {
  source: 'brickset',
  dateColumn: null,
  number: (row) => required(row, 'Number'),
  shares: (row) =>
    split(row, { all: 'Qty owned', fresh: 'Qty owned new', used: 'Qty owned used', mark: null }),
  price: () => null,
  retail: (row) => money(row, 'RRP (USD)'),
  notesColumn: 'Notes',
  nameColumn: 'Set name',
};

/** Brickset's export without spaces, in which the variant has its own column. */
export const bricksetB: CollectionTable = {
  ...bricksetA,
  number: (row) => {
    const number = required(row, 'Number');
    const variant = row.text('Variant');
    if (variant !== null) return `${number}-${variant}`;
    // Some exports have the variant only in the picture's name.
    const picture = row.text('ImageFilename') ?? '';
    return picture.startsWith(`${number}-`) ? picture : number;
  },
  shares: (row) =>
    split(row, { all: 'QtyOwned', fresh: 'QtyOwnedNew', used: 'QtyOwnedUsed', mark: 'Own' }),
  retail: (row) => money(row, 'USRetailPrice'),
  notesColumn: 'UserNotes',
  nameColumn: 'SetName',
};

export const rebrickableList: CollectionTable = {
  source: 'rebrickable',
  dateColumn: null,
  number: (row) => required(row, 'Set Number'),
  shares: (row) => [{ condition: 'sealed', quantity: owned(row, 'Quantity') }],
  price: () => null,
  retail: () => null,
};

/** Minifigs with the number in a column; most lists have no prices paid, but market prices. */
export function minifigList(column: string): CollectionTable {
  return {
    source: 'minifigs',
    kind: 'minifig',
    dateColumn: 'date_added',
    number: (row) => required(row, column),
    shares: (row) => [
      { condition: minifigCondition(row.text('condition')), quantity: owned(row, 'quantity') },
    ],
    price: (row) => money(row, 'purchase_price') ?? money(row, 'price_paid'),
    retail: (row) => money(row, 'six_month_avg_usd') ?? money(row, 'current_avg_usd'),
    status: (row) => (/^(for.?sale|listed)$/i.test(row.text('list') ?? '') ? 'listed' : 'owned'),
    notesColumn: 'notes',
  };
}

/** Minifigs are usually loose. */
function minifigCondition(text: string | null): Condition {
  return text === null ? usualCondition('minifig') : readCondition(text);
}

/** One lot per condition. */
export function readCollectionRow(
  table: CollectionTable,
  row: TableRow,
  order: DayOrder,
): (LotDraft | Rejection)[] {
  const location = { where: row.where, text: row.line };
  return readOr<(LotDraft | Rejection)[]>(
    () => {
      if (row.mismatch !== null) throw new RowError(row.mismatch);
      const number = table.number(row);
      const retail = table.retail(row);
      const about = {
        ...location,
        id: { source: table.source },
        ...(table.kind && { kind: table.kind }),
        ...(table.status && { status: table.status(row) }),
        number,
        name: row.text(table.nameColumn ?? ''),
        price: table.price(row),
        date: table.dateColumn === null ? null : day(row, table.dateColumn, order),
        // Retail prices of other countries cannot be converted to MSRPs.
        retailCents: retail && (retail.currency ?? 'USD') === 'USD' ? retail.cents || null : null,
      };
      const notes = row.text(table.notesColumn ?? '');
      return table.shares(row).map(({ grade = null, note = null, ...share }) => ({
        ...about,
        ...share,
        details: { notes: noteOf(notes, note), grade },
      }));
    },
    (reason) => [{ ...location, reason }],
  );
}

function required(row: TableRow, column: string): string {
  const text = row.text(column);
  if (text === null) throw new RowError(`'${column}' is empty`);
  return text;
}

/** 1 if the cell is empty. */
function owned(row: TableRow, column: string): number {
  const count = whole(row, column) ?? 1;
  if (count === 0) throw new RowError(notOwned(column));
  return count;
}

function notOwned(column: string): string {
  return `'${column}' is 0, so there is nothing to add`;
}

/** Copies not marked as used are sealed. */
function split(
  row: TableRow,
  columns: { readonly all: string; fresh: string; used: string; mark: string | null },
): Share[] {
  const used = whole(row, columns.used) ?? 0;
  const fresh = whole(row, columns.fresh) ?? 0;
  const isMarked = columns.mark !== null && row.text(columns.mark) !== null;
  const all = whole(row, columns.all) || (isMarked ? 1 : 0);
  const sealed = Math.max(fresh, all - used);
  if (sealed + used === 0) throw new RowError(notOwned(columns.all));
  const shares: Share[] = [
    { condition: 'sealed', quantity: sealed },
    { condition: 'used', quantity: used },
  ];
  return shares.filter(({ quantity }) => quantity > 0);
}

function whole(row: TableRow, column: string): number | null {
  const text = row.text(column);
  return text === null ? null : readWhole(text, `'${column}'`);
}

function money(row: TableRow, column: string): LooseMoney | null {
  const text = row.text(column);
  return text === null ? null : readMoney(text, `'${column}'`, '$40.08 or €40.08');
}

function day(row: TableRow, column: string, order: DayOrder): string | null {
  const text = row.text(column);
  if (text === null) return null;
  const value = looseDay(text, order);
  if (value === null) {
    const example = order === 'day first' ? '31/12/2025' : '12/31/2025';
    throw new RowError(
      `'${column}' must be a date such as ${example} or 2025-12-31, not '${text}'`,
    );
  }
  return value;
}
