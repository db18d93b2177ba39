/** What operators see: how fresh everything is, and what was imported. */

import {
  agoText,
  countText,
  dayText,
  durationText,
  momentText,
  nounText,
} from '../../domain/kernel/format.ts';
import { dayMs, formatDay } from '../../domain/kernel/time.ts';
import type { Restatement } from '../../domain/market/history-store.ts';
import { importsKept, type ListedImport, type ShownImport } from '../../domain/market/journal.ts';
import type { NamedState } from '../../domain/sync/sync-store.ts';
import type { WebDeps } from '../deps.ts';
import { Badge, Card } from '../kit/card.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { missingPage } from '../kit/fault.tsx';
import { Notice } from '../kit/fields.tsx';
import { Figure, Figures } from '../kit/figure.tsx';
import { Layout, operatorTabs } from '../kit/layout.tsx';
import { RejectsTable } from '../kit/rejects-table.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../page.ts';
import { FetchedSources, SourceAlarms } from './operator-sources.tsx';

/** How the market stands. */
interface MarketState {
  readonly publishedAt: number | null;
  readonly stale: number;
  readonly due: number;
  readonly sealedAt: number | null;
  readonly restatements: readonly Restatement[];
  /** Whether a replica is read from; null where there is none. */
  readonly isReplicaUsed: boolean | null;
  /** Newest first. */
  readonly imports: readonly ListedImport[];
  /** Those that are fetched by themselves. */
  readonly sources: readonly NamedState[];
}

/** The pages about the market. */
export function operatorRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'operator', path: '/operator', get: (request) => showOperator(deps, request) },
    {
      access: 'operator',
      path: '/operator/imports/{id}',
      get: async (request) => {
        const id = Number(request.params.id);
        const found = Number.isSafeInteger(id) ? await deps.market.findImport(id) : null;
        return found
          ? { page: <ImportPage request={request} shown={found} /> }
          : missingPage(request);
      },
    },
  ];
}

async function showOperator(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { market } = deps;
  const [publishedAt, stale, due, history, imports, sources] = await Promise.all([
    market.findPublishedAt(),
    market.countStale(),
    market.countDue(request.at),
    market.findHistoryState(),
    market.listImports(importsKept),
    deps.sync.listSources(),
  ]);
  const isReplicaUsed = deps.isReplicaUsed();
  const state = { publishedAt, stale, due, ...history, isReplicaUsed, imports, sources };
  return { page: <OperatorPage request={request} state={state} /> };
}

/** Imports that the first page lists. */
const importsShown = 30;

/** Whatever waits is published within a day, unless nothing publishes. */
const publishingLateMs = dayMs;

/** The operator's first page. */
function OperatorPage(props: { readonly request: OwnRequest; readonly state: MarketState }) {
  const { request, state } = props;
  const { at } = request;
  const { publishedAt, stale, due, sources, imports } = state;
  return (
    <Layout title="Health" request={request} tabs={operatorTabs}>
      <SourceAlarms sources={sources} at={at} />
      <Alarms state={state} at={at} />
      <Figures>
        <Figure
          name="Last published"
          value={publishedAt === null ? 'Never' : agoText(at - publishedAt)}
          note={publishedAt !== null && momentText(publishedAt)}
        />
        <Figure
          name="Waiting to be published"
          value={countText(stale)}
          note="items with new source data"
        />
        <Figure name="Due for an update" value={countText(due)} note="items out of date by age" />
        <Figure
          name="History"
          value={state.sealedAt === null ? 'Open' : 'Sealed'}
          note={historyText(state)}
        />
      </Figures>
      <FetchedSources sources={sources} at={at} />
      <Imports imports={imports} at={at} />
    </Layout>
  );
}

/** What an operator has to look at; nothing while all is well. */
function Alarms({ state, at }: { readonly state: MarketState; readonly at: number }) {
  const { publishedAt, stale, due, isReplicaUsed } = state;
  const isLate = publishedAt !== null && at - publishedAt > publishingLateMs && stale + due > 0;
  const [latest] = state.imports;
  return (
    <>
      {isLate && (
        <Notice kind="bad">
          <strong>{`Nothing was published for ${durationText(at - publishedAt)}: `}</strong>
          {`${nounText(stale + due, 'item')} waiting. Check that the server (with PostgreSQL, the `}
          upkeep) is running.
        </Notice>
      )}
      {latest && latest.error !== null && (
        <Notice kind="warn">
          <strong>{`The latest import failed ${agoText(at - latest.endedAt)}: `}</strong>
          <a href={importPath(latest)}>{latest.format}</a>
          {`. ${latest.error}`}
        </Notice>
      )}
      {isReplicaUsed === false && (
        <Notice kind="warn">The replica is not in use right now. Reads go to the primary.</Notice>
      )}
    </>
  );
}

