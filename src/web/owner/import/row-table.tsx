/** Rows that were not imported, with fields to correct them. They belong to the import form. */

import type { CorrectableRow } from '../../../ingest/runner/own-import.work.ts';
import { capitalized, sentence } from '../../../kernel/text.ts';
import { Card } from '../../kit/card.tsx';
import { column, mainColumn, wideColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { countText, nounText } from '../../kit/format.ts';
import { placeText } from './reject-list.tsx';
import {
  correctedLengthMax,
  fieldName,
  rowName,
  shownRows,
  shownRowText,
  skipName,
} from './row-corrections.ts';

interface NumberedRow {
  readonly index: number;
  readonly row: CorrectableRow;
}

export function RowTable(props: {
  readonly rows: readonly CorrectableRow[];
  readonly rejected: number;
  readonly form: string;
}) {
  const { rows, form } = props;
  if (rows.length === 0) return null;
  const shown = shownRows(rows).map((row, index) => ({ index, row }));
  const open = shown.filter(({ row }) => row.reason !== null);
  const done = shown.filter(({ row }) => row.reason === null);
  return (
    <Card title="Correct rows" id="rows" class="rows-to-correct">
      <p class="flush quiet">
        Correct rows here or skip them, then update the preview. Your file stays as it is.
        {open.length < props.rejected && ` The first ${countText(open.length)} are shown.`}
      </p>
      {open.length > 0 && (
        <DataTable label="Rows to correct" rows={open} columns={columnsOf(form)} />
      )}
      {done.length > 0 && (
        <details>
          <summary>{`${nounText(done.length, 'row')} corrected or skipped`}</summary>
          <DataTable label="Corrected rows" rows={done} columns={columnsOf(form)} />
        </details>
      )}
      <div class="row">
        <button type="submit" form={form} name="do" value="preview">
          Update preview
        </button>
      </div>
    </Card>
  );
}

function columnsOf(form: string): readonly Column<NumberedRow>[] {
  return [
    {
      ...mainColumn<NumberedRow>('Row', ({ row }) => capitalized(placeText(row.where))),
      isOneLine: true,
    },
    wideColumn('Problem', ({ row }) => problemText(row)),
    wideColumn('Values', ({ index, row }) => <RowFields index={index} row={row} form={form} />),
    column('Skip', ({ index, row }) => (
      <input
        type="checkbox"
        form={form}
        name={skipName(index)}
        value="yes"
        checked={row.isSkipped}
        aria-label={`Skip ${placeText(row.where)}`}
      />
    )),
  ];
}

/** Without hints about the command line. */
function problemText({ reason, isSkipped }: CorrectableRow): string {
  if (reason === null) return isSkipped ? 'Skipped' : 'Corrected';
  return sentence(reason.replace(/; [^;]*--.*$/, ''));
}

function RowFields({ index, row, form }: NumberedRow & { readonly form: string }) {
  const place = placeText(row.where);
  return (
    <span class="row-fields">
      <input type="hidden" form={form} name={rowName(index)} value={shownRowText(row)} />
      {row.fields.map(({ key, name, text }) => (
        <label key={key}>
          <span>{name}</span>
          <input
            type="text"
            form={form}
            name={fieldName(index, key)}
            value={text}
            maxlength={correctedLengthMax}
            autocomplete="off"
            aria-label={`${name} of ${place}`}
          />
        </label>
      ))}
    </span>
  );
}
