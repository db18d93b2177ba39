/** Items to watch: a number per line, a table with a header, or BrickLink's wanted list. */
import { Readable } from 'node:stream';
import type { FileItem } from '../../alerts/watchlists/watch-import.work.ts';
import { watchLimits } from '../../alerts/watchlists/watch-list.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { unguardCell } from '../../kernel/csv-cell.ts';
import { centsMax } from '../../kernel/money.ts';
import { hiddenCharacterProblem, withArticle } from '../../kernel/text.ts';
import { openSource, SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import { findTable, type TableRow } from '../readers/table.work.ts';
import { readText } from '../readers/text.work.ts';
import { readXmlGroups, type XmlItem, type XmlShape } from '../readers/xml-groups.work.ts';
import { RowError, readOr } from '../runner/fields.ts';
import { isRejection, type Location, type Rejection } from '../runner/located-row.ts';
import { looseMoney, tenThousandths } from '../runner/loose.ts';
import { itemTypeName } from './bricklink-order.work.ts';

/** An item before lookup. */
export interface WatchDraft extends Location, FileItem {}

export interface WatchFile {
  readonly drafts: readonly WatchDraft[];
  readonly rejects: readonly Rejection[];
  /** Sentences about ignored data. */
  readonly notes: readonly string[];
}

/** More than an account may watch, since some rows may be rejected. */
const rowsMax = 2 * watchLimits.items;

/** After decompression. */
const textLengthMax = 16 * 1024 * 1024;

/** Throws a `SourceFileError` if the file cannot be read. */
export async function readWatchFile(path: string, signal: AbortSignal): Promise<WatchFile> {
  const unpacking = { bytesMax: textLengthMax, membersMax: 1, signal };
  const parts = openSource(path, { stdin: Readable.from([]), onBytes: () => {}, unpacking });
  for await (const part of parts) return readWatchText(await wholeText(part), part.name);
  throw new SourceFileError(`${path} is empty.`);
}

async function wholeText(part: SourcePart): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of readText(part)) pieces.push(piece);
  return pieces.join('');
}

/** `name` is the prefix of locations. */
export async function readWatchText(text: string, name: string): Promise<WatchFile> {
  const part = () => ({ name, stream: Readable.from([Buffer.from(text)]) });
  if (/^\s*</.test(text)) return readWanted(part());
  return isTable(text) ? readTable(part()) : fileOf(readLines(text, name));
}

function fileOf(
  rows: readonly (WatchDraft | Rejection)[],
  notes: readonly string[] = [],
): WatchFile {
  if (rows.length > rowsMax) {
    throw new SourceFileError(`The file has more than ${rowsMax} rows; split it.`);
  }
  const drafts = rows.filter((row): row is WatchDraft => !isRejection(row));
  return { drafts, rejects: rows.filter(isRejection), notes };
}

/** Column names, best match first. */
const columns = {
  number: [
    'number',
    'set_number',
    'set number',
    'set_num',
    'item_number',
    'item number',
    'minifig_number',
    'minifig number',
    'minifigure_no',
    'itemid',
    'barcode',
    'ean',
    'upc',
  ],
  kind: ['item_type', 'item type', 'itemtype', 'type'],
  target: ['target_usd', 'target', 'target price', 'target_price', 'max price', 'maxprice'],
  note: ['note', 'notes', 'remarks', 'comment', 'comments'],
} as const;

function isTable(text: string): boolean {
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/, 1);
  const cells = first
    .split(/[,;\t]/)
    .map((cell) => cell.trim().replace(/^"|"$/g, '').toLowerCase());
  return cells.some((cell) => columns.number.some((name) => name === cell));
}

async function readTable(part: SourcePart): Promise<WatchFile> {
  const table = await findTable(part);
  if (!table) throw new SourceFileError(`${part.name} is empty.`);
  const rows: (WatchDraft | Rejection)[] = [];
  for await (const group of table.rows()) {
    rows.push(...group.map((row) => readDraft(row.location, () => tableDraft(row))));
    if (rows.length > rowsMax) break;
  }
  const isPriced = ['price', 'price_usd', 'retail', 'rrp (usd)'].some((name) => table.has(name));
  const hasTarget = columns.target.some((name) => table.has(name));
  const notes = isPriced && !hasTarget ? ["Prices were ignored: no column is named 'target'."] : [];
  return fileOf(rows, notes);
}

function tableDraft(row: TableRow): Draft {
  if (row.mismatch !== null) throw new RowError(row.mismatch);
  const cell = (names: readonly string[]) =>
    names.map((name) => row.text(name)).find((text) => text !== null) ?? '';
  return {
    kind: kindOf(cell(columns.kind)),
    number: unguardCell(cell(columns.number)),
    target: cell(columns.target),
    note: unguardCell(cell(columns.note)),
  };
}

