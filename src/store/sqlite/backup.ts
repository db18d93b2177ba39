/** A backup: a folder with both databases and a manifest, which appears complete or not at all. */

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { formatInstant } from '../../kernel/time.ts';
import type { FileName } from '../sql/tables.ts';
import {
  copyDatabase,
  fileNames,
  hasRows,
  removeAbandoned,
  syncPath,
  withExisting,
} from './files.ts';
import {
  BackupError,
  type BackupFile,
  backupFormat,
  checkKnown,
  type Manifest,
  manifestName,
} from './manifest.ts';
import { holdStore, isRestorePending } from './pending-restore.ts';
import { migrationsOf, newestSchema } from './schema.ts';
import { findSchemaFault, schemaVersion } from './schema-check.ts';
import { signManifest } from './signature.ts';

const chunkBytes = 1_048_576;

export interface BackupOptions {
  readonly folder: string;
  /** A new or empty folder. */
  readonly path: string;
  /** The key for the signature; null for an unsigned backup. */
  readonly signingKey: Uint8Array | null;
  readonly version: string;
  readonly at: number;
}

/** Backs up a store, which may be in use; throws a `BackupError` if that is not possible. */
export function backUp(options: BackupOptions): Manifest {
  const { folder } = options;
  if (!isRestorePending(folder) && !fileNames.some((name) => existsSync(join(folder, name)))) {
    throw new BackupError(`No store in '${folder}'. Check --data or BRICKMARK_DATA.`);
  }
  const path = resolve(options.path);
  const parent = dirname(path);
  checkFree(path, options.path);
  const hold = holdStore(folder);
  try {
    // With the host name, because process ids are only unique per host, and others may share the
    // folder.
    const prefix = `.brickmark-backup-${hostname()}@`;
    removeAbandoned(parent, prefix);
    const partial = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
    try {
      const manifest = fill(partial, options);
      checkFilled(partial, folder);
      putInPlace(partial, path, options.path);
      return manifest;
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
  } finally {
    hold.release();
  }
}

function checkFree(path: string, shown: string): void {
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new BackupError(`The folder '${dirname(path)}' does not exist. Create it first.`);
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !(found.isDirectory() && readdirSync(path).length === 0)) throw isTaken(shown);
}

function isTaken(shown: string): BackupError {
  return new BackupError(`'${shown}' already exists. Choose another name for the backup.`);
}

/** Writes a complete backup into a folder, and syncs it. */
function fill(partial: string, options: BackupOptions): Manifest {
  const { folder, version, at, signingKey } = options;
  const copy = (name: FileName): BackupFile => {
    const to = join(partial, name);
    copyDatabase(join(folder, name), to);
    syncPath(to);
    return {
      schema: checkedSchema(to, name, folder),
      bytes: statSync(to).size,
      sha256: hashFile(to),
    };
  };
  const [accounts, market] = fileNames;
  const unsigned: Manifest = {
    format: backupFormat,
    brickmark: version,
    created_at: formatInstant(at),
    files: { [accounts]: copy(accounts), [market]: copy(market) },
    signature: null,
  };
  const manifest = signManifest(unsigned, signingKey);
  const file = join(partial, manifestName);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  syncPath(file);
  syncPath(partial);
  return manifest;
}

/** An empty store is probably a mistyped folder. */
function checkFilled(partial: string, folder: string): void {
  const [accounts, market] = fileNames;
  const isFilled = (name: FileName, table: string) =>
    withExisting(join(partial, name), (db) => hasRows(db, table));
  if (isFilled(accounts, 'account') || isFilled(market, 'item')) return;
  throw new BackupError(
    `The store in '${folder}' is empty, so there is nothing to back up; check --data or ` +
      'BRICKMARK_DATA.',
  );
}

/** Replaces an empty folder, but not one that was filled meanwhile. */
function putInPlace(partial: string, path: string, shown: string): void {
  try {
    renameSync(partial, path);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code) ? isTaken(shown) : error;
  }
  syncPath(dirname(path));
}

/** Returns the schema version; throws now if a restore would reject the file. */
function checkedSchema(path: string, name: FileName, folder: string): number {
  const original = join(folder, name);
  return withExisting(path, (db) => {
    const version = schemaVersion(db);
    checkKnown(original, version, newestSchema[name]);
    const fault = findSchemaFault(db, migrationsOf[name]);
    if (fault === null) return version;
    throw new BackupError(
      `'${original}' cannot be backed up: ${fault}. Repair it with sqlite3, then back up again.`,
    );
  });
}

function hashFile(path: string): string {
  const hash = createHash('sha256');
  for (const chunk of chunksOf(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** The contents of a file in chunks; each is valid until the next one is read. */
export function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const chunk = new Uint8Array(chunkBytes);
    for (;;) {
      const count = readSync(file, chunk);
      if (count === 0) return;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}
