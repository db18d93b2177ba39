/** `history`: the finalized months of a set, with a line that shows how its value moved. */
import type { History, HistoryPoint } from '../../client/index.ts';
import { countText, monthText, percentText, usdText } from '../../domain/kernel/format.ts';
import { percentOf } from '../../domain/kernel/money.ts';
import { conditions } from '../../domain/market/source-rows.ts';
import { flagInteger, takeWords } from '../command.ts';
import { answerOf, askingCommand, type Forms } from './asking.ts';
import { flagChoice, itemNumber } from './choices.ts';
import { type Column, gainTone, type Screen, screenTable } from './screen.ts';
import { sparkline } from './sparkline.ts';
import { conditionText, eventText, searchHint } from './words.ts';

/** How many months are listed when nobody says; the line is drawn of all of them. */
const monthsDefault = 12;
const monthsMax = 10_000;

/** How wide the line is where it is written to a file. */
const lineWidthDefault = 60;

/** The history command. */
export const historyCommand = askingCommand({
  name: 'history',
  operands: 'NUMBER',
  summary: "Show a set's monthly values, with a sparkline",
  flags: {
    condition: { help: 'sealed (default) or used', value: 'CONDITION' },
    months: { help: `Number of months to list (default ${monthsDefault})`, value: 'N' },
  },
  missingHint: () => searchHint,
  read: (args) => {
    const number = itemNumber(takeWords(args, ['NUMBER'])[0]);
    const condition = flagChoice(args, 'condition', conditions);
    const months = flagInteger(args, 'months', { min: 1, max: monthsMax }) ?? monthsDefault;
    return async (brickmark) =>
      answerOf(await brickmark.getSetHistory(number, { condition }), historyForms(months));
  },
});

function historyForms(months: number): Forms<History> {
  return {
    csv: ({ set_number, condition, history }) => ({
      columns: ['set_number', 'condition', ...pointFields],
      rows: history.map((point) => [
        set_number,
        condition,
        ...pointFields.map((field) => point[field]),
      ]),
    }),
    text: (data, screen) => historyText(data, months, screen),
  };
}

const pointFields = [
  'month',
  'value_usd',
  'range_low',
  'range_high',
  'sales_count',
  'event',
] as const satisfies readonly (keyof HistoryPoint)[];

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

/** The line, between the first value and the last. */
function movedText(history: readonly HistoryPoint[], screen: Screen): string[] {
  const known = history.filter(({ value_usd }) => value_usd !== null);
  const [first, last] = [known[0], known.at(-1)];
  const [from, to] = [first?.value_usd ?? null, last?.value_usd ?? null];
  if (first === undefined || last === undefined || from === null || to === null) return [];
  const [start, end] = [usdText(from), usdText(to)];
  const room = (screen.width ?? lineWidthDefault + 24) - start.length - end.length - 6;
  const line = sparkline(
    history.slice(history.indexOf(first)).map(({ value_usd }) => value_usd),
    Math.max(8, Math.min(lineWidthDefault, room)),
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
