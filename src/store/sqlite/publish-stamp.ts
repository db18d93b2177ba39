/** The number of the latest publication, asked for on every turn of the event loop. */
import type { Database } from 'bun:sqlite';

/** Asks SQLite whether anyone else has written since; only then is the stamp read again. */
export function stampReader(db: Database): () => number {
  const version = db.query<{ data_version: number }, []>('PRAGMA data_version');
  const stamp = db.query<{ value: number }, []>(
    "SELECT value FROM meta WHERE name = 'publish_stamp'",
  );
  let knownVersion = -1;
  let knownStamp = 0;
  return () => {
    const current = version.get()?.data_version ?? 0;
    if (current !== knownVersion) {
      knownVersion = current;
      knownStamp = stamp.get()?.value ?? 0;
    }
    return knownStamp;
  };
}
