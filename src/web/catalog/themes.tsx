/** Themes, and the sets of each. */

import type { SetSearchResult, ThemeList } from '../../contract/catalog.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { canonicalTheme } from '../../domain/catalog/themes.ts';
import { moneyText } from '../../domain/kernel/format.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { missingPage } from '../kit/fault.tsx';
import { Layout } from '../kit/layout.tsx';
import { themePath } from '../kit/links.tsx';
import { Paging, pageOf } from '../kit/paging.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { aboutSet, ItemCards, type LinkedItem } from './item-cards.tsx';
import { setsText, ThemeLinks } from './theme-links.tsx';

const pageSize = 48;

/** The pages of themes. */
export function themeRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'open', path: '/themes', get: (request) => showThemes(deps, request) },
    { access: 'open', path: '/themes/{name}', get: (request) => showTheme(deps, request) },
  ];
}

async function showThemes(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const body = await deps.market.findThemes();
  const { themes }: ThemeList = body === null ? { themes: [] } : JSON.parse(body);
  const page = (
    <Layout title="Themes" request={request}>
      {themes.length === 0 ? (
        <p>There are no sets yet. They come with the first import.</p>
      ) : (
        <ThemeLinks themes={themes} />
      )}
    </Layout>
  );
  return { page };
}

async function showTheme(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const theme = request.params.name ?? '';
  const page = pageOf(request.query);
  const { market } = deps;
  const found = await market.listThemeSets(theme, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  if (found.rows.length === 0) {
    // Links of before themes had one spelling go on to lead there.
    const shown = canonicalTheme(theme);
    return shown === theme ? missingPage(request) : { goTo: themePath(shown) };
  }
  const sets = found.rows.map((row): SetSearchResult => JSON.parse(row));
  const items = await withValues(deps, request, sets);
  return {
    page: (
      <Layout title={theme} request={request}>
        <p class="quiet">{`${setsText(found.total)}, the newest first.`}</p>
        <section class="card">
          <ItemCards kind="set" items={items} />
        </section>
        <Paging
          page={page}
          pageSize={pageSize}
          total={found.total}
          to={(to) => withQuery(themePath(theme), { page: to })}
        />
      </Layout>
    ),
  };
}

/** Cards of sets, with their values for those who are signed in. */
async function withValues(
  deps: WebDeps,
  request: PageRequest,
  sets: readonly SetSearchResult[],
): Promise<LinkedItem[]> {
  const keys = sets.map((set) => itemKey('set', set.set_number));
  const values = request.who ? await deps.market.findListedSets(keys) : null;
  return sets.map((set, index) => {
    const cents = values?.get(keys[index] ?? '')?.newCents ?? null;
    const words = [aboutSet(set), cents === null ? '' : moneyText(cents)];
    return {
      number: set.set_number,
      name: set.title,
      about: words.filter((part) => part !== '').join(' · '),
    };
  });
}
