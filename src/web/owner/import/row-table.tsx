/** Rows that were not imported, with fields to correct them. They belong to the import form. */

import type { ItemRef } from '../../../catalog/items/numbers.ts';
import type { CorrectableRow } from '../../../ingest/runner/own-import.work.ts';
import { capitalized, sentence } from '../../../kernel/text.ts';
import { Card } from '../../kit/card.tsx';
import { column, Lines, mainColumn, wideColumn } from '../../kit/columns.tsx';
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
import { itemIn, wrongField } from './row-fields.ts';

interface NumberedRow {
  readonly index: number;
  readonly row: CorrectableRow;
}

interface RowContext {
  /** The ID of the form that the fields belong to. */
  readonly form: string;
  /** Null if the item is not in the catalog. */
  readonly titleOf: (item: ItemRef) => { readonly title: string } | null;
}

export function RowTable(
  props: RowContext & { readonly rows: readonly CorrectableRow[]; readonly rejected: number },
) {
  const { rows, form } = props;
  if (rows.length === 0) return null;
  const shown = shownRows(rows).map((row, index) => ({ index, row }));
  const open = shown.filter(({ row }) => row.reason !== null);
  const done = shown.filter(({ row }) => row.reason === null);
  const skipped = done.filter(({ row }) => row.isSkipped).length;
  return (
    <Card title="Correct rows" id="rows" class="rows-to-correct">
      <p class="quiet">
        Correct rows here or skip them, then update the preview. Your file stays as it is.
        {open.length + skipped < props.rejected &&
          ` The first ${countText(open.length)} are shown.`}
      </p>
      {open.length > 0 && (
        <DataTable label="Rows to correct" rows={open} columns={columnsOf(props)} />
      )}
      {done.length > 0 && (
        <details>
          <summary>{`${nounText(done.length, 'row')} corrected or skipped`}</summary>
          <DataTable label="Corrected rows" rows={done} columns={columnsOf(props)} />
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

function columnsOf({ form, titleOf }: RowContext): readonly Column<NumberedRow>[] {
  return [
    mainColumn('Row', ({ row: { where, fields } }) => {
      const item = itemIn(fields);
      return <Lines first={capitalized(placeText(where))} second={item && titleOf(item)?.title} />;
    }),
    wideColumn('Problem', ({ index, row }) => (
      <span
        id={problemId(index)}
        class={row.reason === null || row.isSkipped ? undefined : 'fault'}
      >
        {problemText(row)}
      </span>
    )),
    wideColumn('Values', (each) => <RowFields {...each} form={form} />),
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

const problemId = (index: number) => `${rowName(index)}-fault`;

/** Without hints about the command line, and with the file's own name of the field. */
function problemText({ reason, isSkipped, fields }: CorrectableRow): string {
  if (reason === null) return isSkipped ? 'Skipped' : 'Corrected';
  const { name } = wrongField(fields, reason) ?? {};
  const named = name ? reason.replace(/^'[a-z]+_[a-z_]+'/, `'${name}'`) : reason;
  return sentence(named.replace(/; [^;]*--.*$/, ''));
}

function RowFields({ index, row, form }: NumberedRow & Pick<RowContext, 'form'>) {
  const place = placeText(row.where);
  const wrong = row.reason === null ? undefined : wrongField(row.fields, row.reason);
  return (
    <span class="row-fields">
      <input type="hidden" form={form} name={rowName(index)} value={shownRowText(row)} />
      {row.fields.map((field) => (
        <label key={field.key}>
          <span>{field.name}</span>
          <input
            type="text"
            form={form}
            name={fieldName(index, field.key)}
            value={field.text}
            maxlength={correctedLengthMax}
            autocomplete="off"
            aria-label={`${field.name} of ${place}`}
            {...(field === wrong && { 'aria-invalid': true, 'aria-describedby': problemId(index) })}
          />
        </label>
      ))}
    </span>
  );
}
