/** The sizes of pictures. */

import type { PictureSize } from '../kit/item-picture.tsx';

export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** The longer side in pixels, for screens with two pixels per CSS pixel. */
const pixels: Readonly<Record<PictureSize, number>> = { thumb: 96, card: 240, large: 640 };

export const pictureSizes = Object.keys(pixels) as readonly PictureSize[];

/** Reads a size from an address; large by default. */
export function readPictureSize(text: string | null): PictureSize {
  return pictureSizes.find((size) => size === text) ?? 'large';
}

export type SizedPictures = Readonly<Record<PictureSize, Picture>>;

/** Larger pictures are not unpacked, as a small file may unpack to gigabytes. */
const pixelsMax = 16_000_000;
const quality = 80;

/**
 * Resizes a picture to all sizes, on other threads. A picture that cannot be decoded here, such as
 * AVIF on Linux, keeps its size; null if it has too many pixels.
 */
export async function makeSizes(original: Picture): Promise<SizedPictures | null> {
  try {
    const thumb = await resized(original, pixels.thumb);
    const card = await resized(original, pixels.card);
    return { thumb, card, large: await resized(original, pixels.large) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_IMAGE_TOO_MANY_PIXELS') return null;
    return { thumb: original, card: original, large: original };
  }
}

async function resized({ bytes }: Picture, side: number): Promise<Picture> {
  const image = new Bun.Image(bytes, { maxPixels: pixelsMax })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality });
  return { bytes: new Uint8Array(await image.bytes()), type: 'image/webp' };
}

/** The first bytes of each type. Other types, such as SVG, are not served. */
const signatures: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/avif', /^[\s\S]{4}ftypavi[fs]/],
];

/** Recognizes a picture by its first bytes; null if it is not one. */
export function readPicture(bytes: Uint8Array<ArrayBuffer>): Picture | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const type = signatures.find(([, beginning]) => beginning.test(start))?.[0];
  return type === undefined ? null : { bytes, type };
}
