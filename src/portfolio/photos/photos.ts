/** Photos of an account's own units, and their limits. */

/** Limits of photos; those of all photos of an account in bytes are a setting. */
export const photoLimits = {
  perLot: 12,
  perAccount: 10_000,
  /** Files in one form, and the maximum size of each. */
  atOnce: 10,
  fileBytes: 12 * 1024 * 1024,
  /** Phones with 50 megapixels have slightly more. */
  megapixels: 52,
  /** Estimated CPU time of decoding one. */
  decodeMs: 2_400,
  /** Both stored pictures: small, as calls that are charged in the same file must not wait. */
  storedBytes: 400 * 1024,
} as const;

/** The longer sides of stored pictures, in pixels. */
export const photoSides = { content: 1600, thumb: 320 } as const;

export type PhotoSize = keyof typeof photoSides;

/** All stored pictures have this type. */
export const photoType = 'image/webp';

/** A photo as it is stored: decoded and encoded again, so without metadata. */
export interface NewPhoto {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly thumb: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** A photo, or a sentence that says why a file cannot be one. */
export type MadePhoto = NewPhoto | { readonly problem: string };

/** Makes a photo of an uploaded file; the signal ends it early. */
export type MakePhoto = (bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<MadePhoto>;

export interface Photo {
  readonly id: number;
  readonly lotId: number;
  readonly width: number;
  readonly height: number;
  /** The size of its stored pictures. */
  readonly bytes: number;
  readonly createdAt: number;
}

/** `same`: the lot has this photo already. */
export type PhotoOutcome = 'added' | 'same' | 'lot full' | 'account full' | 'no lot';
