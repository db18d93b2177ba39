/** Reads spreadsheets with columns mapped by their owner, or guessed. */

import { unitCosts } from '../../buying/boxes/split-cost.ts';
import { looksLikeMinifig } from '../../catalog/items/numbers.ts';
import { unguardCell } from '../../kernel/csv-cell.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { detailLimits } from '../../portfolio/lots/lot-details.ts';
import type { fixedDetails } from '../../portfolio/lots/lot-fields.ts';
import type { HoldingStatus } from '../../portfolio/lots/lots.ts';
import type { Table, TableRow } from '../readers/table.work.ts';
import { correctedTable } from '../runner/corrections.work.ts';
import { RowError } from '../runner/fields.ts';
import type { OwnAnswers, ReadOptions } from '../runner/format.work.ts';
import type { Rejection, SourceItem } from '../runner/located-row.ts';
import { type DayOrder, type LooseMoney, looseDay } from '../runner/loose.ts';
import { type ColumnMapping, type ColumnRole, guessColumns, isHeaderless } from './column-guess.ts';
import { withDayOrder } from './day-order.work.ts';
import { numbersIn, withoutYears } from './find-set.work.ts';
import { lineOf, noteOf } from './imported-lot-details.ts';
import {
  type LotDraft,
  type LotWriter,
  readCondition,
  readGraded,
  readMoney,
  readWhole,
} from './lot-writer.work.ts';

/** Rows used for guessing, and rows shown in the form. */
const guessRows = 20;
const shownRows = 3;

export async function* readMappedTable(
  given: Table,
  lots: LotWriter,
  { answers, corrector, onRecognized }: ReadOptions & { readonly answers: OwnAnswers },
): AsyncGenerator<SourceItem[]> {
  const table = isHeaderless(given.header) ? given.headerless() : given;
  const groups = table.rows();
  const start = await groups.next();
  const first: TableRow[] = start.done ? [] : start.value;
  const sample = first.slice(0, guessRows).map(({ cells }) => cells);
  const mapping = answers.columns ?? guessColumns(table.header, sample);
  const columns = { header: table.header, rows: sample.slice(0, shownRows), mapping };
  onRecognized?.({ name: 'Spreadsheet', columns });
  if (mapping.number === undefined) return;
  const textOf = (row: TableRow) => cellOf(row, mapping, 'date') ?? '';
  const days = { textOf, order: answers.dayOrder };
  const read = { ...table, rows: () => chained(first, groups) };
  const { rows: corrected } = correctedTable(read, correctable(table, mapping), corrector);
  for await (const { rows, order, unclearDay } of withDayOrder(corrected(), days)) {
    yield lots.toRows(
      rows.flatMap((row) =>
        readMappedRow(row, mapping, order).map((draft) => ({ ...draft, ...unclearDay(row) })),
      ),
    );
  }
}

/** The columns of these roles, by number. */
function correctable(table: Table, mapping: ColumnMapping): ReadonlyMap<number, string> {
  const columns = correctableRoles.flatMap((role) => mapping[role] ?? []);
  return new Map(columns.map((column) => [column, table.header[column] || `Column ${column + 1}`]));
}

const correctableRoles: readonly ColumnRole[] = [
  'number',
  'quantity',
  'condition',
  'price',
  'total',
  'date',
  'status',
  'asking',
  'listed',
];

async function* chained(
  first: TableRow[],
  rest: AsyncGenerator<TableRow[]>,
): AsyncGenerator<TableRow[]> {
  yield first;
  yield* rest;
}

function cellOf(row: TableRow, mapping: ColumnMapping, role: ColumnRole): string | null {
  const index = mapping[role];
  const text = index === undefined ? '' : unguardCell(row.cells[index]?.trim() ?? '').trim();
  return text === '' ? null : text;
}

