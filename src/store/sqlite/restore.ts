/** Restores a backup in place of the store, after verifying it completely. */
import type { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditAction, AuditActor } from '../../accounts/audit/audit.ts';
import { momentText } from '../../kernel/format.ts';
import { formatInstant, secondMs } from '../../kernel/time.ts';
import type { FileName } from '../sql/tables.ts';
import { chunksOf } from './backup.ts';
import { toSqlite } from './dialect.ts';
import { fileNames, hasRows, syncPath, withExisting } from './files.ts';
import { seizeStore } from './lock.ts';
import { BackupError, checkKnown, type Manifest, readManifest } from './manifest.ts';
import {
  finishRestore,
  isRestorePending,
  keptPrefix,
  pendingName,
  stagingName,
} from './pending-restore.ts';
import { migrationsOf, newestSchema } from './schema.ts';
import { findSchemaFault, schemaVersion } from './schema-check.ts';
import { checkSignature, type SignatureOptions } from './signature.ts';

/** Timeout for commands that are about to end. */
const waitMs = secondMs;

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
  /** Who restores, by the IDs of the replaced store. */
  readonly by: AuditActor;
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
function replaceStore(options: RestoreOptions, manifest: Manifest) {
  const { folder, isForced, at } = options;
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
    for (const name of fileNames) stage(options, manifest, { staging, name });
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
    return withExisting(
      path,
      (db) => schemaVersion(db) > 0 && tables[name].some((table) => hasRows(db, table)),
    );
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

/**
 * Copies a file of the backup next to the store, verifies the copy, and notes the restore in it:
 * before it is committed, so that no interruption can leave one without the note.
 */
function stage(
  options: RestoreOptions,
  manifest: Manifest,
  { staging, name }: { readonly staging: string; readonly name: FileName },
): void {
  const expected = manifest.files[name];
  const from = join(options.path, name);
  const to = join(staging, name);
  if (copyHashed(from, to) !== expected.sha256) throw isDamaged(from, 'its SHA-256 differs');
  try {
    withExisting(to, (db) => {
      checkSchema(db, from, { name, version: expected.schema });
      const fault = findFault(db);
      if (fault) throw isDamaged(from, fault);
      if (name === 'market.db') noteRestore(db);
      else recordRestore(db, options, manifest);
    });
  } catch (error) {
    const isBroken = /^SQLITE_(NOTADB|CORRUPT)/.test((error as { code?: string }).code ?? '');
    throw isBroken ? isDamaged(from, 'SQLite cannot read it') : error;
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

const action: AuditAction = 'store.restored';

/**
 * Adds the restore to the audit log of the backup, and how much of the replaced log is lost. The ID
 * is higher than all in both logs, so that no ID means two entries.
 */
function recordRestore(
  db: Database,
  { folder, at, by }: RestoreOptions,
  { created_at: created }: Manifest,
): void {
  const replaced = findReplacedLog(db, join(folder, 'accounts.db'), by.accountId);
  const made = Date.parse(created);
  // An unsigned manifest may contain anything.
  const when = Number.isNaN(made) ? 'an unknown time' : momentText(made);
  const lost = replaced.lost ?? 'unknown';
  const detail = `backup of ${when}, later entries lost: ${lost}`;
  db.query(
    `INSERT INTO audit (id, at, actor, actor_id, action, detail)
     SELECT max(?1, coalesce(max(id), 0)) + 1, ?2, ?3, ?4, ?5, ?6 FROM audit`,
  ).run(replaced.lastId, at, by.kind, replaced.actorId, action, detail);
}

interface ReplacedLog {
  /** Entries that the backup does not have; null if the log cannot be read. */
  readonly lost: number | null;
  readonly lastId: number;
  /** Who restores; null if the backup does not have the account. */
  readonly actorId: number | null;
}

function findReplacedLog(db: Database, path: string, actorId: number | null): ReplacedLog {
  if (!existsSync(path)) return { lost: 0, lastId: 0, actorId: null };
  const fields = 'id, at, actor, actor_id, action, account_id, detail';
  try {
    db.query('ATTACH ? AS old').run(path);
    const found = db
      .query<ReplacedLog, [number | null]>(
        `SELECT coalesce(max(id), 0) AS "lastId",
           (SELECT count(*) FROM (SELECT ${fields} FROM old.audit
             EXCEPT SELECT ${fields} FROM main.audit)) AS lost,
           (SELECT a.id FROM main.account a JOIN old.account o ON o.id = a.id
             AND o.email = a.email WHERE a.id = ?1) AS "actorId"
         FROM old.audit`,
      )
      .get(actorId);
    db.run('DETACH old');
    return found ?? unreadable;
  } catch {
    return unreadable;
  }
}

const unreadable: ReplacedLog = { lost: null, lastId: 0, actorId: null };

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
