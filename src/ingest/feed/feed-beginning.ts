/** Tells files that are no feed from how they begin, before anything of them is imported. */
import { statSync } from 'node:fs';
import { type OpenOptions, openSource, SourceFileError } from '../readers/source-file.ts';

/** What a feed is, for whoever brought something else. */
export const onePerLine = 'the feed is JSON, one object per line';

/** What a file is that is no feed, by its first bytes; null when it may be one. */
export function otherThanFeed(beginning: Uint8Array): string | null {
  if (isUtf16(beginning)) return 'UTF-16 text';
  const text = new TextDecoder().decode(beginning).trimStart();
  if (text.startsWith('[')) return 'a JSON array';
  if (/^<[!?a-z]/i.test(text)) return 'an HTML or XML page';
  return isTable(text) ? 'a table (CSV)' : null;
}

/** By its mark, or by the zero bytes that plain letters have in it. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  const mark = first * 256 + second;
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return (
    bytes.length >= 4 && (first === 0) !== (second === 0) && (bytes[2] === 0) === (first === 0)
  );
}

/** Whether two lines are divided by the same character, and neither is an object. */
function isTable(text: string): boolean {
  const [header = '', row = ''] = text.split('\n').filter((line) => line.trim() !== '');
  if (header.includes('{') || row.includes('{')) return false;
  return [',', ';', '\t'].some((divider) => header.includes(divider) && row.includes(divider));
}

/** The bytes of a file as they come; throws at the first ones when it is no feed. */
export async function* checkedBytes(
  name: string,
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let isChecked = false;
  for await (const chunk of stream) {
    if (!isChecked) check(name, chunk);
    isChecked = true;
    yield chunk;
  }
}

function check(name: string, beginning: Uint8Array): void {
  const other = otherThanFeed(beginning);
  if (other === null) return;
  const file = name === '-' ? 'Standard input' : name;
  throw new SourceFileError(`${file} is ${other}; ${onePerLine}, in UTF-8.`);
}

/** Looks at the beginnings of all files, so that a wrong one is found before the others are in. */
export async function checkBeginnings(paths: readonly string[], options: OpenOptions) {
  for (const path of paths) {
    // What is read from a pipe is gone.
    if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() === false) continue;
    for await (const { name, stream } of openSource(path, { ...options, onBytes: () => {} })) {
      for await (const chunk of stream) {
        check(name, chunk as Buffer);
        break;
      }
    }
  }
}
