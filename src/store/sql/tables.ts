/**
 * All tables and columns of both engines, for statements and for `move`, read from the schema.
 * Tables come after those they refer to. A test compares this list with both databases.
 */
import { accountsSchema } from './accounts-schema.ts';
import { marketSchema } from './market-schema.ts';
import { laterMigrations } from './migrations.ts';
import { migrationsUpTo } from './schema-version.ts';

/** The databases of the embedded store. */
export type FileName = 'accounts.db' | 'market.db';

/** SQLite stores booleans as 0 and 1. */
export type ColumnType = 'integer' | 'boolean' | 'double' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface Table {
  readonly file: FileName;
  readonly name: string;
  /** The PostgreSQL name with the schema. */
  readonly target: string;
  /** The columns of the primary key; rows are moved in this order. */
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  /** Whether its ids are generated. */
  readonly isNumbered: boolean;
}

const fieldsByColumn = new Map<string, string>();

/** The field of a column: `priceCents` for `price_cents`. */
export function fieldOf(column: string): string {
  return fieldsByColumn.getOrInsertComputed(column, () =>
    column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
}

export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function fieldsOf(table: Table, but: readonly string[] = []): string[] {
  return table.columns.map(({ name }) => fieldOf(name)).filter((field) => !but.includes(field));
}

/**
 * The columns of a table, or some of them, selected under the names of their fields. Integers are
 * cast to doubles: the PostgreSQL client returns 64-bit integers as text, which takes longer to
 * convert. Booleans are cast so that the SQLite engine recognizes them. An ORDER BY must name the
 * table, as in `lot.id`: a plain `id` is the double, which has no index.
 */
export function columnsOf(table: Table, alias: string, fields?: readonly string[]): string {
  return table.columns
    .filter(({ name }) => fields === undefined || fields.includes(fieldOf(name)))
    .map(({ name, type }) => {
      const cast = casts[type] ?? '';
      return `${alias}.${name}${cast} AS "${fieldOf(name)}"`;
    })
    .join(', ');
}

/** The same, except for some fields. */
export function columnsBut(table: Table, alias: string, but: readonly string[]): string {
  return columnsOf(table, alias, fieldsOf(table, but));
}

const casts: Partial<Record<ColumnType, string>> = { integer: '::float8', boolean: '::boolean' };

/** Whether two rows are equal in some fields; undefined equals null. */
export function isSameRow(fields: readonly string[], a: object, b: object): boolean {
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const field of fields) {
    if ((first[field] ?? null) !== (second[field] ?? null)) return false;
  }
  return true;
}

/** The names of tables, as the schema writes them; an accumulator allows deep recursion. */
type NamesIn<
  Sql,
  Found = never,
> = Sql extends `${string}CREATE TABLE ${string}.${infer Name} (${infer Rest}`
  ? NamesIn<Rest, Found | Name>
  : Found;

type FieldOf<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldOf<Rest>>}`
  : Name;

type Tables<Sql> = Readonly<Record<FieldOf<NamesIn<Sql>> & string, Table>>;

const columnTypes: Readonly<Record<string, ColumnType>> = {
  bigint: 'integer',
  integer: 'integer',
  boolean: 'boolean',
  'double precision': 'double',
  text: 'text',
  bytea: 'bytes',
};

const columnLine = new RegExp(`^ {4}(\\w+) (${Object.keys(columnTypes).join('|')})\\b`, 'gm');

function tablesIn(file: FileName, sql: string): readonly Table[] {
  const found = sql.matchAll(/CREATE TABLE (\w+\.(\w+)) \(\n(.+?)\n {2}\)/gs);
  return Array.from(found, ([, target = '', name = '', body = '']): Table => {
    const columns = [...columnsIn(body), ...addedColumns(target, sql)];
    const key = primaryKey(body);
    return { file, name, target, key, columns, isNumbered: body.includes('AS IDENTITY') };
  });
}

function columnsIn(body: string): readonly Column[] {
  return Array.from(body.matchAll(columnLine), ([, name = '', type = '']) => {
    return { name, type: columnTypes[type] ?? 'text' };
  });
}

/** Columns of later versions, which are the last ones. */
function addedColumns(target: string, sql: string): readonly Column[] {
  const added = sql.matchAll(new RegExp(`ALTER TABLE ${target} ADD COLUMN\n(.+)`, 'g'));
  return Array.from(added, ([, line = '']) => columnsIn(line)).flat();
}

/** In SQLite's order, which is the order of the rows in the file. */
function primaryKey(body: string): readonly string[] {
  const [, one] = body.match(/^ {4}(\w+) .*PRIMARY KEY/m) ?? [];
  const [, several = ''] = body.match(/^ {4}PRIMARY KEY \((.+)\)/m) ?? [];
  return one === undefined ? (several.match(/\w+/g) ?? []) : [one];
}

const firstSchemas: Readonly<Record<FileName, string>> = {
  'market.db': marketSchema,
  'accounts.db': accountsSchema,
};

/** All tables as they are in a version. */
export function tablesAt(version: number): readonly Table[] {
  const later = migrationsUpTo(version - 1, laterMigrations);
  return (['market.db', 'accounts.db'] as const).flatMap((file) =>
    tablesIn(
      file,
      [firstSchemas[file], ...later.map((each) => ('fill' in each ? '' : each.sql?.[file]))].join(
        '\n',
      ),
    ),
  );
}

export const tables = Object.fromEntries(
  tablesAt(Number.POSITIVE_INFINITY).map((table) => [fieldOf(table.name), table]),
) as Tables<typeof marketSchema | typeof accountsSchema>;

/** Tables that `move` does not copy: leases, heartbeats, and files that are created again. */
export const tablesNotMoved: readonly string[] = [
  'lease',
  'market_lease',
  'heartbeat',
  'bulk_file',
  'bulk_chunk',
  'bulk_export',
];

/** Tables with rows even in an empty store; `move` replaces them. */
export const replacedTables: ReadonlySet<string> = new Set([
  'published.meta',
  'published.theme_list',
]);

export const movedTables: readonly Table[] = Object.values(tables).filter(
  ({ name }) => !tablesNotMoved.includes(name),
);

/** Tables with generated ids; they continue after the highest id ever used. */
export const numberedTables: ReadonlySet<string> = new Set(
  movedTables.flatMap(({ target, isNumbered }) => (isNumbered ? target : [])),
);
