/** Compares the rows of fields with the columns of their table in the written schema. */
import type { FieldKind, FieldRow } from '../../src/portfolio/lots/fields.ts';
import { accountsSchema } from '../../src/store/sql/accounts-schema.ts';

const otherTypes: Partial<Record<FieldKind, string>> = {
  money: 'bigint',
  count: 'bigint',
  flag: 'boolean',
};

/** What differs: a column without a row, a row without a column, or one of another type. */
export function schemaProblems(
  table: string,
  rows: readonly FieldRow[],
  /** Columns that the store fills itself. */
  computed: readonly string[],
  /** Names of columns by field, where they differ. */
  named: Readonly<Record<string, string>> = {},
): string[] {
  const [, body = ''] =
    new RegExp(`CREATE TABLE private.${table} \\(\\n(.+?)\\n {2}\\)`, 's').exec(accountsSchema) ??
    [];
  const columns = new Map(
    Array.from(
      body.matchAll(/^ {4}([a-z_]+) (\w+)(.*?),?$/gm),
      ([, name = '', type, rest = '']) => [
        name,
        `${type}${rest.includes('NOT NULL') ? '' : ' or null'}`,
      ],
    ),
  );
  const wanted = rows.map(({ field, kind, default: value }) => {
    const name = named[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const type = field in named ? 'bigint' : (otherTypes[kind] ?? 'text');
    return [name, `${type}${value === null ? ' or null' : ''}`] as const;
  });
  const names = [...computed, ...wanted.map(([name]) => name)];
  return [
    ...[...columns.keys()].filter((name) => !names.includes(name)).map((name) => `${name}: no row`),
    ...wanted
      .filter(([name, type]) => columns.get(name) !== type)
      .map(([name, type]) => `${name}: ${columns.get(name) ?? 'no column'}, not ${type}`),
  ];
}
