/** Restores a backup in place of the store, after verifying it completely. */
import type { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, secondMs } from '../../domain/kernel/time.ts';
import { chunksOf } from './backup.ts';
import { toSqlite } from './dialect.ts';
import { type FileName, fileNames, openExisting, syncPath } from './files.ts';
import { seizeStore } from './lock.ts';
import {
  BackupError,
  type BackupFile,
  checkKnown,
  type Manifest,
  readManifest,
} from './manifest.ts';
import { finishRestore, isRestorePending, keptPrefix, pendingName } from './pending-restore.ts';
import { migrationsOf, newestSchema } from './schema.ts';
import { findSchemaFault, schemaVersion } from './schema-check.ts';
import { checkSignature, type SignatureOptions } from './signature.ts';

/** Timeout for commands that are about to end. */
const waitMs = secondMs;

const stagingName = 'restore-staging';

/** Tables with rows in every store that was ever used. */
const tables: Readonly<Record<FileName, readonly string[]>> = {
  'accounts.db': ['account'],
  'market.db': ['item', 'fx'],
};

export interface RestoreOptions extends SignatureOptions {
  readonly folder: string;
  /** Allows replacing a store with data. */
  readonly isForced: boolean;
  readonly at: number;
}

export interface Restored {
  readonly manifest: Manifest;
  /** The folder with the previous store; null if that was empty. */
  readonly kept: string | null;
}

/** Throws a `BackupError` if the backup cannot be restored; then nothing has changed. */
export function restoreBackup(options: RestoreOptions): Restored {
  const { folder, path } = options;
  const manifest = readManifest(path);
  checkSignature(manifest, options);
  for (const name of fileNames) {
    checkKnown(join(path, name), manifest.files[name].schema, newestSchema[name]);
  }
  const createdFolder = mkdirSync(folder, { recursive: true, mode: 0o700 });
  const alone = seizeStore(folder, waitMs);
  if (!alone) {
    throw new BackupError(
      `The store in '${folder}' is in use. Stop the server, let imports finish, and restore again.`,
    );
  }
  try {
    return { manifest, kept: replaceStore(options, manifest) };
  } catch (error) {
    if (createdFolder && !isRestorePending(folder)) rmSync(createdFolder, { recursive: true });
    throw error;
  } finally {
    alone.release();
  }
}

/** Replaces an exclusively locked store; returns where the old one is kept. */
function replaceStore({ folder, path, isForced, at }: RestoreOptions, manifest: Manifest) {
  if (isRestorePending(folder)) finishRestore(folder);
  const holdsData = fileNames.some((name) => hasData(folder, name));
  if (holdsData && !isForced) {
    throw new BackupError(
      `The store in '${folder}' has data; choose another --data, or replace it with --force.`,
    );
  }
  const staging = join(folder, stagingName);
  rmSync(staging, { recursive: true, force: true });
  const kept = holdsData ? freeName(folder, at) : null;
  mkdirSync(staging, { mode: 0o700 });
  try {
    for (const name of fileNames) stage({ path, staging, name }, manifest.files[name]);
    if (kept) mkdirSync(join(staging, kept), { mode: 0o700 });
    syncPath(staging);
    renameSync(staging, join(folder, pendingName));
  } catch (error) {
    rmSync(staging, { recursive: true });
    throw error;
  }
  syncPath(folder);
  finishRestore(folder);
  return kept && join(folder, kept);
}

/** Whether a file has data that would be lost; true if it cannot be read. */
function hasData(folder: string, name: FileName): boolean {
  const path = join(folder, name);
  if (!existsSync(path)) return false;
  try {
    const db = openExisting(path);
    try {
      const isFilled = (table: string) => db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null;
      return schemaVersion(db) > 0 && tables[name].some(isFilled);
    } finally {
      db.close();
    }
  } catch {
    return true;
  }
}

function freeName(folder: string, at: number): string {
  // Without colons, which some file systems reject.
  const stamp = formatInstant(at).slice(0, 19).replaceAll(/[-:]/g, '');
  for (let count = 1; ; count++) {
    const name = `${keptPrefix}${stamp}Z${count > 1 ? `-${count}` : ''}`;
    if (!existsSync(join(folder, name))) return name;
  }
}

/** Copies a file of the backup next to the store, and verifies the copy. */
function stage(
  { path, staging, name }: { readonly path: string; readonly staging: string; name: FileName },
  expected: BackupFile,
): void {
  const from = join(path, name);
  const to = join(staging, name);
  if (copyHashed(from, to) !== expected.sha256) throw isDamaged(from, 'its SHA-256 differs');
  const db = openExisting(to);
  try {
    checkSchema(db, from, { name, version: expected.schema });
    const fault = findFault(db);
    if (fault) throw isDamaged(from, fault);
    if (name === 'market.db') noteRestore(db);
  } catch (error) {
    const isBroken = /^SQLITE_(NOTADB|CORRUPT)/.test((error as { code?: string }).code ?? '');
    throw isBroken ? isDamaged(from, 'SQLite cannot read it') : error;
  } finally {
    db.close();
  }
}

/**
 * Publications after the backup are lost. Records their range of stamps, so that clients that
 * followed them are told. The range includes losses of earlier restores.
 */
function noteRestore(db: Database): void {
  db.run(`INSERT INTO meta SELECT 'restored_from', value FROM meta WHERE name = 'publish_stamp'
    ON CONFLICT (name) DO NOTHING`);
  db.run(
    toSqlite(`UPDATE meta SET value = greatest(value + 1, published.instant(NULL, 0))
    WHERE name = 'publish_stamp'`),
  );
  db.run(`INSERT INTO meta SELECT 'restored_to', value FROM meta WHERE name = 'publish_stamp'
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
}

function copyHashed(from: string, to: string): string {
  const hash = createHash('sha256');
  const file = openSync(to, 'wx', 0o600);
  try {
    for (const chunk of chunksOf(from)) {
      hash.update(chunk);
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done);
    }
  } finally {
    closeSync(file);
  }
  syncPath(to);
  return hash.digest('hex');
}

/** Must run before any other query, which could execute triggers or views in the file. */
function checkSchema(
  db: Database,
  from: string,
  expected: { readonly name: FileName; readonly version: number },
): void {
  if (schemaVersion(db) !== expected.version) {
    throw isDamaged(from, 'its schema differs from the manifest');
  }
  const fault = findSchemaFault(db, migrationsOf[expected.name]);
  if (fault === null) return;
  throw new BackupError(
    `'${from}' was tampered with: ${fault}. Nothing was restored; use another backup.`,
  );
}

function findFault(db: Database): string | null {
  const [first] = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').all();
  const finding = first?.integrity_check.replaceAll(/\s+/g, ' ');
  if (finding !== 'ok') return `SQLite finds: ${finding}`;
  if (db.query('PRAGMA foreign_key_check').get() !== null) return 'rows refer to missing rows';
  return null;
}

function isDamaged(from: string, why: string): BackupError {
  return new BackupError(`'${from}' is damaged (${why}); nothing was changed. Use another backup.`);
}
