/** Compresses long responses, in other threads. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type ContentCoding = 'zstd' | 'gzip';

/** Shorter responses fit in a few packets anyway. */
export const compressedLengthMin = 8_192;

/** Concurrent compressions. Beyond that, responses are sent uncompressed rather than delayed. */
const underWayMax = 32;

/** The highest levels that save more bytes than time; see docs/speed.md. */
const zstdLevel = 1;
const gzipLevel = 5;

/** Size of an output chunk: nearly every response fits in one. */
const gzipChunkBytes = 128 * 1024;

const gzip = promisify<string, zlib.ZlibOptions, Uint8Array>(zlib.gzip);
const gzipped = (body: string) => gzip(body, { level: gzipLevel, chunkSize: gzipChunkBytes });

let underWay = 0;

/** Null if there are too many concurrent compressions, or if it failed. */
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
    // The call is already charged, and the response is valid without compression.
    return null;
  } finally {
    underWay--;
  }
}

/**
 * The coding preferred by `Accept-Encoding`; zstd on a tie. Null: uncompressed, even if the caller
 * excludes that.
 */
export function chooseCoding(accepted: string | null): ContentCoding | null {
  if (accepted === null) return null;
  const weights = weightsOf(accepted);
  const zstd = weights.get('zstd') ?? 0;
  // For `*`, the coding that every client can read.
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  const best = Math.max(zstd, gzip);
  if (!(best > 0) || best < (weights.get('identity') ?? 0)) return null;
  return zstd === best ? 'zstd' : 'gzip';
}

/** Codings in lower case, with their weights. */
function weightsOf(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0];
    }),
  );
}
