/** Uploaded files become photos, or a sentence; nothing but pixels is kept. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { costlyPng, plainPng, png, rgba } from '../../../test/support/png.ts';
import { checkPicture } from './check-picture.ts';
import { makePhoto } from './make-photo.ts';
import { photoLimits } from './photos.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const black = plainPng({ width: 400, height: 200 });
let jpeg: Bytes;
let progressive: Bytes;
let webp: Bytes;

beforeAll(async () => {
  jpeg = new Uint8Array(await new Bun.Image(black).jpeg().bytes());
  progressive = new Uint8Array(await new Bun.Image(black).jpeg({ progressive: true }).bytes());
  webp = new Uint8Array(await new Bun.Image(black).webp().bytes());
});

const join = (...parts: readonly Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts));
const ascii = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'latin1'));

/** Inserts a segment after the start of a JPEG. */
function withSegment(file: Bytes, marker: number, content: Uint8Array): Bytes {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return join(file.subarray(0, 2), head, content, file.subarray(2));
}

/** Exif data: the orientation and a GPS position. */
function exif(orientation: number): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const row = Buffer.alloc(12);
    row.writeUInt16BE(tag, 0);
    row.writeUInt16BE(type, 2);
    row.writeUInt32BE(count, 4);
    if (type === 3) row.writeUInt16BE(value, 8);
    else row.writeUInt32BE(value, 8);
    return row;
  };
  const [none, two] = [Buffer.alloc(4), Buffer.from([0, 2])];
  const head = Buffer.from('MM\0*\0\0\0\x08', 'latin1');
  const rows = [entry(0x0112, 3, 1, orientation), entry(0x8825, 4, 1, 38)];
  const latitude = [entry(1, 2, 2, 0x4e000000), entry(2, 5, 3, 68)];
  const degrees = Buffer.from('GPS52.5163GPS52.5163GPS5', 'latin1');
  const about = [head, two, ...rows, none, two, ...latitude, none, degrees];
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), ...about]);
}

/** Chunks of a PNG after its header. */
function withChunk(file: Bytes, type: string, content: Uint8Array): Bytes {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const named = join(ascii(type), content);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(Bun.hash.crc32(named));
  return join(file.subarray(0, 33), length, named, sum, file.subarray(33));
}

async function made(file: Bytes) {
  const photo = await makePhoto(file);
  if ('problem' in photo) throw new Error(photo.problem);
  return photo;
}

async function problemOf(file: Bytes): Promise<string> {
  const photo = await makePhoto(file);
  return 'problem' in photo ? photo.problem : 'It is a photo.';
}

test('JPEG, PNG and WebP become WebP of at most 1600 pixels, with a thumbnail', async () => {
  for (const file of [black, jpeg, progressive, webp]) {
    const { content, thumb, width, height } = await made(file);
    expect([width, height]).toEqual([400, 200]);
    const sizes = await Promise.all(
      [content, thumb].map((picture) => new Bun.Image(picture).metadata()),
    );
    expect(sizes).toEqual([
      { width: 400, height: 200, format: 'webp' },
      { width: 320, height: 160, format: 'webp' },
    ]);
  }
  expect(await made(plainPng({ width: 1000, height: 4000 }))).toMatchObject({
    width: 400,
    height: 1600,
  });
});

test('a photo is turned as the camera was held, and keeps no position and no comment', async () => {
  const text = '<script>alert(1)</script>';
  const gps = withSegment(withSegment(jpeg, 0xe1, exif(6)), 0xfe, ascii(text));
  expect(Buffer.from(gps).includes('GPS52.5163')).toBe(true);
  const { content, thumb, width, height } = await made(gps);
  expect([width, height]).toEqual([200, 400]);
  for (const picture of [content, thumb].map((bytes) => Buffer.from(bytes))) {
    for (const word of ['Exif', 'EXIF', 'GPS', 'XMP', 'script']) {
      expect([word, picture.includes(word)]).toEqual([word, false]);
    }
  }
});

test('a page or a film behind a picture is not kept', async () => {
  const page = ascii('<html><script>alert(1)</script>\xff\xda\xff\xda');
  for (const file of [jpeg, black, webp]) {
    const { content } = await made(join(file, page));
    expect(content).toEqual((await made(file)).content);
  }
  const noted = withChunk(black, 'tEXt', ascii('Comment\0<html>'));
  expect((await made(noted)).content).toEqual((await made(black)).content);
});

/** A PNG of noise, in color and transparency, which no quality makes small. */
function noise(side: number): Bytes {
  const rows = Array.from({ length: side }, () => {
    const row = crypto.getRandomValues(new Uint8Array(1 + 4 * side));
    row[0] = 0;
    return row;
  });
  return png({ width: side, height: side }, rgba, Buffer.concat(rows));
}

test('a photo and its thumbnail have at most 400 KiB, whatever it shows', async () => {
  const { content, thumb } = await made(noise(700));
  expect(content.length + thumb.length).toBeLessThanOrEqual(photoLimits.storedBytes);
  expect(content.length).toBeGreaterThan(photoLimits.storedBytes / 4);
});

/** Changes the size in the header of a PNG, and nothing else. */
function withSize(file: Bytes, width: number, height: number): Bytes {
  const bytes = Buffer.from(file);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(12, 29)), 29);
  return new Uint8Array(bytes);
}

