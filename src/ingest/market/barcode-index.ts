/** Finds sets by barcode. */
import { barcodeKey, gtinKey } from '../../catalog/barcodes/barcode.ts';
import type { SetBarcodes } from '../../market/source-rows/market-ingest.ts';

export class BarcodeIndex {
  /** Null if several sets share the barcode. */
  private readonly sets = new Map<string, string | null>();

  constructor(known: readonly SetBarcodes[]) {
    for (const { number, upc, ean } of known) {
      for (const code of [upc, ean]) {
        const key = code === null ? null : barcodeKey(code);
        if (key !== null) this.add(key, number);
      }
    }
  }

  /** Null if no set has the barcode, 'shared' if several have. */
  find(code: string): { readonly number: string } | 'shared' | null {
    const key = gtinKey(code);
    const number = key === null ? undefined : this.sets.get(key);
    if (number === undefined) return null;
    return number === null ? 'shared' : { number };
  }

  private add(key: string, number: string): void {
    const known = this.sets.get(key);
    this.sets.set(key, known === undefined || known === number ? number : null);
  }
}
