/** Finds out what typed numbers mean: sets, barcodes of sets, or minifigs. */
import type { TextProblem, TypedItem } from '../domain/buying/box-text.ts';
import { barcodeKey } from '../domain/catalog/barcode.ts';
import { itemKey } from '../domain/catalog/numbers.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import type { StatedItem } from './evaluate.ts';

/** What looking numbers up needs. */
export type NumberLookups = Pick<
  MarketReading,
  'findListedSets' | 'findBarcodeSets' | 'findResaleRecords'
>;

/** What typed items mean, and those that could mean several things. */
export interface MeantItems {
  readonly items: readonly StatedItem[];
  readonly problems: readonly TextProblem[];
}

/**
 * What typed items mean. Sets whose condition nobody said are in the one that is given. Minifigs
 * count as used, because that is what their values are about: new ones are worth that at least.
 * What is not there stays as it was typed.
 */
export async function findMeant(
  market: NumberLookups,
  typed: readonly TypedItem[],
  condition: Condition,
): Promise<MeantItems> {
  const setKeys = unique(typed.map(setKey));
  const sets = await market.findListedSets(setKeys);
  const unknown = typed.filter((item) => !sets.has(setKey(item)));
  const scanned = await findScanned(market, unknown);
  const minifigKeys = unique(unknown.map(minifigKey).filter((key) => barcodeKey(key) === null));
  const minifigs =
    minifigKeys.length === 0 ? new Map() : await market.findResaleRecords('minifig', minifigKeys);
  const items: StatedItem[] = [];
  const problems: TextProblem[] = [];
  for (const item of typed) {
    const { line, number, quantity } = item;
    const isMinifig = !sets.has(setKey(item)) && minifigs.has(minifigKey(item));
    const [meant = number, ...others] = scanned.get(number) ?? [];
    if (others.length > 0) {
      const all = [meant, ...others].join(', ');
      problems.push({ line, text: number, problem: `The barcode is on ${all}; write which one.` });
    } else {
      items.push({
        kind: isMinifig ? 'minifig' : 'set',
        number: meant,
        condition: isMinifig ? 'used' : (item.condition ?? condition),
        quantity,
      });
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

/** The sets that have barcodes, by what was typed. */
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
