/** Turns text into the rows of a box: numbers are those of sets, barcodes of sets, or minifigs. */

import { barcodeKey } from '../../catalog/barcodes/barcode.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import type { ListingReading } from '../../market/published/listing.store.ts';
import { usualCondition } from '../../market/source-rows/source-rows.ts';
import { readBoxText, readUnread, type TypedItem } from './box-text.ts';
import { type BoxRow, boxLimits } from './saved-box.ts';

export type NumberLookups = Pick<
  ListingReading,
  'findListedItems' | 'findBarcodeSets' | 'findResaleRecords'
>;

/** Rows in the order of the text. Sets without a condition stay without, minifigs are used. */
export async function readRows(market: NumberLookups, text: string): Promise<BoxRow[]> {
  const { items, problems } = readBoxText(text);
  const read = await resolveTypedItems(market, items);
  const unread = problems.map(({ line, text: typed, problem }) => ({
    line,
    row: unreadRow(typed, problem),
  }));
  return [...read, ...unread].toSorted((a, b) => a.line - b.line).map(({ row }) => row);
}

export function unreadRow(text: string, problem: string): BoxRow {
  const { ignored, ...stated } = readUnread(text);
  return { ...emptyRow, ...stated, text: shortLine(text), problem, ignored: shortLine(ignored) };
}

const emptyRow: BoxRow = {
  text: '',
  kind: 'set',
  number: null,
  problem: null,
  condition: null,
  grade: null,
  quantity: 1,
  priceCents: null,
  maxCents: null,
  ignored: '',
};

function shortLine(text: string): string {
  return [...text].slice(0, boxLimits.line).join('');
}

export function rowOf(units: Pick<BoxRow, 'kind' | 'number' | 'condition' | 'quantity'>): BoxRow {
  return { ...emptyRow, ...units, text: units.number ?? '' };
}

/** Unknown items stay as typed, as sets. */
async function resolveTypedItems(
  market: NumberLookups,
  typed: readonly TypedItem[],
): Promise<{ readonly line: number; readonly row: BoxRow }[]> {
  const sets = await market.findListedItems('set', [...new Set(typed.map(setKey))]);
  const unknown = typed.filter((item) => !sets.has(setKey(item)));
  const scanned = await findScanned(market, unknown);
  const keys = new Set(unknown.map(minifigKey).filter((key) => barcodeKey(key) === null));
  const minifigKeys = [...keys];
  const minifigs =
    minifigKeys.length === 0 ? new Map() : await market.findResaleRecords('minifig', minifigKeys);
  return typed.map((item) => {
    const { line, text, number, quantity, grade, priceCents, ignored } = item;
    const isMinifig = !sets.has(setKey(item)) && minifigs.has(minifigKey(item));
    const [first = number, ...others] = scanned.get(number) ?? [];
    const problem = `The barcode is on ${[first, ...others].join(', ')}; choose which one.`;
    const row: BoxRow = {
      ...emptyRow,
      text: shortLine(text),
      kind: isMinifig ? 'minifig' : 'set',
      number: others.length > 0 ? null : first,
      problem: others.length > 0 ? problem : null,
      condition: item.condition ?? (isMinifig ? usualCondition('minifig') : null),
      grade,
      quantity,
      priceCents,
      // Shown next to the item, or searched for if there is no number.
      ignored: shortLine(others.length > 0 ? number : ignored),
    };
    return { line, row };
  });
}

function setKey({ number }: TypedItem): string {
  return itemKey('set', number);
}

function minifigKey({ number }: TypedItem): string {
  return itemKey('minifig', number);
}

/** Sets by barcode as typed. */
async function findScanned(
  market: NumberLookups,
  typed: readonly TypedItem[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const codes = new Map<string, string>();
  for (const { number } of typed) {
    const key = barcodeKey(number);
    if (key !== null) codes.set(number, key);
  }
  const found = await market.findBarcodeSets([...new Set(codes.values())]);
  return new Map([...codes].map(([number, key]) => [number, found.get(key) ?? []]));
}
