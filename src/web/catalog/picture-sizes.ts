/** The sizes in which pictures are shown, and how they are made of what was fetched. */

import type { PictureSize } from '../kit/item-picture.tsx';

/** A picture with its type. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** The longer side of each size in pixels, twice what pages show, for dense screens. */
const pixels: Readonly<Record<PictureSize, number>> = { thumb: 96, card: 240, large: 640 };

/** Every size. */
export const pictureSizes = Object.keys(pixels) as readonly PictureSize[];

/** The size that an address asks for; the large one unless it names another. */
export function readPictureSize(text: string | null): PictureSize {
  return pictureSizes.find((size) => size === text) ?? 'large';
}

/** A picture in every size. */
export type SizedPictures = Readonly<Record<PictureSize, Picture>>;

/** A small file may unpack to gigabytes; what has more pixels than this is not unpacked. */
const pixelsMax = 16_000_000;
const quality = 80;

/**
 * Makes all sizes of a picture, on other threads. What cannot be decoded here, such as AVIF on
 * Linux, stays as it is; what would be too large for a browser's memory, too, is null.
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

/** How files of each type begin. What is anything else, such as SVG, is not passed on. */
const signatures: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/avif', /^[\s\S]{4}ftypavi[fs]/],
];

/** The picture in some bytes, by what the content is; null when it is none. */
export function readPicture(bytes: Uint8Array<ArrayBuffer>): Picture | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const type = signatures.find(([, beginning]) => beginning.test(start))?.[0];
  return type === undefined ? null : { bytes, type };
}
