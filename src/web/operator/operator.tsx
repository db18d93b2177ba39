/** What operators see: how fresh everything is, and what was imported. */

import { agoText, countText, momentText } from '../../domain/kernel/format.ts';
import type { Restatement } from '../../domain/market/history-store.ts';
import { importsKept, type ListedImport, type ShownImport } from '../../domain/market/journal.ts';
import type { NamedState } from '../../domain/sync/sync-store.ts';
import type { WebDeps } from '../deps.ts';
import { missingPage } from '../kit/fault.tsx';
import { Notice } from '../kit/fields.tsx';
import { Figure } from '../kit/figures.tsx';
import { Layout } from '../kit/layout.tsx';
import { RejectsTable } from '../kit/rejects-table.tsx';
import { TableHead } from '../kit/table-head.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../page.ts';
import { FetchedSources } from './operator-sources.tsx';

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

/** The operator's first page. */
function OperatorPage(props: { readonly request: OwnRequest; readonly state: MarketState }) {
  const { request, state } = props;
  const { at } = request;
  return (
    <Layout title="Operator" request={request}>
      <p>
        <a class="button" href="/operator/accounts">
          Accounts, plans and allowances
        </a>
      </p>
      <div class="grid">
        <Figure
          name="Last valuation"
          value={state.publishedAt === null ? 'none yet' : agoText(at - state.publishedAt)}
        >
          {state.publishedAt !== null && (
            <div class="quiet">{`published ${momentText(state.publishedAt)}`}</div>
          )}
        </Figure>
        <Figure name="Waiting to be valued" value={countText(state.stale)}>
          <div class="quiet">items with rows newer than their documents</div>
        </Figure>
        <Figure name="Due" value={countText(state.due)}>
          <div class="quiet">items that time alone has made out of date</div>
        </Figure>
        <Figure name="History" value={state.sealedAt === null ? 'open' : 'sealed'}>
          <div class="quiet">{historyText(state)}</div>
        </Figure>
      </div>
      {state.isReplicaUsed === false && (
        <Notice kind="warn">The replica is not read from at the moment.</Notice>
      )}
      <FetchedSources sources={state.sources} at={at} />
      <Formats imports={state.imports} at={at} />
      <Imports imports={state.imports.slice(0, importsShown)} />
    </Layout>
  );
}

function historyText({ sealedAt, restatements }: MarketState): string {
  if (sealedAt === null) return 'months still change while the past is loaded';
  const times = restatements.length;
  const often = times === 1 ? 'once' : `${times} times`;
  const restated = times === 0 ? 'never restated' : `restated ${often}`;
  return `since ${momentText(sealedAt)}, ${restated}`;
}

/** The last import of each format that brought anything. */
function Formats({
  imports,
  at,
}: {
  readonly imports: readonly ListedImport[];
  readonly at: number;
}) {
  const good = imports.filter((entry) => entry.error === null);
  // The first of a format is its newest.
  const latest = [...Map.groupBy(good, (entry) => entry.format).values()].flatMap(
    ([newest]) => newest ?? [],
  );
  return (
    <section class="card">
      <h2>Last import of each format</h2>
      {latest.length === 0 ? (
        <p class="flush">
          Nothing was imported yet. <code>brickmark import FORMAT FILE</code> brings files in.
        </p>
      ) : (
        <div class="scroll">
          <table class="cards">
            <TableHead
              columns={['Format', 'Last import', 'Added and updated then']}
              numbers={['Added and updated then']}
            />
            <tbody>
              {latest.map((entry) => (
                <tr key={entry.format}>
                  <td data-name="Format">{entry.format}</td>
                  <td data-name="Last import">{agoText(at - entry.endedAt)}</td>
                  <td data-name="Added and updated then" class="number">
                    {countText(entry.added + entry.updated)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Imports({ imports }: { readonly imports: readonly ListedImport[] }) {
  if (imports.length === 0) return null;
  return (
    <section class="card">
      <h2>Imports</h2>
      <div class="scroll">
        <table class="cards">
          <TableHead
            columns={['When', 'Format', 'Files', 'Added', 'Updated', 'Unchanged', 'Rejected']}
            numbers={['Added', 'Updated', 'Unchanged', 'Rejected']}
          />
          <tbody>
            {imports.map((entry) => (
              <ImportRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ImportRow({ entry }: { readonly entry: ListedImport }) {
  return (
    <tr>
      <td data-name="When">
        <a href={`/operator/imports/${entry.id}`}>{momentText(entry.endedAt)}</a>
      </td>
      <td data-name="Format">
        {entry.format} {entry.error !== null && <span class="badge">failed</span>}
        {entry.undoneAt !== undefined && <span class="badge">undone</span>}
      </td>
      <td data-name="Files">{filesText(entry.files)}</td>
      <td data-name="Added" class="number">
        {countText(entry.added)}
      </td>
      <td data-name="Updated" class="number">
        {countText(entry.updated)}
      </td>
      <td data-name="Unchanged" class="number">
        {countText(entry.unchanged)}
      </td>
      <td data-name="Rejected" class={`number ${entry.rejected > 0 ? 'loss' : ''}`}>
        {countText(entry.rejected)}
      </td>
    </tr>
  );
}

function filesText([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** One import with its rejects and warnings. */
function ImportPage(props: { readonly request: OwnRequest; readonly shown: ShownImport }) {
  const { request, shown } = props;
  const more = shown.rejected - shown.rejects.length;
  return (
    <Layout title={`Import of ${momentText(shown.endedAt)}`} request={request}>
      {shown.error !== null && <Notice kind="bad">{shown.error}</Notice>}
      <section class="card">
        <ImportFacts shown={shown} />
      </section>
      {shown.rejects.length > 0 && (
        <section class="card">
          <h2>Rejected rows</h2>
          <div class="scroll">
            <RejectsTable rejects={shown.rejects} />
          </div>
        </section>
      )}
      {more > 0 && (
        <p>
          {`${countText(more)} more were rejected; `}
          <code>--rejects FILE</code> keeps them all the next time.
        </p>
      )}
      {shown.warnings.length > 0 && (
        <section class="card">
          <h2>Fields left out</h2>
          <div class="scroll">
            <RejectsTable
              rejects={shown.warnings}
              {...(shown.warnings.length < shown.warned && {
                caption: `The first ${countText(shown.warnings.length)} of them.`,
              })}
            />
          </div>
        </section>
      )}
      <p>
        <a href="/operator">Back to the operator's page</a>
      </p>
    </Layout>
  );
}

/** What an import read and did. */
function ImportFacts({ shown }: { readonly shown: ShownImport }) {
  return (
    <dl class="facts">
      <dt>Number</dt>
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
          <dd>{`${countText(shown.warned)} fields left out of rows that were taken`}</dd>
        </>
      )}
      {shown.gone !== null && (
        <>
          <dt>Gone</dt>
          <dd>{`${countText(shown.gone)} no longer in the source: kept, and marked`}</dd>
        </>
      )}
    </dl>
  );
}
