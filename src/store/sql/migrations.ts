/** The versions of the schema after that of 1.0.0, for both engines. */
import type { FileName } from './tables.ts';

/** One version of the schema. */
export type Migration = SchemaAddition | { readonly fill: Fill };

/**
 * Adds to one table, in one transaction. Nodes of the version before may still be running, and
 * their statements leave out what they do not know: a column may be null, has a default, or is set
 * by a trigger on PostgreSQL. A column gets a new name as a new column, which is filled from the
 * old one, while a trigger copies what these nodes write.
 */
export interface SchemaAddition {
  /**
   * Statements for both engines, written as in the first schema: `ADD COLUMN` ends a line, and the
   * column is on the next one after four spaces.
   */
  readonly sql?: Partial<Record<FileName, string>>;
  /** After those, on one engine only. */
  readonly sqlite?: Partial<Record<FileName, string>>;
  readonly postgres?: string;
}

/**
 * Sets columns in slices of rows, each in its own transaction, so that calls are answered
 * meanwhile. A fill that was interrupted goes on with the first row that it has not changed.
 */
export interface Fill {
  readonly file: FileName;
  readonly table: string;
  /**
   * The first column of its primary key, a number. Rows with the same number are changed together,
   * so they must not be many.
   */
  readonly by: string;
  readonly set: string;
  /** The rows that it has not changed yet. */
  readonly where: string;
}

/** What an engine does for a version: a script in one transaction, or a fill. */
export type MigrationStep = string | Fill;

/** The scripts among the steps, which make the schema. */
export function scriptsIn(steps: readonly MigrationStep[]): readonly string[] {
  return steps.filter((step) => typeof step === 'string').filter((script) => script !== '');
}

/** Append to it; never change a released one. */
export const laterMigrations: readonly Migration[] = [];

const rowsPerSlice = 1_000;

/**
 * The row before the first one to change, the last row of the slice after $1, and the change of the
 * rows after $1 up to $2.
 */
export function fillStatements({ table, by, set, where }: Fill): {
  readonly start: string;
  readonly last: string;
  readonly change: string;
} {
  return {
    start: `SELECT min(${by})::float8 - 1 AS place FROM ${table} WHERE ${where}`,
    last: `SELECT max(${by})::float8 AS place FROM (
        SELECT ${by} FROM ${table} WHERE ${by} > $1 ORDER BY ${by} LIMIT ${rowsPerSlice}
      ) AS slice`,
    change: `UPDATE ${table} SET ${set} WHERE ${by} > $1 AND ${by} <= $2 AND (${where})`,
  };
}
