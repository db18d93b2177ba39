/** Many rows as one value of a statement. */

/** How half of a surrogate pair stands in JSON. Escaped text may look the same: that is no harm. */
const loneSurrogate = /\\ud[89a-f]/;

/**
 * Rows for `json_to_recordset($1::text::json)`. Text that is no Unicode, which PostgreSQL refuses,
 * becomes what any encoder makes of it.
 */
export function jsonRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  if (!loneSurrogate.test(text)) return text;
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}
