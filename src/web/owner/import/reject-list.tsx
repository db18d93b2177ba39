/** Rejected rows, grouped by reason, with examples and what to do. */
import type { RejectExample, RejectGroup } from '../../../ingest/runner/reject-groups.ts';
import { DownloadLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { countColumn, mainColumn, wideColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { nounText } from '../../kit/format.ts';

export function RejectList(props: {
  readonly groups: readonly RejectGroup[];
  readonly count: number;
  /** The address of a file with all of them, if there is one. */
  readonly download?: string;
}) {
  const { groups, count, download } = props;
  if (groups.length === 0) return null;
  return (
    <Card
      title={`${nounText(count, 'row')} not imported`}
      actions={download && <DownloadLink href={download}>Download as CSV</DownloadLink>}
    >
      <DataTable label="Rows that are not imported, by reason" rows={groups} columns={columns} />
    </Card>
  );
}

const columns: readonly Column<RejectGroup>[] = [
  mainColumn('Reason', ({ title }) => title),
  countColumn('Rows', ({ count }) => count),
  wideColumn('Examples', (group) => <Examples {...group} />),
  wideColumn('What to do', ({ advice }) => advice),
];

function Examples({ examples, count }: RejectGroup) {
  const shown = examples.slice(0, 3);
  return <span class="quiet">{shown.map(exampleText).join(', ') + (count > 3 ? ' …' : '')}</span>;
}

/** A location in a file, such as `line 5`. */
export function placeText(where: string): string {
  const [, sign, number] = /([:#])([\d.]+)$/.exec(where) ?? [];
  if (number === undefined) return where;
  return sign === ':' && !number.includes('.') ? `line ${number}` : `record ${number}`;
}

function exampleText({ where, text }: RejectExample): string {
  const place = placeText(where);
  return text === '' ? place : `${text} (${place})`;
}
