/** The market page, and search suggestions. */

import { readPieces } from '../../catalog/search/piece-range.ts';
import { matchThemes } from '../../catalog/search/search-themes.ts';
import { Rate } from '../../http/rate.ts';
import type { ThemeSummary } from '../../market/lists/market-list.ts';
import { addressOf, changedAddress, itemPath, themePath } from '../kit/address.ts';
import { faultAnswer } from '../kit/fault.tsx';
import { statusOf } from '../kit/fields.tsx';
import { nounText } from '../kit/format.ts';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { lastPagePath } from '../kit/list.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { SignInHint } from './item-head.tsx';
import { findView, MarketForm, MarketTable } from './market-view.tsx';
import { MoverLists } from './movers.tsx';
import { suggest, themeOrTerm } from './suggestions.ts';

/** How often visitors of one network may search: enough for fast typing. */
const visitorLimits = { burst: 60, perSecond: 4 };

const themesMax = 4;

export type MaySearch = (request: PageRequest) => boolean;

export function searchLimit({ clock }: Pick<WebDeps, 'clock'>): MaySearch {
  const visitors = new Rate(visitorLimits, clock);
  return ({ who, network }) => who !== null || visitors.take(network);
}

export function searchRoutes(maySearch: MaySearch) {
  return routes('open', {
    '/market': {
      get: (deps, request) =>
        maySearch(request) ? showMarket(deps, request) : tooManySearches(request),
    },
    '/search': {
      get: (_, { query }) => ({ goTo: addressOf({ path: '/market', query }) }),
    },
    '/search.json': {
      get: async (deps, request) =>
        maySearch(request)
          ? { data: { results: await suggest(deps, request) } }
          : { data: { results: [] }, status: 429 },
    },
  });
}

export function tooManySearches(request: PageRequest): PageAnswer {
  const message =
    'Too many searches from your network. Wait a few seconds, or sign in to search without limit.';
  return faultAnswer(request, 429, message);
}

async function showMarket(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const counted = readPieces(request.query.get('q') ?? '');
  if (counted) {
    const { pieces, ...found } = themeOrTerm(await deps.cache.findMarket(), counted);
    const query = { ...found, pieces_from: pieces.from, pieces_to: pieces.to };
    return { goTo: changedAddress(request, query) };
  }
  const view = await findView(deps, request);
  const { kind, isNarrowed } = view;
  const [only, other] = view.scanned;
  // A scanned barcode opens the set.
  if (only && !other) return { goTo: itemPath('set', only.number) };
  const last = lastPagePath(request, view.totals[kind], view.pageRows);
  if (last !== null) return { goTo: last };
  const isStart = request.who !== null && !isNarrowed && kind === 'set';
  const movers = isStart ? (await deps.cache.findMarket()).movers(null) : null;
  const themes = view.term === null ? [] : matchThemes(view.themes, view.term);
  const page = (
    <Layout title="Market" request={request} tabs={marketTabs}>
      <MarketForm request={request} view={view} />
      {!request.who && <SignInHint request={request} />}
      {themes.length > 0 && <ThemeLine themes={themes.slice(0, themesMax)} />}
      {movers && <MoverLists movers={movers} />}
      <MarketTable request={request} view={view} />
    </Layout>
  );
  return { page, status: statusOf(view.typed) };
}

function ThemeLine({ themes }: { readonly themes: readonly ThemeSummary[] }) {
  return (
    <p>
      {themes.length === 1 ? 'Theme: ' : 'Themes: '}
      {themes.map(({ theme, setCount }, index) => (
        <>
          {index > 0 && ', '}
          <a href={themePath(theme)}>{theme}</a>{' '}
          <span class="quiet">{nounText(setCount, 'set')}</span>
        </>
      ))}
    </p>
  );
}
