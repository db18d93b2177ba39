/** `scorecard`: the error of published values, measured by the sales that followed. */

import { dayText, nounText } from '../kernel/format.ts';
import { formatDay, weekOf, weekStart } from '../kernel/time.ts';
import {
  inRangeTarget,
  makeScorecard,
  type Scorecard,
  type ScoreSummary,
} from '../market/evidence/scorecard.ts';
import { command } from './command.ts';
import { countFlag } from './row.ts';
import { table } from './table.ts';

export const scorecardCommand = command({
  name: 'scorecard',
  summary: 'Compare published values with the sales that followed',
  flags: {
    weeks: countFlag('Number of weeks', 520, 12),
  },
  needs: 'store to read',
  run: async ({ weeks }, { store, config, result }) => {
    const week = weekOf(config.clock());
    const scores = await store.market.listScores(week - weeks + 1);
    const scorecard = makeScorecard(scores, week);
    result(asJson(scorecard), present(scorecard, weeks));
  },
});

const monday = (week: number) => formatDay(weekStart(week));

function asJson({ weeks, groups, total }: Scorecard): unknown {
  return {
    weeks: weeks.map(({ week, ...summary }) => ({ week: monday(week), ...figures(summary) })),
    groups: groups.map(({ kind, condition, tier, ...summary }) => ({
      kind,
      condition,
      tier,
      ...figures(summary),
    })),
    total: figures(total),
  };
}

function figures({ sales, medianError, bias, inRange }: ScoreSummary) {
  return {
    sales,
    median_error: rounded(medianError),
    bias: rounded(bias),
    in_range: rounded(inRange),
  };
}

/** Errors are counted in bins of 0.01, so more digits would be noise. */
const rounded = (share: number | null) => share && Number(share.toFixed(4));

const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)}%`);

function present({ weeks, groups, total }: Scorecard, count: number): string {
  if (total.sales === 0) {
    return (
      `No sales to score in the last ${nounText(count, 'week')}. A sale is compared with the ` +
      'value published before it.'
    );
  }
  const heading = ['sales', 'error', 'bias', 'in range'];
  const cells = ({ sales, medianError, bias, inRange }: ScoreSummary) => [
    sales,
    percent(medianError),
    percent(bias),
    percent(inRange),
  ];
  return [
    `Last ${nounText(count, 'week')}: ${nounText(total.sales, 'sale')}, each compared with the ` +
      'value published before it.',
    'Error and bias are medians. A bias above 0 means values were too high. Ranges ' +
      `should contain ${percent(inRangeTarget)} of sales.`,
    '',
    table(
      ['week', ...heading],
      weeks.map((row) => [dayText(monday(row.week)), ...cells(row)]),
    ),
    '',
    table(
      ['kind', 'condition', 'tier', ...heading],
      [
        ...groups.map((row) => [row.kind, row.condition, row.tier, ...cells(row)]),
        ['all', '', '', ...cells(total)],
      ],
    ),
  ].join('\n');
}
