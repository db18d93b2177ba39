/** Which rows of an import can be corrected in one form, and which of them were. */
import { expect, test } from 'bun:test';
import type { CorrectableRow } from '../../../ingest/own-import.ts';
import { formBytesMax } from '../../kit/form.ts';
import { fieldName, rowName, shownRows, shownRowText } from './row-corrections.ts';

const rowOf = (texts: readonly string[], line = 2): CorrectableRow => ({
  where: `owned.csv:${line}`,
  reason: 'wrong',
  isSkipped: false,
  fields: texts.map((text, index) => ({ key: `${index}`, name: `Field ${index}`, text })),
});

/** The fields of rows as a browser sends them. */
const sentRows = (rows: readonly CorrectableRow[]) =>
  rows.flatMap((row, index) => [
    [rowName(index), shownRowText(row)],
    ...row.fields.map(({ key, text }) => [fieldName(index, key), text.replace(/[\r\n]/g, '')]),
  ]);

test.each([
  ['short texts', 'used', 100, 100],
  ['long texts', 'Used, complete with box. '.repeat(18), 100, 30],
  ['texts in another alphabet', 'Коробка и инструкция, всё проверено. '.repeat(3), 100, 15],
])('rows with %s fit into a form', (_, text, given, least) => {
  const rows = Array.from({ length: given }, (_, line) => rowOf(['1009', text], line));
  const shown = shownRows(rows);
  expect(shown).toEqual(rows.slice(0, shown.length));
  expect(shown.length).toBeGreaterThanOrEqual(least);
  const sent = new URLSearchParams(sentRows(shown)).toString();
  expect(sent.length).toBeLessThan(formBytesMax - 20_000);
});
