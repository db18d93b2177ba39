/** Black PNG files of any size, which compress well, however many pixels they have. */
import { crc32, deflateSync } from 'node:zlib';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** One bit per pixel, grayscale. */
export function plainPng(size: Size) {
  const row = Buffer.alloc(1 + Math.ceil(size.width / 8));
  return png(size, { depth: 1, color: 0, isInterlaced: false }, rows(row, size.height));
}

/** The passes of an interlaced PNG (Adam7): first column and row, and the distance to the next. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The filter that takes longest to undo. */
const paeth = 4;

/** A small file that takes long to decode: 16 bits, four channels, interlaced, filtered. */
export function costlyPng(size: Size) {
  const parts = passes.map(([x, y, right, down]) => {
    const row = Buffer.alloc(1 + 8 * Math.ceil((size.width - x) / right));
    row[0] = paeth;
    return rows(row, Math.ceil((size.height - y) / down));
  });
  return png(size, { depth: 16, color: 6, isInterlaced: true }, Buffer.concat(parts));
}

const rows = (row: Buffer, count: number) => Buffer.alloc(row.length * count, row);

/** Color and transparency in 8 bits each. */
export const rgba = { depth: 8, color: 6, isInterlaced: false };

export function png(
  { width, height }: Size,
  kind: { readonly depth: number; readonly color: number; readonly isInterlaced: boolean },
  content: Buffer,
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = kind.depth;
  header[9] = kind.color;
  header[12] = kind.isInterlaced ? 1 : 0;
  const parts = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(content, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
