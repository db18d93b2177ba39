/** Finds sets and minifigs by number, barcode or words of the name. */
import type { MinifigSearchResult } from '../../contract/catalog.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import { type ItemKind, itemKey } from '../../domain/catalog/numbers.ts';
import { isSearchable } from '../../domain/search/search-terms.ts';
import type { WebDeps } from '../deps.ts';
import type { SuggestedItem } from '../kit/set-picker.tsx';
import { suggestSets } from './find-set.ts';

/** The maximum number of suggested minifigs. */
const minifigsMax = 4;

/** Matching items: sets first, then minifigs, each best first. */
export async function suggestItems(deps: WebDeps, typed: string): Promise<SuggestedItem[]> {
  const [sets, minifigs] = await Promise.all([
    suggestSets(deps, typed),
    suggestMinifigs(deps, typed),
  ]);
  return [...sets.map((set) => ({ kind: 'set' as const, ...set })), ...minifigs];
}

async function suggestMinifigs(deps: WebDeps, typed: string): Promise<SuggestedItem[]> {
  const term = typed.trim().slice(0, searchLengthMax);
  if (!isSearchable(term, searchLengthMin)) return [];
  const { rows } = await deps.search({ kind: 'minifig', term, limit: minifigsMax, offset: 0 });
  return rows.map((row) => {
    const { minifig_number: number, name, year_released }: MinifigSearchResult = JSON.parse(row);
    return { kind: 'minifig', number, title: name, theme: 'minifig', year: year_released };
  });
}

/** The items with exactly this number, or else all matching ones. */
export async function matchItems(deps: WebDeps, typed: string): Promise<SuggestedItem[]> {
  const [set, minifig] = await Promise.all([
    findExact(deps, 'set', typed),
    findExact(deps, 'minifig', typed),
  ]);
  const exact = [set, minifig].filter((item) => item !== null);
  return exact.length > 0 ? exact : suggestItems(deps, typed);
}

/** The item with exactly this number; null if there is none. */
export async function findExact(
  { market }: Pick<WebDeps, 'market'>,
  kind: ItemKind,
  typed: string,
): Promise<SuggestedItem | null> {
  const key = itemKey(kind, typed);
  const found = (await market.findNames(kind, [key])).get(key);
  if (!found) return null;
  const theme = kind === 'minifig' ? 'minifig' : '';
  return { kind, number: found.number, title: found.name, theme, year: null };
}
