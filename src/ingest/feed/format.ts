/** The feed as a format: every line stands for itself, and says whose it is. */
import type { Format } from '../format.ts';
import { readLines } from '../readers/lines.ts';
import { openSource } from '../readers/source-file.ts';
import { readFeedLine } from './feed.ts';

/** Brickmark's own format. */
export const feed: Format = {
  takes: [],
  needs: [],
  isReadFirst: false,
  async *read(paths, options) {
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
  },
};
