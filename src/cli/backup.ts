/** `backup` and `restore` of the embedded store. */
import { brickmarkVersion } from '../config.ts';
import { momentText } from '../kernel/format.ts';
import { backUp } from '../store/sqlite/backup.ts';
import { BackupError, type Manifest } from '../store/sqlite/manifest.ts';
import { type Restored, restoreBackup } from '../store/sqlite/restore.ts';
import { CommandError, command } from './command.ts';
import { findSecretKey } from './secret-file.ts';

export const backupCommands = [
  command({
    name: 'backup',
    operands: { path: { label: 'PATH' } },
    summary: 'Back up the store to a new folder; works while the server runs',
    needs: 'embedded store',
    run: async ({ path }, { folder, config, lowerPriority, result }) => {
      const signingKey = findSecretKey(config, 'backup signature');
      lowerPriority();
      const options = { folder, path, signingKey, version: brickmarkVersion, at: config.clock() };
      const manifest = withClearErrors(() => backUp(options));
      result(
        { path, signed: isSigned(manifest), ...manifest },
        `Store backed up to '${path}'${size(manifest)}.\n${signing(manifest)}`,
      );
    },
  }),
  command({
    name: 'restore',
    operands: { path: { label: 'PATH' } },
    summary: 'Verify a backup and restore it; stop the server first',
    flags: {
      force: { help: 'Replace a store that has data; the old one is kept next to it' },
      unsigned: { help: 'Accept an unsigned backup although a secret is set' },
    },
    needs: 'embedded store',
    run: async ({ path, force, unsigned }, { folder, config, operator, result }) => {
      const { manifest, kept } = withClearErrors(() =>
        restoreBackup({
          folder,
          path,
          isForced: force,
          signingKey: findSecretKey(config, 'backup signature'),
          takesUnsigned: unsigned,
          at: config.clock(),
          by: operator.by,
        }),
      );
      result(
        { path, kept, signed: isSigned(manifest), ...manifest },
        describe({ manifest, kept }, folder),
      );
    },
  }),
];

function describe({ manifest, kept }: Restored, folder: string): string {
  const lines = [
    `Backup of ${whenMade(manifest)} restored to '${folder}'${size(manifest)}.`,
    isSigned(manifest)
      ? 'Its signature is valid: the backup is unchanged.'
      : 'The backup is unsigned, so changes to it cannot be detected.',
  ];
  if (kept) lines.push(`The previous store is in '${kept}'. Delete it when everything works.`);
  return lines.join('\n');
}

/** An unsigned manifest may contain anything, so an invalid time is shown unchanged. */
function whenMade({ created_at: created }: Manifest): string {
  const at = Date.parse(created);
  return Number.isNaN(at) ? created : momentText(at);
}

function isSigned({ signature }: Manifest): boolean {
  return signature !== null;
}

function signing(manifest: Manifest): string {
  return isSigned(manifest)
    ? 'The backup is signed. Keep a copy of the secret elsewhere: you need it to restore.'
    : 'The backup is unsigned, so changes to it cannot be detected. See BRICKMARK_SECRET_FILE.';
}

function size({ files }: Manifest): string {
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  return ` (${(bytes / 1e6).toFixed(1)} MB)`;
}

function withClearErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    const { code = '', message } = error as { code?: string; message?: string };
    if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
      throw new CommandError('The disk is full; nothing was changed. Free up space and try again.');
    }
    if (/^E[A-Z]+$/.test(code)) {
      throw new CommandError(`Cannot read or write a file: ${message}. Check its permissions.`);
    }
    throw error;
  }
}
