/** Finds the set that somebody means: by its number, a barcode on its box, or words of its name. */
import type { SetSearchResult } from '../../contract/catalog.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import type { SetRecord } from '../../contract/set.ts';
import { barcodeKey } from '../../domain/catalog/barcode.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { toCentsOrNull } from '../../domain/kernel/money.ts';
import { isSearchable } from '../../domain/search/search-terms.ts';
import type { WebDeps } from '../deps.ts';
import type { SuggestedItem } from '../kit/set-picker.tsx';

/** How many sets are suggested. */
const suggestionsMax = 8;

type SuggestedSet = Omit<SuggestedItem, 'kind'>;

/** The sets that fit, best first. */
export async function suggestSets(deps: WebDeps, typed: string): Promise<SuggestedSet[]> {
  const term = typed.trim().slice(0, searchLengthMax);
  const scanned = await findBarcodeRows(deps, term);
  if (scanned.length > 0) return scanned.slice(0, suggestionsMax).map(suggested);
  if (!isSearchable(term, searchLengthMin)) return [];
  const { rows } = await deps.search({ kind: 'set', term, limit: suggestionsMax, offset: 0 });
  return rows.map(suggested);
}

/** A set as search shows it. */
function suggested(row: string): SuggestedSet {
  const { set_number: number, title, theme, year }: SetSearchResult = JSON.parse(row);
  return { number, title, theme: theme ?? '', year };
}

/** The set with the number that was typed, or all that fit what was typed. */
export async function matchSets(deps: WebDeps, typed: string): Promise<SuggestedSet[]> {
  const exact = await deps.market.findSearchRows('set', [itemKey('set', typed)]);
  return exact.length > 0 ? exact.map(suggested) : suggestSets(deps, typed);
}

/** The sets that have what was typed as their barcode, as search finds them. */
export async function findBarcodeRows({ market }: WebDeps, typed: string) {
  const key = barcodeKey(typed);
  if (key === null) return [];
  return market.findSearchRows('set', (await market.findBarcodeSets([key])).get(key) ?? []);
}

/** The list price of a set; null when it has none, or is not published. */
export async function findListPrice(deps: WebDeps, number: string): Promise<number | null> {
  const body = await deps.findDocument('set', number);
  if (body === null) return null;
  const { msrp_usd: msrp }: SetRecord = JSON.parse(body);
  return toCentsOrNull(msrp);
}
