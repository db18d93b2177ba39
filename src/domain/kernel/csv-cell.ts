/**
 * Texts in tables that spreadsheets open. A cell that begins like a formula would be run, and one
 * with spaces at its ends would lose them: such texts stand between apostrophes, which a
 * spreadsheet shows and a reader takes off again.
 */

/** Beginnings that spreadsheets take for a formula, in their full-width forms too. */
const formulaStart = /^[=+\-@\uff1d\uff0b\uff0d\uff20'\s]/;

/** A text as it stands in a cell. An empty one differs from none at all. */
export function guardCell(text: string): string {
  return text === '' || formulaStart.test(text) || /\s$/.test(text) ? `'${text}'` : text;
}

/** A cell in quotes where a separator or a quote in it would end it. */
export function quoteCell(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Any value as a cell: nothing for null, text guarded and quoted, the rest as JSON has it. */
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

/** An amount as a cell; nothing for null. */
export function usdCell(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(2);
}

/** The text that a cell stands for. */
export function unguardCell(cell: string): string {
  return cell.length >= 2 && cell.startsWith("'") && cell.endsWith("'") ? cell.slice(1, -1) : cell;
}
