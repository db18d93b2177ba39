/** The value history of a set: the end of each month, and today. */
import { toUsdOrNull } from '../../domain/kernel/money.ts';
import { dayMs, formatDay, lastDayOf, type Month, monthOf } from '../../domain/kernel/time.ts';
import type { HistoryEvent, MonthPoint, Restatement, Series } from '../../domain/market/history.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { changedAddress } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { Chart, type ChartColumn, type ChartProps } from '../kit/chart.tsx';
import { usdText } from '../kit/format.ts';
import { Segments } from '../kit/segments.tsx';
import type { PageRequest } from '../page.ts';
import type { Worth } from './item-worth.ts';

export interface History {
  /** The finalized months; null if there are none. */
  readonly series: Readonly<Record<Condition, Series | null>>;
  readonly restatements: readonly Restatement[];
  readonly now: Readonly<Record<Condition, Worth>>;
}

/** The ranges of the chart, in months. */
const ranges = { '1y': 12, '3y': 36, all: null } as const;
type Range = keyof typeof ranges;

/** The chart, with the value range of one condition. */
export function HistoryCard(props: {
  readonly request: PageRequest;
  readonly history: History;
  readonly condition: Condition;
}) {
  const { request, history, condition } = props;
  const name = request.query.get('range') ?? 'all';
  const range: Range = name === '1y' || name === '3y' ? name : 'all';
  const rows = historyRows(history, { condition, months: ranges[range], at: request.at });
  if (rows.length < 2) return null;
  return (
    <Card
      title="Value history"
      actions={
        <Segments
          label="Range"
          choices={(Object.keys(ranges) as Range[]).map((each) => ({
            href: changedAddress(request, { range: each === 'all' ? null : each }),
            text: each === 'all' ? 'All' : each.toUpperCase(),
            isCurrent: each === range,
          }))}
        />
      }
    >
      <Chart
        id="history"
        caption="Value at the end of each month"
        unit="usd"
        columns={columnsOf(condition)}
        rows={rows}
      />
    </Card>
  );
}

function columnsOf(condition: Condition): readonly ChartColumn[] {
  const tone = condition === 'sealed' ? 'series-1' : 'series-2';
  const show = usdText;
  return [
    { name: 'Sealed', look: 'line', tone: 'series-1', show },
    { name: 'Used', look: 'dashed', tone: 'series-2', show },
    { name: 'High', look: 'edge', tone, show },
    { name: 'Low', look: 'edge', tone, show },
  ];
}

/** The rows from the first value on. */
export function historyRows(
  { series, restatements, now }: History,
  options: { readonly condition: Condition; readonly months: number | null; readonly at: number },
): ChartProps['rows'] {
  const { condition, months, at } = options;
  const today = rowOf(condition, (each) => ({ ...now[each].range, ...now[each] }));
  const last = { at: formatDay(at), values: today, note: null };
  const first = firstValued(series);
  if (first === null) return [last];
  const end = Math.max(...[series.sealed, series.used].map(endOf));
  const from = months === null ? first : Math.max(first, end - months);
  const revision = Math.max(series.sealed?.revision ?? 0, series.used?.revision ?? 0);
  const restated = new Set(
    restatements.filter(({ id }) => id <= revision).map((each) => monthOf(each.at)),
  );
  const finished = Array.from({ length: end - from }, (_, index) => {
    const month = from + index;
    const { event = null } = pointOf(series.sealed, month) ?? pointOf(series.used, month) ?? {};
    return {
      at: formatDay(lastDayOf(month) * dayMs),
      values: rowOf(condition, (each) => pointOf(series[each], month)),
      note: (event && eventNames[event]) ?? (restated.has(month) ? 'Restated' : null),
    };
  });
  return [...finished, last];
}

/** Events that are marked; price jumps are visible anyway. */
const eventNames: Readonly<Partial<Record<HistoryEvent, string>>> = {
  released: 'Released',
  retired: 'Retired',
};

function rowOf(condition: Condition, of: (each: Condition) => RowValues | null) {
  const range = of(condition);
  const cents = [of('sealed')?.valueCents, of('used')?.valueCents];
  return [...cents, range?.highCents, range?.lowCents].map((each) => toUsdOrNull(each ?? null));
}

type RowValues = Partial<Pick<MonthPoint, 'valueCents' | 'lowCents' | 'highCents'>>;

/** The month after the last finalized one. */
function endOf(series: Series | null): Month {
  return series === null ? 0 : series.firstMonth + series.points.length;
}

/** The first month with a value in either condition. */
function firstValued({ sealed, used }: History['series']): Month | null {
  const firsts = [sealed, used].flatMap((series) => {
    const index = series?.points.findIndex(({ valueCents }) => valueCents !== null) ?? -1;
    return series && index >= 0 ? [series.firstMonth + index] : [];
  });
  return firsts.length === 0 ? null : Math.min(...firsts);
}

function pointOf(series: Series | null, month: Month): MonthPoint | null {
  return series?.points[month - series.firstMonth] ?? null;
}
