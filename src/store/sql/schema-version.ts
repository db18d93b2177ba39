/** Schema versions, and which of them this program rejects. */

/** This program cannot use the schema; the message says what to do. */
export class SchemaError extends Error {}

/** The store is of a build before 1.0.0. */
export class OtherBuildError extends SchemaError {
  constructor(store: StoreNoun) {
    super(`The ${store} ${otherBuild} and cannot be opened: ${carryOver()}.`);
  }
}

/** The schema is not what its version must be; `difference` says where. */
export function changedSchema(store: StoreNoun, difference: string): SchemaError {
  return new SchemaError(
    `The schema of the ${store} is not as Brickmark made it: ${difference}. ` +
      'Undo this change, or restore a backup.',
  );
}

type StoreNoun = 'store' | 'database';

export const otherBuild = 'was made by a build before 1.0.0';

/**
 * The version of the schema of 1.0.0, which every later version opens; every migration adds one.
 * Builds before it had lower ones.
 */
export const firstVersion = 200;

/** Whether the version is from a build with another first schema; 0 is a store without one. */
export function isEarlierBuild(version: number): boolean {
  return version > 0 && version < firstVersion;
}

export function newestVersion(migrations: readonly unknown[]): number {
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
  /**
   * For processes of a running server: the schema may be that of a newer version, which only adds.
   */
  readonly acceptsNewer?: boolean;
  onMigrated?(change: SchemaChange): void;
  /** Called after each slice of a fill, with the number of changed rows. */
  onFilled?(rows: number): void;
}

/** Throws unless the schema is the newest. */
export function checkNewest(
  store: StoreNoun,
  version: number,
  migrations: readonly unknown[],
): void {
  if (missingMigrations(store, version, migrations).length === 0) return;
  const found = version === 0 ? 'no schema yet' : `schema ${version}`;
  throw new SchemaError(
    `The ${store} has ${found}; this version of Brickmark needs ${newestVersion(migrations)}. ` +
      "This command only reads. Make a backup, then run 'brickmark migrate' or restart the server.",
  );
}

export function migrationsUpTo<T>(version: number, migrations: readonly T[]): readonly T[] {
  return migrations.slice(0, version - firstVersion + 1);
}

/** The migrations that a store needs; all of them at version 0. */
export function missingMigrations<T>(
  store: StoreNoun,
  version: number,
  migrations: readonly T[],
): readonly T[] {
  if (version === 0) return migrations;
  checkVersion(store, version, migrations);
  return migrations.slice(version - firstVersion + 1);
}

/** Throws if this build does not know the version. */
export function checkVersion(
  store: StoreNoun,
  version: number,
  migrations: readonly unknown[],
): void {
  if (isEarlierBuild(version)) throw new OtherBuildError(store);
  const newest = newestVersion(migrations);
  if (version <= newest) return;
  throw new SchemaError(
    `The ${store} was made by a newer version of Brickmark (schema ${version}; this ` +
      `version has ${newest}). Upgrade Brickmark, or restore an older backup.`,
  );
}

/** How to carry over the data of another build, as the end of a sentence. */
export function carryOver(start = 'with that build,'): string {
  return (
    `${start} run 'brickmark export collection' and 'brickmark export sales' for ` +
    'each account, then import these files and your source files into an empty store here'
  );
}
