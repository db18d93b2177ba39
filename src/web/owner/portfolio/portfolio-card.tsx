/** The value and performance of a portfolio over a range. */

import { dayMs, formatDay } from '../../../kernel/time.ts';
import type { Range } from '../../../portfolio/returns/periods.ts';
import { changedAddress } from '../../kit/address.ts';
import { type Figure, Figures } from '../../kit/card.tsx';
import { hiddenKeys } from '../../kit/chart.tsx';
import { countText, dayText, decimalText, moneyText, nounText } from '../../kit/format.ts';
import { Delta, Missing, Money } from '../../kit/money.tsx';
import { Segments } from '../../kit/segments.tsx';
import type { OwnRequest } from '../../page.ts';
import { chartViews, offAtFirst, PortfolioChart } from './portfolio-chart.tsx';
import type { Portfolio } from './portfolio-figures.ts';

const rangeNames: Readonly<Record<Range, string>> = {
  '1d': '1D',
  '7d': '7D',
  '30d': '30D',
  '90d': '90D',
  ytd: 'YTD',
  '1y': '1Y',
  all: 'All',
};

export const rangeWords: Readonly<Record<Range, string>> = {
  '1d': '1 day',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  ytd: 'this year',
  '1y': '1 year',
  all: 'all time',
};

export function PortfolioCard(props: {
  readonly request: OwnRequest;
  readonly portfolio: Portfolio;
  readonly isTitle?: boolean;
}) {
  const { request, portfolio, isTitle } = props;
  const Title = isTitle ? 'h1' : 'h2';
  const { range, total, performance } = portfolio;
  const view = chartViews.find(({ key }) => key === request.query.get('show')) ?? chartViews[0];
  const percent = total.costCents === 0 || isMostlyGuessed(portfolio) ? null : total.gainPct;
  return (
    <section class="card portfolio-hero">
      <Title class="quiet small">Portfolio value</Title>
      <div class="hero-value">{moneyText(total.valueCents)}</div>
      <p class="quiet">
        <Delta cents={total.gainCents} percent={percent} />
        {' unrealized gain · '}
        {`${nounText(total.itemCount, 'unit')} of ${nounText(total.distinctCount, 'item')}`}
      </p>
      <div class="heading">
        <Segments
          label="Chart"
          choices={chartViews.map(({ key, name }) => ({
            href: changedAddress(request, { range, show: key === 'value' ? '' : key }),
            text: name,
            isCurrent: key === view?.key,
          }))}
        />
        <Segments
          label="Range"
          choices={portfolio.offered.map((each) => ({
            href: changedAddress(request, { range: each }),
            text: rangeNames[each],
            isCurrent: each === range,
          }))}
        />
      </div>
      {view && (
        <PortfolioChart
          view={view}
          performance={performance}
          marks={portfolio.marks}
          hidden={hiddenKeys(request.query, offAtFirst)}
        />
      )}
      <EstimateNote portfolio={portfolio} />
      <Results portfolio={portfolio} />
      <Coverage portfolio={portfolio} />
    </section>
  );
}

/** With a greater share of estimates, percentages would be misleading. */
const estimatedShareMax = 0.2;

function isMostlyGuessed({ estimated }: Portfolio): boolean {
  return estimated.value > estimatedShareMax || estimated.cost > estimatedShareMax;
}

/** Says how much of the figures is estimated, if that hides percentages. */
function EstimateNote({ portfolio }: { readonly portfolio: Portfolio }) {
  if (!isMostlyGuessed(portfolio)) return null;
  const { value, cost } = portfolio.estimated;
  const parts = [
    value > estimatedShareMax && `${decimalText(100 * value, 1)}% of the value`,
    cost > estimatedShareMax && `${decimalText(100 * cost, 1)}% of the cost`,
  ];
  const text = parts.filter(Boolean).join(' and ');
  return <p class="quiet small">{`${text} is estimated, so returns in percent aren’t shown.`}</p>;
}

