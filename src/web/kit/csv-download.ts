/** CSV downloads that Excel opens with the right characters. */
import type { PageAnswer } from '../page.ts';

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const byteOrderMark = '\ufeff';

/** A CSV file as a download. */
export function csvDownload(name: string, file: string | AsyncIterable<string>): PageAnswer {
  const marked = typeof file === 'string' ? byteOrderMark + file : withMark(file);
  return { file: marked, name, type: 'text/csv; charset=utf-8' };
}

async function* withMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* pieces;
}
