/**
 * Cells of CSV files for spreadsheets. Text that looks like a formula would be executed, and text
 * with leading or trailing spaces would lose them: such text is put between apostrophes, which
 * importing removes again.
 */

/** Characters that start a formula, including full-width forms. */
const formulaStart = /^[=+\-@\uff1d\uff0b\uff0d\uff20'\s]/;

/** An empty text differs from null. */
export function guardCell(text: string): string {
  return text === '' || formulaStart.test(text) || /\s$/.test(text) ? `'${text}'` : text;
}

export function quoteCell(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Any value as a cell: empty for null, guarded and quoted text, otherwise JSON. */
export function csvCell(value: unknown): string {
  if (value === null) return '';
  const text =
    typeof value === 'string'
      ? guardCell(value)
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  return quoteCell(text);
}

/** Empty for null. */
export function usdCell(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(2);
}

export function unguardCell(cell: string): string {
  return cell.length >= 2 && cell.startsWith("'") && cell.endsWith("'") ? cell.slice(1, -1) : cell;
}
