/** The status of automatic imports, on the operator's first page. */

import { sentence } from '../../kernel/text.ts';
import {
  type DayCounts,
  type Freshness,
  freshnessOf,
  isDelayed,
  type Standing,
} from '../../sync/freshness.ts';
import type { Coverage, NamedState } from '../../sync/source-state.ts';
import { Badge, Card, EmptyState } from '../kit/card.tsx';
import { column, mainColumn, numberColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Notice } from '../kit/fields.tsx';
import { agoText, countText, durationText, momentText } from '../kit/format.ts';

type Source = ReturnType<typeof sourcesOf>[number];

interface SourcesProps {
  readonly sources: readonly NamedState[];
  readonly at: number;
}

function sourcesOf({ sources, at }: SourcesProps) {
  return sources
    .map(({ source, state }) => ({ name: source, state, freshness: freshnessOf(state, at), at }))
    .toSorted((a, b) => urgencyOf(a.freshness) - urgencyOf(b.freshness));
}

export function SourceAlarms(props: SourcesProps) {
  return (
    <>
      {sourcesOf(props).map((source) => (
        <Alarm key={source.name} source={source} />
      ))}
    </>
  );
}

export function FetchedSources(props: SourcesProps) {
  const sources = sourcesOf(props);
  return (
    <Card title="Sources">
      {sources.length === 0 ? (
        <EmptyState title="No sources fetched yet">
          Set them up in <code>sources.toml</code>, then run <code>brickmark sync check</code>.
        </EmptyState>
      ) : (
        <DataTable label="Sources" columns={columns} rows={sources} />
      )}
    </Card>
  );
}

/** Most urgent first. */
const urgency: readonly Standing[] = ['stopped', 'failing', 'overdue', 'working', 'off'];

function urgencyOf({ standing }: Freshness): number {
  return urgency.indexOf(standing);
}

function Alarm({ source }: { readonly source: Source }) {
  const { name, state, freshness, at } = source;
  if (!isDelayed(state, at)) return null;
  const { lastError, lastSuccessAt, failures, nextAt } = state;
  const failure = sentence(lastError?.message ?? '');
  if (freshness.standing === 'stopped') {
    const since = lastError === null ? '' : ` ${agoText(at - lastError.at)}`;
    return (
      <Notice kind="bad">
        <strong>{`${name} stopped${since}: `}</strong>
        {`${failure} Then run `}
        <code>brickmark reload</code>
        {', or restart the server (with PostgreSQL, the upkeep process) if the key is in its '}
        environment.
      </Notice>
    );
  }
  if (freshness.standing === 'failing') {
    const since =
      lastSuccessAt === null
        ? 'It has never succeeded.'
        : `Last success: ${momentText(lastSuccessAt)}.`;
    return (
      <Notice kind="warn">
        <strong>{`${name} failed ${timesText(failures)}: `}</strong>
        {`${failure} ${since} Next attempt: ${momentText(nextAt)}.`}
      </Notice>
    );
  }
  return (
    <Notice kind="warn">
      <strong>{`${name} was due ${agoText(at - nextAt)} and was not called. `}</strong>
      {'Check that the server (with PostgreSQL, the upkeep process) runs without '}
      <code>--no-sync</code>.
    </Notice>
  );
}

export function timesText(count: number): string {
  return count === 1 ? 'once' : `${countText(count)} times`;
}

const standings: Readonly<
  Record<Standing, { readonly kind?: 'good' | 'bad' | 'warn'; readonly text: string }>
> = {
  stopped: { kind: 'bad', text: 'Stopped' },
  failing: { kind: 'warn', text: 'Failing' },
  overdue: { kind: 'warn', text: 'Overdue' },
  working: { kind: 'good', text: 'Working' },
  off: { text: 'Turned off' },
};

const columns: readonly Column<Source>[] = [
  mainColumn('Source', ({ name }) => name),
  column('Status', ({ freshness: { standing } }) => {
    const { text, ...look } = standings[standing];
    return <Badge {...look}>{text}</Badge>;
  }),
  column('Last success', ({ state: { lastSuccessAt }, at }) =>
    lastSuccessAt === null ? 'Never' : agoText(at - lastSuccessAt),
  ),
  column('Last error', ({ state: { lastError }, at }) =>
    lastError === null ? (
      'None'
    ) : (
      <details>
        <summary>{agoText(at - lastError.at)}</summary>
        {lastError.message}
      </details>
    ),
  ),
  numberColumn('Calls left', (source) => <BudgetLeft source={source} />),
  numberColumn('Never fetched', ({ state: { coverage } }) =>
    coverage === null
      ? '—'
      : `${countText(coverage.neverAsked)} of ${countText(coverage.questions)}`,
  ),
  column('Data age (oldest, median)', ({ state: { coverage }, at }) => agesText(coverage, at)),
  numberColumn('Rows today', ({ freshness }) => <DayCount freshness={freshness} of="rows" />),
  numberColumn('Rejected today', ({ freshness }) => (
    <DayCount freshness={freshness} of="rejects" />
  )),
];

function agesText(coverage: Coverage | null, at: number): string {
  if (coverage === null || coverage.oldestAt === null || coverage.medianAt === null) return '—';
  return `${durationText(at - coverage.oldestAt)}, ${durationText(at - coverage.medianAt)}`;
}

function BudgetLeft({ source }: { readonly source: Source }) {
  const { left, moreAt } = source.freshness;
  if (left === null) return <>—</>;
  return (
    <div>
      {countText(left)}
      {moreAt !== null && (
        <div class="quiet small">{`more in ${durationText(moreAt - source.at)}`}</div>
      )}
    </div>
  );
}

function DayCount(props: { readonly freshness: Freshness; readonly of: keyof DayCounts }) {
  const { freshness, of } = props;
  const { today, ordinaryDay } = freshness;
  return (
    <div class={of === 'rejects' && today[of] > 0 ? 'loss' : undefined}>
      {countText(today[of])}
      {ordinaryDay && <div class="quiet small">{`usually ${countText(ordinaryDay[of])}`}</div>}
    </div>
  );
}
