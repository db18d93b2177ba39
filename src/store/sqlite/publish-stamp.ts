/** The publish stamp, read on every turn of the event loop. */
import type { Database } from 'bun:sqlite';

/** Reads the stamp again only if SQLite reports that the file has changed. */
export function stampReader(db: Database): () => number {
  const version = db.query<{ data_version: number }, []>('PRAGMA data_version');
  const stamp = db.query<{ value: number }, []>(
    "SELECT value FROM meta WHERE name = 'publish_stamp'",
  );
  let knownVersion: number | undefined;
  let knownStamp = 0;
  return () => {
    const current = version.get()?.data_version;
    if (current !== knownVersion) {
      knownVersion = current;
      knownStamp = stamp.get()?.value ?? 0;
    }
    return knownStamp;
  };
}
