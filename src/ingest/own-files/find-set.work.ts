/** Finds set numbers in titles and labels. */

import { itemKey } from '../../catalog/items/numbers.ts';
import type { KnownSet } from '../../market/source-rows/market-ingest.ts';
import { RowError } from '../runner/fields.ts';
import type { MarketIngest } from '../runner/market-ingest.store.ts';
import type { ItemSet } from './order.ts';

const numberPattern = /(?<!\d)\d{4,7}(?:-\d{1,2}(?!\d))?(?!\d)/g;

/** Returns a number or an error for each item, with one lookup. */
export async function findSets(
  market: Pick<MarketIngest, 'findKnownSets'>,
  items: readonly ItemSet[],
): Promise<(string | RowError)[]> {
  const candidates = items.flatMap((item) =>
    'texts' in item ? item.texts.flatMap(numbersIn) : [],
  );
  const keys = [...new Set(candidates.map((number) => itemKey('set', number)))];
  const known = keys.length === 0 ? new Map() : await market.findKnownSets(keys);
  return items.map((item) => ('number' in item ? item.number : foundIn(item.texts, known)));
}

/** Possible set numbers in a text. */
export function numbersIn(text: string): string[] {
  return [...new Set(text.match(numberPattern))];
}

function foundIn(
  texts: readonly string[],
  known: ReadonlyMap<string, KnownSet>,
): string | RowError {
  for (const text of texts) {
    const found = new Set(
      numbersIn(text).flatMap((number) => known.get(itemKey('set', number))?.number ?? []),
    );
    const matches = withoutYears([...found]);
    if (matches.length > 1) {
      return new RowError(`'${text}' names several sets: ${matches.join(', ')}`);
    }
    if (matches[0] !== undefined) return matches[0];
  }
  return new RowError(`no set number found in ${texts.map((t) => `'${t}'`).join(' or ')}`);
}

/** Years are valid set numbers, but next to another number they are years. */
export function withoutYears(numbers: readonly string[]): readonly string[] {
  return numbers.length > 1 ? numbers.filter((number) => !isYear(number)) : numbers;
}

/** Whether a set number is probably a year. */
export function isYear(number: string): boolean {
  return /^(19[5-9]|20[0-4])\d$/.test(number);
}
