/** Finds sets by number, barcode or words of the name. */
import type { SetSearchResult } from '../../contract/catalog.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import type { SetRecord } from '../../contract/set.ts';
import { barcodeKey } from '../../domain/catalog/barcode.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { toCentsOrNull } from '../../domain/kernel/money.ts';
import { isSearchable } from '../../domain/search/search-terms.ts';
import type { WebDeps } from '../deps.ts';
import type { SuggestedItem } from '../kit/set-picker.tsx';

/** The maximum number of suggested sets. */
const suggestionsMax = 8;

type SuggestedSet = Omit<SuggestedItem, 'kind'>;

/** Matching sets, best first. */
export async function suggestSets(deps: WebDeps, typed: string): Promise<SuggestedSet[]> {
  const term = typed.trim().slice(0, searchLengthMax);
  const scanned = await findBarcodeRows(deps, term);
  if (scanned.length > 0) return scanned.slice(0, suggestionsMax).map(suggested);
  if (!isSearchable(term, searchLengthMin)) return [];
  const { rows } = await deps.search({ kind: 'set', term, limit: suggestionsMax, offset: 0 });
  return rows.map(suggested);
}

function suggested(row: string): SuggestedSet {
  const { set_number: number, title, theme, year }: SetSearchResult = JSON.parse(row);
  return { number, title, theme: theme ?? '', year };
}

/** The set with exactly this number, or else all matching ones. */
export async function matchSets(deps: WebDeps, typed: string): Promise<SuggestedSet[]> {
  const exact = await deps.market.findSearchRows('set', [itemKey('set', typed)]);
  return exact.length > 0 ? exact.map(suggested) : suggestSets(deps, typed);
}

/** The search rows of the sets with a barcode. */
export async function findBarcodeRows({ market }: WebDeps, typed: string) {
  const key = barcodeKey(typed);
  if (key === null) return [];
  return market.findSearchRows('set', (await market.findBarcodeSets([key])).get(key) ?? []);
}

/** The list price of a set; null if it has none or is not published. */
export async function findListPrice(deps: WebDeps, number: string): Promise<number | null> {
  const body = await deps.findDocument('set', number);
  if (body === null) return null;
  const { msrp_usd: msrp }: SetRecord = JSON.parse(body);
  return toCentsOrNull(msrp);
}
