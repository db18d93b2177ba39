/** Corrections of rows in the preview of an import: their form, and how drafts store them. */
import type { Correction, Corrections } from '../../../ingest/runner/corrections.work.ts';
import type { CorrectableRow } from '../../../ingest/runner/own-import.work.ts';
import type { Form } from '../../kit/form.ts';

/** Fields and bytes of a form are limited; options, hidden fields and what is typed need some. */
const fieldsShown = 400;
const bytesShown = 40_000;

/** Characters of a field, and of all corrections of a draft as JSON. */
export const correctedLengthMax = 500;
const correctionsLengthMax = 250_000;

export const tooManyCorrections =
  'These are too many corrections for one import. Correct the others in the file.';

/** As many rows as fit into a form, without fields that are too long to be corrected there. */
export function shownRows(rows: readonly CorrectableRow[]): readonly CorrectableRow[] {
  let fields = 0;
  let bytes = 0;
  return rows.map(withShortFields).filter((row, index) => {
    fields += row.fields.length + 2;
    bytes += new URLSearchParams([
      [rowName(index), shownRowText(row)],
      [skipName(index), 'yes'],
      ...row.fields.map(({ key, text }) => [fieldName(index, key), text]),
    ]).toString().length;
    return fields <= fieldsShown && bytes <= bytesShown;
  });
}

function withShortFields(row: CorrectableRow): CorrectableRow {
  return { ...row, fields: row.fields.filter(({ text }) => text.length <= correctedLengthMax) };
}

export function parseCorrections(json: string | null): Corrections {
  return new Map(json === null ? [] : (JSON.parse(json) as [string, Correction][]));
}

/** Null if there is more than a draft may have. */
export function correctionsJson(corrections: Corrections): string | null {
  const json = JSON.stringify([...corrections]);
  return json.length > correctionsLengthMax ? null : json;
}

/** A row as it was shown: where it is, the texts of its fields, and whether it was skipped. */
type ShownRow = readonly [where: string, texts: Readonly<Record<string, string>>, skip: boolean];

export const rowName = (index: number) => `row_${index}`;
export const skipName = (index: number) => `row_${index}_skip`;
export const fieldName = (index: number, key: string) => `row_${index}_${key}`;

export function shownRowText({ where, fields, isSkipped }: CorrectableRow): string {
  const texts = Object.fromEntries(fields.map(({ key, text }) => [key, text.trim()]));
  return JSON.stringify([where, texts, isSkipped] satisfies ShownRow);
}

/** The rows of a form that were changed. */
export function readCorrections(form: Form): Corrections {
  const changed = new Map<string, Correction>();
  for (let index = 0; index < fieldsShown && form.text(rowName(index)) !== ''; index++) {
    const [where, shown, wasSkipped] = readShownRow(form.text(rowName(index)));
    const texts = Object.entries(shown).map(([key, before]) => {
      const text = oneLine(form.text(fieldName(index, key)));
      return [key, text === oneLine(before) ? before : text] as const;
    });
    const isSkipped = form.isTicked(skipName(index));
    const isSame = texts.every(([key, text]) => text === shown[key]);
    if (isSame && isSkipped === wasSkipped) continue;
    changed.set(where, { texts: Object.fromEntries(texts), isSkipped });
  }
  return changed;
}

/** A text as the field of a browser sends it. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '').slice(0, correctedLengthMax);
}

/** An empty row if the text was not written by `shownRowText`. */
function readShownRow(text: string): ShownRow {
  try {
    const [where, texts, skip] = JSON.parse(text) as ShownRow;
    const entries = Object.entries(texts).map(([key, value]) => [key, String(value)] as const);
    return [String(where), Object.fromEntries(entries), skip === true];
  } catch {
    return ['', {}, false];
  }
}
