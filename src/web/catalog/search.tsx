/** Search: a page for everybody, and the same as data for suggestions while somebody types. */

import type { ThemeList } from '../../contract/catalog.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { countText } from '../../domain/kernel/format.ts';
import { isSearchable } from '../../domain/search/search-terms.ts';
import { matchThemes } from '../../domain/search/search-themes.ts';
import { Rate } from '../../http/rate.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { faultAnswer } from '../kit/fault.tsx';
import { Layout } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { Paging, pageOf } from '../kit/paging.tsx';
import { SearchBox } from '../kit/search-box.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { ItemCards, type LinkedItem, minifigCard, setCard } from './item-cards.tsx';
import { findByBarcode, suggest } from './suggestions.ts';
import { ThemeLinks } from './theme-links.tsx';

const pageSize = 24;

/** How often a network may search without signing in: as fast as somebody types, for a while. */
const strangerLimits = { burst: 60, perSecond: 4, names: 10_000 };

/** More themes than this are not shown above what is found. */
const themesMax = 4;

/** The search. */
export function searchRoutes(deps: WebDeps): readonly PageRoute[] {
  const strangers = new Rate(strangerLimits, deps.clock);
  const mayAsk = ({ who, network }: PageRequest) => who !== null || strangers.take(network);
  return [
    {
      access: 'open',
      path: '/search',
      get: async (request) =>
        mayAsk(request) ? showSearch(deps, request) : faultAnswer(request, 429, tooOften),
    },
    {
      access: 'open',
      path: '/search.json',
      get: async (request) =>
        mayAsk(request)
          ? { data: { results: await suggest(deps, request) } }
          : { data: { results: [] }, status: 429 },
    },
  ];
}

const tooOften =
  'Too many searches from your network. Wait a few seconds, or sign in to search without limit.';

/** What was typed, if it can be looked for. */
function termOf(query: URLSearchParams): { readonly typed: string; readonly term: string | null } {
  const typed = (query.get('q') ?? '').trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing is called by these.
  const isPlain = !/[\u0000-\u001f\u007f-\u009f]/.test(typed);
  const isGood = isPlain && typed.length <= searchLengthMax && isSearchable(typed, searchLengthMin);
  return { typed: typed.slice(0, searchLengthMax), term: isGood ? typed : null };
}

interface FoundItems {
  readonly items: readonly LinkedItem[];
  readonly total: number;
}

async function findItems(
  deps: WebDeps,
  kind: ItemKind,
  options: { readonly term: string; readonly limit: number; readonly offset: number },
): Promise<FoundItems> {
  const { rows, total } = await deps.search({ kind, ...options });
  return { items: rows.map(kind === 'set' ? setCard : minifigCard), total };
}

async function showSearch(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const { typed, term } = termOf(request.query);
  if (term === null) return { page: <SearchPage request={request} typed={typed} found={null} /> };
  const coded = await findByBarcode(deps, term);
  const [only, other] = coded;
  // What a scanner reads leads straight to the set.
  if (only && !other) return { goTo: itemPath('set', only.number) };
  const page = pageOf(request.query);
  const kind = request.query.get('kind');
  // Pages further on are of one kind; the first one shows both.
  const options = { term, limit: pageSize, offset: (page - 1) * pageSize };
  const [themes, sets, minifigs] = await Promise.all([
    kind === null ? findThemes(deps, term) : [],
    kind === 'minifig' ? null : findItems(deps, 'set', options),
    kind === 'set' ? null : findItems(deps, 'minifig', options),
  ]);
  const found = { coded, themes, sets, minifigs, page };
  return { page: <SearchPage request={request} typed={typed} found={found} /> };
}

/** The themes that may be meant. */
async function findThemes({ market }: WebDeps, term: string): Promise<ThemeList['themes']> {
  const body = await market.findThemes();
  const { themes }: ThemeList = body === null ? { themes: [] } : JSON.parse(body);
  return matchThemes(themes, term).slice(0, themesMax);
}

interface Found {
  readonly coded: readonly LinkedItem[];
  readonly themes: ThemeList['themes'];
  /** Null where they were not looked for. */
  readonly sets: FoundItems | null;
  readonly minifigs: FoundItems | null;
  readonly page: number;
}

function SearchPage(props: {
  readonly request: PageRequest;
  readonly typed: string;
  readonly found: Found | null;
}) {
  const { request, typed, found } = props;
  return (
    <Layout title="Search" request={request} hasOwnSearch>
      <section class="card">
        <SearchBox id="search" typed={typed} />
        {!found && (
          <p class="quiet">
            {typed === ''
              ? 'Type a number, a part of a name, or a barcode.'
              : `Type ${searchLengthMin} to ${searchLengthMax} characters.`}
          </p>
        )}
      </section>
      {found && <Results typed={typed} found={found} />}
    </Layout>
  );
}

function Results({ typed, found }: { readonly typed: string; readonly found: Found }) {
  const { coded, themes, sets, minifigs, page } = found;
  const total = coded.length + themes.length + (sets?.total ?? 0) + (minifigs?.total ?? 0);
  if (total === 0) {
    return <p role="status">{`Nothing is called '${typed}'. Try fewer or other words.`}</p>;
  }
  return (
    <>
      {coded.length > 0 && (
        <section class="card">
          <h2>Sets with this barcode</h2>
          <ItemCards kind="set" items={coded} />
        </section>
      )}
      {themes.length > 0 && (
        <section class="card">
          <h2>Themes</h2>
          <ThemeLinks themes={themes} />
        </section>
      )}
      <Kind kind="set" title="Sets" typed={typed} page={page} found={sets} />
      <Kind kind="minifig" title="Minifigs" typed={typed} page={page} found={minifigs} />
    </>
  );
}

function Kind(props: {
  readonly kind: ItemKind;
  readonly title: string;
  readonly typed: string;
  readonly page: number;
  readonly found: FoundItems | null;
}) {
  const { kind, title, typed, page, found } = props;
  if (!found || found.total === 0) return null;
  return (
    <section class="card">
      <h2>{`${title}: ${countText(found.total)}`}</h2>
      <ItemCards kind={kind} items={found.items} />
      <Paging
        page={page}
        pageSize={pageSize}
        total={found.total}
        to={(to) => withQuery('/search', { q: typed, kind, page: to })}
      />
    </section>
  );
}
