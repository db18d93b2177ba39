/** `backup` and `restore`: the whole embedded store, out and in. */
import { brickmarkVersion } from '../config.ts';
import { backUp } from '../store/sqlite/backup.ts';
import { BackupError, type Manifest } from '../store/sqlite/manifest.ts';
import { type Restored, restoreBackup } from '../store/sqlite/restore.ts';
import { type Command, CommandError, takeWords } from './command.ts';
import { giveWay } from './yield.ts';

/** Both commands. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    operands: 'PATH',
    summary: 'copies the store into a new folder, also while it is served and imported into',
    flags: {},
    run: async (args, context) => {
      const [path = ''] = takeWords(args, ['PATH']);
      const folder = context.embeddedFolder();
      giveWay();
      const wish = { folder, path, version: brickmarkVersion, at: context.config.clock() };
      const manifest = explained(() => backUp(wish));
      context.result(
        { path, ...manifest },
        `The store is backed up in '${path}'${size(manifest)}.`,
      );
    },
  },
  {
    name: 'restore',
    operands: 'PATH',
    summary: 'verifies a backup and puts it in place of the store, which nobody may have open',
    flags: { force: { help: 'replaces a store that has data; the old one is kept beside it' } },
    run: async (args, context) => {
      const [path = ''] = takeWords(args, ['PATH']);
      const folder = context.embeddedFolder();
      const isForced = args.flags.force === true;
      const wish = { folder, path, isForced, at: context.config.clock() };
      const { manifest, kept } = explained(() => restoreBackup(wish));
      context.result({ path, kept, ...manifest }, describe({ manifest, kept }, folder));
    },
  },
];

function describe({ manifest, kept }: Restored, folder: string): string {
  const text = `The store in '${folder}' is the backup of ${manifest.created_at}${size(manifest)}.`;
  return kept ? `${text}\nThe one from before is in '${kept}'; remove it when all is well.` : text;
}

function size({ files }: Manifest): string {
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  return ` (${(bytes / 1e6).toFixed(1)} MB)`;
}

/** Runs the work; what keeps it from being done is told in a sentence. */
function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    const { code = '', message } = error as { code?: string; message?: string };
    if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
      throw new CommandError('The disk is full: nothing was changed. Make room and run it again.');
    }
    if (/^E[A-Z]+$/.test(code)) {
      throw new CommandError(`A file cannot be read or written: ${message}. Check its rights.`);
    }
    throw error;
  }
}
