/** `usage`: what a key has spent, today and on the days before. It costs nothing to ask. */
import type { Usage } from '../../client/index.ts';
import { countText, momentText, nounText } from '../../domain/kernel/format.ts';
import { takeWords } from '../command.ts';
import { answerOf, askingCommand, type Forms } from './asking.ts';
import { screenFacts } from './screen.ts';
import { sparkline } from './sparkline.ts';

/** The usage command. */
export const usageCommand = askingCommand({
  name: 'usage',
  operands: '',
  summary: 'Show calls left today and calls by day; costs no call',
  flags: {},
  read: (args) => {
    takeWords(args, []);
    return async (brickmark) => answerOf(await brickmark.plus.getUsage(), usageForms);
  },
});

const usageForms: Forms<Usage> = {
  csv: ({ days }) => ({
    columns: ['date', 'used'],
    rows: days.map(({ date, used }) => [date, used]),
  }),
  text: ({ limit, used, reset, days }, screen) => {
    const counts = days.map((day) => day.used);
    const total = counts.reduce((sum, count) => sum + count, 0);
    return screenFacts(
      [
        ['Today', `${countText(used)} of ${nounText(limit, 'call')}`],
        ['Resets', momentText(Date.parse(reset))],
        [
          nounText(days.length, 'day'),
          `${sparkline(counts, days.length)} ${nounText(total, 'call')}`,
        ],
      ],
      screen,
    );
  },
};
