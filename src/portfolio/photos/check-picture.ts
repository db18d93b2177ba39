/**
 * Checks an uploaded picture by its headers, before anything is decoded: its format, that it has
 * one frame, and how long decoding would take.
 */
import { photoLimits } from './photos.ts';

/** The estimated CPU time of decoding, or a sentence that says why it cannot be a photo. */
type Checked = { readonly decodeMs: number } | { readonly problem: string };

export async function checkPicture(bytes: Uint8Array<ArrayBuffer>): Promise<Checked> {
  const read = readStructure(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if ('problem' in read) return read;
  const size = await orProblem(() => new Bun.Image(bytes, { maxPixels }).metadata());
  if ('problem' in size) return size;
  const megapixels = (size.width * size.height) / 1_000_000;
  if (megapixels > photoLimits.megapixels) return { problem: tooManyPixels };
  const decodeMs = Math.ceil(megapixels * read.msPerMegapixel);
  return decodeMs > photoLimits.decodeMs ? { problem: tooCostly } : { decodeMs };
}

/** Errors of the decoder become a sentence. */
export async function orProblem<T>(
  decode: () => Promise<T>,
): Promise<T | { readonly problem: string }> {
  try {
    return await decode();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return { problem: tooManyPixels };
    if (code?.startsWith('ERR_IMAGE_')) return { problem: damaged };
    throw error;
  }
}

export const maxPixels = photoLimits.megapixels * 1_000_000;

export const tooCostly = 'It takes too long to read. Save it as a smaller JPEG and add that.';
const tooManyPixels = `It has more than ${photoLimits.megapixels} megapixels.`;
const damaged = 'The picture is damaged and cannot be read.';
const animated = 'Animated pictures cannot be added. Choose a still one.';
const unreadable = 'Only JPEG, PNG and WebP pictures can be added.';
const heic =
  'HEIC and AVIF pictures cannot be read here. Save it as JPEG and add that. On an iPhone, ' +
  'Settings > Camera > Formats > Most Compatible makes JPEG.';

type Structure = { readonly msPerMegapixel: number } | { readonly problem: string };

/**
 * How long a megapixel takes, in CPU time: the most that was measured of each kind on one core
 * (arm64), with noise and the slowest filters, and of large files.
 */
function readStructure(file: Buffer): Structure {
  const start = file.toString('latin1', 0, 16);
  if (/^\xff\xd8\xff/.test(start)) return readJpeg(file);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return readPng(file);
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) {
    return isAnimatedWebp(file) ? { problem: animated } : { msPerMegapixel: 80 };
  }
  return { problem: /^[\s\S]{4}ftyp/.test(start) ? heic : unreadable };
}

/** Progressive pictures have about ten scans; a small file with thousands takes minutes. */
const scansMax = 50;
const scansUsual = 10;

/** Samples per pixel of a photo, whose colors have half the resolution. */
const samplesUsual = 1.5;

/** Each scan visits all samples. With more than one, all are kept in memory until the last. */
function readJpeg(file: Buffer): Structure {
  const { scans, samples } = readSegments(file) ?? { scans: 0, samples: 0 };
  if (scans === 0 || scans > scansMax || samples === 0) return { problem: damaged };
  const passes = scans === 1 ? 1 : Math.max(scans, scansUsual);
  return { msPerMegapixel: 20 + 2 * passes * Math.max(1, samples / samplesUsual) };
}

/**
 * Scans and samples per pixel of a JPEG. Null if it ends before its end marker: the decoder would
 * fill the missing part with gray.
 */
function readSegments(file: Buffer): { scans: number; samples: number } | null {
  const read = { scans: 0, samples: 0 };
  let at = 2;
  for (;;) {
    at = file.indexOf(0xff, at);
    if (at < 0 || at + 4 > file.length) return isEnd(file, at) ? read : null;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) return read;
    if (marker === 0xff) at += 1;
    // An escaped byte, or a marker without content.
    else if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      if (marker === 0xda) read.scans++;
      // The frame of a baseline, extended or progressive picture; others are not decoded.
      if (marker >= 0xc0 && marker <= 0xc2) read.samples = samplesPerPixel(file.subarray(at + 4));
      at += 2 + file.readUInt16BE(at + 2);
    }
  }
}

function isEnd(file: Buffer, at: number): boolean {
  return at >= 0 && file[at + 1] === 0xd9;
}

/** From a frame header: each component has its share of the resolution of the finest one. */
function samplesPerPixel(frame: Buffer): number {
  const factors = Array.from({ length: frame[5] ?? 0 }, (_, index) => frame[7 + 3 * index] ?? 0);
  const areas = factors.map((factor) => (factor >> 4) * (factor & 15));
  const all = areas.reduce((sum, area) => sum + area, 0);
  return all === 0 ? 0 : all / Math.max(...areas);
}

/** Pixels of 8 bits are the fastest: fewer are unpacked, and 16 are twice as many bytes. */
function readPng(file: Buffer): Structure {
  if (isAnimatedPng(file)) return { problem: animated };
  const [depth, interlacing] = [file[24], file[28]];
  return { msPerMegapixel: (depth === 8 ? 45 : 80) + (interlacing === 0 ? 0 : 10) };
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
