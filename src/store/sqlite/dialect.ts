/** Translates statements from PostgreSQL's dialect to SQLite's. */

/**
 * Replacements, in order. SQLite needs no casts, schemas or row locks: values are dynamically
 * typed, and a file has one writer.
 */
const rules: readonly (readonly [RegExp, string])[] = [
  [/= ANY ?\((\$\d+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each($1))'],
  // ANALYZE is never run, so SQLite has no statistics; some statements name their index.
  [/\/\* (INDEXED BY \w+) \*\//g, '$1'],
  [/([\w.]+)::date - DATE '1970-01-01'/g, 'unixepoch($1) / 86400'],
  // The system clock.
  [
    /\bpublished\.instant\(NULL, 0\)/g,
    "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
  ],
  // The first of the two values, the time of the process, is always given.
  [/\bpublished\.instant\(/g, 'coalesce('],
  [/\b(?:private|published|source)\.(?=\w)/g, ''],
  [/::\w+(?:\[\])?/g, ''],
  [/\bFOR (?:NO KEY )?UPDATE(?: SKIP LOCKED)?\b/g, ''],
  // SQLite's `max` and `min` of several values. They must not be null: PostgreSQL would ignore
  // nulls, SQLite returns null.
  [/\bgreatest\(/g, 'max('],
  [/\bleast\(/g, 'min('],
  [/\$(\d+)/g, '?$1'],
];

export function toSqlite(sql: string): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), sql);
}

/** A statement for rows as a statement that runs once per row: `r.x` becomes a parameter. */
export function toSqliteEach(sql: string, fields: readonly string[]): string {
  const single = sql.replace(/\b(?:FROM|USING) \{rows\}/g, '');
  return toSqlite(single).replace(/\br\."?(\w+)"?/g, (_, field: string) => {
    const index = fields.indexOf(field);
    if (index < 0) throw new Error(`The rows of a statement have no field '${field}'.`);
    return `?${index + 1}`;
  });
}
