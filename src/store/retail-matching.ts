/** Which retail row identifiers name. */
import type { RetailIdentifiers, RetailRecord } from '../domain/market/market-reading.ts';

/** Sets that share an identifier are looked at up to this many; more name none of them. */
export const sharedMax = 100;

/** The one row that has all the identifiers; null for none, and for several. */
export function theOneNamed(
  candidates: readonly RetailRecord[],
  { asinKey, barcodeKey }: RetailIdentifiers,
): RetailRecord | null {
  const [found, other] = candidates.filter(
    (row) =>
      (asinKey === undefined || row.asinKey === asinKey) &&
      (barcodeKey === undefined || row.upcKey === barcodeKey || row.eanKey === barcodeKey),
  );
  return found && !other ? found : null;
}

/** The sets that both lists name, or the one list that limits. */
export function inBoth(
  byAsins: ReadonlySet<string> | null,
  byBarcodes: ReadonlySet<string> | null,
): string[] {
  if (byAsins && byBarcodes) return [...byAsins.intersection(byBarcodes)];
  return [...(byAsins ?? byBarcodes ?? [])];
}
