/** Which rows of an import can be corrected in one form, and which of them were. */
import { expect, test } from 'bun:test';
import type { CorrectableRow } from '../../../ingest/runner/own-import.work.ts';
import { Form, formBytesMax } from '../../kit/form.ts';
import { fieldName, readCorrections, rowName, shownRows, shownRowText } from './row-corrections.ts';

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

/** Sends the form of the rows as a browser does, with some fields changed. */
function correct(rows: readonly CorrectableRow[], changes: Readonly<Record<string, string>> = {}) {
  const data = new FormData();
  for (const [name = '', text = ''] of sentRows(shownRows(rows))) data.set(name, text);
  for (const [name, text] of Object.entries(changes)) data.set(name, text);
  return [...readCorrections(new Form(data))];
}

test.each([
  ['several lines', ['1009', 'Used\r\nno box\n']],
  ['spaces around them', ['1009 ', ' used \n']],
  ['as many characters as can be corrected', ['1009', 'x'.repeat(500)]],
  ['more characters', ['1009', 'x'.repeat(501)]],
])('texts with %s that are not changed are no corrections', (_, texts) => {
  expect(correct([rowOf(texts)])).toEqual([]);
});

test('a correction leaves the other texts of its row as they are', () => {
  const row = rowOf(['1009', 'Used\nno box', 'x'.repeat(501)]);
  const texts = { 0: '100', 1: 'Used\nno box' };
  expect(correct([row], { row_0_0: '100' })).toEqual([[row.where, { texts, isSkipped: false }]]);
});
