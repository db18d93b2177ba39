/** The status of the service, as a page and as JSON: delays, freshness and notices. */

import { phaseOf, type Severity, type StatusNotice } from '../../accounts/notices/notice.ts';
import { statusPath, statusRecord } from '../../contract/status.ts';
import { importsKept } from '../../ingest/runner/journal.ts';
import { type Clock, secondMs } from '../../kernel/time.ts';
import {
  type DataStatus,
  type ServiceState,
  type ServiceStatus,
  serviceStatusOf,
} from '../../sync/service-status.ts';
import { dataOfSource } from '../../sync/sources.work.ts';
import { Badge, Card, EmptyState, Figures } from '../kit/card.tsx';
import { column, mainColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Notice } from '../kit/fields.tsx';
import { agoText, momentText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

/** All visitors share what was read, so that the page costs the store little. */
const keptMs = 5 * secondMs;

export function statusRoutes(deps: WebDeps) {
  const find = statusFinder(deps, deps.clock);
  return routes('open', {
    '/status': { get: async (_, request) => showStatus(request, await find()) },
    [statusPath]: { get: async () => ({ data: statusRecord(await find()) }) },
  });
}

function statusFinder(deps: WebDeps, clock: Clock): () => Promise<ServiceStatus> {
  let kept: { readonly status: Promise<ServiceStatus>; readonly at: number } | null = null;
  return () => {
    const at = clock();
    if (kept === null || at < kept.at || at - kept.at >= keptMs) {
      const status = findStatus(deps, at);
      kept = { status, at };
      status.catch(() => {
        kept = null;
      });
    }
    return kept.status;
  };
}

async function findStatus({ market, sync, accounts }: WebDeps, at: number): Promise<ServiceStatus> {
  const [publishedAt, stale, due, sources, imports, notices] = await Promise.all([
    market.findPublishedAt(),
    market.countStale(),
    market.countDue(at),
    sync.listSources(),
    market.listImports(importsKept),
    accounts.listNotices(),
  ]);
  return serviceStatusOf({
    at,
    publishedAt,
    waiting: stale + due,
    sources: sources.map(({ source, state }) => ({ data: dataOfSource(source), state })),
    imports,
    notices,
  });
}

const stateTexts: Readonly<
  Record<ServiceState, { readonly kind: 'good' | 'warn' | 'bad'; readonly text: string }>
> = {
  operational: { kind: 'good', text: 'Everything works, and all data is current.' },
  delayed: { kind: 'warn', text: 'Some data is delayed. Values stay as they were until it comes.' },
  disrupted: { kind: 'bad', text: 'The service is disrupted.' },
};

function showStatus(request: PageRequest, status: ServiceStatus): PageAnswer {
  const { at, publishedAt, data, notices } = status;
  const { kind, text } = stateTexts[status.state];
  return (
    <Layout title="Status" request={request}>
      <Notice kind={kind}>{text}</Notice>
      {notices.map((notice) => (
        <OperatorNotice key={notice.id} notice={notice} at={at} />
      ))}
      <Card>
        <Figures
          figures={[
            [
              'Last published',
              publishedAt === null ? 'Never' : agoText(at - publishedAt),
              publishedAt !== null && momentText(publishedAt),
            ],
            ['Publication', status.isPublishingLate ? 'Delayed' : 'On time'],
          ]}
        />
      </Card>
      <Card title="Data">
        {data.length === 0 ? (
          <EmptyState title="No data yet" />
        ) : (
          <DataTable label="Data" columns={columns} rows={data.map((each) => ({ ...each, at }))} />
        )}
        <p class="quiet small flush">
          {'Times are those of the latest update from each kind of source. '}
          <a href={statusPath}>As JSON</a>
        </p>
      </Card>
    </Layout>
  );
}

const columns: readonly Column<DataStatus & { readonly at: number }>[] = [
  mainColumn('Data', ({ data }) => data),
  column('Status', ({ isDelayed }) =>
    isDelayed ? <Badge kind="warn">Delayed</Badge> : <Badge kind="good">Current</Badge>,
  ),
  column('Updated', ({ updatedAt, at }) =>
    updatedAt === null ? 'Never' : agoText(at - updatedAt),
  ),
];

const noticeKinds: Readonly<Record<Severity, 'good' | 'warn' | 'bad'>> = {
  info: 'good',
  warning: 'warn',
  critical: 'bad',
};

function OperatorNotice({ notice, at }: { readonly notice: StatusNotice; readonly at: number }) {
  const { severity, title, text } = notice;
  return (
    <Notice kind={noticeKinds[severity]}>
      <strong>{title}</strong>
      {text
        .split(/\n+/)
        .filter((line) => line.trim() !== '')
        .map((line) => (
          <p key={line}>{line}</p>
        ))}
      <p class="quiet small flush">{spanText(notice, at)}</p>
    </Notice>
  );
}

export function spanText(notice: StatusNotice, at: number): string {
  const { fromAt, untilAt } = notice;
  const until = untilAt === null ? '' : ` until ${momentText(untilAt)}`;
  if (phaseOf(notice, at) === 'planned') return `Planned: from ${momentText(fromAt)}${until}`;
  return `Since ${momentText(fromAt)}${until}`;
}
