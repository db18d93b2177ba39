/** `history`: the finalized months of a set, with a sparkline. */
import type { History, HistoryPoint } from '../../../clients/typescript/src/index.ts';
import { countText, monthText, percentText, usdText } from '../../kernel/format.ts';
import { percentOf } from '../../kernel/money.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { countFlag } from '../row.ts';
import { answerOf, callCommand, csvTable, type Formats } from './call-command.ts';
import { type Column, gainTone, type Screen, screenTable } from './screen.ts';
import { sparkline } from './sparkline.ts';
import { conditionText, eventText, readItemNumber, searchHint } from './words.ts';

/** Width of the sparkline in a file or a pipe, and at most. */
const lineWidthMax = 60;

export const historyCommand = callCommand({
  name: 'history',
  operands: { number: { label: 'NUMBER', read: readItemNumber } },
  summary: "Show a set's monthly values, with a sparkline",
  flags: {
    condition: {
      help: 'sealed (default) or used',
      value: 'CONDITION',
      choices: conditions,
      default: 'sealed',
    },
    months: countFlag('Number of months to list', 10_000, 12),
  },
  missingHint: () => searchHint,
  call: async ({ number, condition, months }, brickmark) =>
    answerOf(await brickmark.getSetHistory(number, { condition }), historyFormats(months)),
});

function historyFormats(months: number): Formats<History> {
  return {
    csv: ({ set_number, condition, history }) =>
      csvTable(history, [
        ['set_number', () => set_number],
        ['condition', () => condition],
        'month',
        'value_usd',
        'range_low',
        'range_high',
        'sales_count',
        'event',
      ]),
    text: (data, screen) => historyText(data, months, screen),
  };
}

function historyText({ set_number, condition, history }: History, months: number, screen: Screen) {
  const title = `${set_number}  ${conditionText(condition)}`;
  const heading = screen.paint('heading', title);
  if (history.length === 0) return `${heading}\n  No final months yet.`;
  const shown = history.slice(-months);
  const left = history.length - shown.length;
  return [
    heading,
    ...movedText(history, screen),
    '',
    screenTable(columns, shown, screen),
    ...(left > 0
      ? [screen.paint('quiet', `${countText(left)} earlier: --months ${history.length}`)]
      : []),
  ].join('\n');
}

/** The sparkline of all months, between the first and the last value. */
function movedText(history: readonly HistoryPoint[], screen: Screen): string[] {
  const known = history.filter(({ value_usd }) => value_usd !== null);
  const [first, last] = [known[0], known.at(-1)];
  const [from, to] = [first?.value_usd ?? null, last?.value_usd ?? null];
  if (first === undefined || last === undefined || from === null || to === null) return [];
  const [start, end] = [usdText(from), usdText(to)];
  const room = (screen.width ?? lineWidthMax + 24) - start.length - end.length - 6;
  const line = sparkline(
    history.slice(history.indexOf(first)).map(({ value_usd }) => value_usd),
    Math.max(8, Math.min(lineWidthMax, room)),
  );
  const percent = from === 0 ? null : percentOf(to - from, from);
  const tone = gainTone(percent);
  const change = tone === null ? percentText(percent) : screen.paint(tone, percentText(percent));
  return [
    `  ${start} ${line} ${end}`,
    `  ${change} from ${monthText(first.month)} to ${monthText(last.month)}`,
  ];
}

const columns: readonly Column<HistoryPoint>[] = [
  { title: 'MONTH', text: ({ month }) => monthText(month) },
  { title: 'VALUE', text: ({ value_usd }) => usdText(value_usd), isNumber: true },
  { title: 'LOW', text: ({ range_low }) => usdText(range_low), isNumber: true },
  { title: 'HIGH', text: ({ range_high }) => usdText(range_high), isNumber: true },
  {
    title: 'SALES',
    text: ({ sales_count }) => (sales_count === null ? '–' : countText(sales_count)),
    isNumber: true,
  },
  { title: 'EVENT', text: ({ event }) => eventText(event) },
];
