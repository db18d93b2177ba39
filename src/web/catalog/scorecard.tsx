/** How wrong published values and promised deals were about the sales that followed them. */

import { countText } from '../../domain/kernel/format.ts';
import { dayMs, formatDay, weekOf, weekStart } from '../../domain/kernel/time.ts';
import {
  clearedTarget,
  type DealScorecard,
  type DealSummary,
  judgedSalesMin,
  makeDealScorecard,
} from '../../domain/market/deal-scorecard.ts';
import { gradedMs } from '../../domain/market/deals.ts';
import {
  inRangeTarget,
  makeScorecard,
  type Scorecard,
  type ScoreSummary,
} from '../../domain/market/scorecard.ts';
import type { WebDeps } from '../deps.ts';
import { Chart } from '../kit/chart.tsx';
import { Figure } from '../kit/figure.tsx';
import { roundPercentText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { TableHead } from '../kit/table-head.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';

/** How many weeks back one may look. */
const spans = [12, 26, 52, 104] as const;

/** The scorecard. */
export function scorecardRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'open', path: '/scorecard', get: (request) => showScorecard(deps, request) }];
}

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
  return {
    page: <ScorecardPage request={request} span={span} scorecard={scorecard} deals={deals} />,
  };
}

/** Deals that were shown, and how they did. */
interface ShownDeals extends DealScorecard {
  readonly count: number;
}

interface ScorecardProps {
  readonly request: PageRequest;
  readonly span: number;
  readonly scorecard: Scorecard;
  readonly deals: ShownDeals;
}

function ScorecardPage({ request, span, scorecard, deals }: ScorecardProps) {
  const { total } = scorecard;
  return (
    <Layout title="How accurate values are" request={request}>
      <p>
        Each new sale is first compared with the value that was published before it. These are the
        errors of values that everybody could see, not of a model that knew the outcome.
      </p>
      <nav class="row spans" aria-label="How far back">
        {spans.map((weeks) => (
          <a
            key={weeks}
            class="badge"
            href={`/scorecard?weeks=${weeks}`}
            aria-current={weeks === span ? 'true' : undefined}
          >
            {`${weeks} weeks`}
          </a>
        ))}
      </nav>
      {total.sales === 0 ? (
        <p class="card">{`No sale was scored in the last ${span} weeks.`}</p>
      ) : (
        <Scores scorecard={scorecard} />
      )}
      {(deals.count > 0 || deals.sales > 0) && <Deals deals={deals} />}
    </Layout>
  );
}

