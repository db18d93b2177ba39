/** The portfolio page: value, performance, themes, top movers and recent activity. */

import { type PositionGroup, readPositions, stakesOf } from '../../../accounts/analytics.ts';
import { FigureCache } from '../../../accounts/figure-cache.ts';
import {
  firstPurchase,
  type Performance,
  performanceOf,
  withMonths,
} from '../../../accounts/performance.ts';
import { findEachItem } from '../../../domain/catalog/find-each-item.ts';
import { itemKinds, refText } from '../../../domain/catalog/numbers.ts';
import { yieldToEventLoop } from '../../../domain/kernel/event-loop.ts';
import { dayOf } from '../../../domain/kernel/time.ts';
import type { ListedItem } from '../../../domain/market/published-records.ts';
import {
  countGaps,
  estimatedShares,
  type Mover,
  moversOf,
  type NamedGroup,
  sumOfShares,
  type ThemeShare,
  themeShares,
} from '../../../domain/portfolio/breakdown.ts';
import {
  type Gain,
  type HoldingsTotal,
  totalOf,
  valueTier,
} from '../../../domain/portfolio/holdings.ts';
import { type Range, ranges, spanOf } from '../../../domain/portfolio/periods.ts';
import type { WebDeps } from '../../deps.ts';
import { changedAddress, withQuery } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { hiddenKeys } from '../../kit/chart.tsx';
import type { ChartMark } from '../../kit/chart-data.ts';
import { mainColumn, moneyColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { countText, moneyText, nounText, percentText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Delta, Missing, Money } from '../../kit/money.tsx';
import { Segments } from '../../kit/segments.tsx';
import { Treemap } from '../../kit/treemap.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { MinifigNote } from '../minifig-note.tsx';
import { Activity, type ActivityRow, readActivity } from './activity.tsx';
import { chartViews, marksOf, PortfolioChart } from './portfolio-chart.tsx';

/** The number of top gainers and of top losers, and of themes before `other themes`. */
const moversShown = 5;
const themesShown = 24;

/** The data of the page, which is cached because it takes long to compute. */
interface Portfolio {
  readonly range: Range;
  /** The ranges that can be chosen. */
  readonly offered: readonly Range[];
  readonly total: HoldingsTotal;
  /** The part of the total that is minifigs. */
  readonly minifigs: HoldingsTotal;
  readonly performance: Performance;
  readonly shares: readonly ThemeShare[];
  readonly gaps: ReturnType<typeof countGaps>;
  readonly estimated: ReturnType<typeof estimatedShares>;
  readonly movers: ReturnType<typeof moversOf>;
  readonly marks: readonly ChartMark[];
  /** The items of the movers, by `refText`. */
  readonly items: ReadonlyMap<string, ListedItem>;
  readonly activity: readonly ActivityRow[];
}

/** The page, and its former path. */
export function portfolioRoutes(deps: WebDeps) {
  const kept = new FigureCache<Portfolio | null>(deps, roomOf);
  return ownPages({
    '/portfolio': { get: (_, request) => showPortfolio(deps, kept, request) },
    '/overview': {
      get: (_, { query }) => ({ goTo: withQuery('/portfolio', { range: query.get('period') }) }),
    },
  });
}

/** The approximate size in memory, in characters; the daily sums take the most. */
function roomOf(portfolio: Portfolio | null): number {
  if (portfolio === null) return 0;
  const { performance, shares, marks, activity } = portfolio;
  return 50 * (performance.sums.length + shares.length + marks.length) + 250 * activity.length;
}

async function showPortfolio(
  deps: WebDeps,
  kept: FigureCache<Portfolio | null>,
  request: OwnRequest,
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const { query } = request;
  const asked = ranges.find((known) => known === query.get('range')) ?? '90d';
  const day = dayOf(request.at);
  const portfolio = await kept.find(
    { accountId, name: `${asked} ${request.formats.key}`, day },
    () => readPortfolio(deps, accountId, { asked, today: day }),
  );
  if (portfolio === null) return <FirstSteps request={request} />;
  return <PortfolioPage request={request} portfolio={portfolio} />;
}

/** Null if the account has neither lots nor sales. */
async function readPortfolio(
  deps: WebDeps,
  accountId: number,
  { asked, today }: { readonly asked: Range; readonly today: number },
): Promise<Portfolio | null> {
  const read = await readPositions(deps.portfolio, accountId, itemKinds);
  const sales = await deps.accounts.listSaleResults(accountId);
  await yieldToEventLoop();
  if (read.length === 0 && sales.length === 0) return null;
  const first = firstPurchase(read);
  // Without any purchase date, `all` has no first day.
  const offered = ranges.filter((each) => each !== 'all' || Number.isFinite(first));
  const range = offered.includes(asked) ? asked : '90d';
  const span = spanOf(range, today, first);
  const lines = await withMonths(deps.portfolio, read, span);
  const itemOf = await findEachItem(read, (kind, keys) =>
    deps.portfolio.market.findListedItems(kind, keys),
  );
  await yieldToEventLoop();
  const performance = await performanceOf(lines, sales, { range, span });
  const groups = lines.map((line) => namedGroup(line, itemOf(line)));
  const since = span.days[0] ?? today;
  await yieldToEventLoop();
  const movers = moversOf(groups, { since, today, count: moversShown });
  await yieldToEventLoop();
  const stakes = stakesOf(read);
  return {
    range,
    offered,
    total: totalOf(stakes),
    minifigs: totalOf(stakes.filter(({ kind }) => kind === 'minifig')),
    performance,
    shares: themeShares(groups),
    gaps: countGaps(groups),
    estimated: estimatedShares(groups),
    movers,
    marks: marksOf(groups, span),
    items: new Map(
      [...movers.best, ...movers.worst].flatMap((mover) => {
        const item = itemOf(mover);
        return item ? [[refText(mover), item] as const] : [];
      }),
    ),
    activity: await readActivity(deps, accountId, {
      today,
      heldKeys: stakes.flatMap(({ kind, key }) => (kind === 'set' ? key : [])),
    }),
  };
}

function namedGroup(line: PositionGroup, item: ListedItem | null): NamedGroup {
  const { kind, key, condition, share, history, positions } = line;
  const tier = valueTier(item, condition, share);
  return { kind, key, theme: item?.theme ?? '', history, tier, positions };
}

function FirstSteps({ request }: { readonly request: OwnRequest }) {
  return (
    <Layout title="Portfolio" request={request}>
      <EmptyState
        title="Your portfolio is empty"
        actions={[
          { href: '/inventory/add', text: 'Add a set or minifig' },
          { href: '/inventory/import', text: 'Import a file' },
          { href: '/market', text: 'Explore the market' },
        ]}
      >
        Add the sets and minifigs you own to see what they are worth, how that changes, and when
        retailers change their prices.
      </EmptyState>
    </Layout>
  );
}

interface PartProps {
  readonly request: OwnRequest;
  readonly portfolio: Portfolio;
}

function PortfolioPage({ request, portfolio }: PartProps) {
  const { movers, items, activity, range } = portfolio;
  return (
    <Layout title="Portfolio" request={request} hasOwnTitle>
      <Hero request={request} portfolio={portfolio} />
      <Themes shares={portfolio.shares} />
      <div class="grid halves brief">
        <Movers title={`Top gainers, ${rangeWords[range]}`} movers={movers.best} items={items} />
        <Movers title={`Top losers, ${rangeWords[range]}`} movers={movers.worst} items={items} />
      </div>
      <Activity rows={activity} />
    </Layout>
  );
}

const rangeNames: Readonly<Record<Range, string>> = {
  '1d': '1D',
  '7d': '7D',
  '30d': '30D',
  '90d': '90D',
  ytd: 'YTD',
  '1y': '1Y',
  all: 'All',
};

const rangeWords: Readonly<Record<Range, string>> = {
  '1d': '1 day',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  ytd: 'this year',
  '1y': '1 year',
  all: 'all time',
};

function Hero({ request, portfolio }: PartProps) {
  const { range, total, performance } = portfolio;
  const view = chartViews.find(({ key }) => key === request.query.get('show')) ?? chartViews[0];
  const percent = total.costCents === 0 || isMostlyGuessed(portfolio) ? null : total.gainPct;
  return (
    <section class="card portfolio-hero">
      <h1 class="quiet small">Portfolio value</h1>
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
          hidden={hiddenKeys(request.query)}
        />
      )}
      <EstimateNote portfolio={portfolio} />
      <Results portfolio={portfolio} />
      <Coverage portfolio={portfolio} />
      <MinifigNote total={portfolio.minifigs} />
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
    value > estimatedShareMax && `${percentText(100 * value)} of the value`,
    cost > estimatedShareMax && `${percentText(100 * cost)} of the cost`,
  ];
  const text = parts.filter(Boolean).join(' and ');
  return <p class="quiet small">{`${text} is estimated, so returns in percent aren’t shown.`}</p>;
}

