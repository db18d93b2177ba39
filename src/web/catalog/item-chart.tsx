/** The chart of an item: its value, retail prices and the user's trades on one axis of time. */
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import {
  dayMs,
  dayOf,
  formatDay,
  formatInstant,
  lastDayOf,
  type Month,
  monthOf,
  monthStart,
} from '../../kernel/time.ts';
import type { HistoryEvent, Restatement, Series } from '../../market/history/history.ts';
import type { PriceStep } from '../../market/retail/price-steps.ts';
import { type Condition, conditions, type Retailer } from '../../market/source-rows/source-rows.ts';
import type { EarlyValue } from '../../market/values/set-values.ts';
import type { ItemTrade } from '../../portfolio/sales/ledger.ts';
import { changedAddress } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { Chart, hiddenKeys } from '../kit/chart.tsx';
import type {
  ChartColumn,
  ChartLevel,
  ChartMark,
  ChartPoint,
  ChartProps,
} from '../kit/chart-data.ts';
import { conditionNames, nounText, usdText } from '../kit/format.ts';
import type { Segment } from '../kit/segments.tsx';
import type { PageRequest } from '../page.ts';
import { CompareForm, type Comparison, compareRows } from './item-compare.tsx';
import type { Worth } from './item-worth.ts';

export interface ItemPast {
  readonly history: History;
  /** The condition whose range is shown. */
  readonly condition: Condition;
  readonly retail: readonly RetailPast[];
  readonly listCents: number | null;
  /** The max buy price of today; null if there is none, or on another plan. */
  readonly maxBuyCents: number | null;
  readonly trades: readonly ItemTrade[];
}

export interface RetailPast {
  readonly retailer: Retailer;
  readonly name: string;
  readonly steps: readonly PriceStep[];
}

/** The most days of trades that are marked, the latest ones. */
export const tradesMax = 200;

/** More marks than these are summed by month. */
const marksMax = 40;

/** The ranges of the chart, in days. */
const ranges = { '90d': 90, '1y': 365, '5y': 1826, all: null } as const;
type Range = keyof typeof ranges;

export function ItemChartCard(props: {
  readonly request: PageRequest;
  readonly past: ItemPast;
  readonly comparison: Comparison;
}) {
  const { request, past, comparison } = props;
  const data = itemChart(past, request.at);
  if (data.rows.length < 2) return null;
  const range = rangeOf(request.query);
  return (
    <Card title="Price history">
      {comparison.other ? (
        <Chart
          id="history"
          caption={`Value compared with ${comparison.other.name}, indexed to 100`}
          unit="count"
          {...compareRows(comparison.other, {
            condition: past.condition,
            from: rangeStart(range, request.at),
          })}
          ranges={rangeLinks(request, range, false)}
          hidden={hiddenKeys(request.query)}
          empty="Both need values in this range. A theme needs three sets that have some."
        />
      ) : (
        <Chart
          id="history"
          caption="Value at the end of each month, and retail prices"
          unit="usd"
          {...data}
          ranges={rangeLinks(request, range, true)}
          hidden={hiddenKeys(request.query)}
        />
      )}
      <CompareForm request={request} comparison={comparison} />
    </Card>
  );
}

function rangeOf(query: URLSearchParams): Range {
  const range = query.get('range') ?? '';
  return Object.hasOwn(ranges, range) ? (range as Range) : 'all';
}

function rangeStart(range: Range, at: number): number {
  const days = ranges[range];
  return days === null ? 0 : at - days * dayMs;
}

/** Links to ranges. A comparison starts with its range, so it is loaded again. */
function rangeLinks(request: PageRequest, current: Range, isZoom: boolean): Segment[] {
  return (Object.keys(ranges) as Range[]).map((range) => ({
    href: changedAddress(request, { range: range === 'all' ? null : range }),
    text: range === 'all' ? 'All' : range.toUpperCase(),
    isCurrent: range === current,
    ...(isZoom ? { from: rangeStart(range, request.at) } : {}),
  }));
}

