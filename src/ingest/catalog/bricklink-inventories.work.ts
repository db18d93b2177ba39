/**
 * The minifigs in a set, from BrickLink's inventory downloads and its API's lists of subsets.
 * Neither says which set it is about, so the file name must.
 */

import { basename } from 'node:path';
import { asObject, type JsonObject } from '../../kernel/json.ts';
import { readSetDescription } from '../feed/feed-catalog.ts';
import { readJsonRecords } from '../readers/json-records.work.ts';
import { peek } from '../readers/peek.work.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import { checkColumns, openTable, type TableRow } from '../readers/table.work.ts';
import { bricklinkError } from '../runner/bricklink-answer.ts';
import { Fields, RowError, readOr } from '../runner/fields.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import {
  jsonLocation,
  type LocatedRow,
  type Location,
  readLocated,
  rejectedRow,
} from '../runner/located-row.ts';
import { looseWhole } from '../runner/loose.ts';
import { decodeEntities } from './bricklink.work.ts';
import { minifigRow, requiredCell } from './record.work.ts';

/** The source name of these records. */
const source = 'bricklink-inventory';

const filePattern = /\.(txt|tsv|json|gz|zip)$/i;

/** One file per set. */
export const bricklinkInventories: Format = {
  isReadFirst: true,
  async *read(paths, options) {
    for await (const part of openSources(paths, options, filePattern)) {
      yield* readPart(part, options);
    }
  },
};

async function* readPart(part: SourcePart, options: ReadOptions): AsyncGenerator<LocatedRow[]> {
  const { beginning, part: whole } = await peek(part);
  const setNumber = findSetNumber(part.name);
  if (setNumber === null) {
    whole.stream.destroy();
    throw new SourceFileError(
      `${part.name}: the file name must contain the set number, such as S-10350-1.txt.`,
    );
  }
  const entries = /^[[{]/.test(beginning) ? readSubsets(whole) : readDownload(whole);
  const inventory = new Inventory();
  for await (const group of entries) {
    yield group.flatMap((entry) => inventory.take(entry, options.clock()));
  }
  yield inventory.setRows({ where: part.name, text: setNumber }, setNumber, options.clock());
}

const setFileName = /^(?:(?:s|set|subsets)[-_ ])?([a-z0-9.]+-\d{1,3})(?:[-_ ]subsets)?$/i;

/** BrickLink names its downloads `S-10350-1.txt`; `10350-1.json` is accepted too. */
function findSetNumber(path: string): string | null {
  const name = basename(path).replace(/(\.(txt|tsv|json|gz))+$/i, '');
  return setFileName.exec(name)?.[1] ?? null;
}

/** A row of a download or an entry of the API. */
interface Entry {
  readonly location: Location;
  /** Null for anything but a regular minifig; throws a `RowError`. */
  read(): EntryFacts | null;
}

interface EntryFacts {
  readonly number: string;
  readonly name: string | null;
  readonly quantity: number;
}

async function* readDownload(part: SourcePart): AsyncGenerator<Entry[]> {
  const table = await openTable(part, { delimiter: '\t', hasQuotes: false });
  const columns = ['Type', 'Item No', 'Item Name', 'Qty', 'Extra?', 'Alternate?', 'Counterpart?'];
  checkColumns(table, columns, "BrickLink's inventory of a set");
  for await (const rows of table.rows()) {
    yield rows.map((row) => ({ location: row.location, read: () => readRow(row) }));
  }
}

function readRow(row: TableRow): EntryFacts | null {
  if (row.mismatch !== null) throw new RowError(row.mismatch);
  const isOther = ['extra?', 'alternate?', 'counterpart?'].some((name) => row.text(name) === 'Y');
  if (row.text('type') !== 'M' || isOther) return null;
  const quantity = looseWhole(requiredCell(row, 'qty'));
  return {
    number: requiredCell(row, 'item no'),
    name: row.text('item name'),
    quantity: checkedQuantity(quantity, 'Qty'),
  };
}

/** The API returns groups of interchangeable entries. */
async function* readSubsets(part: SourcePart): AsyncGenerator<Entry[]> {
  for await (const records of readJsonRecords(part, 'data')) {
    yield records.flatMap(({ where, value }) => groupEntries(where, asObject(value)));
  }
}

function groupEntries(where: string, group: JsonObject | null): Entry[] {
  const entries = group?.entries;
  if (Array.isArray(entries)) {
    return entries.map((entry) => ({
      location: jsonLocation(where, entry),
      read: () => readSubset(asObject(entry)),
    }));
  }
  const problem =
    (group && bricklinkError(group)) ?? "it has no 'entries', so it is not an inventory";
  return [{ location: { where, text: '' }, read: () => fail(problem) }];
}

function fail(problem: string): never {
  throw new RowError(problem);
}

function readSubset(entry: JsonObject | null): EntryFacts | null {
  const item = asObject(entry?.item);
  if (!entry || !item) throw new RowError("'item' is missing");
  const isOther = entry.is_alternate === true || entry.is_counterpart === true;
  if (item.type !== 'MINIFIG' || isOther || entry.quantity === 0) return null;
  if (typeof item.no !== 'string') throw new RowError("'item.no' must be text");
  return {
    number: item.no,
    name: typeof item.name === 'string' ? item.name : null,
    quantity: checkedQuantity(entry.quantity, 'quantity'),
  };
}

function checkedQuantity(quantity: unknown, name: string): number {
  if (Number.isSafeInteger(quantity) && Number(quantity) > 0) return Number(quantity);
  throw new RowError(`'${name}' must be a whole number above 0`);
}

/** Collects the minifigs of a set. */
class Inventory {
  private readonly counts = new Map<string, number>();
  private isEmpty = true;
  private isWhole = true;

  /** The row of a minifig, or a reject; nothing for other entries. */
  take({ location, read }: Entry, now: number): LocatedRow[] {
    this.isEmpty = false;
    return readOr(
      () => {
        const facts = read();
        return facts === null ? [] : [this.add(location, facts, now)];
      },
      (reason) => {
        this.isWhole = false;
        return [rejectedRow(location, reason)];
      },
    );
  }

  /** The set with its minifigs; nothing if an entry was rejected: the list would be incomplete. */
  setRows(location: Location, setNumber: string, now: number): LocatedRow[] {
    if (this.isEmpty) return [rejectedRow(location, 'the inventory is empty')];
    if (!this.isWhole) return [];
    const record = {
      set_number: setNumber,
      minifigs: [...this.counts.keys()],
      minifigs_count: [...this.counts.values()].reduce((sum, count) => sum + count, 0),
    };
    const read = () => readSetDescription(new Fields(record, now));
    return [readLocated(location, () => ({ row: { kind: 'set', source, facts: read() } }))];
  }

  private add(location: Location, { number, name, quantity }: EntryFacts, now: number): LocatedRow {
    const row = minifigRow(location, { source, now }, () => ({
      minifig_number: number,
      name: name === null ? null : decodeEntities(name),
    }));
    if ('reason' in row.result) this.isWhole = false;
    this.counts.set(number, (this.counts.get(number) ?? 0) + quantity);
    return row;
  }
}