const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)}%`);

function Scores({ scorecard: { weeks, groups, total } }: { readonly scorecard: Scorecard }) {
  const inPercent = (share: number | null) => share && Number((100 * share).toFixed(1));
  const show = (value: number) => `${value.toFixed(1)}%`;
  return (
    <>
      <section class="card">
        <div class="worths">
          <Figure name="Sales" value={countText(total.sales)} />
          <Figure
            name="Error"
            value={percent(total.medianError)}
            note="half of the sales were nearer"
          />
          <Figure name="Bias" value={percent(total.bias)} note="above 0, values were too high" />
          <Figure
            name="In range"
            value={percent(total.inRange)}
            note={`ranges are made to hold ${percent(inRangeTarget)}`}
          />
        </div>
      </section>
      <section class="card">
        <h2>Week by week</h2>
        <Chart
          id="weeks"
          caption="Median error and bias of each week, in percent"
          unit="percent"
          columns={[
            { name: 'Error', look: 'line', tone: 'series-1', show },
            { name: 'Bias', look: 'dashed', tone: 'series-2', show },
          ]}
          rows={weeks.map(({ week, medianError, bias }) => ({
            at: formatDay(weekStart(week)),
            values: [inPercent(medianError), inPercent(bias)],
          }))}
        />
      </section>
      <section class="card">
        <h2>By what is valued</h2>
        <Groups groups={groups} />
      </section>
    </>
  );
}

const numbers = ['Sales', 'Error', 'Bias', 'In range'];

function Groups({ groups }: { readonly groups: Scorecard['groups'] }) {
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead columns={['Kind', 'Condition', 'Data tier', ...numbers]} numbers={numbers} />
        <tbody>
          {groups.map(({ kind, condition, tier, ...summary }) => (
            <tr key={`${kind} ${condition} ${tier}`}>
              <td data-name="Kind">{kind}</td>
              <td data-name="Condition">{condition}</td>
              <td data-name="Data tier">{tier}</td>
              <Summary {...summary} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Summary({ sales, medianError, bias, inRange }: ScoreSummary) {
  return (
    <Cells
      cells={[
        ['Sales', countText(sales)],
        ['Error', percent(medianError)],
        ['Bias', percent(bias)],
        ['In range', percent(inRange)],
      ]}
    />
  );
}

const wholePercent = (share: number | null) =>
  share === null ? '–' : `${Math.round(100 * share)}%`;
const gain = (percent: number | null) => (percent === null ? '–' : roundPercentText(percent));

function Deals({ deals }: { readonly deals: ShownDeals }) {
  const { count, sales, cleared, predictedPercent, gotPercent } = deals;
  return (
    <section class="card">
      <h2>Deals</h2>
      <p>
        {`Predictions are recorded when a deal opens and never changed. They are compared with
        sealed sales of the set over the next ${gradedMs / dayMs} days, as if you had bought at the
        price shown and sold in the best channel at that day’s fees. A sale clears if it nets enough
        for the max buy price.`}
      </p>
      <div class="worths">
        <Figure name="Deals shown" value={countText(count)} />
        <Figure name="Later sales" value={countText(sales)} note={smallText(sales)} />
        <Figure
          name="Cleared"
          value={wholePercent(cleared)}
          note={`${wholePercent(clearedTarget)} predicted`}
        />
        <Figure name="Predicted ROI" value={gain(predictedPercent)} note="median" />
        <Figure name="Actual ROI" value={gain(gotPercent)} note="median" />
      </div>
      {cleared !== null && <DealTiers tiers={deals.tiers} />}
    </section>
  );
}

/** What is said of numbers that are too small; undefined where they are not. */
function smallText(sales: number): string | undefined {
  if (sales >= judgedSalesMin) return undefined;
  return sales === 0 ? 'none yet' : `too few to judge; at least ${judgedSalesMin} needed`;
}

const dealNumbers = ['Later sales', 'Cleared', 'Predicted ROI', 'Actual ROI'];

function DealTiers({ tiers }: Pick<DealScorecard, 'tiers'>) {
  const isSmall = tiers.some(({ sales }) => sales < judgedSalesMin);
  return (
    <>
      <div class="scroll">
        <table class="cards">
          <TableHead columns={['Data tier', ...dealNumbers]} numbers={dealNumbers} />
          <tbody>
            {tiers.map(({ tier, ...summary }) => (
              <tr key={tier}>
                <td data-name="Data tier">{tier}</td>
                <DealCells {...summary} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isSmall && <p class="quiet">{`Fewer than ${judgedSalesMin} sales are too few to judge.`}</p>}
    </>
  );
}

function DealCells({ sales, cleared, predictedPercent, gotPercent }: DealSummary) {
  return (
    <Cells
      cells={[
        ['Later sales', countText(sales)],
        ['Cleared', wholePercent(cleared)],
        ['Predicted ROI', gain(predictedPercent)],
        ['Actual ROI', gain(gotPercent)],
      ]}
    />
  );
}

function Cells({ cells }: { readonly cells: readonly (readonly [name: string, text: string])[] }) {
  return (
    <>
      {cells.map(([name, text]) => (
        <td key={name} data-name={name} class="number">
          {text}
        </td>
      ))}
    </>
  );
}
