/** Rows that were rejected, each with its place and the reason. */

import type { Reject } from '../../ingest/report.ts';
import { type Column, DataTable } from './data-table.tsx';

/** The rejected rows of an import. */
export function RejectsTable({
  rejects,
  caption,
}: {
  readonly rejects: readonly Reject[];
  readonly caption?: string;
}) {
  return (
    <DataTable
      label="Rejected rows"
      caption={caption}
      columns={columns}
      rows={rejects}
      rowKey={({ where }) => where}
    />
  );
}

const columns: readonly Column<Reject>[] = [
  { key: 'where', name: 'Where', isMain: true, cell: ({ where }) => where },
  { key: 'why', name: 'Why', isWide: true, cell: ({ reason }) => reason },
];
