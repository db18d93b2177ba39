/** Imports Brickmark's own export, as a table or JSON. */

import { unguardCell } from '../../kernel/csv-cell.ts';
import { asObject, type JsonObject, textOf } from '../../kernel/json.ts';
import { toCents } from '../../kernel/money.ts';
import { hourMs } from '../../kernel/time.ts';
import type { FieldKind, FieldRow } from '../../portfolio/lots/fields.ts';
import { assumedFields, detailFields, lotFields } from '../../portfolio/lots/lot-fields.ts';
import type { LedgerSaleFacts, NamedTake } from '../../portfolio/lots/lots.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import { saleFields } from '../../portfolio/sales/sale-fields.ts';
import { readFields } from '../feed/feed-fields.ts';
import { feedBrickfolio, feedHolding, feedLedgerSale } from '../feed/feed-private.ts';
import type { JsonRecord } from '../readers/json-records.work.ts';
import type { TableRow } from '../readers/table.work.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import { Fields, RowError } from '../runner/fields.ts';
import { jsonLocation, type LocatedRow, readLocated } from '../runner/located-row.ts';
import { looseMoney, looseWhole } from '../runner/loose.ts';

export const brickmarkColumns = ['kind', 'source_id', 'set_number'];

export const brickmarkCorrectable = [
  'set_number',
  'minifig_number',
  'quantity',
  'condition',
  'purchase_price_usd',
  'purchase_date',
  'gross_proceeds_usd',
  'sale_date',
];

