/** The audit log, as a page and as a CSV file. */

import {
  type AuditEntry,
  actionText,
  actorText,
  auditNetworkDays,
  targetText,
} from '../../accounts/audit/audit.ts';
import { auditLines } from '../../accounts/audit/audit-text.work.ts';
import {
  type FailedSignIns,
  failedOfText,
  failedSignInDays,
  methodTexts,
} from '../../accounts/sign-in/failed-sign-ins.ts';
import { sendRecorded } from '../audit.ts';
import { idOf, withQuery } from '../kit/address.ts';
import { DownloadLink, PlainButton } from '../kit/buttons.tsx';
import { Card, EmptyState } from '../kit/card.tsx';
import { column, countColumn, dayColumn, mainColumn } from '../kit/columns.tsx';
import { csvDownload } from '../kit/csv-download.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Field, PostForm } from '../kit/fields.tsx';
import { momentText } from '../kit/format.ts';
import { Layout, operatorTabs } from '../kit/layout.tsx';
import { CursorPager, List, readCursorPage } from '../kit/list.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

const path = '/operator/audit';

export const operatorAuditRoutes = routes('operator', {
  [path]: {
    get: showAudit,
    // The address of the page must not have an email.
    post: async ({ accounts }, { form, at }) => {
      const typed = form.text('account');
      if (typed === '' || /^\d{1,15}$/.test(typed))
        return { goTo: withQuery(path, { account: typed }) };
      const account = await accounts.findAccount(typed, at);
      return { goTo: withQuery(path, { account: account?.id ?? 0 }) };
    },
  },
  [`${path}.csv`]: { get: sendAudit },
});

const entriesShown = 50;

/** Hours of failed sign-ins; the command lists more. */
const failedShown = 20;

/** Whose entries are asked for: null for all, and 0 for an account that does not exist. */
function chosenAccount({ query }: OwnRequest): number | null {
  const id = query.get('account') ?? '';
  return id === '' ? null : (idOf(id) ?? 0);
}

async function showAudit(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const accountId = chosenAccount(request);
  const page = await readCursorPage(request.query, entriesShown, (part) =>
    deps.accounts.listAudit({ accountId, ...part }),
  );
  const failed = page.isFirst ? await deps.accounts.listFailedSignIns(accountId, failedShown) : [];
  return (
    <Layout
      title="Audit log"
      request={request}
      tabs={operatorTabs(request)}
      actions={
        <DownloadLink href={withQuery(`${path}.csv`, { account: accountId })}>
          Export CSV
        </DownloadLink>
      }
    >
      <PostForm action={path} class="filters">
        <Field
          name="account"
          label="Email or account ID"
          type="search"
          value={accountId === null ? '' : String(accountId)}
        />
        <PlainButton>Show</PlainButton>
      </PostForm>
      <List
        label="Audit log"
        caption={`Networks of sign-ins are kept for ${auditNetworkDays} days.`}
        columns={columns}
        rows={page.rows}
        empty={<EmptyState title={page.isFirst ? 'No entries' : 'Nothing older'} />}
        pager={<CursorPager path={path} query={request.query} page={page} />}
      />
      {failed.length > 0 && (
        <Card title="Failed sign-ins">
          <p class="quiet">
            {`By hour, for ${failedSignInDays} days; of emails without an account, by network. `}
            For more, run <code>brickmark audit --failed-sign-ins</code>.
          </p>
          <DataTable label="Failed sign-ins" columns={failedColumns} rows={failed} />
        </Card>
      )}
    </Layout>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  mainColumn('Action', (entry) => actionText(entry)),
  dayColumn('Time', ({ at }) => momentText(at)),
  column('By', (entry) => actorText(entry)),
  column('Account', (entry) => targetText(entry) || '—'),
  column('Detail', ({ detail, network }) => [detail, network].filter(Boolean).join(', ') || '—'),
];

const failedColumns: readonly Column<FailedSignIns>[] = [
  mainColumn('Account or network', (failed) => failedOfText(failed)),
  dayColumn('Hour', ({ hourAt }) => momentText(hourAt)),
  column('Method', ({ method }) => methodTexts[method]),
  countColumn('Failed', ({ count }) => count),
];

async function sendAudit(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const accountId = chosenAccount(request);
  const name = `brickmark-audit-${request.today}.csv`;
  return sendRecorded(deps, request, {
    done: { action: 'audit.exported', accountId },
    send: () => csvDownload(name, auditLines(deps.accounts, accountId)),
  });
}
