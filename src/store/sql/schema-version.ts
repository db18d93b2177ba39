/** Schema versions, and which of them this program rejects. */

/** This program cannot use the schema; the message says what to do. */
export class SchemaError extends Error {}

export class EarlierBuildError extends SchemaError {}

/**
 * The version of the first schema; every migration adds one. Builds before 0.9.0 counted from 1 and
 * never reached 40, so neither side mistakes a store of the other for its own.
 */
export const firstVersion = 100;

/** Whether the version is from a build before 0.9.0; 0 is a store without a schema. */
export function isEarlierBuild(version: number): boolean {
  return version > 0 && version < firstVersion;
}

export function newestVersion(migrations: readonly string[]): number {
  return firstVersion + migrations.length - 1;
}

/** An updated schema: of one file of the embedded store, or of the database. */
export interface SchemaChange {
  readonly store: string;
  /** 0 if there was no schema. */
  readonly from: number;
  readonly to: number;
}

/** Options for opening a store with an older schema. */
export interface Migrating {
  /** Commands that only read leave the schema as it is, and fail if it is not the newest. */
  readonly onlyReads?: boolean;
  onMigrated?(change: SchemaChange): void;
}

/** Throws unless the schema is the newest. */
export function checkNewest(
  store: 'store' | 'database',
  version: number,
  migrations: readonly string[],
): void {
  if (missingMigrations(store, version, migrations).length === 0) return;
  const found = version === 0 ? 'no schema yet' : `schema ${version}`;
  throw new SchemaError(
    `The ${store} has ${found}; this version of Brickmark needs ${newestVersion(migrations)}. ` +
      "This command only reads. Make a backup, then run 'brickmark migrate' or restart the server.",
  );
}

export function migrationsUpTo(version: number, migrations: readonly string[]): readonly string[] {
  return migrations.slice(0, version - firstVersion + 1);
}

/** The migrations that a store needs; all of them at version 0. */
export function missingMigrations(
  store: 'store' | 'database',
  version: number,
  migrations: readonly string[],
): readonly string[] {
  if (version === 0) return migrations;
  if (isEarlierBuild(version)) {
    throw new EarlierBuildError(
      `The ${store} was made by a build before 0.9.0 and cannot be opened: ${carryOver()}.`,
    );
  }
  const newest = newestVersion(migrations);
  if (version > newest) {
    throw new SchemaError(
      `The ${store} was made by a newer version of Brickmark (schema ${version}; this ` +
        `version has ${newest}). Upgrade Brickmark, or restore an older backup.`,
    );
  }
  return migrations.slice(version - firstVersion + 1);
}

/** How to migrate the data of a build before 0.9.0, as the end of a sentence. */
export function carryOver(start = 'with that build,'): string {
  return (
    `${start} run 'brickmark export collection' and 'brickmark export sales' for ` +
    'each account, then import these files and your source files into an empty store here'
  );
}
