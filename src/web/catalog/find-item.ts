/** Finds sets and minifigs by number, barcode or words of the name. */

import { barcodeKey } from '../../catalog/barcodes/barcode.ts';
import { type ItemKind, type ItemRef, itemKey, itemKinds } from '../../catalog/items/numbers.ts';
import { isSearchable } from '../../catalog/search/search-terms.ts';
import type { MinifigSearchResult, SetSearchResult } from '../../contract/catalog.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import type { SetRecord } from '../../contract/set.ts';
import { toCentsOrNull } from '../../kernel/money.ts';
import { foldText } from '../../kernel/text.ts';
import type { ListedItem } from '../../market/published/published-records.ts';
import { findListed } from '../../portfolio/lots/collection.work.ts';
import { namedNumber } from '../kit/address.ts';
import type { SuggestedItem } from '../kit/set-picker.tsx';
import type { WebDeps } from '../page.ts';

const suggestedMax: Readonly<Record<ItemKind, number>> = { set: 8, minifig: 4 };

/** Matching items of a kind, best first. */
export async function suggestItems(deps: WebDeps, kind: ItemKind, typed: string) {
  const term = typed.trim().slice(0, searchLengthMax);
  const limit = suggestedMax[kind];
  const scanned = kind === 'set' ? await findBarcodeRows(deps, term) : [];
  if (scanned.length > 0) return scanned.slice(0, limit).map(readSet);
  if (!isSearchable(term, searchLengthMin)) return [];
  const { rows } = await deps.cache.search({ kind, term, limit, offset: 0 });
  return rows.map(kind === 'set' ? readSet : readMinifig);
}

function readSet(row: string): SuggestedItem {
  const { set_number: number, title, theme, year }: SetSearchResult = JSON.parse(row);
  return { kind: 'set', number, title, theme: theme ?? '', year };
}

function readMinifig(row: string): SuggestedItem {
  const { minifig_number: number, name, year_released }: MinifigSearchResult = JSON.parse(row);
  return { kind: 'minifig', number, title: name, theme: 'minifig', year: year_released };
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

/** An item in a message: its title with its number, or only the number if there is no title. */
export function itemText({ number, title }: { readonly number: string; readonly title: string }) {
  return title === '' || title === number ? number : `${title} (${number})`;
}

/** The item whose number is in an address, for a message. */
export async function namedItem(
  deps: Pick<WebDeps, 'market'>,
  query: URLSearchParams,
  name: string,
): Promise<string> {
  const number = namedNumber(query, name);
  const found =
    (await findExact(deps, 'set', number)) ?? (await findExact(deps, 'minifig', number));
  return found ? itemText(found) : number;
}

/** The search rows of the sets with a barcode. */
export async function findBarcodeRows({ market }: WebDeps, typed: string) {
  const key = barcodeKey(typed);
  if (key === null) return [];
  return market.findSearchRows('set', (await market.findBarcodeSets([key])).get(key) ?? []);
}

/** Matching items in the inventory, with the number of their units; sets first. */
export async function findHeldItems(
  deps: WebDeps,
  accountId: number,
  { typed, limit }: { readonly typed: string; readonly limit: number },
): Promise<HeldItem[]> {
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const held: HeldItem[] = [];
  for (const kind of itemKinds) {
    const costs = await deps.accounts.listHeldCosts(accountId, kind);
    const units = new Map(costs.map((cost) => [cost.key, cost.units]));
    const items = await deps.portfolio.market.findListedItems(kind, [...units.keys()]);
    const typedKey = itemKey(kind, typed);
    for (const [key, item] of items) {
      const title = foldText(item.title);
      const isMatch = key.startsWith(typedKey) || words.every((word) => title.includes(word));
      if (!isMatch) continue;
      // Minifigs are listed under the number they were entered.
      const number = kind === 'set' ? item.number : key;
      held.push({ ...item, kind, key, number, units: units.get(key) ?? 0 });
    }
  }
  return held.slice(0, limit);
}

type HeldItem = ListedItem & ItemRef & { readonly units: number };

/** The list price of a set; null if it has none or is not published. */
export async function findListPrice(deps: WebDeps, number: string): Promise<number | null> {
  const body = await deps.cache.findDocument('set', number);
  if (body === null) return null;
  const { msrp_usd: msrp }: SetRecord = JSON.parse(body);
  return toCentsOrNull(msrp);
}

/** The item of a lot or sale; only its number if it is not published. */
export async function findListedItem(
  { portfolio }: Pick<WebDeps, 'portfolio'>,
  { kind, number }: { readonly kind: ItemKind; readonly number: string },
): Promise<ListedItem> {
  const item = { kind, number, key: itemKey(kind, number) };
  return (await findListed(portfolio.market, [item]))(item);
}
