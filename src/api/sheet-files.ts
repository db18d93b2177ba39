/** The CSV files behind spreadsheet links, made by the handlers of the API. */

import type { Caller } from '../accounts/keys/quota.ts';
import type { SheetContent } from '../accounts/sheet-links/sheet-link.ts';
import { type ItemKind, itemKey } from '../catalog/items/numbers.ts';
import type { HoldingPage, SalePage } from '../contract/brickfolio.ts';
import { exactly } from '../contract/fields.ts';
import { type InputReader, inputOf, type Values } from '../contract/input.ts';
import { bad } from '../contract/input-messages.ts';
import { identifierLengthMax, pageSizeMax } from '../contract/limits.ts';
import { nameHintEnd } from '../contract/nearest.ts';
import type { RetailRow } from '../contract/retail.ts';
import { sheetFiles, sheetNumbersMax } from '../contract/sheet-files.ts';
import { csvCell } from '../kernel/csv-cell.ts';
import { yieldToEventLoop } from '../kernel/event-loop.ts';
import { type PageRange, type RequestedInteger, rangeOf } from '../kernel/page.ts';
import { shortText } from '../kernel/text.ts';
import { type Handlers, jsonOf, type Spent, type Work } from './handler.ts';

type Row = Readonly<Record<string, unknown>>;

/** A file with its cost; made only if the allowance covers it. */
export interface PricedFile {
  readonly cost: number;
  make(): Promise<string>;
}

/** Determines the cost of a file, or why it does not exist (404, charged like a response). */
export type PriceFile = (
  caller: Caller,
  spent: Spent,
) => Promise<PricedFile | { readonly missing: string }>;

/** Throws an `ApiError` BadRequest. */
export type PrepareFile = (content: SheetContent, search: string) => PriceFile;

const readers: Readonly<Record<SheetContent, InputReader>> = {
  values: readerOf('values'),
  holdings: readerOf('holdings'),
  sales: readerOf('sales'),
  'retail-watch': readerOf('retail-watch'),
};

function readerOf(content: SheetContent): InputReader {
  const { query } = sheetFiles[content];
  return inputOf({ params: exactly({}), query, body: null });
}

export function fileMaker(handlers: Handlers): PrepareFile {
  const makers = makersOf(handlers);
  return (content, search) => {
    const query = readers[content].readQuery(search);
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
        const query = {
          ...page,
          ...(id !== undefined && { brickfolio_id: id as RequestedInteger }),
        };
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

/** The parsed data of a response; must not be a 404. */
async function readData(work: Work, caller: Caller, spent: Spent): Promise<unknown> {
  return JSON.parse(await readJson(work, caller, spent));
}

async function readJson(work: Work, caller: Caller, spent: Spent): Promise<string> {
  const json = jsonOf(await work.read(caller, spent));
  if (json === null) throw new Error('A list was to be answered as JSON.');
  return json;
}

/**
 * One page of a retail watch. The API returns all rows at once, so the JSON is split into rows, and
 * only those of the page are parsed, yielding to the event loop in between.
 */
async function readWatched(list: string, { limit, offset }: PageRange): Promise<Row[]> {
  const rows: Row[] = [];
  let start = watchedStart(list, 0, offset + 1);
  while (rows.length < limit && start < list.length) {
    const end = watchedStart(list, start, Math.min(rowsAtATime, limit - rows.length));
    // A row is followed by a comma or, at the end, a bracket.
    rows.push(...JSON.parse(`[${list.slice(start, end - 1)}]`));
    start = end;
    await yieldToEventLoop();
  }
  return rows;
}

/** The start of a row. It cannot occur inside a string, where quotation marks are escaped. */
const watchedHead = '{"setNumber":' satisfies `{"${keyof RetailRow}":`;

/** The position of the row `count` rows after `from`; the end of the list if there are fewer. */
function watchedStart(list: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; left--) {
    at = list.indexOf(watchedHead, at + 1);
    if (at === -1) return list.length;
  }
  return at;
}

/** One row per number, in the order sent; each unique item is charged once. */
function valueRows(handlers: Handlers, query: Values): PriceRows {
  const sets = readNumbers('sets', query.sets);
  const minifigs = readNumbers('minifigs', query.minifigs);
  const given = (numbers: readonly string[]) => numbers.filter((number) => number !== '');
  const body = { sets: given(sets), minifigs: given(minifigs) };
  const batch = handlers.getBatch({ params: {}, query: {}, body });
  return async (caller, spent) => ({
    cost: batch.cost,
    readRows: async () => {
      const found = (await readData(batch, caller, spent)) as { sets: Row[]; minifigs: Row[] };
      return [
        ...rowsInOrder('set', sets, found.sets),
        ...rowsInOrder('minifig', minifigs, found.minifigs),
      ];
    },
  });
}

/** Members of a list; an empty cell of the sheet is an empty member, with an empty row. */
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

/** The batch has each item once; here it is repeated wherever it was requested. */
function rowsInOrder(kind: ItemKind, sent: readonly string[], found: readonly Row[]): Row[] {
  const keys = new Set(sent.filter((number) => number !== '').map((n) => itemKey(kind, n)));
  const byKey = new Map([...keys].map((key, index) => [key, found[index]]));
  return sent.map((number) => ({ requested: number, ...byKey.get(itemKey(kind, number)) }));
}

/** Validated by the schema of the query. */
function pageOf(limit: unknown, offset: unknown): PageRange {
  return rangeOf({ limit: limit as number, offset: offset as RequestedInteger });
}

interface ListWork {
  readonly work: Work;
  rowsOf(data: unknown): readonly Row[];
}

/**
 * A list costs as much as its pages would as calls. The first page has the total; the rest is read
 * at once, so that changes in the meantime cannot skip or repeat rows.
 */
function listRows(range: PageRange, workAt: (page: PageRange) => ListWork): PriceRows {
  return async (caller, spent) => {
    const { work, rowsOf } = workAt({ ...range, limit: Math.min(range.limit, pageSizeMax) });
    const answer = await work.read(caller, spent);
    const json = jsonOf(answer);
    if (json === null) {
      if ('missing' in answer) return answer;
      throw new Error('A list was to be answered as JSON.');
    }
    const page = JSON.parse(json);
    const count = Math.min(range.limit, page.pagination.total - range.offset);
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
  const names = columns.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw bad(`There is no column '${shortText(unknown)}'${nameHintEnd(unknown, known)}`);
  }
  if (new Set(names).size < names.length) throw bad("A column is in 'columns' twice.");
  return names;
}

/** Rows written before yielding to the event loop. */
const rowsAtATime = 500;

async function csvText(columns: readonly string[], rows: readonly Row[]): Promise<string> {
  const paths = columns.map((column) => column.split('.'));
  let text = `${columns.join(',')}\r\n`;
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtATime === 0) await yieldToEventLoop();
    const line = paths.map((path) => csvCell(valueAt(row, path))).join(',');
    // An empty line would be ignored.
    text += `${line || '""'}\r\n`;
  }
  return text;
}

function valueAt(row: Row, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) value = (value as Row | null | undefined)?.[name];
  return value === '' ? null : (value ?? null);
}
