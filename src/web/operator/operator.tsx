/** Health of the market data, for operators: publication, sources and imports. */

import { manyFailedSignIns } from '../../accounts/sign-in/failed-sign-ins.ts';
import {
  importsKept,
  isPublishingLate,
  type ListedImport,
  type ShownImport,
} from '../../ingest/runner/journal.ts';
import type { Reject } from '../../ingest/runner/report.ts';
import { waitingText } from '../../ingest/runner/waiting-text.ts';
import { sentence } from '../../kernel/text.ts';
import { formatDay } from '../../kernel/time.ts';
import type { HistoryState } from '../../market/history/history.ts';
import { idOf } from '../kit/address.ts';
import { Badge, Card, EmptyState, Facts, Figures } from '../kit/card.tsx';
import { column, countColumn, mainColumn, numberColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Notice } from '../kit/fields.tsx';
import { agoText, countText, dayText, durationText, momentText, nounText } from '../kit/format.ts';
import { Layout, operatorTabs } from '../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { page, routes } from '../page-table.ts';
import { FetchedSources, SourceAlarms, timesText } from './operator-sources.tsx';

export const operatorRoutes = routes('support', {
  '/operator': { get: showOperator },
  '/operator/imports/{id}': page({ find: findImport, get: showImport }),
});

async function readState({ accounts, market, site, sync }: WebDeps, { at }: OwnRequest) {
  const failed = await accounts.countFailedSignIns(at);
  const [publishedAt, stale, due, history, imports, sources, foreign, copies] = await Promise.all([
    market.findPublishedAt(),
    market.countStale(),
    market.countDue(at),
    market.findHistoryState(),
    market.listImports(importsKept),
    sync.listSources(),
    market.listWaiting(),
    market.findBulkExport(),
  ]);
  const isReplicaUsed = site.isReplicaUsed();
  const facts = { at, publishedAt, stale, due, history, imports, sources, foreign, copies };
  return { ...facts, failed, isReplicaUsed };
}

async function showOperator(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const state = await readState(deps, request);
  const { at, publishedAt, stale, due, history, imports, sources, copies } = state;
  return (
    <Layout title="Health" request={request} tabs={operatorTabs(request)}>
      <SourceAlarms sources={sources} at={at} />
      <Alarms {...state} />
      <Card>
        <Figures
          figures={[
            [
              'Last published',
              publishedAt === null ? 'Never' : agoText(at - publishedAt),
              publishedAt !== null && momentText(publishedAt),
            ],
            ['Waiting to be published', countText(stale), 'items with new source data'],
            ['Due for an update', countText(due), 'items without new data'],
            ['History', history.sealedAt === null ? 'Open' : 'Sealed', historyText(history)],
            copies && [
              'Bulk files copied',
              copies.exportedAt === null ? 'Never' : agoText(at - copies.exportedAt),
              `to ${copies.target}`,
            ],
          ]}
        />
      </Card>
      <FetchedSources sources={sources} at={at} />
      <Card title="Imports">
        {imports.length === 0 ? (
          <EmptyState title="Nothing imported yet">
            Import files with <code>brickmark import FORMAT FILE</code>.
          </EmptyState>
        ) : (
          <>
            <Formats imports={imports} at={at} />
            <DataTable
              label="Imports"
              columns={importColumns}
              rows={imports.slice(0, importsShown)}
            />
          </>
        )}
      </Card>
    </Layout>
  );
}

async function findImport({ market }: WebDeps, { params }: OwnRequest) {
  const id = idOf(params.id);
  return id === null ? null : market.findImport(id);
}

const importsShown = 30;

function Alarms(props: Awaited<ReturnType<typeof readState>>) {
  const { publishedAt, stale, due, foreign, failed, isReplicaUsed, imports, copies, at } = props;
  const signIns = failed.reduce((sum, { count }) => sum + count, 0);
  const waiting = stale + due;
  const isLate = isPublishingLate({ publishedAt, waiting, at });
  const [latest] = imports;
  return (
    <>
      {isLate && publishedAt !== null && (
        <Notice kind="bad">
          <strong>{`Nothing published for ${durationText(at - publishedAt)}: `}</strong>
          {`${nounText(waiting, 'item')} waiting. Check that the server (with PostgreSQL, the `}
          upkeep process) is running.
        </Notice>
      )}
      {latest && latest.error !== null && (
        <Notice kind="warn">
          <strong>{`The latest import failed ${agoText(at - latest.endedAt)}: `}</strong>
          <a href={importPath(latest)}>{latest.format}</a>
          {`. ${latest.error}`}
        </Notice>
      )}
      {copies && copies.failedAt !== null && (
        <Notice kind="warn">
          <strong>{`Bulk files could not be copied to ${copies.target}: `}</strong>
          {`${sentence(copies.error ?? '')} Last tried ${agoText(at - copies.failedAt)}`}
          {copies.failures > 1 && `, ${nounText(copies.failures, 'time')} in a row`}. It is tried
          again at least every hour.
        </Notice>
      )}
      {signIns >= manyFailedSignIns && (
        <Notice kind="warn">
          <strong>{`${nounText(signIns, 'sign-in')} failed in the last two hours: `}</strong>
          somebody may be guessing passwords. The page of the audit log has the accounts.
        </Notice>
      )}
      {foreign.length > 0 && <Notice kind="warn">{waitingText(foreign)}</Notice>}
      {isReplicaUsed === false && (
        <Notice kind="warn">The replica is not in use right now. Reads go to the primary.</Notice>
      )}
    </>
  );
}

