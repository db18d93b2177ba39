/** Reads the beginning of a file to identify its format, without consuming it. */
import { Readable } from 'node:stream';
import type { SourcePart } from './source-file.work.ts';

export interface Peeked {
  readonly part: SourcePart;
  /** The first few thousand characters, without byte order mark and leading whitespace. */
  readonly beginning: string;
  /** The first line that is not blank; empty if there is none. */
  readonly line: string;
}

const beginningBytes = 4096;

/** The first line is cut here. */
const lineBytesMax = 64 * 1024;

export async function peek(part: SourcePart): Promise<Peeked> {
  const chunks = part.stream[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const read: Buffer[] = [];
  let beginning = '';
  let bytes = 0;
  while (bytes < beginningBytes || (bytes < lineBytesMax && !beginning.includes('\n'))) {
    const { done, value } = await chunks.next();
    if (done) break;
    read.push(value);
    bytes += value.length;
    const text = Buffer.concat(read).subarray(0, lineBytesMax).toString('utf8');
    beginning = text.replace(/^\ufeff/, '').trimStart();
  }
  const line = beginning.split('\n', 1)[0]?.trimEnd() ?? '';
  const whole = { name: part.name, stream: Readable.from(rest(read, chunks)) };
  return { beginning, line, part: whole };
}

async function* rest(read: readonly Buffer[], chunks: AsyncIterableIterator<Buffer>) {
  try {
    yield* read;
    yield* chunks;
  } finally {
    await chunks.return?.();
  }
}

/** The first bytes as text, without a byte order mark; the rest is not read. */
export async function readBeginning(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, bytesMax)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

/** Blanks out the lines above the header, so that line numbers stay the same. */
export async function skipToHeader(part: SourcePart, header: RegExp): Promise<SourcePart> {
  const { beginning, part: whole } = await peek(part);
  if (beginning.search(header) <= 0) return whole;
  return { name: part.name, stream: Readable.from(blankedUntil(whole.stream, header)) };
}

/** Reduces the lines above the header to their newlines. */
async function* blankedUntil(stream: AsyncIterable<Buffer>, header: RegExp) {
  let isAbove = true;
  for await (const chunk of stream) {
    const at = isAbove ? chunk.toString('latin1').search(header) : 0;
    if (at <= 0) yield chunk;
    else {
      const above = chunk.subarray(0, at).toString('latin1').replace(/[^\n]/g, '');
      yield Buffer.concat([Buffer.from(above), chunk.subarray(at)]);
    }
    isAbove = false;
  }
}
