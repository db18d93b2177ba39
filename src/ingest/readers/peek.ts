/** Reads the beginning of a file, to see what it is, and leaves it whole. */
import { Readable } from 'node:stream';
import type { SourcePart } from './source-file.ts';

/** A file with how it begins. */
export interface Peeked {
  readonly part: SourcePart;
  /** The first few thousand characters, without blanks and marks of encoding before them. */
  readonly beginning: string;
  /** The first line that is not blank; empty when there is none. */
  readonly line: string;
}

/** Enough to distinguish one kind of file from another. */
const beginningBytes = 4096;

/** A longer first line is not looked at to its end. */
const lineBytesMax = 64 * 1024;

/** The beginning of a file, and the file as if it had not been touched. */
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

/** The part with what stands above its header made blank, so that lines keep their numbers. */
export async function skipToHeader(part: SourcePart, header: RegExp): Promise<SourcePart> {
  const { beginning, part: whole } = await peek(part);
  if (beginning.search(header) <= 0) return whole;
  return { name: part.name, stream: Readable.from(blankedUntil(whole.stream, header)) };
}

/** Explanations are plain text, in which a byte is a character; only their line ends stay. */
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
