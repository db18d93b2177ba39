/** Brickmark's own export, as a table or as JSON: gives the same holdings and sales again. */

import { unguardCell } from '../../domain/kernel/csv-cell.ts';
import { asObject, type JsonObject } from '../../domain/kernel/json.ts';
import { toCents } from '../../domain/kernel/money.ts';
import { dateBases, type LedgerSaleFacts, type NamedTake } from '../../domain/portfolio/lots.ts';
import type { PrivateRow } from '../../domain/portfolio/private-rows.ts';
import { feedBrickfolio, feedHolding, feedLedgerSale } from '../feed/feed-private.ts';
import { Fields, RowError } from '../fields.ts';
import { jsonLocation, type LocatedRow, readLocated } from '../located-row.ts';
import { looseMoney, looseWhole } from '../loose.ts';
import type { JsonRecord } from '../readers/json-records.ts';
import type { TableRow } from '../readers/table.ts';

/** A record of an export, whichever way it was written. */
type OwnRecord = JsonObject;

/** Columns by which the table is known. */
export const brickmarkColumns = ['kind', 'source_id', 'set_number'];

/** How the JSON begins. */
export const brickmarkJsonStart = /^\{\s*"format"\s*:\s*"brickmark (collection|sales)"/;

const textColumns = [
  'kind',
  'source_id',
  'brickfolio',
  'description',
  'set_number',
  'condition',
  'purchase_date',
  'date_basis',
  'status',
  'platform',
  'sale_date',
  'cost_from',
  'lot',
];
const amountColumns = [
  'purchase_price_usd',
  'gross_proceeds_usd',
  'platform_fees_usd',
  'payment_fees_usd',
  'shipping_cost_usd',
  'cost_basis_usd',
];

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

type CellReader = (text: string) => unknown;

const readWith = (read: CellReader, names: readonly string[]) =>
  names.map((name): [string, CellReader] => [name, read]);

/** How the cells of each column are read. */
export const cellReaders: ReadonlyMap<string, CellReader> = new Map([
  ...readWith(unguardCell, textColumns),
  ...readWith((text) => looseWhole(text) ?? text, ['quantity']),
  ...readWith(amountOf, amountColumns),
  ...readWith((text) => flags.get(text.toLowerCase()) ?? text, ['is_default', 'is_estimated']),
  ...readWith(parsed, ['takes']),
]);

/** Where records go, and when they are read. */
export interface ReadContext {
  readonly email: string;
  readonly now: number;
}

/** A row of the table. It may wait: people sort tables, so that collections come after lots. */
export function readBrickmarkRow(row: TableRow, context: ReadContext): LocatedRow {
  return readLocated(row.location, () => {
    if (row.mismatch !== null) throw new RowError(row.mismatch);
    return { row: readRecord(recordOf(row), context), mayWait: true };
  });
}

/** A record of the JSON. */
export function readBrickmarkRecord(
  { where, value }: JsonRecord,
  context: ReadContext,
): LocatedRow {
  return readLocated(jsonLocation(where, value), () => {
    const record = asObject(value);
    if (record === null) throw new RowError('the record must be an object');
    return { row: readRecord(record, context), mayWait: true };
  });
}

function recordOf(row: TableRow): OwnRecord {
  const cells = [...cellReaders].map(([name, read]) => {
    const text = row.text(name);
    return [name, text === null ? null : read(text)];
  });
  return Object.fromEntries(cells);
}

/** A number, or the text itself where it is none: then its field says what is wrong. */
function amountOf(text: string): unknown {
  const money = looseMoney(text);
  return money && (money.currency ?? 'USD') === 'USD' ? money.cents / 100 : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readRecord(record: OwnRecord, { email, now }: ReadContext): PrivateRow {
  const about = { ...record, account: email };
  switch (record.kind) {
    case 'brickfolio':
      return feedBrickfolio.read(new Fields({ ...about, name: record.brickfolio }, now));
    case 'lot':
      return readLot(new Fields(about, now));
    case 'sale':
      return readSale(record, new Fields(about, now), { email, now });
    default:
      throw new RowError("'kind' must be one of brickfolio, lot, sale");
  }
}

function readLot(fields: Fields): PrivateRow {
  const row = feedHolding.read(fields);
  const isEstimated = fields.flag('is_estimated') ?? false;
  const dateBasis = fields.choice('date_basis', dateBases) ?? 'known';
  return { ...row, facts: { ...row.facts, isEstimated, dateBasis } };
}

/** The cost is given, or that of lots: of those that the sale took when it was recorded. */
function readSale(record: OwnRecord, fields: Fields, { email, now }: ReadContext): PrivateRow {
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

function guessed(record: OwnRecord): 'given' | 'lot' | 'fifo' {
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
    return { lot, quantity, costCents };
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
