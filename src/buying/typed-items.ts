/** Resolves typed numbers to sets, barcodes of sets, or minifigs. */
import type { TextProblem, TypedItem } from '../domain/buying/box-text.ts';
import { barcodeKey } from '../domain/catalog/barcode.ts';
import { itemKey } from '../domain/catalog/numbers.ts';
import { type Condition, usualCondition } from '../domain/market/source-rows.ts';
import type { MarketReading } from '../store/store.ts';
import type { EnteredItem } from './evaluate.ts';

export type NumberLookups = Pick<
  MarketReading,
  'findListedItems' | 'findBarcodeSets' | 'findResaleRecords'
>;

/** The resolved items, and the ambiguous ones. */
export interface ResolvedItems {
  readonly items: readonly EnteredItem[];
  readonly problems: readonly TextProblem[];
}

/**
 * Sets without a condition get the given one, and need one if it is null: a used set at the price of
 * a sealed one is a bad buy. Minifigs get their usual one. Unknown items stay as typed.
 */
export async function resolveTypedItems(
  market: NumberLookups,
  typed: readonly TypedItem[],
  usual: Condition | null,
): Promise<ResolvedItems> {
  const setKeys = unique(typed.map(setKey));
  const sets = await market.findListedItems('set', setKeys);
  const unknown = typed.filter((item) => !sets.has(setKey(item)));
  const scanned = await findScanned(market, unknown);
  const minifigKeys = unique(unknown.map(minifigKey).filter((key) => barcodeKey(key) === null));
  const minifigs =
    minifigKeys.length === 0 ? new Map() : await market.findResaleRecords('minifig', minifigKeys);
  const items: EnteredItem[] = [];
  const problems: TextProblem[] = [];
  for (const item of typed) {
    const { line, number, quantity, grade } = item;
    const isMinifig = !sets.has(setKey(item)) && minifigs.has(minifigKey(item));
    const [meant = number, ...others] = scanned.get(number) ?? [];
    const condition = item.condition ?? (isMinifig ? usualCondition('minifig') : usual);
    if (others.length > 0) {
      const all = [meant, ...others].join(', ');
      problems.push({ line, text: number, problem: `The barcode is on ${all}; write which one.` });
    } else if (condition === null) {
      const problem = `Is it sealed or used? Enter ${meant} sealed or ${meant} used.`;
      problems.push({ line, text: item.text, problem });
    } else {
      const kind = isMinifig ? 'minifig' : 'set';
      items.push({ kind, number: meant, condition, grade, quantity });
    }
  }
  return { items, problems };
}

function setKey({ number }: TypedItem): string {
  return itemKey('set', number);
}

function minifigKey({ number }: TypedItem): string {
  return itemKey('minifig', number);
}

function unique(keys: readonly string[]): string[] {
  return [...new Set(keys)];
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
  const found = await market.findBarcodeSets(unique([...codes.values()]));
  return new Map([...codes].map(([number, key]) => [number, found.get(key) ?? []]));
}
