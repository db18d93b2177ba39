/** `backup` and `restore`: the whole embedded store, out and in. */
import { brickmarkVersion } from '../config.ts';
import { backUp } from '../store/sqlite/backup.ts';
import { BackupError, type Manifest } from '../store/sqlite/manifest.ts';
import { type Restored, restoreBackup } from '../store/sqlite/restore.ts';
import { type Command, CommandError, takeWords } from './command.ts';
import { findSecretKey } from './secret-file.ts';

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
      const signingKey = findSecretKey(context.config, 'backup signature');
      context.lowerPriority();
      const at = context.config.clock();
      const options = { folder, path, signingKey, version: brickmarkVersion, at };
      const manifest = withClearErrors(() => backUp(options));
      context.result(
        { path, signed: isSigned(manifest), ...manifest },
        `The store is backed up in '${path}'${size(manifest)}.\n${signing(manifest)}`,
      );
    },
  },
  {
    name: 'restore',
    operands: 'PATH',
    summary: 'verifies a backup and puts it in place of the store, which nobody may have open',
    flags: {
      force: { help: 'replaces a store that has data; the old one is kept beside it' },
      unsigned: { help: 'takes a backup that is unsigned, although there is a secret' },
    },
    run: async (args, context) => {
      const [path = ''] = takeWords(args, ['PATH']);
      const folder = context.embeddedFolder();
      const options = {
        folder,
        path,
        isForced: args.flags.force === true,
        signingKey: findSecretKey(context.config, 'backup signature'),
        takesUnsigned: args.flags.unsigned === true,
        at: context.config.clock(),
      };
      const { manifest, kept } = withClearErrors(() => restoreBackup(options));
      context.result(
        { path, kept, signed: isSigned(manifest), ...manifest },
        describe({ manifest, kept }, folder),
      );
    },
  },
];

function describe({ manifest, kept }: Restored, folder: string): string {
  const lines = [
    `The store in '${folder}' is the backup of ${manifest.created_at}${size(manifest)}.`,
    isSigned(manifest)
      ? 'Its signature is right: it is as it was made.'
      : 'The backup is unsigned: nobody can tell whether it was changed.',
  ];
  if (kept) lines.push(`The one from before is in '${kept}'; remove it when all is well.`);
  return lines.join('\n');
}

function isSigned({ signature }: Manifest): boolean {
  return signature !== null;
}

function signing(manifest: Manifest): string {
  return isSigned(manifest)
    ? 'It is signed: keep a copy of the secret elsewhere, as restoring it takes the secret.'
    : 'It is unsigned: nobody can tell later whether it was changed; see BRICKMARK_SECRET_FILE.';
}

function size({ files }: Manifest): string {
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  return ` (${(bytes / 1e6).toFixed(1)} MB)`;
}

/** Runs the work; what prevents it is explained in a sentence. */
function withClearErrors<T>(work: () => T): T {
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