/** The lines, rows and marks. A row has the values in force at its time. */
export function itemChart(
  past: ItemPast,
  at: number,
): Pick<ChartProps, 'columns' | 'levels' | 'rows' | 'marks'> {
  const { history, condition, retail, trades } = past;
  const values = new Map(conditions.map((each) => [each, pastValues(history, each, at)]));
  const columns = [
    ...conditions.flatMap((each) => valueColumn(each, values.get(each) ?? [])),
    ...rangeColumns(condition, values.get(condition) ?? []),
    ...retail.flatMap(retailColumn),
  ];
  const notes = historyNotes(history);
  const today = formatDay(at);
  const done = trades.filter(({ date }) => date <= today);
  const marks = (done.length > marksMax ? sumByMonth(done) : done).map(tradeMark);
  const times = [
    ...columns.flatMap((column) => timesOf(column, at)),
    ...marks.map((mark) => Date.parse(mark.at)),
    at,
  ];
  const valuesAt = columns.map(({ points }) => inForce(points));
  const rows = [...new Set(times)]
    .sort((a, b) => a - b)
    .map((time) => ({
      at: time % dayMs === 0 ? formatDay(time) : formatInstant(time),
      values: valuesAt.map((find) => find(time)),
      note: notes.get(time) ?? null,
    }));
  return { columns, levels: levelsOf(past), rows: columns.length === 0 ? [] : rows, marks };
}

type Line = ChartColumn & Required<Pick<ChartColumn, 'points'>>;

const tones = { sealed: 'series-1', used: 'series-2' } as const;
const looks = { sealed: 'line', used: 'dashed' } as const;

function valueColumn(condition: Condition, values: readonly PastValue[]): Line[] {
  if (values.length === 0) return [];
  const name = conditionNames[condition];
  const points = pointsOf(values, ({ valueCents }) => valueCents);
  const [look, tone] = [looks[condition], tones[condition]];
  return [{ key: condition, name, look, tone, points, show: usdText }];
}

function rangeColumns(condition: Condition, values: readonly PastValue[]): Line[] {
  if (values.every(({ lowCents }) => lowCents === null)) return [];
  const edge = { key: 'range', look: 'edge', tone: tones[condition], show: usdText } as const;
  const high = pointsOf(values, ({ highCents }) => highCents);
  return [
    { ...edge, name: 'High', legend: 'Range', points: high },
    { ...edge, name: 'Low', points: pointsOf(values, ({ lowCents }) => lowCents) },
  ];
}

function pointsOf(values: readonly PastValue[], read: (value: PastValue) => number | null) {
  return values.map((value) => ({ at: value.at, value: toUsdOrNull(read(value)) }));
}

/** A retailer without data has no line. */
function retailColumn({ retailer, name, steps }: RetailPast): Line[] {
  if (steps.every(({ cents }) => cents === null)) return [];
  const tone = retailer === 'retailer_a' ? 'series-3' : 'series-4';
  const points = steps.map((step) => ({ at: step.at, value: toUsdOrNull(step.cents) }));
  return [{ key: retailer, name, look: 'step', tone, points, show: usdText }];
}

/** The price of a whole month is in the row of its end, where the value is. */
function timesOf({ look, points }: Line, now: number): number[] {
  return points.map(({ at }, index) => {
    const end = lastDayOf(monthOf(at)) * dayMs;
    const isWhole = look === 'step' && index > 0 && at === monthStart(monthOf(at)) && end <= now;
    return isWhole ? end : at;
  });
}

/** Finds the value in force; times must be asked for in order. */
function inForce(points: readonly ChartPoint[]): (at: number) => number | null {
  let next = 0;
  return (at) => {
    while ((points[next]?.at ?? Number.POSITIVE_INFINITY) <= at) next++;
    return points[next - 1]?.value ?? null;
  };
}

