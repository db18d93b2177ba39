/** Finds the set that a title or a label speaks of. */

import { itemKey } from '../../domain/catalog/numbers.ts';
import type { KnownSet, MarketLookups } from '../../domain/market/market-lookups.ts';
import { RowFault } from '../fields.ts';
import type { ItemSet } from './order.ts';

/** Set numbers as they occur in texts. */
const numberPattern = /(?<!\d)\d{4,7}(?:-\d{1,2}(?!\d))?(?!\d)/g;

/** Looks up the sets of many items at once; each answer is a number, or the fault. */
export async function findSets(
  market: Pick<MarketLookups, 'findKnownSets'>,
  items: readonly ItemSet[],
): Promise<(string | RowFault)[]> {
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
): string | RowFault {
  for (const text of texts) {
    const found = new Set(
      numbersIn(text).flatMap((number) => known.get(itemKey('set', number))?.number ?? []),
    );
    // A year is a set number too, but hardly ever means one beside another.
    const meant = found.size > 1 ? [...found].filter((number) => !isYear(number)) : [...found];
    if (meant.length > 1) {
      return new RowFault(`'${text}' names several sets: ${meant.join(', ')}`);
    }
    if (meant[0] !== undefined) return meant[0];
  }
  return new RowFault(`no set number is found in ${texts.map((t) => `'${t}'`).join(' or ')}`);
}

function isYear(number: string): boolean {
  return /^(19[5-9]|20[0-4])\d$/.test(number);
}
