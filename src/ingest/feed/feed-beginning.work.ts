/** Detects files that are not a feed by their first bytes, before anything is imported. */
import { statSync } from 'node:fs';
import { type OpenOptions, openSource, SourceFileError } from '../readers/source-file.work.ts';

export const onePerLine = 'the feed is JSON, one object per line';

/** The kind of file that is not a feed; null if it may be one. */
export function nonFeedKind(beginning: Uint8Array): string | null {
  if (isUtf16(beginning)) return 'UTF-16 text';
  const text = new TextDecoder().decode(beginning).trimStart();
  if (text.startsWith('[')) return 'a JSON array';
  if (/^<[!?a-z]/i.test(text)) return 'an HTML or XML page';
  return isTable(text) ? 'a table (CSV)' : null;
}

/** By the byte order mark, or the zero bytes of ASCII letters. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  const mark = first * 256 + second;
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return (
    bytes.length >= 4 && (first === 0) !== (second === 0) && (bytes[2] === 0) === (first === 0)
  );
}

/** Whether the first two lines have the same delimiter, and neither is an object. */
function isTable(text: string): boolean {
  const [header = '', row = ''] = text.split('\n').filter((line) => line.trim() !== '');
  if (header.includes('{') || row.includes('{')) return false;
  return [',', ';', '\t'].some((divider) => header.includes(divider) && row.includes(divider));
}

/** Passes bytes through; throws at the first chunk if it is not a feed. */
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
  const other = nonFeedKind(beginning);
  if (other === null) return;
  const file = name === '-' ? 'Standard input' : name;
  throw new SourceFileError(`${file} is ${other}; ${onePerLine}, in UTF-8.`);
}

/** Checks all files before any of them is imported. */
export async function checkBeginnings(paths: readonly string[], options: OpenOptions) {
  for (const path of paths) {
    // Pipes cannot be read twice.
    if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() === false) continue;
    for await (const { name, stream } of openSource(path, { ...options, onBytes: () => {} })) {
      for await (const chunk of stream) {
        check(name, chunk as Buffer);
        break;
      }
    }
  }
}
