/** Groups the values of one field of rows by another one. */

export function groupValues<Row, By extends keyof Row, Of extends keyof Row>(
  rows: readonly Row[],
  by: By,
  of: Of,
): Map<Row[By], Row[Of][]> {
  const grouped = new Map<Row[By], Row[Of][]>();
  for (const row of rows) grouped.getOrInsert(row[by], []).push(row[of]);
  return grouped;
}
