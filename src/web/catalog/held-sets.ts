/** Finds sets in an inventory by number or words of the name. */
import { barcodeKey } from '../../domain/catalog/barcode.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { foldText } from '../../domain/kernel/text.ts';
import type { ListedSet } from '../../domain/market/market-reading.ts';
import type { WebDeps } from '../deps.ts';
import type { SuggestedItem } from '../kit/set-picker.tsx';
import { findExact, suggestItems } from './find-item.ts';

/** A set in the inventory, with the number of its units. */
export interface HeldSet extends ListedSet {
  readonly units: number;
}

/** Matching sets. */
export async function findHeldSets(
  deps: WebDeps,
  accountId: number,
  { typed, limit }: { readonly typed: string; readonly limit: number },
): Promise<HeldSet[]> {
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const costs = await deps.accounts.listHeldCosts(accountId);
  const units = new Map(costs.map((held) => [held.setKey, held.units]));
  const sets = await deps.portfolio.market.findListedSets([...units.keys()]);
  const key = itemKey('set', typed);
  const fits = (setKey: string, title: string) =>
    setKey.startsWith(key) || words.every((word) => foldText(title).includes(word));
  return [...sets]
    .filter(([setKey, { title }]) => fits(setKey, title))
    .slice(0, limit)
    .map(([setKey, set]) => ({ ...set, units: units.get(setKey) ?? 0 }));
}

/** The maximum number of choices. */
const choicesMax = 8;

/** The set with exactly this number or barcode, or else matching ones in the inventory. */
export async function matchHeldSets(
  deps: WebDeps,
  accountId: number,
  typed: string,
): Promise<SuggestedItem[]> {
  const exact = await findExact(deps, 'set', typed);
  if (exact) return [exact];
  if (barcodeKey(typed) !== null) return suggestItems(deps, typed);
  const held = await findHeldSets(deps, accountId, { typed, limit: choicesMax });
  return held.map(({ number, title, theme }) => ({
    kind: 'set',
    number,
    title,
    theme,
    year: null,
  }));
}
