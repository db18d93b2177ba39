/** How schemas are numbered, and which of them this program refuses. */

/** The store does not have a schema that this program can use; the message says what to do. */
export class SchemaError extends Error {}

/** The store was made by a build before 0.9.0. */
export class EarlierBuildError extends SchemaError {}

/**
 * The version of the first schema; every migration after it adds one. Builds before 0.9.0 counted
 * from 1 and never reached 40, so a store of theirs is never taken for one of ours, and they refuse
 * ours as one of a newer version.
 */
export const firstVersion = 100;

/** Whether a build before 0.9.0 made a store of this version; 0 is a store without a schema. */
export function isEarlierBuild(version: number): boolean {
  return version > 0 && version < firstVersion;
}

/** The version of a store that has all of these migrations. */
export function newestVersion(migrations: readonly string[]): number {
  return firstVersion + migrations.length - 1;
}

/** The migrations up to a version. */
export function migrationsUpTo(version: number, migrations: readonly string[]): readonly string[] {
  return migrations.slice(0, version - firstVersion + 1);
}

/** The migrations that a store lacks: all of them at version 0, where there is nothing yet. */
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

/** How to carry over the data of a build before 0.9.0, as the end of a sentence. */
export function carryOver(start = 'with that build,'): string {
  return (
    `${start} run 'brickmark export collection' and 'brickmark export sales' for ` +
    'each account, then import these files and your source files into an empty store here'
  );
}
