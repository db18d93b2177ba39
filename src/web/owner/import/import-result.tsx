/** The result of an import. */

import type { ImportUndo, Undone } from '../../../ingest/runner/import-undo.work.ts';
import type { RejectGroup } from '../../../ingest/runner/reject-groups.ts';
import { ButtonLink, PlainLink } from '../../kit/buttons.tsx';
import { Figures } from '../../kit/card.tsx';
import { Notice, PostForm } from '../../kit/fields.tsx';
import { countText, nounText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest } from '../../page.ts';
import { RejectList } from './reject-list.tsx';

export interface ImportResult {
  readonly name: string;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly rejectGroups: readonly RejectGroup[];
  readonly answers: string;
  readonly undo: ImportUndo;
  /** What was undone; null if it was not. */
  readonly undone: Undone | null;
}

export function ResultPage(props: {
  readonly request: OwnRequest;
  readonly name: string;
  readonly result: ImportResult;
}) {
  const { request, name, result } = props;
  const { added, updated, unchanged, rejected, rejectGroups, answers, undone } = result;
  return (
    <Layout
      title={undone ? 'Import undone' : 'Import complete'}
      request={request}
      actions={
        <>
          <PlainLink href="/inventory/import">Import another file</PlainLink>
          <ButtonLink href="/inventory">View inventory</ButtonLink>
        </>
      }
    >
      {undone && <Notice>{undoneText(undone)}</Notice>}
      <p>
        <strong>{result.name}</strong>
        {`, ${nounText(added + updated + unchanged + rejected, 'row')} `}
        <span class="quiet">{name}</span>
      </p>
      <Figures
        figures={[
          undone && ['Taken back', countText(takenBack(undone))],
          [undone ? 'Had added' : 'Added', countText(added)],
          [undone ? 'Had changed' : 'Changed', countText(updated)],
          ['Unchanged', countText(unchanged)],
          ['Not imported', countText(rejected)],
        ]}
      />
      <RejectList
        groups={rejectGroups}
        count={rejected}
        download={`${request.path}/rejected.csv${answers}`}
      />
      {undone === null && added + updated > 0 && (
        <PostForm action={`${request.path}/undo`} class="option">
          <button type="submit" class="plain">
            Undo import
          </button>
          <span class="quiet">Available for an hour.</span>
        </PostForm>
      )}
    </Layout>
  );
}

/** Lots and sales that an undo deleted or restored. */
export function takenBack({ lots, sales, restored }: Undone): number {
  return lots + sales + restored;
}

function undoneText({ lots, sales, restored, kept, keptSales }: Undone): string {
  const done = [
    lots > 0 && `${nounText(lots, 'lot')} deleted`,
    sales > 0 && `${nounText(sales, 'sale')} deleted`,
    restored > 0 && `${nounText(restored, 'lot')} restored`,
    kept > 0 && `${nounText(kept, 'lot')} kept, because they were sold or changed since`,
    keptSales > 0 && `${nounText(keptSales, 'sale')} kept as imported`,
  ].filter(Boolean);
  return `${done.join(', ') || 'Nothing to undo'}.`;
}
