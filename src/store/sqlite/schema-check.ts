/**
 * Compares the schema of a database with the one that our migrations make. A trigger or a view that
 * was put in would run with every statement of ours, and a changed table would let rows pass that
 * ours refuses.
 */
import { Database } from 'bun:sqlite';
import { shortText } from '../../domain/kernel/text.ts';
import { migrationsUpTo, newestVersion } from '../sql/schema-version.ts';
import { accountMigrations } from './accounts-schema.ts';
import { schemaVersion } from './database.ts';
import type { FileName } from './files.ts';
import { marketMigrations } from './market-schema.ts';

const migrations: Readonly<Record<FileName, readonly string[]>> = {
  'accounts.db': accountMigrations,
  'market.db': marketMigrations,
};

/** The newest schema of each file that this version knows. */
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

/** What a database has that our migrations did not make, or the reverse; null when they agree. */
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

/** Everything but where it lies in the file. */
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