function historyText({ sealedAt, restatements }: HistoryState): string {
  if (sealedAt === null) return 'past months can still change';
  const times = restatements.length;
  const restated = times === 0 ? 'never restated' : `restated ${timesText(times)}`;
  return `since ${dayText(formatDay(sealedAt))}, ${restated}`;
}

function importPath({ id }: Pick<ListedImport, 'id'>): string {
  return `/operator/imports/${id}`;
}

const importColumns: readonly Column<ListedImport>[] = [
  mainColumn('Time', (entry) => <a href={importPath(entry)}>{momentText(entry.endedAt)}</a>),
  column('Format', ({ format, error, undoneAt, takenBack = 0 }) => (
    <>
      {format} {error !== null && <Badge kind="bad">Failed</Badge>}
      {undoneAt !== undefined && (
        <Badge>{`Undone, ${nounText(takenBack, 'row')} taken back`}</Badge>
      )}
    </>
  )),
  column('Files', ({ files }) => filesText(files)),
  countColumn('Added', ({ added }) => added),
  countColumn('Updated', ({ updated }) => updated),
  countColumn('Unchanged', ({ unchanged }) => unchanged),
  numberColumn('Rejected', ({ rejected }) => (
    <span class={rejected > 0 ? 'loss' : undefined}>{countText(rejected)}</span>
  )),
];

interface ImportsProps {
  readonly imports: readonly ListedImport[];
  readonly at: number;
}

/** When each format was last imported without a failure. */
function Formats({ imports, at }: ImportsProps) {
  const good = imports.filter((entry) => entry.error === null);
  // The first of a format is its newest.
  const latest = [...Map.groupBy(good, ({ format }) => format).values()].flatMap(
    ([newest]) => newest ?? [],
  );
  const texts = latest.map(({ format, endedAt }) => `${format} ${agoText(at - endedAt)}`);
  return texts.length === 0 ? null : <p class="quiet">{`Latest: ${texts.join(' · ')}`}</p>;
}

function filesText([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

function showImport(_: WebDeps, request: OwnRequest, shown: ShownImport): PageAnswer {
  const more = shown.rejected - shown.rejects.length;
  const first = shown.warnings.length;
  return (
    <Layout
      title={`Import of ${momentText(shown.endedAt)}`}
      request={request}
      tabs={operatorTabs(request)}
    >
      {shown.error !== null && <Notice kind="bad">{shown.error}</Notice>}
      <Card>
        <ImportFacts shown={shown} />
      </Card>
      {shown.rejects.length > 0 && (
        <Card title="Rejected rows">
          <Rows label="Rejected rows" rows={shown.rejects} />
          {more > 0 && (
            <p class="quiet">
              {`${countText(more)} more were rejected. To keep them all next time, import with `}
              <code>--rejects FILE</code>.
            </p>
          )}
        </Card>
      )}
      {first > 0 && (
        <Card title="Skipped fields">
          {first < shown.warned && (
            <p class="quiet">{`The first ${countText(first)} of ${countText(shown.warned)}.`}</p>
          )}
          <Rows label="Skipped fields" rows={shown.warnings} />
        </Card>
      )}
    </Layout>
  );
}

const rejectColumns: readonly Column<Reject>[] = [
  mainColumn('Where', ({ where }) => where),
  column('Why', ({ reason }) => sentence(reason)),
];

function Rows(props: { readonly label: string; readonly rows: readonly Reject[] }) {
  return <DataTable {...props} columns={rejectColumns} />;
}

function ImportFacts({ shown }: { readonly shown: ShownImport }) {
  const { undoneAt, takenBack = 0, warned, gone, waiting = 0 } = shown;
  const rows = (['added', 'updated', 'unchanged', 'rejected'] as const).map(
    (name) => `${countText(shown[name])} ${name}`,
  );
  return (
    <Facts
      facts={[
        ['Import ID', shown.id],
        ['Undone', undoneAt && `${momentText(undoneAt)}, ${nounText(takenBack, 'row')} taken back`],
        ['Format', shown.format],
        ['Files', shown.files.join(', ')],
        ['Duration', `${countText(Math.round((shown.endedAt - shown.startedAt) / 1000))} s`],
        ['Rows', rows.join(', ')],
        [
          'Waiting',
          waiting > 0 ? `${nounText(waiting, 'row')} without an exchange rate at the time` : null,
        ],
        ['Warnings', warned > 0 ? `${nounText(warned, 'field')} skipped in imported rows` : null],
        ['Removed from source', gone === null ? null : `${nounText(gone, 'row')}, kept and marked`],
      ]}
    />
  );
}