const kinds: ReadonlyMap<string, ItemKind> = new Map([
  ['set', 'set'],
  ['s', 'set'],
  ['minifig', 'minifig'],
  ['minifigure', 'minifig'],
  ['m', 'minifig'],
]);

function kindOf(text: string): ItemKind | null {
  return kinds.get(text.toLowerCase()) ?? null;
}

/** A number, an optional amount, and the rest as a note. */
const linePattern =
  /^([^\s,;]+)(?:\s*[,;\s]\s*(\$?\s?\d[\d.,]*\d|\$?\s?\d)(?=$|[\s,;]))?[\s,;]*(.*)$/;

function readLines(text: string, name: string): (WatchDraft | Rejection)[] {
  return text.split(/\r\n|\r|\n/).flatMap((content, index) => {
    const line = content.trim();
    if (line === '') return [];
    const [, number = line, target = '', note = ''] = linePattern.exec(line) ?? [];
    const location = { where: `${name}:${index + 1}`, text: line };
    return [readDraft(location, () => ({ kind: null, number, target, note: note.trim() }))];
  });
}

const wantedList: XmlShape = {
  roots: ['INVENTORY'],
  group: 'INVENTORY',
  elements: /^(INVENTORY|ITEM|ITEM(TYPE|ID)|COLOR|MAXPRICE|MINQTY|CONDITION|REMARKS|NOTIFY)$/,
  all: 'items',
  one: 'an item',
  beginnings: 'BrickLink wanted lists begin with <INVENTORY>',
};

async function readWanted(part: SourcePart): Promise<WatchFile> {
  const rows: (WatchDraft | Rejection)[] = [];
  const ignored = new Set<string>();
  for await (const steps of readXmlGroups(part, wantedList)) {
    for (const { item } of steps) {
      if (item === null) continue;
      rows.push(readDraft(item, () => wantedDraft(item)));
      if (isGiven(item, 'CONDITION', 'X')) ignored.add('condition');
      if (isGiven(item, 'MINQTY', '1')) ignored.add('quantity');
    }
    if (rows.length > rowsMax) break;
  }
  const words = [...ignored].sort();
  const notes =
    words.length === 0 ? [] : [`Ignored: ${words.join(' and ')}, which watchlists do not have.`];
  return fileOf(rows, notes);
}

/** Whether a field has a value other than its default. */
function isGiven({ fields }: XmlItem, name: string, nothing: string): boolean {
  const text = fields[name] ?? '';
  return text !== '' && text.toUpperCase() !== nothing && text !== '0' && text !== '-1';
}

function wantedDraft({ fields }: XmlItem): Draft {
  const { ITEMTYPE = '', ITEMID: number = '', MAXPRICE = '', REMARKS: note = '' } = fields;
  const thing = itemTypeName(ITEMTYPE);
  const kind = kindOf(thing);
  if (!kind) {
    throw new RowError(
      `'${number}' is ${withArticle(thing)}; only sets and minifigs can be imported`,
    );
  }
  return { kind, number, target: wantedTarget(MAXPRICE), note };
}

/** BrickLink writes -1.0000 for no price, and four decimals. */
function wantedTarget(text: string): string {
  const price = tenThousandths(text);
  if (price === null) return text;
  return price <= 0 ? '' : (Math.round(price / 100) / 100).toFixed(2);
}

interface Draft extends Pick<WatchDraft, 'kind' | 'number' | 'note'> {
  readonly target: string;
}

function readDraft(location: Location, read: () => Draft): WatchDraft | Rejection {
  const { where, text } = location;
  return readOr<WatchDraft | Rejection>(
    () => {
      const { kind, number, target, note } = read();
      if (number === '') throw new RowError('there is no number');
      return { where, text, kind, number, targetCents: centsOf(target), note: checkedNote(note) };
    },
    (reason) => ({ where, text, reason }),
  );
}

function centsOf(text: string): number | null {
  if (text === '') return null;
  const amount = looseMoney(text);
  if (amount === null || amount.cents < 0 || amount.cents > centsMax) {
    throw new RowError(`the target must be an amount such as 119.99, not '${text}'`);
  }
  if ((amount.currency ?? 'USD') !== 'USD') {
    throw new RowError(`targets are in US dollars; this one is '${text}'`);
  }
  // 0 means no target.
  return amount.cents === 0 ? null : amount.cents;
}

function checkedNote(text: string): string {
  const note = text.replace(/[\r\n\t]+/g, ' ').trim();
  const problem = hiddenCharacterProblem(note);
  if (problem !== null) throw new RowError(`the note ${problem}`);
  if ([...note].length > watchLimits.noteLength) {
    throw new RowError(`the note has more than ${watchLimits.noteLength} characters`);
  }
  return note;
}
