/** Tables with explanations above their header. */
import { Readable } from 'node:stream';
import { peek } from '../readers/peek.ts';
import type { SourcePart } from '../readers/source-file.ts';

/** The part with what stands above its header made blank, so that lines keep their numbers. */
export async function fromHeader(part: SourcePart, header: RegExp): Promise<SourcePart> {
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
