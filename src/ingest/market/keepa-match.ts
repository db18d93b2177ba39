/** Matches Keepa products to sets: by barcode, else model, else a number in the title. */

import { itemKey } from '../../catalog/items/numbers.ts';
import { shortText } from '../../kernel/text.ts';
import type { KnownSet } from '../../market/source-rows/market-ingest.ts';
import { setNumbersIn } from '../../market/values/listing-title.ts';
import { RowError } from '../runner/fields.ts';
import type { BarcodeIndex } from './barcode-index.ts';
import type { KeepaProduct } from './keepa-product.ts';

export interface SetFinder {
  readonly barcodes: BarcodeIndex;
  findKnownSets(keys: readonly string[]): Promise<ReadonlyMap<string, KnownSet>>;
}

/** Throws a `RowError` if there is no match, or several. */
export async function matchSet(product: KeepaProduct, finder: SetFinder): Promise<string> {
  const reasons: string[] = [];
  const byBarcode = matchBarcodes(product, finder.barcodes, reasons);
  if (byBarcode !== null) return byBarcode;
  if (!product.isLego) {
    const brand = product.brand === null ? 'it has no brand' : `its brand is '${product.brand}'`;
    throw new RowError(`${join(reasons)}; ${brand}, so its model and title are ignored`);
  }
  const byModel = await matchNumbers(product.models, 'model', finder, reasons);
  if (byModel !== null) return byModel;
  const byTitle = await matchNumbers(setNumbersIn(product.title), 'title', finder, reasons);
  if (byTitle !== null) return byTitle;
  throw new RowError(join(reasons));
}

function matchBarcodes(
  product: KeepaProduct,
  index: BarcodeIndex,
  reasons: string[],
): string | null {
  const found = product.barcodes.map((code) => ({ code, match: index.find(code) }));
  const matches = found.flatMap(({ code, match }) =>
    match === null || match === 'shared' ? [] : [{ what: `barcode ${code}`, number: match.number }],
  );
  const shared = found.filter(({ match }) => match === 'shared').map(({ code }) => code);
  if (shared.length > 0) reasons.push(`several sets share the barcode ${shared.join(', ')}`);
  const unknown = found.filter(({ match }) => match === null).map(({ code }) => code);
  if (unknown.length > 0) reasons.push(`no set has the barcode ${unknown.join(' or ')}`);
  if (found.length === 0) reasons.push('it has no barcode');
  return onlyOne(matches);
}

async function matchNumbers(
  numbers: readonly string[],
  where: 'model' | 'title',
  finder: SetFinder,
  reasons: string[],
): Promise<string | null> {
  const keys = [...new Set(numbers.map((number) => itemKey('set', number)))];
  if (keys.length === 0) {
    reasons.push(`its ${where} has no set number`);
    return null;
  }
  const sets = await finder.findKnownSets(keys);
  const matches = keys.flatMap((key) => {
    const set = sets.get(key);
    return set ? [{ what: `${where} ${key}`, number: set.number }] : [];
  });
  reasons.push(`set ${keys.join(' or ')} in its ${where} is not in the catalog`);
  return onlyOne(matches);
}

/** Throws if the matches are different sets. */
function onlyOne(matches: readonly { what: string; number: string }[]): string | null {
  const numbers = new Set(matches.map(({ number }) => number));
  if (numbers.size <= 1) return matches[0]?.number ?? null;
  const list = matches.map(({ what, number }) => `${what} is set ${number}`);
  throw new RowError(`it matches several sets: ${list.join(', ')}`);
}

function join(reasons: readonly string[]): string {
  return reasons.map((reason) => (reason.length > 200 ? shortText(reason) : reason)).join('; ');
}
