/** The CSV files behind spreadsheet links, made of what the API's own handlers answer. */
import type { HoldingPage, SalePage } from '../contract/brickfolio.ts';
import { ApiError } from '../contract/errors.ts';
import { exactly } from '../contract/fields.ts';
import { inputOf, type Values } from '../contract/input.ts';
import { identifierLengthMax, pageSizeMax } from '../contract/limits.ts';
import { nameHintEnd } from '../contract/nearest.ts';
import type { RetailRow } from '../contract/retail.ts';
import { sheetFiles, sheetNumbersMax } from '../contract/sheet-files.ts';
import type { Caller } from '../domain/account/quota.ts';
import { type SheetContent, sheetContents } from '../domain/account/sheet-link.ts';
import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { csvCell } from '../domain/kernel/csv-cell.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { type AskedInteger, type PageRange, rangeOf } from '../domain/kernel/page.ts';
import { shortText } from '../domain/kernel/text.ts';
import { type Handlers, jsonOf, type Spent, type Work } from './handler.ts';

/** A row of a file: a record of the API. */
type Row = Readonly<Record<string, unknown>>;

/** A file whose cost is known; it is only made when that can be paid. */
export interface PricedFile {
  readonly cost: number;
  make(): Promise<string>;
}

/** Finds out what a file costs a caller, or why there is none (404, and charged like an answer). */
export type PriceFile = (
  caller: Caller,
  spent: Spent,
) => Promise<PricedFile | { readonly missing: string }>;

/** Reads the query of a file; throws an `ApiError` BadRequest. */
export type PrepareFile = (content: SheetContent, search: string) => PriceFile;

/** The readers of all queries, by what a file holds. */
const readers = new Map(
  sheetContents.map((content) => {
    const { query } = sheetFiles[content];
    return [content, inputOf({ params: exactly({}), query, body: null })] as const;
  }),
);

/** Prepares files with the handlers of the API. */
export function fileMaker(handlers: Handlers): PrepareFile {
  const makers = makersOf(handlers);
  return (content, search) => {
    const query = readers.get(content)?.readQuery(search) ?? {};
    const columns = readColumns(content, query);
    const price = makers[content](query);
    return async (caller, spent) => {
      const priced = await price(caller, spent);
      if ('missing' in priced) return priced;
      const { cost, readRows } = priced;
      return { cost, make: async () => csvText(columns, await readRows()) };
    };
  };
}

interface PricedRows {
  readonly cost: number;
  readRows(): Promise<readonly Row[]>;
}

type PriceRows = (
  caller: Caller,
  spent: Spent,
) => Promise<PricedRows | { readonly missing: string }>;

type Makers = Readonly<Record<SheetContent, (query: Values) => PriceRows>>;

function makersOf(handlers: Handlers): Makers {
  return {
    values: (query) => valueRows(handlers, query),
    holdings: ({ brickfolio_id: id, limit, offset }) =>
      listRows(pageOf(limit, offset), (page) => {
        const query = { ...page, ...(id !== undefined && { brickfolio_id: id as AskedInteger }) };
        const work = handlers.listEntries({ params: {}, query, body: null });
        return { work, rowsOf: (data: unknown) => (data as HoldingPage).entries };
      }),
    sales: ({ limit, offset }) =>
      listRows(pageOf(limit, offset), (page) => ({
        work: handlers.listSales({ params: {}, query: page, body: null }),
        rowsOf: (data: unknown) => (data as SalePage).sales,
      })),
    'retail-watch': ({ limit, offset }) => {
      const work = handlers.listRetailWatch({ params: {}, query: {}, body: null });
      return async (caller, spent) => ({
        cost: 1,
        readRows: async () =>
          readWatched(await readJson(work, caller, spent), pageOf(limit, offset)),
      });
    },
  };
}

/** Data of the API, as it is before it is written; what is missing is not looked for here. */
async function readData(work: Work, caller: Caller, spent: Spent): Promise<unknown> {
  return JSON.parse(await readJson(work, caller, spent));
}

async function readJson(work: Work, caller: Caller, spent: Spent): Promise<string> {
  const json = jsonOf(await work.read(caller, spent));
  if (json === null) throw new Error('A list was to be answered as JSON.');
  return json;
}

/**
 * Part of a retail watch. The API answers it whole, however many sets are held: only the rows that
 * are wanted are read, some at a time, so that others get their turn in between.
 */
async function readWatched(list: string, { limit, offset }: PageRange): Promise<Row[]> {
  const rows: Row[] = [];
  let start = watchedStart(list, 0, offset + 1);
  while (rows.length < limit && start < list.length) {
    const end = watchedStart(list, start, Math.min(rowsAtATime, limit - rows.length));
    // What stands before the next row is a comma, and before the end a bracket.
    rows.push(...JSON.parse(`[${list.slice(start, end - 1)}]`));
    start = end;
    await yieldToEventLoop();
  }
  return rows;
}

