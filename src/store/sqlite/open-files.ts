/**
 * Checks that the open files are still those in the folder. SQLite does not notice deleted or
 * replaced files: it continues to write to files that are lost with the process.
 */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StoreLostError } from '../../kernel/store-errors.ts';
import { fileNames } from './files.ts';

/** The files of an open database in WAL mode. */
const openSuffixes = ['', '-wal', '-shm'] as const;

/** The maximum age of a check. A check takes microseconds. */
const lookedMs = 50;

/**
 * Remembers the files of a store that was just opened. The returned function throws at most 50
 * milliseconds after one of them was deleted or replaced. A file that is moved back is valid again,
 * because it keeps its inode.
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
      const isSame = found?.ino === opened.ino && found.dev === opened.dev;
      if (!isSame) throw lost(path, found !== undefined);
    }
    goodUntil = elapsed() + lookedMs;
  };
}

/** The log omits quoted text, and needs no path: a server has one folder. */
function lost(path: string, isReplaced: boolean): StoreLostError {
  return new StoreLostError(
    `${basename(path)} was ${isReplaced ? 'replaced' : 'deleted or moved'} while it was open, so ` +
      'changes would be lost. Put the file back, or stop the server, restore a backup and start ' +
      'it again.',
  );
}
