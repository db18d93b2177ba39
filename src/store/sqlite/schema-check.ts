/**
 * Compares the schema of a database with that of our migrations. An injected trigger or view could
 * run with our statements, a changed table could accept invalid rows, and another build may have
 * made other tables under the same version.
 */
import { Database } from 'bun:sqlite';
import { shortText } from '../../kernel/text.ts';
import { type MigrationStep, scriptsIn } from '../sql/migrations.ts';
import { migrationsUpTo } from '../sql/schema-version.ts';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** The first difference from our migrations; null if there is none. */
export function findSchemaFault(db: Database, migrations: readonly MigrationStep[]): string | null {
  const ours = expectedSchema(scriptsIn(migrationsUpTo(schemaVersion(db), migrations)));
  const found = new Map<string, SchemaRow>();
  for (const row of readSchema(db)) {
    if (!ours.has(keyOf(row))) return `it has ${named(row)}, which Brickmark did not create`;
    if (found.has(keyOf(row))) return 'it has duplicates';
    found.set(keyOf(row), row);
  }
  for (const [key, row] of ours) {
    const other = found.get(key);
    if (!other) return `${named(row)} is missing`;
    if (other.sql !== row.sql || other.tbl_name !== row.tbl_name) {
      return `${named(row)} was changed`;
    }
  }
  return null;
}

/** 0 if the file is empty. */
export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0;
}

/** By SQL: a process opens the same files several times. */
const expected = new Map<string, ReadonlyMap<string, SchemaRow>>();

function expectedSchema(scripts: readonly string[]): ReadonlyMap<string, SchemaRow> {
  const sql = scripts.join(';\n');
  const known = expected.get(sql);
  if (known) return known;
  const db = new Database(':memory:', { strict: true });
  try {
    for (const each of scripts) db.run(each);
    const rows = new Map(readSchema(db).map((row) => [keyOf(row), row]));
    expected.set(sql, rows);
    return rows;
  } finally {
    db.close();
  }
}

/** Without root pages, which differ between files. */
function readSchema(db: Database): SchemaRow[] {
  const sql = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type DESC, name';
  return db.query<SchemaRow, []>(sql).all();
}

function keyOf({ type, name }: SchemaRow): string {
  return `${type} ${name}`;
}

function named({ type, name }: SchemaRow): string {
  return `the ${type} '${shortText(name)}'`;
}
