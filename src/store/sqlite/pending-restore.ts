/**
 * The last part of a restore, which replaces the old files. Two files cannot be renamed atomically,
 * but a folder with both can: once it has the name below, the restore is committed, and the next
 * process that opens the store finishes it.
 */
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { patienceMs } from './database.ts';
import { fileNames, removeFolder, removeIfOurs, sideSuffixes, syncPath } from './files.ts';
import { type StoreHold, seizeStore, shareStore } from './lock.ts';

/** The folder with the new files, and with a folder for the old ones if they are kept. */
export const pendingName = 'restore-pending';

/** The folder in which a restore verifies its copies, before they are committed. */
export const stagingName = 'restore-staging';

/** The folder with the old files is named with this prefix and the time. */
export const keptPrefix = 'before-restore-';

/** Files of the demo next to its store; they do not apply to a restored one. */
const demoNotes = ['demo.json', 'demo-unfinished'] as const;

/** Whether a restore is committed but not finished. */
export function isRestorePending(folder: string): boolean {
  return existsSync(join(folder, pendingName));
}

/** Takes the shared lock; finishes a pending restore first. */
export function holdStore(folder: string): StoreHold {
  for (;;) {
    const hold = shareStore(folder);
    if (!isRestorePending(folder)) {
      // Of a restore that was killed: one that runs has the exclusive lock.
      removeIfOurs(join(folder, stagingName), removeFolder);
      return hold;
    }
    hold.release();
    const alone = seizeStore(folder, patienceMs);
    if (!alone) throw new StoreBusyError('The store is being opened by another process.');
    try {
      if (isRestorePending(folder)) finishRestore(folder);
    } finally {
      alone.release();
    }
  }
}

/** Moves the new files into place. Can be repeated after an interruption at any point. */
export function finishRestore(
  folder: string,
  move: (from: string, to: string) => void = renameSync,
): void {
  const pending = join(folder, pendingName);
  const kept = readdirSync(pending).find((name) => name.startsWith(keptPrefix));
  const putAside = (name: string) => {
    const path = join(folder, name);
    if (!existsSync(path)) return;
    if (kept) move(path, join(pending, kept, name));
    else rmSync(path);
  };
  for (const name of demoNotes) putAside(name);
  for (const name of fileNames) {
    // While the new file is still here, the file in the store is the old one.
    if (!existsSync(join(pending, name))) continue;
    for (const suffix of ['', ...sideSuffixes]) putAside(`${name}${suffix}`);
    move(join(pending, name), join(folder, name));
  }
  syncPath(folder);
  if (kept) {
    syncPath(join(pending, kept));
    move(join(pending, kept), join(folder, kept));
  }
  syncPath(folder);
  rmdirSync(pending);
}
