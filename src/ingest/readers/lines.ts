/** Splits a stream into lines, in groups, because yielding each line separately is slow. */

/** Numbers start at 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
  readonly problem: string | null;
}

const lineBytesMax = 1024 * 1024;

const tooLong = `the line is longer than ${lineBytesMax} bytes`;

const newline = 0x0a;

/** Blank lines are skipped. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const state: State = { rest: Buffer.alloc(0), number: 0, skipping: false };
  for await (const chunk of stream) yield takeLines(state, chunk);
  if (state.rest.length > 0 || state.skipping) yield takeLines(state, Buffer.from('\n'));
}

interface State {
  rest: Buffer;
  number: number;
  /** Inside a line that is too long and has been reported. */
  skipping: boolean;
}

function takeLines(state: State, chunk: Buffer): Line[] {
  const bytes = state.rest.length > 0 ? Buffer.concat([state.rest, chunk]) : chunk;
  const end = bytes.lastIndexOf(newline) + 1;
  state.rest = bytes.subarray(end);
  const lines = end === 0 ? [] : splitLines(state, bytes.subarray(0, end - 1));
  if (state.rest.length <= lineBytesMax) return lines;
  state.rest = Buffer.alloc(0);
  if (state.skipping) return lines;
  state.skipping = true;
  return [...lines, { number: state.number + 1, text: '', problem: tooLong }];
}

function splitLines(state: State, bytes: Buffer): Line[] {
  const texts = decode(bytes)?.split('\n') ?? splitBroken(bytes);
  const lines: Line[] = [];
  for (const found of texts) {
    state.number++;
    if (state.skipping) {
      state.skipping = false;
      continue;
    }
    const problem = problemOf(found);
    const line = problem === null ? (found ?? '') : '';
    const text = line.replace(state.number === 1 ? /^\ufeff|\r$/g : /\r$/, '');
    if (text.trim() !== '' || problem) lines.push({ number: state.number, text, problem });
  }
  return lines;
}

function problemOf(text: string | null): string | null {
  if (text === null) return 'the line is not valid UTF-8';
  // A UTF-16 unit takes at most three bytes, so most lines need not be measured.
  const isLong = text.length > lineBytesMax / 3 && Buffer.byteLength(text) > lineBytesMax;
  return isLong ? tooLong : null;
}

/** Decodes line by line; null for lines that are not valid UTF-8. */
function splitBroken(bytes: Buffer): (string | null)[] {
  const texts: (string | null)[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(newline, start);
    texts.push(decode(bytes.subarray(start, end < 0 ? bytes.length : end)));
    if (end < 0) return texts;
    start = end + 1;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
