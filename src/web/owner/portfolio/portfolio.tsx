/** The portfolio page: value, performance, themes, top movers and recent activity. */
import { refText } from '../../../catalog/items/numbers.ts';
import type { Gain } from '../../../portfolio/lots/holdings.ts';
import { type Mover, sumOfShares, type ThemeShare } from '../../../portfolio/returns/breakdown.ts';
import { withQuery } from '../../kit/address.ts';
import { Card, EmptyState } from '../../kit/card.tsx';
import { mainColumn, moneyColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { moneyText, nounText, percentText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Delta } from '../../kit/money.tsx';
import { Treemap } from '../../kit/treemap.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { Activity } from './activity.tsx';
import { PortfolioCard, rangeWords } from './portfolio-card.tsx';
import type { FindPortfolio, Portfolio } from './portfolio-figures.ts';

/** The number of themes before `other themes`. */
const themesShown = 24;

export function portfolioRoutes(findPortfolio: FindPortfolio) {
  return routes('own', {
    '/portfolio': { get: (_, request) => showPortfolio(findPortfolio, request) },
  });
}

async function showPortfolio(find: FindPortfolio, request: OwnRequest): Promise<PageAnswer> {
  const portfolio = await find(request);
  if (portfolio === null)
    return (
      <Layout title="Portfolio" request={request}>
        <EmptyState
          title="Your portfolio is empty"
          actions={[
            ['/inventory/add', 'Add a set or minifig'],
            ['/inventory/import', 'Import a file'],
            ['/market', 'Explore the market'],
          ]}
        >
          Add the sets and minifigs you own to see what they are worth, how that changes, and when
          retailers change their prices.
        </EmptyState>
      </Layout>
    );
  const { movers, items, activity, range } = portfolio;
  return (
    <Layout title="Portfolio" request={request} hasOwnTitle>
      <PortfolioCard request={request} portfolio={portfolio} isTitle />
      <Themes shares={portfolio.shares} />
      <div class="grid halves brief">
        <Movers title={`Top gainers, ${rangeWords[range]}`} movers={movers.best} items={items} />
        <Movers title={`Top losers, ${rangeWords[range]}`} movers={movers.worst} items={items} />
      </div>
      <Activity rows={activity} />
    </Layout>
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
