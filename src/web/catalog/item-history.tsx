/** The history of a set: finalized months of both conditions in one chart. */

import { moneyText } from '../../domain/kernel/format.ts';
import { toUsdOrNull } from '../../domain/kernel/money.ts';
import { dayMs, formatDay, lastDayOf, type Month } from '../../domain/kernel/time.ts';
import type { HistoryEvent, MonthPoint, Series } from '../../domain/market/history.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { Chart, type ChartColumn, type ChartProps } from '../kit/chart.tsx';

/** The months of both conditions; null where nothing is known. */
export type BothSeries = Readonly<Record<Condition, Series | null>>;

const eventNames: Readonly<Record<HistoryEvent, string>> = {
  released: 'Released',
  retired: 'Retired',
  price_jump_up: 'Jump up',
  price_jump_down: 'Jump down',
};

/** The chart, with the ranges and what happened. */
export function HistoryCard({ series }: { readonly series: BothSeries }) {
  const rows = chartRows(series);
  return (
    <section class="card">
      <h2>Value by month</h2>
      {hasValue(rows) ? (
        <Chart
          id="history"
          caption="Value at the end of each month"
          unit="usd"
          columns={columns}
          rows={rows}
        />
      ) : (
        <p>{rows.length === 0 ? noMonth : noSale}</p>
      )}
    </section>
  );
}

const noMonth = 'There is no finished month yet. A month is final on the 8th of the next one.';
const noSale = 'No sale is known yet. History begins with the first one.';

function hasValue(rows: ChartProps['rows']): boolean {
  return rows.some(({ values }) => values.some((value) => value !== null));
}

const show = (usd: number) => moneyText(Math.round(usd * 100));

const columns: readonly ChartColumn[] = [
  { name: 'Sealed', look: 'line', tone: 'series-1', show },
  { name: 'Sealed, high', look: 'edge', tone: 'series-1', show },
  { name: 'Sealed, low', look: 'edge', tone: 'series-1', show },
  { name: 'Used', look: 'line', tone: 'series-2', show },
  { name: 'Used, high', look: 'edge', tone: 'series-2', show },
  { name: 'Used, low', look: 'edge', tone: 'series-2', show },
];

function chartRows({ sealed, used }: BothSeries): ChartProps['rows'] {
  const both = [sealed, used].filter((series) => series !== null);
  if (both.length === 0) return [];
  const first = Math.min(...both.map(({ firstMonth }) => firstMonth));
  const end = Math.max(...both.map(({ firstMonth, points }) => firstMonth + points.length));
  return Array.from({ length: end - first }, (_, index) => {
    const month = first + index;
    const [ofSealed, ofUsed] = [pointOf(sealed, month), pointOf(used, month)];
    return {
      at: formatDay(lastDayOf(month) * dayMs),
      values: [...valuesOf(ofSealed), ...valuesOf(ofUsed)],
      note: noteOf(ofSealed?.event ?? null, ofUsed?.event ?? null),
    };
  });
}

function pointOf(series: Series | null, month: Month): MonthPoint | null {
  return series?.points[month - series.firstMonth] ?? null;
}

function valuesOf(point: MonthPoint | null): (number | null)[] {
  const { valueCents = null, highCents = null, lowCents = null } = point ?? {};
  return [valueCents, highCents, lowCents].map(toUsdOrNull);
}

/** What happened to one condition alone is said with its name. */
function noteOf(sealed: HistoryEvent | null, used: HistoryEvent | null): string | null {
  if (sealed === used) return sealed && eventNames[sealed];
  const notes = [sealed && eventNames[sealed], used && `${eventNames[used]}, used`].filter(
    (note) => note !== null,
  );
  return notes.join('; ') || null;
}
