/** Rows that were rejected, each with its place and the reason. */

import type { Reject } from '../../ingest/report.ts';
import { TableHead } from './table-head.tsx';

/** The rejected rows of an import. */
export function RejectsTable({
  rejects,
  caption,
}: {
  readonly rejects: readonly Reject[];
  readonly caption?: string;
}) {
  return (
    <table class="cards">
      {caption && <caption>{caption}</caption>}
      <TableHead columns={['Where', 'Why']} />
      <tbody>
        {rejects.map(({ where, reason }) => (
          <tr key={where}>
            <td data-name="Where">{where}</td>
            <td data-name="Why">{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
