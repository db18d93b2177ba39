/**
 * Whether the files that are open are still those in the folder. SQLite does not notice when they
 * are deleted or replaced: it goes on writing to files that nobody will find again, and what was
 * counted in them is forgotten with the process.
 */
import { type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StoreLostError } from '../../domain/store.ts';
import { fileNames } from './files.ts';

/** What is open of a database in WAL mode, as long as anybody has it open. */
const openSuffixes = ['', '-wal', '-shm'] as const;

/** How old a look may be. Looking takes some microseconds, for all files together. */
const lookedMs = 50;

/**
 * Remembers the files of a store that has just been opened. What is given back throws when one of
 * them is gone or another, at the latest 50 milliseconds after that happened. Files that come back
 * are the same again: a file that is open keeps its number.
 */
export function watchOpenFiles(
  folder: string,
  elapsed: () => number = () => performance.now(),
): () => void {
  const files = fileNames
    .flatMap((name) => openSuffixes.map((suffix) => join(folder, name + suffix)))
    .map((path) => ({ path, opened: statSync(path) }));
  let goodUntil = elapsed() + lookedMs;
  return () => {
    if (elapsed() < goodUntil) return;
    for (const { path, opened } of files) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found || !isSame(opened, found)) throw lost(path, found !== undefined);
    }
    goodUntil = elapsed() + lookedMs;
  };
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** The log leaves out what stands in quotes, and needs no path: a server has one folder. */
function lost(path: string, isReplaced: boolean): StoreLostError {
  return new StoreLostError(
    `${basename(path)} was ${isReplaced ? 'replaced' : 'deleted or moved'} while it was open, so ` +
      'changes would be lost. Put the file back, or stop the server, restore a backup and start ' +
      'it again.',
  );
}
