/** `value_history`: monthly values of a set. */
import Type, { type Static } from 'typebox';
import type { HistoryPoint as Point } from '../../../clients/typescript/src/index.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { decimal, exactly, orNull, record } from '../../contract/fields.ts';
import { History, HistoryPoint } from '../../contract/history.ts';
import { nounText, percentText } from '../../kernel/format.ts';
import { partFields, partOf, ToolRefusal, tool } from '../tool.ts';
import { lines, shownText, usdText } from '../words.ts';

const HistorySummary = record(
  'HistorySummary',
  'Summary of the whole history; null if no month has a value.',
  {
    latest: orNull(HistoryPoint),
    highest: orNull(HistoryPoint),
    lowest: orNull(HistoryPoint),
    change_1y_pct: orNull(decimal('Change from 12 months before the latest month, in percent.')),
    change_5y_pct: orNull(decimal('Change from 60 months before the latest month, in percent.')),
  },
);

/** Newest first. */
export const valueHistory = tool({
  name: 'value_history',
  title: 'Get the value history of a set',
  description:
    'Get the monthly market values of one set (not retail prices), sealed or used, newest ' +
    'first, with a summary of its whole history: latest, highest and lowest month, and change ' +
    'over 1 and 5 years. Only finalized months are included, so the current month is missing; ' +
    'for today, call get_values. A null value means that there was no known sale yet. ' +
    'Minifigures have no history.',
  cost: '1 call',
  parameters: { number: 'set' },
  input: exactly({
    set: endpoints.getSetHistory.params.properties.number,
    condition: Type.Optional(endpoints.getSetHistory.query.properties.condition),
    ...partFields({ most: 120, usual: 24 }),
  }),
  output: exactly({
    set_number: History.properties.set_number,
    condition: History.properties.condition,
    summary: HistorySummary,
    ...partOf(HistoryPoint, 'Months, newest first.'),
  }),
  run: async ({ set, condition, limit = 24, offset = 0 }, brickmark) => {
    // URLs treat these as folders, so they cannot be requested.
    if (/^\.{1,2}$/.test(set)) throw new ToolRefusal(`There is no set '${set}'.`);
    const answer = await brickmark.getSetHistory(set, { condition });
    const months = answer.history.toReversed();
    const items = months.slice(offset, offset + limit);
    const next = offset + items.length;
    const has_more = next < months.length;
    const paging = { total: months.length, has_more, next_offset: has_more ? next : null };
    const summary = summaryOf(months);
    return {
      data: {
        set_number: answer.set_number,
        condition: answer.condition,
        summary,
        items,
        ...paging,
      },
      text: lines(
        `Set ${answer.set_number}, ${answer.condition}: ${summaryText(summary)}`,
        items.map(monthLine),
        shownText(items.length, paging),
      ),
    };
  },
});

type Summary = Static<typeof HistorySummary>;

/** The months are newest first. */
export function summaryOf(months: readonly Point[]): Summary {
  const valued = months.filter(({ value_usd }) => value_usd !== null);
  const [latest = null] = valued;
  const byValue = valued.toSorted((a, b) => Number(a.value_usd) - Number(b.value_usd));
  const changeSince = (monthsBack: number) => {
    const at = latest === null ? -1 : months.indexOf(latest) + monthsBack;
    const before = months[at]?.value_usd;
    if (!latest?.value_usd || !before) return null;
    return Math.round((latest.value_usd / before - 1) * 10_000) / 100;
  };
  return {
    latest,
    highest: byValue.at(-1) ?? null,
    lowest: byValue[0] ?? null,
    change_1y_pct: changeSince(12),
    change_5y_pct: changeSince(60),
  };
}

function summaryText({ latest, highest, lowest, change_1y_pct, change_5y_pct }: Summary): string {
  if (!latest || !highest || !lowest) return 'no month has a value yet.';
  const changes = [
    change_1y_pct === null ? [] : [`${percentText(change_1y_pct)} in 1 year`],
    change_5y_pct === null ? [] : [`${percentText(change_5y_pct)} in 5 years`],
  ].flat();
  return [
    `${usdText(latest.value_usd)} in ${latest.month}`,
    ...changes,
    `high ${usdText(highest.value_usd)} (${highest.month})`,
    `low ${usdText(lowest.value_usd)} (${lowest.month})`,
  ].join(', ');
}

function monthLine({ month, value_usd, sales_count, event }: Point): string {
  const sales = sales_count === null ? '' : `, ${nounText(sales_count, 'sale')}`;
  return `- ${month}: ${usdText(value_usd)}${sales}${event === null ? '' : `, ${event}`}`;
}
