/** The part of the audit log about the user's own account. */

import {
  type AuditEntry,
  actionText,
  auditNetworkDays,
  isByMember,
} from '../../accounts/audit/audit.ts';
import { auditLines } from '../../accounts/audit/audit-text.work.ts';
import { formatDay } from '../../kernel/time.ts';
import { BackLink, DownloadLink } from '../kit/buttons.tsx';
import { EmptyState } from '../kit/card.tsx';
import { column, dayColumn, mainColumn } from '../kit/columns.tsx';
import { csvDownload } from '../kit/csv-download.ts';
import type { Column } from '../kit/data-table.tsx';
import { momentText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { CursorPager, List, readCursorPage } from '../kit/list.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

const path = '/account/activity';

export const ownActivityRoutes = routes('own', {
  [path]: { get: showActivity },
  [`${path}.csv`]: {
    get: ({ accounts }, { who, at }) => {
      const lines = auditLines(withoutOthers(accounts, who), who.accountId);
      return csvDownload(`brickmark-activity-${formatDay(at)}.csv`, lines);
    },
  },
});

const entriesShown = 50;

/** The entries of an account, without the IDs and addresses of the people who run the site. */
function withoutOthers(
  accounts: Pick<WebDeps['accounts'], 'listAudit'>,
  { accountId }: OwnRequest['who'],
): Pick<WebDeps['accounts'], 'listAudit'> {
  const hidden = { actorId: null, actorEmail: null };
  return {
    listAudit: async (query) => {
      const entries = await accounts.listAudit(query);
      return entries.map((entry) =>
        entry.actorId === accountId ? entry : { ...entry, ...hidden },
      );
    },
  };
}

async function showActivity(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, timeZone } = request;
  const page = await readCursorPage(request.query, entriesShown, (part) =>
    withoutOthers(deps.accounts, who).listAudit({ accountId: who.accountId, ...part }),
  );
  return (
    <Layout
      title="Account activity"
      request={request}
      actions={<DownloadLink href={`${path}.csv`}>Export CSV</DownloadLink>}
    >
      <List
        label="Account activity"
        caption={
          `Networks of sign-ins are kept for ${auditNetworkDays} days. ` +
          `Times are in ${timeZone}.`
        }
        columns={columnsOf(who.accountId, timeZone)}
        rows={page.rows}
        empty={<EmptyState title={page.isFirst ? 'Nothing recorded yet' : 'Nothing older'} />}
        pager={<CursorPager path={path} page={page} />}
      />
      <BackLink href="/account">Back to account</BackLink>
    </Layout>
  );
}

function columnsOf(accountId: number, timeZone: string): readonly Column<AuditEntry>[] {
  return [
    mainColumn('Action', (entry) => actionText(entry)),
    dayColumn('Time', ({ at }) => momentText(at, timeZone)),
    column('By', (entry) => {
      if (entry.actorId === accountId) return 'You';
      if (isByMember(entry)) return 'The person it is shared with';
      return entry.actor === 'service' ? 'Brickmark' : 'An operator of this site';
    }),
    column('Detail', ({ detail, network }) => [detail, network].filter(Boolean).join(', ') || '—'),
  ];
}
