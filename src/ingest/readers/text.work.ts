/** Decodes UTF-8 as it is read; anything else is an error with its line. */
import { SourceFileError, type SourcePart } from './source-file.work.ts';

const newline = 0x0a;

export async function* readText(part: SourcePart): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let progress: Progress = { lines: 0, tail: Buffer.alloc(0) };
  for await (const chunk of part.stream) {
    const bytes = chunk as Buffer;
    if (progress.lines === 0 && progress.tail.length === 0) checkMark(bytes, part.name);
    const text = decode(decoder, bytes, { name: part.name, progress });
    progress = advance(progress, bytes);
    if (text !== '') yield text;
  }
  const rest = decode(decoder, null, { name: part.name, progress });
  if (rest !== '') yield rest;
}

/** Lines read so far, and the last bytes, which may be part of a character. */
interface Progress {
  readonly lines: number;
  readonly tail: Buffer;
}

function advance({ lines, tail }: Progress, bytes: Buffer): Progress {
  const all = Buffer.concat([tail, bytes]);
  const end = Math.max(0, all.length - 3);
  return { lines: lines + countLines(all.subarray(0, end)), tail: all.subarray(end) };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}

/** Spreadsheets often write UTF-16, with a byte order mark. */
function checkMark(bytes: Buffer, name: string): void {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new SourceFileError(`${name}:1: the file is UTF-16; save it as UTF-8.`);
  }
}

function decode(
  decoder: TextDecoder,
  bytes: Buffer | null,
  where: { readonly name: string; readonly progress: Progress },
): string {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    const { lines, tail } = where.progress;
    const all = bytes === null ? tail : Buffer.concat([tail, bytes]);
    const context = new TextDecoder().decode(all);
    // The tail may start in the middle of a character, which is not an error.
    const good = context.replace(/^\ufffd+/, '').split('\ufffd', 1)[0] ?? '';
    const line = lines + good.split('\n').length;
    throw new SourceFileError(
      `${where.name}:${line}: the text is not UTF-8; save the file as UTF-8.`,
    );
  }
}
