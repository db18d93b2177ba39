/** The finalized monthly history of a set. */
import type Type from 'typebox';
import { toUsdOrNull } from '../kernel/money.ts';
import { formatMonth } from '../kernel/time.ts';
import { historyEvents, type Series } from '../market/history/history.ts';
import { conditions } from '../market/source-rows/source-rows.ts';
import { count, listOf, month, oneOf, orNull, record, text, usd } from './fields.ts';

export const HistoryPoint = record('HistoryPoint', 'One finalized month.', {
  month: month('The month, as YYYY-MM.'),
  value_usd: orNull(usd('Value at the end of the month; null before the first sale.')),
  range_low: orNull(usd('Lower end of the range; null before the first sale.')),
  range_high: orNull(usd('Upper end of the range; null before the first sale.')),
  sales_count: orNull(count('Sales in the month that support the value; null when not counted.')),
  event: orNull(oneOf(historyEvents, 'What happened in the month; null when nothing did.')),
});

export const History = record('History', {
  set_number: text('The set number.'),
  condition: oneOf(conditions, 'Condition of the values.'),
  history: listOf(HistoryPoint, 'Finalized months, oldest first.'),
});

export type History = Type.Static<typeof History>;
export type HistoryPoint = Type.Static<typeof HistoryPoint>;

export function presentSeries(series: Series): HistoryPoint[] {
  return series.points.map((point, index) => ({
    month: formatMonth(series.firstMonth + index),
    value_usd: toUsdOrNull(point.valueCents),
    range_low: toUsdOrNull(point.lowCents),
    range_high: toUsdOrNull(point.highCents),
    sales_count: point.salesCount,
    event: point.event,
  }));
}

/** Example for the OpenAPI document. */
export const historyExample: History = {
  set_number: '10482',
  condition: 'sealed',
  history: [
    {
      month: '2026-09',
      value_usd: 163.1,
      range_low: 143.5,
      range_high: 185.4,
      sales_count: 14,
      event: null,
    },
    {
      month: '2026-10',
      value_usd: 166.25,
      range_low: 146.3,
      range_high: 189,
      sales_count: 11,
      event: null,
    },
  ],
};
