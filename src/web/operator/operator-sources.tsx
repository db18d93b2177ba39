/** How sources do that are fetched by themselves, on the operator's first page. */
import { Fragment } from 'preact';
import { agoText, countText, durationText, momentText } from '../../domain/kernel/format.ts';
import { sentence } from '../../domain/kernel/text.ts';
import { hourMs } from '../../domain/kernel/time.ts';
import {
  type DayCounts,
  type Freshness,
  freshnessOf,
  type Standing,
} from '../../domain/sync/freshness.ts';
import type { Coverage, SourceState } from '../../domain/sync/source-state.ts';
import type { NamedState } from '../../domain/sync/sync-store.ts';
import { Notice } from '../kit/fields.tsx';
import { TableHead } from '../kit/table-head.tsx';

/** A source that fails for longer stands out: a short failure passes by itself. */
const failingMs = 24 * hourMs;

interface Source {
  readonly name: string;
  readonly state: SourceState;
  readonly freshness: Freshness;
  readonly at: number;
}

/** The section about sources that are fetched by themselves. */
export function FetchedSources({
  sources,
  at,
}: {
  readonly sources: readonly NamedState[];
  readonly at: number;
}) {
  const all = sources.map(({ source, state }): Source => {
    return { name: source, state, freshness: freshnessOf(state, at), at };
  });
  return (
    <section class="card">
      <h2>Sources fetched automatically</h2>
      {all.toSorted(byUrgency).map((source) => (
        <Problem key={source.name} source={source} />
      ))}
      {all.length === 0 ? (
        <p class="flush">
          No source has been fetched yet. Set sources up in <code>sources.toml</code>, then run{' '}
          <code>brickmark sync check</code>.
        </p>
      ) : (
        <SourcesTable sources={all} />
      )}
      <Errors sources={all} />
    </section>
  );
}

/** What somebody has to do something about comes first. */
const urgency: readonly Standing[] = ['stopped', 'failing', 'overdue', 'working'];

function byUrgency(a: Source, b: Source): number {
  return urgency.indexOf(a.freshness.standing) - urgency.indexOf(b.freshness.standing);
}

/** What an operator has to do about a source; nothing when it does well enough. */
function Problem({ source }: { readonly source: Source }) {
  const { name, state, freshness, at } = source;
  const { lastError, lastSuccessAt, failures, nextAt } = state;
  const failure = sentence(lastError?.message ?? '');
  if (freshness.standing === 'stopped') {
    return (
      <Notice kind="bad">
        <strong>{name} has stopped.</strong>
        {` ${failure} Then restart the server (with PostgreSQL, the upkeep) `}
        to try again right away.
      </Notice>
    );
  }
  if (freshness.standing === 'failing' && at - (lastSuccessAt ?? 0) > failingMs) {
    const since =
      lastSuccessAt === null ? 'never worked' : `last worked ${momentText(lastSuccessAt)}`;
    return (
      <Notice kind="warn">
        <strong>{`${name} has failed ${times(failures)}.`}</strong>
        {` It ${since}. ${failure} Next attempt: ${momentText(nextAt)}.`}
      </Notice>
    );
  }
  if (freshness.standing === 'overdue') {
    return (
      <Notice kind="warn">
        <strong>{`${name} was due ${agoText(at - nextAt)} and was not called.`}</strong>
        {' If it is not turned off in '}
        <code>sources.toml</code>
        {', check that the server, or with PostgreSQL the upkeep, is running without '}
        <code>--no-sync</code>.
      </Notice>
    );
  }
  return null;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${countText(count)} times`;
}

const columns = [
  'Source',
  'Last success',
  'Last error',
  'Budget left',
  'Never asked',
  'Oldest, median answer',
  'Rows today',
  'Rejected',
];

const numbers = ['Budget left', 'Never asked', 'Rows today', 'Rejected'];

function SourcesTable({ sources }: { readonly sources: readonly Source[] }) {
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead columns={columns} numbers={numbers} />
        <tbody>
          {sources.map((source) => (
            <SourceRow key={source.name} source={source} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SourceRow({ source }: { readonly source: Source }) {
  const { name, state, freshness, at } = source;
  const { lastSuccessAt, lastError, coverage } = state;
  const { standing, today, ordinaryDay } = freshness;
  return (
    <tr>
      <td data-name="Source">
        <span>
          {`${name} `}
          {standing !== 'working' && <span class="badge">{standing}</span>}
        </span>
      </td>
      <td data-name="Last success">
        {lastSuccessAt === null ? 'never' : agoText(at - lastSuccessAt)}
      </td>
      <td data-name="Last error">{lastError === null ? 'none' : agoText(at - lastError.at)}</td>
      <td data-name="Budget left" class="number">
        <BudgetLeft source={source} />
      </td>
      <td data-name="Never asked" class="number">
        {coverage === null
          ? '–'
          : `${countText(coverage.neverAsked)} of ${countText(coverage.questions)}`}
      </td>
      <td data-name="Oldest, median answer">{agesText(coverage, at)}</td>
      <td data-name="Rows today" class="number">
        <DayCount today={today} ordinary={ordinaryDay} of="rows" />
      </td>
      <td data-name="Rejected" class={`number ${today.rejects > 0 ? 'loss' : ''}`}>
        <DayCount today={today} ordinary={ordinaryDay} of="rejects" />
      </td>
    </tr>
  );
}

function agesText(coverage: Coverage | null, at: number): string {
  if (coverage === null || coverage.oldestAt === null || coverage.medianAt === null) return '–';
  return `${durationText(at - coverage.oldestAt)}, ${durationText(at - coverage.medianAt)}`;
}

/** What went wrong last with each source, in words. */
function Errors({ sources }: { readonly sources: readonly Source[] }) {
  const lines = sources.flatMap(({ name, state, at }) => {
    const { lastError } = state;
    return lastError === null
      ? []
      : [{ name, text: `${agoText(at - lastError.at)}: ${lastError.message}` }];
  });
  if (lines.length === 0) return null;
  return (
    <>
      <h3>Last errors</h3>
      <dl class="facts">
        {lines.map(({ name, text }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

function BudgetLeft({ source }: { readonly source: Source }) {
  const { left, moreAt } = source.freshness;
  if (left === null) return <>–</>;
  return (
    <div>
      {countText(left)}
      {moreAt !== null && <div class="quiet">{`more in ${durationText(moreAt - source.at)}`}</div>}
    </div>
  );
}

function DayCount(props: {
  readonly today: DayCounts;
  readonly ordinary: DayCounts | null;
  readonly of: 'rows' | 'rejects';
}) {
  const { today, ordinary, of } = props;
  return (
    <div>
      {countText(today[of])}
      {ordinary && <div class="quiet">{`${countText(ordinary[of])} a day`}</div>}
    </div>
  );
}
