/** The formats that can be imported, by the name an operator types. */
import type { Readable } from 'node:stream';
import type { Clock } from '../domain/time.ts';
import { readFeedLine } from './feed.ts';
import { readLines } from './lines.ts';
import { openSource } from './source-file.ts';
import type { PlacedRow } from './source-row.ts';

/** Where the files come from and who is told how far reading is. */
export interface ReadOptions {
  readonly stdin: Readable;
  /** Asked as the file is read: rows may happen while it is. */
  readonly clock: Clock;
  onBytes(count: number): void;
}

/** Reads files of one format as rows, in groups. */
export type Format = (
  paths: readonly string[],
  options: ReadOptions,
) => AsyncGenerator<readonly PlacedRow[]>;

/** Every format, written out. */
export const formats: Readonly<Record<string, Format>> = { feed: readFeed };

async function* readFeed(paths: readonly string[], options: ReadOptions) {
  for (const path of paths) {
    for await (const part of openSource(path, options)) {
      for await (const lines of readLines(part.stream)) {
        const now = options.clock();
        yield lines.map((line) => ({
          where: `${part.name}:${line.number}`,
          text: line.text,
          source: line.fault ? { reason: line.fault } : readFeedLine(line.text, now),
        }));
      }
    }
  }
}
