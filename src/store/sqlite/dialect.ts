/** Statements as both engines share them, in SQLite's words. */

/**
 * What differs, in the order in which it is replaced. Casts, schemas and row locks mean nothing
 * here: values are what they are, a file is a schema, and a writer is alone.
 */
const rules: readonly (readonly [RegExp, string])[] = [
  [/= ANY ?\((\$\d+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each($1))'],
  // Which index is best is told to SQLite, which knows less about what is in a table.
  [/\/\* (INDEXED BY \w+) \*\//g, '$1'],
  [/([\w.]+)::date - DATE '1970-01-01'/g, 'unixepoch($1) / 86400'],
  // The time of the machine, where no other is given.
  [
    /\bpublished\.instant\(NULL, 0\)/g,
    "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
  ],
  // Here the clock is that of the process: the first of the two values, which is always given.
  [/\bpublished\.instant\(/g, 'coalesce('],
  [/\b(?:private|published|source)\.(?=\w)/g, ''],
  [/::\w+(?:\[\])?/g, ''],
  [/\bFOR (?:NO KEY )?UPDATE(?: SKIP LOCKED)?\b/g, ''],
  // Of several values in a row; over rows, both have `max` and `min`. None of them may be null:
  // PostgreSQL would leave it out, and SQLite gives null.
  [/\bgreatest\(/g, 'max('],
  [/\bleast\(/g, 'min('],
  [/\$(\d+)/g, '?$1'],
];

/** The same statement for SQLite. */
export function toSqlite(sql: string): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), sql);
}

/** A statement about given rows as one that is run for each: `r.x` becomes a value. */
export function toSqliteEach(sql: string, fields: readonly string[]): string {
  const single = sql.replace(/\b(?:FROM|USING) \{rows\}/g, '');
  return toSqlite(single).replace(/\br\."?(\w+)"?/g, (_, field: string) => {
    const index = fields.indexOf(field);
    if (index < 0) throw new Error(`The rows of a statement have no field '${field}'.`);
    return `?${index + 1}`;
  });
}
