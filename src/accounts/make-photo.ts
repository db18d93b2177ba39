/**
 * Makes a stored photo of an uploaded file. Headers are checked before anything is decoded, and the
 * result is encoded anew, so that nothing of the file but its pixels is kept: no position, no
 * camera, no other content.
 */
import { type NewPhoto, photoLimits, photoSides } from '../domain/portfolio/photos.ts';

type Made = NewPhoto | { readonly problem: string };

/** One picture at a time is decoded, as each may take 400 MB. */
let last: Promise<unknown> = Promise.resolve();

/** A photo, or a sentence that says why the file cannot be one. */
export async function makePhoto(bytes: Uint8Array<ArrayBuffer>): Promise<Made> {
  const problem = findProblem(bytes);
  if (problem !== null) return { problem };
  const made = last.then(() => decode(bytes));
  last = made.catch(() => {});
  return made;
}

async function decode(bytes: Uint8Array<ArrayBuffer>): Promise<Made> {
  try {
    const { width, height } = await new Bun.Image(bytes, { maxPixels }).metadata();
    if (width * height > maxPixels) return { problem: tooManyPixels };
    return await encode(bytes);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return { problem: tooManyPixels };
    if (code?.startsWith('ERR_IMAGE_')) return { problem: damaged };
    throw error;
  }
}

const maxPixels = photoLimits.megapixels * 1_000_000;

const tooManyPixels = `It has more than ${photoLimits.megapixels} megapixels.`;
const damaged = 'The picture is damaged and cannot be read.';
const animated = 'Animated pictures cannot be added. Choose a still one.';
const unreadable = 'Only JPEG, PNG and WebP pictures can be added.';
const heic =
  'HEIC and AVIF pictures cannot be read here. Save it as JPEG and add that. On an iPhone, ' +
  'Settings > Camera > Formats > Most Compatible makes JPEG.';

/** The first fault in the structure of a file; null if there is none. */
function findProblem(bytes: Uint8Array<ArrayBuffer>): string | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.toString('latin1', 0, 16);
  if (/^\xff\xd8\xff/.test(start)) return findJpegProblem(file);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return isAnimatedPng(file) ? animated : null;
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return isAnimatedWebp(file) ? animated : null;
  return /^[\s\S]{4}ftyp/.test(start) ? heic : unreadable;
}

/** Progressive pictures have about ten scans; a small file with thousands takes minutes. */
const scansMax = 50;

/** The decoder would fill the missing part of a picture that was cut off with gray. */
function findJpegProblem(file: Buffer): string | null {
  const scans = countScans(file);
  return scans === null || scans > scansMax ? damaged : null;
}

/** The number of scans of a JPEG; null if it ends before its end marker. */
function countScans(file: Buffer): number | null {
  let scans = 0;
  let at = 2;
  for (;;) {
    at = file.indexOf(0xff, at);
    if (at < 0 || at + 4 > file.length) return isEnd(file, at) ? scans : null;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) return scans;
    if (marker === 0xff) at += 1;
    // An escaped byte, or a marker without content.
    else if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      if (marker === 0xda) scans++;
      at += 2 + file.readUInt16BE(at + 2);
    }
  }
}

function isEnd(file: Buffer, at: number): boolean {
  return at >= 0 && file[at + 1] === 0xd9;
}

/** Whether a PNG has an animation, which is announced before its pixels. */
function isAnimatedPng(file: Buffer): boolean {
  for (let at = 8; at + 8 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** The bit of the extended header that announces an animation. */
const animationFlag = 0x02;

function isAnimatedWebp(file: Buffer): boolean {
  const isExtended = file.toString('latin1', 12, 16) === 'VP8X';
  return isExtended && ((file[20] ?? 0) & animationFlag) !== 0;
}

/** The usual quality, and those for pictures that are still large, such as noise. */
const quality = 78;
const lowQualities = [55, 30];

/** Small enough that writing a photo delays no call: they are charged in the same file. */
const contentBytesMax = 400 * 1024;

async function encode(bytes: Uint8Array<ArrayBuffer>): Promise<NewPhoto> {
  let content = await resized(bytes, photoSides.content, quality);
  for (const lower of lowQualities) {
    if (content.length <= contentBytesMax) break;
    content = await resized(content, photoSides.content, lower);
  }
  const thumb = await resized(content, photoSides.thumb, quality);
  const { width, height } = await new Bun.Image(content).metadata();
  return { content, thumb, width, height };
}

/** Scales a picture down, never up, after turning it as its camera was held. */
async function resized(
  bytes: Uint8Array<ArrayBuffer>,
  side: number,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Bun.Image(bytes, { maxPixels })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality });
  return new Uint8Array(await image.bytes());
}