/** A total price that cannot be divided by the units makes two lots, so that they add up. */
function readMappedRow(
  row: TableRow,
  mapping: ColumnMapping,
  order: DayOrder,
): readonly (LotDraft | Rejection)[] {
  const cell = (role: ColumnRole) => cellOf(row, mapping, role);
  const { where, line: text } = row;
  try {
    if (row.mismatch !== null) throw new RowError(row.mismatch);
    const quantity = quantityOf(cell('quantity') ?? quantityIn(cell('number')));
    const brickfolio = cell('collection');
    const status = statusOf(cell('status'));
    const word = cell('condition');
    const graded = word === null ? null : readGraded(word, conditionOf);
    const lot = {
      where,
      text,
      id: { source: 'spreadsheet' },
      number: numberOf(cell('number'), cell('name')),
      name: cell('name'),
      quantity,
      condition: graded?.condition ?? null,
      price: moneyOf(cell('price')),
      date: dayOf(cell('date'), order),
      retailCents: null,
      ...(brickfolio !== null && { brickfolio }),
      ...(status !== null && { status }),
      details: {
        grade: graded?.grade ?? null,
        notes: noteOf(cell('notes'), graded?.note),
        tags: tagsOf(cell('tags')),
        place: lineOf(cell('place'), detailLimits.place),
        bought_at: lineOf(cell('shop'), detailLimits.boughtAt),
        asking_price_usd: askingOf(cell('asking')),
        listed_at: dayOf(cell('listed'), order),
        listing_url: cell('link'),
      } satisfies Readonly<Record<(typeof fixedDetails)[number]['wire'], unknown>>,
    };
    const total = lot.price === null ? moneyOf(cell('total')) : null;
    if (total === null) return [lot];
    return unitCosts(total.cents, quantity).map((units) => ({
      ...lot,
      quantity: units.quantity,
      price: { cents: units.unitCents, currency: total.currency },
    }));
  } catch (error) {
    if (error instanceof RowError) return [{ where, text, reason: error.message }];
    throw error;
  }
}

/** The number of a set or a minifig in the number cell, or else of a set in the name. */
function numberOf(number: string | null, name: string | null): string {
  // Some spreadsheets write whole numbers as 75192.0.
  const bare = number?.replace(quantityPattern, '').replace(/\.0+$/, '').trim() ?? null;
  if (bare !== null && (/^\d+(-\d+)?$/.test(bare) || looksLikeMinifig(bare))) return bare;
  for (const text of [bare, name]) {
    const [found, ...more] = text === null ? [] : withoutYears(numbersIn(text));
    if (more.length > 0)
      throw new RowError(`'${text}' names several sets: ${[found, ...more].join(', ')}`);
    if (found !== undefined) return found;
  }
  if (bare === null) throw new RowError('there is no set number');
  return bare;
}

/** A quantity next to the number: `75192 x2` or `2x 75192`. */
const quantityPattern = /\sx\s?(\d{1,4})$|^(\d{1,4})\s?x\s/i;

function quantityIn(text: string | null): string | null {
  const [, after, before] = quantityPattern.exec(text ?? '') ?? [];
  return after ?? before ?? null;
}

function quantityOf(text: string | null): number {
  if (text === null) return 1;
  const quantity = readWhole(text, 'the quantity');
  if (quantity === 0) throw new RowError('the quantity is 0, so there is nothing to add');
  return quantity;
}

/** Collectors' terms, in addition to those of services. */
const sealedWords = /^(misb|nisb|bnib|nib|mib|mint|factory ?sealed|sealed|unopened|neu|neuf)$/i;
const usedWords = /^(open(ed)?|built|assembled|complete|incomplete|loose|gebraucht|occasion)$/i;

function conditionOf(text: string): Condition {
  if (sealedWords.test(text)) return 'sealed';
  return usedWords.test(text) ? 'used' : readCondition(text);
}

/** Tags that are too long are cut; further ones are left out. */
function tagsOf(text: string | null): string | null {
  const tags = (text ?? '').split(/[,;|]/).flatMap((tag) => lineOf(tag, detailLimits.tag) ?? []);
  return tags.slice(0, detailLimits.tags).join(', ') || null;
}

/** Asking prices are in US dollars. */
function askingOf(text: string | null): number | null {
  const amount = text === null ? null : readMoney(text, 'the asking price', '119.99');
  if (amount === null) return null;
  if ((amount.currency ?? 'USD') === 'USD') return amount.cents / 100;
  throw new RowError(`the asking price must be in US dollars, not '${text}'`);
}

function moneyOf(text: string | null): LooseMoney | null {
  return text === null ? null : readMoney(text, 'the price', '119.99');
}

function dayOf(text: string | null, order: DayOrder): string | null {
  const day = text === null ? null : looseDay(text, order);
  if (text !== null && day === null) {
    throw new RowError(`the date must look like 2025-12-31, not '${text}'`);
  }
  return day;
}

function statusOf(text: string | null): HoldingStatus | null {
  if (text === null) return null;
  if (/^(listed|for sale|selling|forsale|yes)$/i.test(text)) return 'listed';
  if (/^(owned|own|have|kept|keep|in stock|no)$/i.test(text)) return 'owned';
  if (/^(sold|wanted|wish ?list|gone)$/i.test(text)) {
    throw new RowError(`the status is '${text}', so there is nothing to add`);
  }
  throw new RowError(`the status must be owned or listed, not '${text}'`);
}
