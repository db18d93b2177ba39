/** The chart of the portfolio: value and cost, gain, or return, marked with purchases and sales. */

import { toUsd } from '../../../kernel/money.ts';
import { dayMs, formatDay, lastDayOf, monthOf } from '../../../kernel/time.ts';
import type { NamedGroup } from '../../../portfolio/returns/breakdown.ts';
import type { Performance } from '../../../portfolio/returns/performance.work.ts';
import { atPoints, type Span } from '../../../portfolio/returns/periods.ts';
import { indexFrom } from '../../../portfolio/returns/value-history.ts';
import { Chart } from '../../kit/chart.tsx';
import type { ChartColumn, ChartMark } from '../../kit/chart-data.ts';
import { gainText, nounText, percentText, usdText } from '../../kit/format.ts';

/** The views of the chart, with their key in the query; the first is the default. */
export const chartViews = [
  { key: 'value', name: 'Value' },
  { key: 'gain', name: 'Gain' },
  { key: 'return', name: 'Return' },
] as const;
type ChartView = (typeof chartViews)[number];

const columns: Readonly<Record<ChartView['key'], readonly ChartColumn[]>> = {
  value: [
    { key: 'value', name: 'Market value', look: 'line', tone: 'series-1', show: usdText },
    { key: 'cost', name: 'Cost basis', look: 'dashed', tone: 'series-2', show: usdText },
    { key: 'at-cost', name: 'At cost, no value yet', look: 'area', show: usdText },
  ],
  gain: [
    {
      key: 'gain',
      name: 'Unrealized gain',
      look: 'line',
      tone: 'series-1',
      show: (usd) => gainText(Math.round(usd * 100)),
    },
  ],
  return: [
    {
      key: 'return',
      name: 'Time-weighted return',
      look: 'line',
      tone: 'series-1',
      show: percentText,
    },
  ],
};

/** The cost is a figure above; as a line, it would flatten that of the value. */
export const offAtFirst: readonly string[] = ['cost'];

export function PortfolioChart(props: {
  readonly view: ChartView;
  readonly performance: Performance;
  readonly marks: readonly ChartMark[];
  /** The keys of lines that are off. */
  readonly hidden: readonly string[];
}) {
  const { view, performance, marks, hidden } = props;
  const { span, sums, returns } = performance;
  const points = atPoints(span, sums);
  const ratios = atPoints(span, returns);
  const rows = points.map(({ day, valueCents, costCents, atCostCents }, index) => {
    const ratio = ratios[index] ?? null;
    const values = {
      value: [toUsd(valueCents), toUsd(costCents), atCostCents === 0 ? null : toUsd(atCostCents)],
      gain: [toUsd(valueCents - costCents)],
      return: [ratio === null ? null : Math.round(ratio * 10_000) / 100],
    };
    return { at: formatDay(day * dayMs), values: values[view.key] };
  });
  return (
    <Chart
      id="portfolio"
      caption={`${view.name} over time`}
      unit={view.key === 'return' ? 'percent' : 'usd'}
      columns={columns[view.key].filter(
        ({ look }) => look !== 'area' || sums.some(({ atCostCents }) => atCostCents > 0),
      )}
      rows={rows}
      marks={marks}
      hidden={hidden}
      offAtFirst={offAtFirst}
    />
  );
}

/** More marks than these are summed by month. */
const marksMax = 40;

/** Purchases and sales, summed at each point of the chart since the previous point, or by month. */
export function marksOf(groups: readonly NamedGroup[], span: Span): ChartMark[] {
  const marks = marksAt(groups, span, (day) => day);
  return marks.length <= marksMax
    ? marks
    : marksAt(groups, span, (day) => lastDayOf(monthOf(day * dayMs)));
}

/** Sums trades at the first point that is not before the day of their mark. */
function marksAt(
  groups: readonly NamedGroup[],
  span: Span,
  markDay: (day: number) => number,
): ChartMark[] {
  const days = Int32Array.from(atPoints(span, span.days));
  const bought = new Float64Array(days.length);
  const sold = new Float64Array(days.length);
  const [first = 0, last = 0] = [days[0], days[days.length - 1]];
  const add = (units: Float64Array, day: number, count: number) => {
    if (day <= first || day > last) return;
    const index = indexFrom(days, Math.min(markDay(day), last));
    units[index] = (units[index] ?? 0) + count;
  };
  for (const { positions } of groups) {
    for (const { boughtOn, isDated, quantity, exits } of positions) {
      if (isDated) add(bought, boughtOn, quantity);
      for (const exit of exits) add(sold, exit.day, exit.quantity);
    }
  }
  const marks: ChartMark[] = [];
  for (const [index, day] of days.entries()) {
    const at = formatDay(day * dayMs);
    const [purchases = 0, sales = 0] = [bought[index], sold[index]];
    if (purchases > 0) {
      marks.push({ at, kind: 'purchase', text: `${nounText(purchases, 'unit')} bought` });
    }
    if (sales > 0) marks.push({ at, kind: 'sale', text: `${nounText(sales, 'unit')} sold` });
  }
  return marks;
}
