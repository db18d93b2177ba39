/** Evaluates the rows of a saved box: each row for itself, and all of them together. */

import { itemKey } from '../../catalog/items/numbers.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import { type GradeShare, gradeShare } from '../../market/grades/grades.ts';
import { gradedItem, type ResaleItem } from '../prices/resale-item.work.ts';
import type { FeeTables } from '../prices/selling-channels.ts';
import { whatToPay } from '../prices/what-to-pay.ts';
import {
  type EvaluateDeps,
  type EvaluatedBox,
  type FoundItems,
  findItems,
  valueBox,
} from './evaluate.work.ts';
import { type BoxRow, type BoxTerms, isReady } from './saved-box.ts';

export interface EvaluatedRow {
  readonly row: BoxRow;
  readonly index: number;
  /** Null if its number is not in the catalog or could not be read. */
  readonly item: ResaleItem | null;
  readonly unitValueCents: number | null;
  /** The effect of its grade on the value; null without a grade. */
  readonly gradeEffect: GradeShare | null;
  readonly tier: DataTier | null;
  /** The maximum price of one unit on its own; null if there is none. */
  readonly unitMaxCents: number | null;
}

export interface EvaluatedRows {
  /** The rows that are complete. */
  readonly box: EvaluatedBox;
  readonly rows: readonly EvaluatedRow[];
  /** The bid, with what its owner would pay for rows that say so; null if there is none. */
  readonly maxBidCents: number | null;
  /** The part of the bid that its owner decided. */
  readonly ownMaxCents: number;
}

export interface RowsQuestion {
  readonly costCents: number | null;
  readonly terms: BoxTerms;
  readonly at: number;
}

export async function evaluateRows(
  { market, tables }: EvaluateDeps,
  rows: readonly BoxRow[],
  question: RowsQuestion,
): Promise<EvaluatedRows> {
  const found = await findItems(market, numbered(rows));
  const all = { ...question, withModeled: question.terms.withModeled };
  const ready = rows.filter(isReady);
  const box = valueBox(tables, found, { ...all, items: ready });
  const own = ready.filter(({ maxCents }) => maxCents !== null);
  const ownMaxCents = own.reduce((sum, row) => sum + row.quantity * (row.maxCents ?? 0), 0);
  const computed =
    own.length === 0
      ? box
      : valueBox(tables, found, { ...all, items: ready.filter((row) => row.maxCents === null) });
  const bidCents = computed.best?.maxBidCents ?? null;
  return {
    box,
    rows: rows.map((row, index) => evaluateRow(tables, found, { row, index, ...all })),
    maxBidCents: own.length === 0 ? bidCents : (bidCents ?? 0) + ownMaxCents,
    ownMaxCents,
  };
}

/** Rows with their items and values, without bids. */
export async function findRowItems(
  market: EvaluateDeps['market'],
  rows: readonly { readonly row: BoxRow; readonly index: number }[],
): Promise<EvaluatedRow[]> {
  const found = await findItems(market, numbered(rows.map(({ row }) => row)));
  return rows.map(({ row, index }) => {
    return { row, index, ...valuedRow(found, row), unitMaxCents: null };
  });
}

function numbered(rows: readonly BoxRow[]) {
  return rows.flatMap(({ kind, number, grade }) =>
    number === null ? [] : { kind, number, grade },
  );
}

/** The item of a row, and its resale in the condition and grade of the row. */
function resaleOfRow(found: FoundItems, { kind, number, condition, grade }: BoxRow) {
  const item = number === null ? null : (found[kind].get(itemKey(kind, number)) ?? null);
  if (item === null || condition === null) return { item, resale: null };
  const graded = gradedItem(item, condition, gradeShare(grade, found.effects));
  return { item: graded, resale: graded.resale[condition] };
}

function valuedRow(found: FoundItems, row: BoxRow) {
  const { item, resale } = resaleOfRow(found, row);
  return {
    item,
    unitValueCents: resale?.price.valueCents ?? null,
    gradeEffect: row.grade === null ? null : gradeShare(row.grade, found.effects),
    tier: resale?.tier ?? null,
  };
}

function evaluateRow(
  tables: FeeTables,
  found: FoundItems,
  question: RowsQuestion & {
    readonly row: BoxRow;
    readonly index: number;
    readonly withModeled: boolean;
  },
): EvaluatedRow {
  const { row, index, terms, at, withModeled } = question;
  const { resale } = resaleOfRow(found, row);
  const { maxBuyCents } = whatToPay(tables, resale, { terms, at, withModeled, channel: null });
  return { row, index, ...valuedRow(found, row), unitMaxCents: maxBuyCents };
}
