/** `usage`: calls of a key today and on previous days. */
import type { Usage } from '../../../clients/typescript/src/index.ts';
import { countText, momentText, nounText } from '../../kernel/format.ts';
import { answerOf, callCommand, csvTable, type Formats } from './call-command.ts';
import { screenFacts } from './screen.ts';
import { sparkline } from './sparkline.ts';

export const usageCommand = callCommand({
  name: 'usage',
  summary: 'Show calls left today and calls by day; costs no call',
  call: async (_, brickmark) => answerOf(await brickmark.plus.getUsage(), usageFormats),
});

const usageFormats: Formats<Usage> = {
  csv: ({ days }) => csvTable(days, ['date', 'used']),
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
