/** Looks at the beginning of a file, to tell what it is, and leaves it whole. */
import { Readable } from 'node:stream';
import type { SourcePart } from './source-file.ts';

/** A file with its first line that is not blank; empty when there is none. */
export interface Peeked {
  readonly part: SourcePart;
  readonly line: string;
}

/** A longer first line is not looked at to its end. */
const lineBytesMax = 64 * 1024;

/** The first line of a file, and the file as if it had not been touched. */
export async function peek(part: SourcePart): Promise<Peeked> {
  const chunks = part.stream[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const seen: Buffer[] = [];
  let text = '';
  let bytes = 0;
  while (!text.includes('\n') && bytes < lineBytesMax) {
    const { done, value } = await chunks.next();
    if (done) break;
    seen.push(value);
    bytes += value.length;
    text = Buffer.concat(seen)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
  }
  const line = text.split('\n', 1)[0]?.trimEnd() ?? '';
  return { line, part: { name: part.name, stream: Readable.from(rest(seen, chunks)) } };
}

async function* rest(seen: readonly Buffer[], chunks: AsyncIterableIterator<Buffer>) {
  try {
    yield* seen;
    yield* chunks;
  } finally {
    await chunks.return?.();
  }
}