function historyText({ sealedAt, restatements }: MarketState): string {
  if (sealedAt === null) return 'months change while past data is loaded';
  const times = restatements.length;
  const often = times === 1 ? 'once' : `${times} times`;
  const restated = times === 0 ? 'never restated' : `restated ${often}`;
  return `since ${dayText(formatDay(sealedAt))}, ${restated}`;
}

function importPath({ id }: Pick<ListedImport, 'id'>): string {
  return `/operator/imports/${id}`;
}

const importColumns: readonly Column<ListedImport>[] = [
  {
    key: 'when',
    name: 'Time',
    isMain: true,
    cell: (entry) => <a href={importPath(entry)}>{momentText(entry.endedAt)}</a>,
  },
  {
    key: 'format',
    name: 'Format',
    cell: ({ format, error, undoneAt }) => (
      <>
        {format} {error !== null && <Badge kind="bad">Failed</Badge>}
        {undoneAt !== undefined && <Badge>Undone</Badge>}
      </>
    ),
  },
  { key: 'files', name: 'Files', cell: ({ files }) => filesText(files) },
  { key: 'added', name: 'Added', isNumber: true, cell: ({ added }) => countText(added) },
  { key: 'updated', name: 'Updated', isNumber: true, cell: ({ updated }) => countText(updated) },
  {
    key: 'unchanged',
    name: 'Unchanged',
    isNumber: true,
    cell: ({ unchanged }) => countText(unchanged),
  },
  {
    key: 'rejected',
    name: 'Rejected',
    isNumber: true,
    cell: ({ rejected }) => (
      <span class={rejected > 0 ? 'loss' : undefined}>{countText(rejected)}</span>
    ),
  },
];

interface ImportsProps {
  readonly imports: readonly ListedImport[];
  readonly at: number;
}

function Imports({ imports, at }: ImportsProps) {
  return (
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
            rowKey={({ id }) => id}
          />
        </>
      )}
    </Card>
  );
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

/** One import with its rejects and warnings. */
function ImportPage(props: { readonly request: OwnRequest; readonly shown: ShownImport }) {
  const { request, shown } = props;
  const more = shown.rejected - shown.rejects.length;
  const first = shown.warnings.length;
  return (
    <Layout title={`Import of ${momentText(shown.endedAt)}`} request={request} tabs={operatorTabs}>
      {shown.error !== null && <Notice kind="bad">{shown.error}</Notice>}
      <Card>
        <ImportFacts shown={shown} />
      </Card>
      {shown.rejects.length > 0 && (
        <Card title="Rejected rows">
          <RejectsTable rejects={shown.rejects} />
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
          <RejectsTable
            rejects={shown.warnings}
            {...(first < shown.warned && {
              caption: `The first ${countText(first)} of ${countText(shown.warned)}.`,
            })}
          />
        </Card>
      )}
    </Layout>
  );
}

/** What an import read and did. */
function ImportFacts({ shown }: { readonly shown: ShownImport }) {
  return (
    <dl class="facts">
      <dt>Import ID</dt>
      <dd>{shown.id}</dd>
      {shown.undoneAt !== undefined && (
        <>
          <dt>Undone</dt>
          <dd>{momentText(shown.undoneAt)}</dd>
        </>
      )}
      <dt>Format</dt>
      <dd>{shown.format}</dd>
      <dt>Files</dt>
      <dd>{shown.files.join(', ')}</dd>
      <dt>Took</dt>
      <dd>{`${countText(Math.round((shown.endedAt - shown.startedAt) / 1000))} s`}</dd>
      <dt>Rows</dt>
      <dd>
        {`${countText(shown.added)} added, ${countText(shown.updated)} updated, `}
        {`${countText(shown.unchanged)} unchanged, ${countText(shown.rejected)} rejected`}
      </dd>
      {shown.warned > 0 && (
        <>
          <dt>Warnings</dt>
          <dd>{`${countText(shown.warned)} fields skipped in imported rows`}</dd>
        </>
      )}
      {shown.gone !== null && (
        <>
          <dt>Gone</dt>
          <dd>{`${countText(shown.gone)} no longer in the source; kept and marked`}</dd>
        </>
      )}
    </dl>
  );
}
