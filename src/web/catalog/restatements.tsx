/**
 * Restated history: every change of finalized months, as a page and as JSON. On sites with public
 * pages, `api` answers the JSON.
 */

import { restatementsPath, restatementsRecord } from '../../contract/restatements.ts';
import { formatDay, formatMonth } from '../../kernel/time.ts';
import type { Restatement } from '../../market/history/history.ts';
import { Card, EmptyState } from '../kit/card.tsx';
import { dayColumn, mainColumn, wideColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { dayText, monthText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

export const restatementRoutes = routes('open', {
  '/restatements': { get: showRestatements },
  [restatementsPath]: {
    get: async ({ market }) => ({ data: restatementsRecord(await market.listRestatements()) }),
  },
});

async function showRestatements(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const restatements = await deps.market.listRestatements();
  return (
    <Layout title="Restated history" request={request}>
      <p class="quiet">
        Finished months do not change. If they ever have to be corrected, for example after a faulty
        source, the correction is listed here. <a href={restatementsPath}>As JSON</a>
      </p>
      <Card>
        {restatements.length === 0 ? (
          <EmptyState title="Never restated">
            No finished month has been changed since the history was sealed.
          </EmptyState>
        ) : (
          <DataTable
            label="Restated history"
            columns={columns}
            rows={restatements.toSorted((a, b) => b.id - a.id)}
          />
        )}
      </Card>
    </Layout>
  );
}

const columns: readonly Column<Restatement>[] = [
  mainColumn('Months restated', ({ fromMonth }) => `From ${monthText(formatMonth(fromMonth))} on`),
  wideColumn('Reason', ({ reason }) => reason),
  dayColumn('Date', ({ at }) => dayText(formatDay(at))),
];
