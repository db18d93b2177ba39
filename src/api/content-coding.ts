/** Long answers leave compressed, for whoever can read that; other threads do the work. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** How answers are compressed. */
export type ContentCoding = 'zstd' | 'gzip';

/** Answers of so many characters are compressed; shorter ones fit into a few packets anyway. */
export const compressedLengthMin = 8_192;

/** What is under way at a time. Beyond that an answer leaves as it is, rather than wait. */
const underWayMax = 32;

/** The levels at which one more costs more time than it saves bytes; see docs/speed.md. */
const zstdLevel = 1;
const gzipLevel = 5;

/** How much of a compressed answer is made at a time: all of nearly every answer. */
const gzipChunkBytes = 128 * 1024;

const gzip = promisify<string, zlib.ZlibOptions, Uint8Array>(zlib.gzip);
const gzipped = (body: string) => gzip(body, { level: gzipLevel, chunkSize: gzipChunkBytes });

let underWay = 0;

/** Compresses a body beside this thread; null when too much is under way, or it failed. */
export async function compress(
  body: string,
  coding: ContentCoding,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (underWay >= underWayMax) return null;
  underWay++;
  try {
    const made = coding === 'zstd' ? Bun.zstdCompress(body, { level: zstdLevel }) : gzipped(body);
    return (await made) as Uint8Array<ArrayBuffer>;
  } catch {
    // The call is charged already, and the answer is good without this.
    return null;
  } finally {
    underWay--;
  }
}

/**
 * The coding that a caller likes best by its `Accept-Encoding`; of two that it likes equally well,
 * zstd. Null: the answer leaves as it is, also when the caller says not to want that.
 */
export function chooseCoding(accepted: string | null): ContentCoding | null {
  if (accepted === null) return null;
  const weights = weightsOf(accepted);
  const zstd = weights.get('zstd') ?? 0;
  // `*` is any coding: the one that everybody can read.
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  const best = Math.max(zstd, gzip);
  if (!(best > 0) || best < (weights.get('identity') ?? 0)) return null;
  return zstd === best ? 'zstd' : 'gzip';
}

/** The codings of a list, in small letters, each with how much it is liked. */
function weightsOf(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0];
    }),
  );
}
