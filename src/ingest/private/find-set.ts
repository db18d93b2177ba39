/** Finds the set that a title or a label speaks of. */

import { itemKey } from '../../domain/catalog/numbers.ts';
import type { KnownSet, MarketLookups } from '../../domain/market/market-lookups.ts';
import { RowError } from '../fields.ts';
import type { ItemSet } from './order.ts';

/** Set numbers as they occur in texts. */
const numberPattern = /(?<!\d)\d{4,7}(?:-\d{1,2}(?!\d))?(?!\d)/g;

/** Looks up the sets of many items at once; each result is a number, or the error. */
export async function findSets(
  market: Pick<MarketLookups, 'findKnownSets'>,
  items: readonly ItemSet[],
): Promise<(string | RowError)[]> {
  const candidates = items.flatMap((item) =>
    'texts' in item ? item.texts.flatMap(numbersIn) : [],
  );
  const keys = [...new Set(candidates.map((number) => itemKey('set', number)))];
  const known = keys.length === 0 ? new Map() : await market.findKnownSets(keys);
  return items.map((item) => ('number' in item ? item.number : foundIn(item.texts, known)));
}

/** Everything in a text that could be the number of a set. */
export function numbersIn(text: string): string[] {
  return [...new Set(text.match(numberPattern) ?? [])];
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

/** A year is a set number too, but hardly ever means one beside another. */
export function withoutYears(numbers: readonly string[]): readonly string[] {
  return numbers.length > 1 ? numbers.filter((number) => !isYear(number)) : numbers;
}

function isYear(number: string): boolean {
  return /^(19[5-9]|20[0-4])\d$/.test(number);
}
