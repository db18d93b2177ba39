/** Long writes in short transactions: SQLite has one writer, and calls are charged in the file. */
import type { Database } from 'bun:sqlite';
import { inTransaction } from './database.ts';
import { tryAgain } from './patience.ts';

/** Rows per transaction: takes a few milliseconds. */
const sliceRows = 200;

/** Writes slices until done, and pauses in between as long as each took. */
export async function inSlices<T>(db: Database, write: (rows: number) => T | 'more'): Promise<T> {
  for (;;) {
    const start = performance.now();
    const written = await tryAgain(async () => inTransaction(db, () => write(sliceRows)));
    if (written !== 'more') return written;
    await Bun.sleep(performance.now() - start);
  }
}
