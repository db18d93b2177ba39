/** Tables that people download: they open in Excel with every character as it is. */
import type { PageAnswer } from '../page.ts';

/** Excel takes a table for UTF-8 only when it begins with this mark. */
const byteOrderMark = '\ufeff';

/** A table as a download. */
export function csvDownload(name: string, file: string | AsyncIterable<string>): PageAnswer {
  const marked = typeof file === 'string' ? byteOrderMark + file : withMark(file);
  return { file: marked, name, type: 'text/csv; charset=utf-8' };
}

async function* withMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* pieces;
}