/** Where the gain of the range comes from. */
function GainFigure({ portfolio }: { readonly portfolio: Portfolio }) {
  const { range, performance } = portfolio;
  if (performance.gains === null) return null;
  const { buyingCents, marketCents, sellingCents, totalCents } = performance.gains;
  const parts = Object.entries({
    market: marketCents,
    buying: buyingCents,
    selling: sellingCents,
  });
  return (
    <Figure
      name={`Total gain, ${rangeWords[range]}`}
      value={<Delta cents={totalCents} />}
      note={parts.map(([name, cents]) => (
        <div key={name}>
          <Delta cents={cents} /> {name}
        </div>
      ))}
    />
  );
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
  const annualized = isShort ? '90 days or more' : 'annualized';
  return (
    <Figures>
      <Figure name="Cost basis" value={<Money cents={total.costCents} />} />
      <Figure
        name="Unrealized gain"
        value={<Delta cents={total.gainCents} />}
        note={
          isDated && (
            <>
              <Delta cents={unrealizedChangeCents} />
              {` ${rangeWords[range]}`}
            </>
          )
        }
      />
      <Figure
        name="Realized gain"
        value={<Delta cents={performance.realizedGainCents} />}
        note={rangeWords[range]}
      />
      <GainFigure portfolio={portfolio} />
      <Figure
        name="Time-weighted return"
        value={
          <Delta
            percent={ratio(performance.timeWeightedReturn)}
            missing={why(isDated ? 'Nothing held' : unknown)}
          />
        }
        note={isDated ? `${rangeWords[range]}, market only` : unknown}
      />
      <Figure
        name="XIRR"
        value={
          isShort ? (
            <Missing reason="Shown for ranges of 90 days or more" />
          ) : (
            <Delta
              percent={ratio(performance.moneyWeightedReturn)}
              missing={why(isDated ? 'Not available for this range' : unknown)}
            />
          )
        }
        note={isDated ? annualized : unknown}
      />
    </Figures>
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

/** A theme, or the sum of all smaller ones. */
interface ThemeRow extends Gain {
  readonly name: string;
  readonly href: string;
}

/** The largest themes, and one row for all others, so that rows add up to the portfolio. */
function themeRows(shares: readonly ThemeShare[]): ThemeRow[] {
  const rows = shares.slice(0, themesShown).map((share): ThemeRow => {
    const { theme } = share;
    if (theme === '') return { ...share, name: 'No theme', href: byTheme };
    return { ...share, name: theme, href: withQuery('/inventory', { theme }) };
  });
  const others = shares.slice(themesShown);
  if (others.length === 0) return rows;
  const name = nounText(others.length, 'other theme');
  return [...rows, { ...sumOfShares(others), name, href: byTheme }];
}

/** For rows that no filter selects: lots without a theme come first in this order. */
const byTheme = '/inventory?sort=theme';

const themeColumns: readonly Column<ThemeRow>[] = [
  mainColumn('Theme', ({ name, href }) => <a href={href}>{name}</a>),
  moneyColumn('Market value', ({ valueCents }) => valueCents),
  numberColumn('Unrealized gain', ({ gainCents, gainPct, costCents }) => (
    <Delta cents={gainCents} percent={costCents === 0 ? null : gainPct} />
  )),
];

function Themes({ shares }: { readonly shares: readonly ThemeShare[] }) {
  if (shares.length === 0) return null;
  const rows = themeRows(shares);
  const tiles = rows.map(({ name, href, valueCents, gainPct, costCents }) => ({
    name,
    size: valueCents,
    text: `${moneyText(valueCents)}${costCents === 0 ? '' : ` ${percentText(gainPct)}`}`,
    percent: gainPct,
    href,
  }));
  return (
    <Card title="Themes">
      <Treemap label="Market value by theme" tiles={tiles} />
      <details>
        <summary>Show numbers</summary>
        <DataTable label="Themes" columns={themeColumns} rows={rows} />
      </details>
    </Card>
  );
}

function Movers(props: {
  readonly title: string;
  readonly movers: readonly Mover[];
  readonly items: Portfolio['items'];
}) {
  const { title, movers, items } = props;
  const columns: readonly Column<Mover>[] = [
    mainColumn('Item', ({ kind, key, units }) => {
      const { number = key, title: name = key } = items.get(refText({ kind, key })) ?? {};
      return <ItemCell kind={kind} number={number} name={name} about={nounText(units, 'unit')} />;
    }),
    moneyColumn('Market value', ({ valueCents }) => valueCents, { isMinor: true }),
    numberColumn('Change', ({ changeCents, changePct }) => (
      <Delta cents={changeCents} percent={changePct} />
    )),
  ];
  return (
    <Card title={title}>
      {movers.length === 0 ? (
        <p class="quiet flush">None in this range. Estimated values are left out.</p>
      ) : (
        <DataTable label={title} columns={columns} rows={movers} />
      )}
    </Card>
  );
}