export const brickmarkJsonStart = /^\{\s*"format"\s*:\s*"brickmark (collection|sales)"/;

type CellReader = (text: string) => unknown;

/** How kinds are read that are not text. */
const kindReaders: Readonly<Partial<Record<FieldKind, CellReader>>> = {
  count: (text) => looseWhole(text) ?? text,
  money: amountOf,
  flag: flagOf,
  own: parsed,
};

/** The fields of the feed, and those that only the export has. */
export const cellReaders: ReadonlyMap<string, CellReader> = new Map([
  ...feedBrickfolio.fields.map((name) => [name, unguardCell] as const),
  ...[...lotFields, ...saleFields].map(
    ({ wire, kind }: FieldRow) => [wire, kindReaders[kind] ?? unguardCell] as const,
  ),
  ['is_default', flagOf],
  ['kind', unguardCell],
  ['cost_from', unguardCell],
  ['takes', parsed],
]);

export interface ReadContext {
  readonly email: string;
  readonly now: number;
}

/** How far ahead of UTC clocks are at most. */
const aheadMsMax = 14 * hourMs;

/** Dates of an export are those of its owner, whose time zone a new store does not know. */
export function exportContext(email: string, now: number): ReadContext {
  return { email, now: now + aheadMsMax };
}

/** Rows may be deferred: in a sorted table, collections may come after lots. */
export function readBrickmarkRow(row: TableRow, context: ReadContext): LocatedRow {
  return readLocated(row.location, () => {
    if (row.mismatch !== null) throw new RowError(row.mismatch);
    return { row: readRecord(recordOf(row), context), mayWait: true };
  });
}

export function readBrickmarkRecord(
  { where, value }: JsonRecord,
  context: ReadContext,
  corrector?: Corrector,
): LocatedRow {
  return readLocated(jsonLocation(where, value), () => {
    const given = asObject(value);
    if (given === null) throw new RowError('the record must be an object');
    const record = correctedRecord(where, given, corrector);
    return { row: readRecord(record, context), mayWait: true };
  });
}

/** The fields are those of the feed, so lines of a feed can be corrected alike. */
export function correctedRecord(
  where: string,
  record: JsonObject,
  corrector: Corrector | undefined,
): JsonObject {
  const names = brickmarkCorrectable.filter((name) => name in record);
  const texts = Object.fromEntries(names.map((name) => [name, textOf(record[name]) ?? '']));
  const shown = Object.fromEntries(names.map((name) => [name, name]));
  const corrected = corrector?.correct(where, texts, shown) ?? texts;
  if (corrected === texts) return record;
  const changed = names.filter((name) => corrected[name] !== texts[name]);
  const cells = changed.map((name) => {
    const text = corrected[name] ?? '';
    return [name, text === '' ? null : (cellReaders.get(name)?.(text) ?? text)] as const;
  });
  return { ...record, ...Object.fromEntries(cells) };
}

function recordOf(row: TableRow): JsonObject {
  const cells = [...cellReaders].flatMap(([name, read]) => {
    const text = row.text(name);
    return row.has(name) ? [[name, text === null ? null : read(text)] as const] : [];
  });
  return Object.fromEntries(cells);
}

/** Invalid amounts are returned as text, for the error message. */
function amountOf(text: string): unknown {
  const money = looseMoney(text);
  return money && (money.currency ?? 'USD') === 'USD' ? money.cents / 100 : text;
}

function flagOf(text: string): unknown {
  return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readRecord(record: JsonObject, { email, now }: ReadContext): PrivateRow {
  const about = { ...record, account: email };
  switch (record.kind) {
    case 'brickfolio':
      return feedBrickfolio.read(new Fields({ ...about, name: record.brickfolio }, now));
    case 'lot':
      return readLot(new Fields({ ...about, ...emptyDetails(record) }, now));
    case 'sale':
      return readSale(record, new Fields(about, now), { email, now });
    default:
      throw new RowError("'kind' must be one of brickfolio, lot, sale");
  }
}

/** An export has everything that is known about a lot, so nothing is known about empty fields. */
function emptyDetails(record: JsonObject): JsonObject {
  const empty = detailFields.filter(({ wire }) => wire in record && record[wire] === null);
  return Object.fromEntries(empty.map(({ wire }) => [wire, '']));
}

function readLot(fields: Fields): PrivateRow {
  const row = feedHolding.read(fields);
  return { ...row, facts: { ...row.facts, ...readFields(fields, assumedFields) } };
}

/** The cost is given, or that of the lots taken when the sale was recorded. */
function readSale(record: JsonObject, fields: Fields, { email, now }: ReadContext): PrivateRow {
  const from = fields.choice('cost_from', ['given', 'lot', 'fifo'] as const) ?? guessed(record);
  const line = {
    ...record,
    account: email,
    cost_basis_usd: from === 'given' ? fields.requiredCents('cost_basis_usd') / 100 : null,
    lot: from === 'lot' ? fields.requiredText('lot', 200) : null,
  };
  const row = feedLedgerSale.read(new Fields(line, now));
  const takes = record.takes ?? null;
  if (from === 'given' || takes === null) return row;
  const costCents = fields.requiredCents('cost_basis_usd');
  const facts: LedgerSaleFacts = { ...row.facts, settled: { costCents, takes: readTakes(takes) } };
  return { ...row, facts };
}

function guessed(record: JsonObject): 'given' | 'lot' | 'fifo' {
  if ((record.lot ?? null) !== null) return 'lot';
  const isGiven = (record.cost_basis_usd ?? null) !== null && (record.takes ?? null) === null;
  return isGiven ? 'given' : 'fifo';
}

function readTakes(takes: unknown): NamedTake[] {
  const example = '[{"lot":"a1","quantity":2,"cost_basis_usd":20}]';
  const error = new RowError(`'takes' must be a list such as ${example}`);
  if (!Array.isArray(takes)) throw error;
  return takes.map((take: unknown) => {
    const { lot, quantity, cost_basis_usd: cost = null } = asObject(take) ?? {};
    if (typeof lot !== 'string' || !isCount(quantity)) throw error;
    const costCents = typeof cost === 'number' ? toCents(cost) : null;
    if (cost !== null && (costCents === null || costCents < 0)) throw error;
    // As `Fields` reads the source ID of the lot.
    return { lot: lot.normalize(), quantity, costCents };
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
