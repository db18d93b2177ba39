/**
 * Compares the schema of a database with that of our migrations. An injected trigger or view could
 * run with our statements, and a changed table could accept invalid rows.
 */
import { Database } from 'bun:sqlite';
import { shortText } from '../../domain/kernel/text.ts';
import { migrationsUpTo, newestVersion } from '../sql/schema-version.ts';
import { schemaVersion } from './database.ts';
import type { FileName } from './files.ts';
import { accountMigrations, marketMigrations } from './schema.ts';

const migrations: Readonly<Record<FileName, readonly string[]>> = {
  'accounts.db': accountMigrations,
  'market.db': marketMigrations,
};

/** The newest schema version of each file that this version knows. */
export const newestSchema: Readonly<Record<FileName, number>> = {
  'accounts.db': newestVersion(accountMigrations),
  'market.db': newestVersion(marketMigrations),
};

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** The first difference from our migrations; null if there is none. */
export function findSchemaFault(db: Database, name: FileName): string | null {
  const ours = expectedSchema(name, schemaVersion(db));
  const found = readSchema(db);
  const isOurs = (row: SchemaRow) => ours.some((other) => isNamedAlike(row, other));
  const extra = found.find((row) => !isOurs(row));
  if (extra) return `it has ${named(extra)}, which Brickmark did not create`;
  for (const row of ours) {
    const other = found.find((each) => isNamedAlike(row, each));
    if (!other) return `${named(row)} is missing`;
    if (other.sql !== row.sql || other.tbl_name !== row.tbl_name) {
      return `${named(row)} was changed`;
    }
  }
  return found.length === ours.length ? null : 'it has duplicates';
}

function expectedSchema(name: FileName, version: number): SchemaRow[] {
  const db = new Database(':memory:', { strict: true });
  try {
    for (const sql of migrationsUpTo(version, migrations[name])) db.run(sql);
    return readSchema(db);
  } finally {
    db.close();
  }
}

/** Without root pages, which differ between files. */
function readSchema(db: Database): SchemaRow[] {
  const sql = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type DESC, name';
  return db.query<SchemaRow, []>(sql).all();
}

function isNamedAlike(one: SchemaRow, other: SchemaRow): boolean {
  return one.type === other.type && one.name === other.name;
}

function named({ type, name }: SchemaRow): string {
  return `the ${type} '${shortText(name)}'`;
}
