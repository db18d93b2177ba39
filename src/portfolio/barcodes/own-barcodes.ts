/** Barcodes that an account scanned although no set had them, to attach to a set of its choice. */

export const ownBarcodesMax = 500;

export interface OwnBarcode {
  /** 13 digits, as `readBarcode` returns them. */
  readonly code: string;
  readonly setKey: string | null;
  readonly firstScannedAt: number;
  readonly lastScannedAt: number;
}