/** How a row begins. No text in it does: there, a quotation mark has a backslash before it. */
const watchedHead = '{"setNumber":' satisfies `{"${keyof RetailRow}":`;

/** Where a row begins, so many after another place; the end of the list when there are fewer. */
function watchedStart(list: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < list.length; left--) {
    const next = list.indexOf(watchedHead, at + 1);
    at = next < 0 ? list.length : next;
  }
  return at;
}

/** A row for each number, in the order in which they were sent; each item is paid for once. */
function valueRows(handlers: Handlers, query: Values): PriceRows {
  const sets = readNumbers('sets', query.sets);
  const minifigs = readNumbers('minifigs', query.minifigs);
  const given = (numbers: readonly string[]) => numbers.filter((number) => number !== '');
  const body = { sets: given(sets), minifigs: given(minifigs) };
  const batch = handlers.getBatch({ params: {}, query: {}, body });
  return async (caller, spent) => ({
    cost: batch.items,
    readRows: async () => {
      const found = (await readData(batch, caller, spent)) as { sets: Row[]; minifigs: Row[] };
      return [
        ...rowsInOrder('set', sets, found.sets),
        ...rowsInOrder('minifig', minifigs, found.minifigs),
      ];
    },
  });
}

/** The members of a list; an empty cell of the sheet is an empty one, and has an empty row. */
function readNumbers(name: string, list: unknown): string[] {
  if (typeof list !== 'string' || list === '') return [];
  const numbers = list.split(',').map((number) => number.trim());
  if (numbers.length > sheetNumbersMax) {
    throw bad(`'${name}' has ${numbers.length} numbers; at most ${sheetNumbersMax} are allowed.`);
  }
  const long = numbers.find((number) => number.length > identifierLengthMax);
  if (long === undefined) return numbers;
  throw bad(`'${shortText(long)}' in '${name}' is longer than ${identifierLengthMax} characters.`);
}

/** The batch has each item once; here it stands wherever it was asked for. */
function rowsInOrder(kind: ItemKind, sent: readonly string[], found: readonly Row[]): Row[] {
  const keys = new Set(sent.filter((number) => number !== '').map((n) => itemKey(kind, n)));
  const byKey = new Map([...keys].map((key, index) => [key, found[index]]));
  return sent.map((number) => {
    if (number === '') return {};
    return { requested: number, ...byKey.get(itemKey(kind, number)) };
  });
}

/** The rows that are asked for; the query was read by its schema. */
function pageOf(limit: unknown, offset: unknown): PageRange {
  return rangeOf({ limit: limit as number, offset: offset as AskedInteger });
}

interface ListWork {
  readonly work: Work;
  rowsOf(data: unknown): readonly Row[];
}

/**
 * A list costs what its pages would cost as calls. Its first page tells how many there are; the
 * rest is read at once, so that no row is left out or comes twice when something changes meanwhile.
 */
function listRows(range: PageRange, workAt: (page: PageRange) => ListWork): PriceRows {
  return async (caller, spent) => {
    const { work, rowsOf } = workAt({ ...range, limit: Math.min(range.limit, pageSizeMax) });
    const answer = await work.read(caller, spent);
    const json = jsonOf(answer);
    if (json === null) {
      if (typeof answer !== 'string' && 'missing' in answer) return answer;
      throw new Error('A list was to be answered as JSON.');
    }
    const page = JSON.parse(json);
    const count = Math.min(range.limit, Math.max(0, page.pagination.total - range.offset));
    const cost = Math.max(1, Math.ceil(count / pageSizeMax));
    if (cost === 1) return { cost, readRows: async () => rowsOf(page) };
    const all = workAt({ ...range, limit: count });
    return {
      cost,
      readRows: async () => all.rowsOf(await readData(all.work, caller, spent)),
    };
  };
}

function readColumns(content: SheetContent, { columns }: Values): readonly string[] {
  const known: readonly string[] = sheetFiles[content].columns;
  if (typeof columns !== 'string' || columns === '') return known;
  const wanted = columns.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw bad(`There is no column '${shortText(unknown)}'${nameHintEnd(unknown, known)}`);
  }
  if (new Set(wanted).size < wanted.length) throw bad("A column is in 'columns' twice.");
  return wanted;
}

/** Rows that are written before others get their turn. */
const rowsAtATime = 500;

async function csvText(columns: readonly string[], rows: readonly Row[]): Promise<string> {
  const paths = columns.map((column) => column.split('.'));
  let text = `${columns.join(',')}\r\n`;
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % rowsAtATime === 0) await yieldToEventLoop();
    const line = paths.map((path) => csvCell(valueAt(row, path))).join(',');
    // A line with nothing in it would be taken for none.
    text += `${line || '""'}\r\n`;
  }
  return text;
}

function valueAt(row: Row, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) value = (value as Row | null | undefined)?.[name];
  return value === '' ? null : (value ?? null);
}

function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
