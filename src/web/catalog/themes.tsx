/** The list of themes, and the page of each. */

import { canonicalTheme } from '../../catalog/items/themes.ts';
import { indexSetsMin, type ThemeSummary } from '../../market/lists/market-list.ts';
import { itemPath, themePath } from '../kit/address.ts';
import { Card, EmptyState, Figures } from '../kit/card.tsx';
import {
  column,
  countColumn,
  mainColumn,
  numberColumn,
  readOrder,
  sortInAddress,
} from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { missingPage } from '../kit/fault.tsx';
import { statusOf } from '../kit/fields.tsx';
import { countText, nounText } from '../kit/format.ts';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { lastPagePath } from '../kit/list.tsx';
import { Delta } from '../kit/money.tsx';
import type { Order } from '../kit/sort-menu.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { SignInHint } from './item-head.tsx';
import { findView, MarketForm, MarketTable } from './market-view.tsx';
import { MoverLists } from './movers.tsx';
import { type MaySearch, tooManySearches } from './search.tsx';

export function themeRoutes(maySearch: MaySearch) {
  return routes('open', {
    '/themes': { get: showThemes },
    '/themes/{name}': {
      get: (deps, request) => {
        const isAllowed = !request.query.get('q') || maySearch(request);
        return isAllowed ? showTheme(deps, request) : tooManySearches(request);
      },
    },
  });
}

const tooFew = `Fewer than ${indexSetsMin} sets with sales now and a year ago`;

const openColumns: readonly Column<ThemeSummary>[] = [
  mainColumn('Theme', ({ theme }) => <a href={themePath(theme)}>{theme}</a>, { sort: 'name' }),
  countColumn('Sets', ({ setCount }) => setCount, { sort: 'sets' }),
];

/** Columns for users who are signed in. */
const valueColumns: readonly Column<ThemeSummary>[] = [
  countColumn('In the index', ({ valuedCount }) => valuedCount, { sort: 'valued', isMinor: true }),
  numberColumn('Index, 1 year', ({ change365 }) => <Delta percent={change365} missing={tooFew} />, {
    sort: 'index',
  }),
  column(
    'Top mover, 90 days',
    ({ topMover }) =>
      topMover && (
        <span>
          <a href={itemPath('set', topMover.number)}>{topMover.name}</a>{' '}
          <Delta percent={topMover.change90} />
        </span>
      ),
    {
      isMinor: true,
    },
  ),
];

const sortValues: Readonly<Record<string, (theme: ThemeSummary) => number | null>> = {
  sets: ({ setCount }) => setCount,
  valued: ({ valuedCount }) => valuedCount,
  index: ({ change365 }) => change365,
};

/** Sorts themes; unknown values come last. */
function sortThemes(themes: readonly ThemeSummary[], { key, isDescending }: Order) {
  const sign = isDescending ? -1 : 1;
  const read = sortValues[key];
  if (!read) return isDescending ? themes.toReversed() : themes;
  const of = (theme: ThemeSummary) => read(theme) ?? sign * Number.POSITIVE_INFINITY;
  const difference = (a: number, b: number) => (a === b ? 0 : a - b);
  return themes.toSorted((a, b) => sign * difference(of(a), of(b)));
}

async function showThemes(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const { themes } = await deps.cache.findMarket();
  const isSignedIn = request.who !== null;
  const columns = isSignedIn ? [...openColumns, ...valueColumns] : openColumns;
  const requested = readOrder(request.query.get('sort') ?? '');
  const isKnown = columns.some(({ key }) => key === requested.key);
  const order = isKnown ? requested : { key: 'name', isDescending: false };
  return (
    <Layout title="Themes" request={request} tabs={marketTabs}>
      {isSignedIn ? (
        <p class="quiet">
          The index is the median one-year change in sealed value of a theme’s sets. Estimated
          values are left out.
        </p>
      ) : (
        <SignInHint request={request} />
      )}
      <Card class="brief">
        {themes.length === 0 ? (
          <EmptyState title="The catalog is empty">Sets appear after the first import.</EmptyState>
        ) : (
          <DataTable
            label="Themes"
            columns={columns}
            rows={sortThemes(themes, order)}
            sort={sortInAddress(request, order)}
          />
        )}
      </Card>
    </Layout>
  );
}

async function showTheme(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const theme = request.params.name ?? '';
  const list = await deps.cache.findMarket();
  const summary = list.themes.find((each) => each.theme === theme);
  if (!summary) {
    // Other spellings of a theme redirect to it.
    const shown = canonicalTheme(theme);
    return shown === theme ? missingPage(request) : { goTo: themePath(shown) };
  }
  const view = await findView(deps, request, theme);
  const last = lastPagePath(request, view.totals[view.kind], view.pageRows);
  if (last !== null) return { goTo: last };
  const movers = request.who && !view.isNarrowed ? list.movers(theme) : null;
  const { setCount, valuedCount, change365 } = summary;
  const page = (
    <Layout title={theme} request={request} tabs={marketTabs}>
      {request.who ? (
        <Card>
          <Figures
            figures={[
              [
                'Index, 1 year',
                <Delta percent={change365} missing={tooFew} />,
                change365 === null ? tooFew : `Median of ${nounText(valuedCount, 'set')}`,
              ],
              ['Sets', countText(setCount)],
            ]}
          />
        </Card>
      ) : (
        <SignInHint request={request} />
      )}
      {movers && <MoverLists movers={movers} isOneTheme />}
      <MarketForm request={request} view={view} isOneTheme />
      <MarketTable request={request} view={view} isOneTheme />
    </Layout>
  );
  return { page, status: statusOf(view.typed) };
}