function levelsOf({ listCents, maxBuyCents }: ItemPast): ChartLevel[] {
  const levels = [
    { key: 'list', name: 'List price', tone: 'level-1', cents: listCents },
    { key: 'max_buy', name: 'Max buy today', tone: 'level-2', cents: maxBuyCents },
  ] as const;
  return levels.flatMap(({ cents, ...level }) =>
    cents === null ? [] : [{ ...level, value: toUsd(cents), text: usdText(toUsd(cents)) }],
  );
}

/** The trades of each month in one, on the day of the last. */
function sumByMonth(trades: readonly ItemTrade[]): ItemTrade[] {
  const nameOf = ({ type, condition, date }: ItemTrade) =>
    `${type} ${condition} ${date.slice(0, 'YYYY-MM'.length)}`;
  return [...Map.groupBy(trades, nameOf).values()].map((of) =>
    of.reduce((sum, trade) => ({
      ...trade,
      units: sum.units + trade.units,
      cents: sum.cents + trade.cents,
    })),
  );
}

const tradeVerbs = { purchase: 'Bought', sale: 'Sold' } as const;

function tradeMark({ type, date, condition, units, cents }: ItemTrade): ChartMark {
  const value = toUsd(Math.round(cents / units));
  const each = units === 1 ? '' : ' each';
  const what = nounText(units, `${condition} unit`);
  const text = `${tradeVerbs[type]} ${what} at ${usdText(value)}${each}`;
  return { at: date, kind: type, text, value };
}

export interface History {
  /** The finalized months; null if there are none. Minifigs have none. */
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** Published values without a finalized month. */
  readonly early: Readonly<Record<Condition, readonly EarlyValue[]>>;
  readonly restatements: readonly Restatement[];
  readonly now: Readonly<Record<Condition, Worth>>;
}

/** A value from an instant on, and its range. */
interface PastValue {
  readonly at: number;
  readonly valueCents: number | null;
  readonly lowCents: number | null;
  readonly highCents: number | null;
}

/** The values of one condition up to now, oldest first, from the first one on. */
function pastValues({ series, early, now }: History, condition: Condition, at: number) {
  const months = pastMonths(series[condition]);
  const first = early[condition]
    .filter(({ day }) => day < dayOf(at))
    .map(({ day, cents }) => ({
      at: day * dayMs,
      valueCents: cents,
      lowCents: null,
      highCents: null,
    }));
  const { valueCents, range } = now[condition];
  const today = { at, valueCents, lowCents: null, highCents: null, ...range };
  return [...(months.length > 0 ? months : first), ...(valueCents === null ? [] : [today])];
}

function pastMonths(series: Series | null): PastValue[] {
  const first = series?.points.findIndex(({ valueCents }) => valueCents !== null) ?? -1;
  if (series === null || first < 0) return [];
  return series.points.slice(first).map(({ valueCents, lowCents, highCents }, index) => ({
    at: monthEnd(series.firstMonth + first + index),
    valueCents,
    lowCents,
    highCents,
  }));
}

/** The start of the last day of a month. */
function monthEnd(month: Month): number {
  return lastDayOf(month) * dayMs;
}

/** Events that are marked, by instant. Price jumps are visible anyway. */
function historyNotes({ series, restatements }: History): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  const revision = Math.max(series.sealed?.revision ?? 0, series.used?.revision ?? 0);
  for (const { id, at } of restatements) {
    if (id <= revision) notes.set(monthEnd(monthOf(at)), 'Restated');
  }
  for (const condition of conditions) {
    const { firstMonth = 0, points = [] } = series[condition] ?? {};
    for (const [index, { event }] of points.entries()) {
      const name = event && eventNames[event];
      if (name) notes.set(monthEnd(firstMonth + index), name);
    }
  }
  return notes;
}

const eventNames: Readonly<Partial<Record<HistoryEvent, string>>> = {
  released: 'Released',
  retired: 'Retired',
};