function gainFigure({ range, total, performance }: Portfolio): Figure | null {
  const { gains, undatedSalesCents, unrealizedChangeCents } = performance;
  if (gains === null) return null;
  const parts = Object.entries({
    market: gains.marketCents,
    buying: gains.buyingCents,
    selling: gains.sellingCents,
  });
  if (gains.beforeValuesCents !== 0) parts.push(['before values began', gains.beforeValuesCents]);
  // When the gain of lots without a purchase date arose is known only over all time.
  const undatedLotsCents = range === 'all' ? total.gainCents - (unrealizedChangeCents ?? 0) : 0;
  const others = Object.entries({
    'more from sales without a purchase date': undatedSalesCents,
    'more from lots without a purchase date': undatedLotsCents,
  }).filter(([, cents]) => cents !== 0);
  const note = [...parts, ...others].map(([name, cents]) => (
    <div key={name}>
      <Delta cents={cents} /> {name}
    </div>
  ));
  return [`Total gain, ${rangeWords[range]}`, <Delta cents={gains.totalCents} />, note];
}

/** A yearly return of fewer days of a range says nothing. */
const annualizedDaysMin = 90;

function Results({ portfolio }: { readonly portfolio: Portfolio }) {
  const { range, total, performance } = portfolio;
  const isGuessed = isMostlyGuessed(portfolio);
  const ratio = (value: number | null) => (value === null || isGuessed ? null : value * 100);
  const why = (reason: string) =>
    isGuessed ? 'Too much of the value or cost is estimated' : reason;
  const isShort = range !== 'all' && performance.span.days.length <= annualizedDaysMin;
  const { unrealizedChangeCents } = performance;
  // Without any purchase date, changes over a range are unknown.
  const isDated = unrealizedChangeCents !== null;
  const unknown = 'Purchase dates unknown';
  const { days } = performance.span;
  const firstDay = dayText(formatDay((days[0] ?? 0) * dayMs));
  const annualized = isShort ? '90 days or more' : `a year, since ${firstDay}`;
  return (
    <Figures
      figures={[
        ['Cost basis', <Money cents={total.costCents} />],
        [
          'Unrealized gain',
          <Delta cents={total.gainCents} />,
          isDated && (
            <>
              <Delta cents={unrealizedChangeCents} />
              {` ${rangeWords[range]}`}
            </>
          ),
        ],
        ['Realized gain', <Delta cents={performance.realizedGainCents} />, rangeWords[range]],
        gainFigure(portfolio),
        [
          'Time-weighted return',
          <Delta
            percent={ratio(performance.timeWeightedReturn)}
            missing={why(isDated ? 'Nothing held' : unknown)}
          />,
          isDated ? `${rangeWords[range]}, market only` : unknown,
        ],
        [
          'XIRR',
          isShort ? (
            <Missing reason="Shown for ranges of 90 days or more" />
          ) : (
            <Delta
              percent={ratio(performance.moneyWeightedReturn)}
              missing={why(isDated ? 'Not available for this range' : unknown)}
            />
          ),
          isDated ? annualized : unknown,
        ],
      ]}
    />
  );
}

/** Links to the lots that the figures leave out or estimate. */
function Coverage({ portfolio }: { readonly portfolio: Portfolio }) {
  const { notValued, estimatedValue, estimatedCost } = portfolio.gaps;
  const { undatedLots } = portfolio.performance;
  return (
    <p class="row flush small">
      {notValued > 0 && <a href="/inventory?value=none">{`${countText(notValued)} not valued`}</a>}
      {estimatedValue > 0 && (
        <a href="/inventory?value=estimated">{`${countText(estimatedValue)} estimated`}</a>
      )}
      {estimatedCost > 0 && (
        <a href="/inventory?cost=estimated">{`${countText(estimatedCost)} with estimated cost`}</a>
      )}
      {undatedLots > 0 && (
        <a href="/inventory?date=unknown">
          {`${countText(undatedLots)} without a purchase date, not in returns`}
        </a>
      )}
    </p>
  );
}