describe('the time that decoding takes is known from the headers', () => {
  const small = { width: 8, height: 8 };
  const deep = costlyPng(small);
  const byte = png(small, rgba, Buffer.alloc(8 * 33));
  const cases: [what: string, file: Bytes, side: number, isPhoto: boolean][] = [
    ['52 megapixels of 8 bits', byte, 7200, true],
    ['52 megapixels of 16 bits, interlaced', deep, 7200, false],
    ['26 megapixels of 16 bits, interlaced', deep, 5100, true],
    ['30 megapixels of one bit', plainPng(small), 5450, true],
    ['31 megapixels of one bit', plainPng(small), 5600, false],
  ];
  test.each(cases)('decodes %s only if there is time', async (_, file, side, isPhoto) => {
    const checked = await checkPicture(withSize(file, side, side));
    if ('problem' in checked) expect([isPhoto, checked.problem]).toEqual([false, tooLong]);
    else expect([isPhoto, checked.decodeMs <= photoLimits.decodeMs]).toEqual([true, true]);
  });

  /** Changes the size in the frame of a JPEG. */
  const jpegOf = (file: Bytes, frame: number, side: number) => {
    const bytes = Buffer.from(file);
    const at = bytes.indexOf(Buffer.from([0xff, frame]));
    bytes.writeUInt16BE(side, at + 5);
    bytes.writeUInt16BE(side, at + 7);
    return new Uint8Array(bytes);
  };

  test('a JPEG takes longer with every scan, and with colors of full resolution', async () => {
    const timeOf = async (file: Bytes) => {
      const checked = await checkPicture(file);
      return 'problem' in checked ? checked.problem : checked.decodeMs;
    };
    const once = await timeOf(jpegOf(jpeg, 0xc0, 7200));
    const often = await timeOf(jpegOf(progressive, 0xc2, 7200));
    expect(Number(once)).toBeLessThan(Number(often));
    const full = Buffer.from(jpegOf(progressive, 0xc2, 7200));
    const frame = full.indexOf(Buffer.from([0xff, 0xc2]));
    for (const component of [0, 1, 2]) full[frame + 11 + 3 * component] = 0x11;
    expect(await timeOf(new Uint8Array(full))).toBe(tooLong);
  });
});

const tooLong = 'It takes too long to read. Save it as a smaller JPEG and add that.';

describe('a sentence says why a file cannot be a photo', () => {
  const header = (width: number, height: number) =>
    withSize(plainPng({ width: 8, height: 8 }), width, height);
  const heicStart = ascii('\0\0\0\x18ftypheic\0\0\0\0heicmif1');
  const cases: [what: string, file: () => Bytes, problem: string][] = [
    ['10,000 by 10,000 pixels', () => plainPng({ width: 10_000, height: 10_000 }), 'megapixels'],
    ['a header of 65,535 by 65,535', () => header(65_535, 65_535), 'megapixels'],
    ['a header of 2^31 by 1', () => header(2 ** 31 - 1, 1), 'megapixels'],
    ['an animated PNG', () => withChunk(black, 'acTL', new Uint8Array(8)), 'Animated'],
    ['an animated WebP', animatedWebp, 'Animated'],
    [
      'a GIF',
      () => ascii('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;'),
      'Only',
    ],
    ['an SVG', () => ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Only JPEG'],
    ['a HEIC', () => heicStart, 'HEIC'],
    ['a page', () => ascii('<!doctype html>'), 'Only JPEG'],
    ['nothing', () => new Uint8Array(), 'Only JPEG'],
    ['half a JPEG', () => jpeg.slice(0, jpeg.length / 2), 'damaged'],
    ['half a PNG', () => black.slice(0, black.length - 20), 'damaged'],
    ['half a WebP', () => webp.slice(0, webp.length / 2), 'damaged'],
    ['the start of a JPEG', () => jpeg.slice(0, 3), 'damaged'],
    ['the start of a PNG', () => black.slice(0, 8), 'damaged'],
    ['a JPEG of thousands of scans', manyScans, 'damaged'],
  ];
  test.each(cases)('rejects %s with the reason', async (_, file, problem) => {
    expect(await problemOf(file())).toContain(problem);
  });

  function animatedWebp(): Bytes {
    const flags = Buffer.alloc(18);
    flags.write('VP8X', 'latin1');
    flags.writeUInt32LE(10, 4);
    flags[8] = 0x02;
    return join(webp.subarray(0, 12), flags, webp.subarray(12));
  }

  /** Repeats the last scan of a progressive JPEG. */
  function manyScans(): Bytes {
    const file = Buffer.from(progressive);
    const scan = file.subarray(file.lastIndexOf(Buffer.from([0xff, 0xda])), file.length - 2);
    const end = file.subarray(file.length - 2);
    const scans = Array.from({ length: 2_000 }, () => scan);
    return join(file.subarray(0, file.length - 2), ...scans, end);
  }
});

/** FUZZ_FILES sets the number of changed files. */
const changedFiles = Number(process.env.FUZZ_FILES ?? 200);

test('changed files are photos or get a sentence, and never fail otherwise', async () => {
  let state = 20_261_118;
  // A linear congruential generator.
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  const kinds = [jpeg, black, webp, withSegment(jpeg, 0xe1, exif(3))];
  for (let index = 0; index < changedFiles; index++) {
    const file = Uint8Array.from(kinds[index % kinds.length] ?? jpeg);
    for (let change = 1 + whole(8); change > 0; change--) file[whole(file.length)] = whole(256);
    const cut = next() < 0.2 ? file.slice(0, whole(file.length)) : file;
    const photo = await makePhoto(cut);
    if ('problem' in photo) expect(photo.problem).toMatch(/\.$/);
    else expect(Math.max(photo.width, photo.height)).toBeLessThanOrEqual(1600);
  }
});
