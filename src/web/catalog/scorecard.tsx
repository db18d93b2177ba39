/** Accuracy: published values and deals compared with later sales. */

import { dayMs, formatDay, weekOf, weekStart } from '../../kernel/time.ts';
import { inRangeTarget, makeScorecard, type Scorecard } from '../../market/evidence/scorecard.ts';
import {
  clearedTarget,
  type DealScorecard,
  judgedSalesMin,
  makeDealScorecard,
} from '../../market/published/deal-scorecard.ts';
import { gradedMs } from '../../market/published/deals.ts';
import { Card, EmptyState, Figures } from '../kit/card.tsx';
import { Chart } from '../kit/chart.tsx';
import { column, countColumn, mainColumn, numberColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { countText, decimalText, roundPercentText } from '../kit/format.ts';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { confidenceNames } from '../kit/money.tsx';
import { Segments } from '../kit/segments.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

/** The ranges, in weeks. */
const spans = [12, 26, 52, 104] as const;

export const scorecardRoutes = routes('open', { '/scorecard': { get: showScorecard } });

async function showScorecard(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const span = spans.find((weeks) => String(weeks) === request.query.get('weeks')) ?? spans[0];
  const week = weekOf(request.at);
  const firstWeek = week - span + 1;
  const [scores, dealScores, dealCount] = await Promise.all([
    deps.market.listScores(firstWeek),
    deps.market.listDealScores(firstWeek),
    deps.market.countDealLog(weekStart(firstWeek)),
  ]);
  const scorecard = makeScorecard(scores, week);
  const deals = { count: dealCount, ...makeDealScorecard(dealScores) };
  const choices = spans.map((weeks) => ({
    href: `/scorecard?weeks=${weeks}`,
    text: `${weeks} weeks`,
    isCurrent: weeks === span,
  }));
  return (
    <Layout
      title="Accuracy"
      request={request}
      tabs={marketTabs}
      actions={<Segments label="Range" choices={choices} />}
    >
      <p class="quiet">
        Every new sale is compared with the value published before it, so these are real errors, not
        a model’s fit to data it had seen.
      </p>
      {scorecard.total.sales === 0 ? (
        <Card>
          <EmptyState title="No accuracy figures yet">
            {`There were no new sales in the last ${span} weeks to compare values with.`}
          </EmptyState>
        </Card>
      ) : (
        <Scores {...scorecard} />
      )}
      {(deals.count > 0 || deals.sales > 0) && <Deals {...deals} />}
    </Layout>
  );
}

const percent = (share: number | null) =>
  share === null ? '—' : `${decimalText(100 * share, 1)}%`;

function Scores({ weeks, groups, total }: Scorecard) {
  const inPercent = (share: number | null) => share && Number((100 * share).toFixed(1));
  const show = (value: number) => `${decimalText(value, 1)}%`;
  return (
    <>
      <Card>
        <Figures
          figures={[
            ['Sales scored', countText(total.sales)],
            ['Median error', percent(total.medianError), 'Half of all sales were closer'],
            ['Bias', percent(total.bias), 'Above 0%: values too high'],
            ['In range', percent(total.inRange), `Target ${percent(inRangeTarget)}`],
          ]}
        />
        <Chart
          id="weeks"
          caption="Median error and bias by week"
          unit="percent"
          columns={[
            { name: 'Median error', look: 'line', tone: 'series-1', show },
            { name: 'Bias', look: 'dashed', tone: 'series-2', show },
          ]}
          rows={weeks.map(({ week, medianError, bias }) => ({
            at: formatDay(weekStart(week)),
            values: [inPercent(medianError), inPercent(bias)],
          }))}
        />
      </Card>
      <Card title="By confidence">
        <DataTable label="Accuracy by confidence" columns={groupColumns} rows={groups} />
      </Card>
    </>
  );
}

const groupColumns: readonly Column<Scorecard['groups'][number]>[] = [
  mainColumn(
    'Value',
    ({ kind, condition }) => `${kind === 'set' ? 'Set' : 'Minifig'}, ${condition}`,
  ),
  column('Confidence', ({ tier }) => confidenceNames[tier]),
  countColumn('Sales', ({ sales }) => sales),
  numberColumn('Median error', ({ medianError }) => percent(medianError)),
  numberColumn('Bias', ({ bias }) => percent(bias)),
  numberColumn('In range', ({ inRange }) => percent(inRange)),
];

const wholePercent = (share: number | null) =>
  share === null ? '—' : `${Math.round(100 * share)}%`;
const gain = (percent: number | null) => (percent === null ? '—' : roundPercentText(percent));

function Deals(deals: DealScorecard & { readonly count: number }) {
  const { count, sales, cleared, predictedPercent, gotPercent, tiers } = deals;
  return (
    <Card title="Deals">
      <p class="quiet">
        {`A deal’s prediction is saved when it opens and compared with sealed sales over the next
        ${gradedMs / dayMs} days. A sale keeps the margin if it nets enough for someone who paid
        the max buy price.`}
      </p>
      <Figures
        figures={[
          ['Deals shown', countText(count)],
          ['Later sales', countText(sales), smallText(sales)],
          ['Kept the margin', wholePercent(cleared), `${wholePercent(clearedTarget)} predicted`],
          ['Predicted ROI', gain(predictedPercent), 'Median'],
          ['Actual ROI', gain(gotPercent), 'Median'],
        ]}
      />
      {cleared !== null && (
        <DataTable label="Deals by confidence" columns={dealColumns} rows={tiers} />
      )}
    </Card>
  );
}

function smallText(sales: number): string | null {
  if (sales >= judgedSalesMin) return null;
  return sales === 0 ? 'None yet' : `Too few to judge; ${judgedSalesMin} needed`;
}

const dealColumns: readonly Column<DealScorecard['tiers'][number]>[] = [
  mainColumn('Confidence', ({ tier, sales }) => {
    const isSmall = sales < judgedSalesMin;
    return `${confidenceNames[tier]}${isSmall ? ' (too few sales to judge)' : ''}`;
  }),
  countColumn('Later sales', ({ sales }) => sales),
  numberColumn('Kept the margin', ({ cleared }) => wholePercent(cleared)),
  numberColumn('Predicted ROI', ({ predictedPercent }) => gain(predictedPercent)),
  numberColumn('Actual ROI', ({ gotPercent }) => gain(gotPercent)),
];
