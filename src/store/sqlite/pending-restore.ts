/**
 * The last part of a restore: putting the new files in place of the old. Two files cannot be
 * renamed at once, but a folder that holds both can. From the moment that it bears the name below,
 * the restore has happened; whoever opens the store next, finishes it first, as often as it takes.
 */
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreBusyError } from '../../domain/store.ts';
import { patienceMs } from './database.ts';
import { fileNames, sideSuffixes, syncPath } from './files.ts';
import { type StoreHold, seizeStore, shareStore } from './lock.ts';

/** The folder with the new files; with a folder for the old ones in it, unless they can go. */
export const pendingName = 'restore-pending';

/** How the folder with the old files is named, before the instant. */
export const keptPrefix = 'before-restore-';

/** What the demo notes beside its store; it says nothing about another one. */
const demoNotes = ['demo.json', 'demo-unfinished'] as const;

/** Whether a restore has happened that is not finished. */
export function isRestorePending(folder: string): boolean {
  return existsSync(join(folder, pendingName));
}

/** Shares a store that is either as it was before a restore or as it is after it. */
export function holdStore(folder: string): StoreHold {
  for (;;) {
    const hold = shareStore(folder);
    if (!isRestorePending(folder)) return hold;
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

/** Puts the new files in their places. It can be broken off anywhere and called again. */
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
    // As long as the new file waits here, what lies there is old.
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
