/** Search suggestions: pages, sets in the inventory, and the catalog. */

import { type ItemKind, itemKey, itemKinds } from '../../catalog/items/numbers.ts';
import { type PieceSearch, readPieces } from '../../catalog/search/piece-range.ts';
import { isSearchable } from '../../catalog/search/search-terms.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import { foldText } from '../../kernel/text.ts';
import { noFilters } from '../../market/lists/market-filters.ts';
import type { MarketList } from '../../market/lists/market-list.ts';
import { itemPath } from '../kit/address.ts';
import { moneyText, nounText } from '../kit/format.ts';
import { picturePath } from '../kit/item-picture.tsx';
import type { PageRequest, WebDeps } from '../page.ts';
import { findBarcodeRows, findHeldItems } from './find-item.ts';
import { type LinkedItem, minifigCard, setCard } from './item-cards.tsx';

/** The maximum number of suggestions of each kind. */
const suggested = { page: 3, held: 3, set: 6, minifig: 4 } as const;

interface Suggestion {
  readonly kind: ItemKind | 'page';
  /** The value that a set picker gets. */
  readonly number: string;
  readonly name: string;
  readonly about: string;
  readonly href: string;
  readonly picture?: string;
}

const pages: readonly (readonly [href: string, name: string, words: string])[] = [
  ['/today', 'Today', 'home start news deals'],
  ['/portfolio', 'Portfolio', 'overview value returns'],
  ['/inventory', 'Inventory', 'collection lots holdings'],
  ['/inventory/add', 'Add a set or minifig', 'new lot buy purchase'],
  ['/inventory/import', 'Import a file', 'upload csv brickeconomy bricklink orders'],
  ['/inventory/insurance', 'Insurance sheet', 'report list value'],
  ['/purchases', 'Purchases', 'receipts orders'],
  ['/sales', 'Sales', 'ledger tax year report'],
  ['/sales/new', 'Record a sale', 'sell sold'],
  ['/sales/profit', 'Profit report', 'theme platform month year'],
  ['/sales/fees-paid', 'Fees paid', 'report'],
  ['/market', 'Market', 'search catalog'],
  ['/themes', 'Themes', 'market'],
  ['/deals', 'Deals', 'buy offers'],
  ['/retail', 'Retail prices', 'watch amazon'],
  ['/scorecard', 'Accuracy', 'report scorecard values'],
  ['/evaluate', 'Evaluate a box', 'bid lot bulk'],
  ['/scan', 'Scan barcodes', 'camera upc ean store'],
  ['/watchlist', 'Watchlist', 'wanted target'],
  ['/alerts', 'Alerts', 'notifications'],
  ['/alerts/fired', 'Fired alerts', 'bell notifications sent'],
  ['/account', 'Account', 'password sessions export delete'],
  ['/account/buying', 'Buying settings', 'margin fees tax chance confidence'],
  ['/keys', 'API keys', 'developer'],
  ['/usage', 'Usage', 'developer calls quota'],
  ['/webhooks', 'Webhooks', 'developer'],
  ['/keys/spreadsheets', 'Spreadsheets', 'developer google sheets excel'],
  ['/docs', 'API docs', 'developer reference'],
];

/** The suggestions; `kind` limits them to sets, items in the inventory, or any item. */
export async function suggest(deps: WebDeps, { query, who }: Pick<PageRequest, 'query' | 'who'>) {
  const typed = (query.get('q') ?? '').trim();
  const kind = query.get('kind');
  const isGood = typed.length <= searchLengthMax && isSearchable(typed, searchLengthMin);
  const accountId = who?.accountId ?? null;
  if (kind === 'held') {
    return accountId === null ? [] : suggestHeld(deps, accountId, typed, suggested.set);
  }
  const found = isGood ? await suggestItems(deps, typed, kind === 'set') : [];
  if (accountId === null) return found;
  if (kind !== null) return withValues(deps, found);
  const held = await suggestHeld(deps, accountId, typed, suggested.held);
  const items = await withValues(deps, onceEach([...held, ...found]));
  return [...suggestPages(typed), ...items];
}

/** Items in the inventory are also in the catalog. */
function onceEach(suggestions: readonly Suggestion[]): Suggestion[] {
  const byPath = new Map<string, Suggestion>();
  for (const each of suggestions) if (!byPath.has(each.href)) byPath.set(each.href, each);
  return [...byPath.values()];
}

async function withValues({ market }: WebDeps, suggestions: readonly Suggestion[]) {
  const valuesOf = async (kind: ItemKind) => {
    const keys = suggestions.flatMap((each) =>
      each.kind === kind ? [itemKey(kind, each.number)] : [],
    );
    const records = keys.length === 0 ? [] : await market.findMarketRecords(kind, keys);
    return records.map(({ number, valueCents }): [string, number | null] => [
      itemPath(kind, number),
      valueCents,
    ]);
  };
  const values = new Map((await Promise.all(itemKinds.map(valuesOf))).flat());
  return suggestions.map((each) => {
    const cents = values.get(each.href) ?? null;
    return cents === null ? each : { ...each, about: `${each.about} · ${moneyText(cents)}` };
  });
}

function suggestPages(typed: string): Suggestion[] {
  const term = foldText(typed);
  if (term.length < searchLengthMin) return [];
  const fits = (text: string) =>
    foldText(text)
      .split(' ')
      .some((word) => word.startsWith(term));
  return pages
    .filter(([, name, words]) => foldText(name).startsWith(term) || fits(`${name} ${words}`))
    .slice(0, suggested.page)
    .map(([href, name]) => ({ kind: 'page', number: '', name, about: 'Page', href }));
}

async function suggestHeld(deps: WebDeps, accountId: number, typed: string, limit: number) {
  const held = await findHeldItems(deps, accountId, { typed, limit });
  return held.map(({ kind, number, title, units }) => ({
    kind,
    number,
    name: title,
    about: `${number} · ${nounText(units, 'unit')} in your inventory`,
    href: itemPath(kind, number),
    picture: picturePath(kind, number, 'thumb'),
  }));
}

async function suggestItems(deps: WebDeps, term: string, isSetsOnly: boolean) {
  const counted = readPieces(term);
  if (counted) return suggestByPieces(deps, counted);
  const [scanned, sets, minifigs] = await Promise.all([
    findByBarcode(deps, term),
    deps.cache.search({ kind: 'set', term, limit: suggested.set, offset: 0 }),
    isSetsOnly
      ? { rows: [], hasPlain: false }
      : deps.cache.search({ kind: 'minifig', term, limit: suggested.minifig, offset: 0 }),
  ]);
  const ofSets = sets.rows.map((row) => suggestion('set', setCard(row)));
  const ofMinifigs = minifigs.rows.map((row) => suggestion('minifig', minifigCard(row)));
  return [
    ...scanned.slice(0, suggested.set).map((item) => suggestion('set', item)),
    ...(minifigs.hasPlain && !sets.hasPlain ? [ofMinifigs, ofSets] : [ofSets, ofMinifigs]).flat(),
  ];
}

/** The most interesting sets with a number of pieces, and what else was typed. */
async function suggestByPieces({ cache }: WebDeps, counted: PieceSearch) {
  const market = await cache.findMarket();
  const { theme, q, pieces } = themeOrTerm(market, counted);
  const { rows } = market.find({
    kind: 'set',
    matches: q === '' ? null : (await cache.searchAll('set', q)).keys,
    filters: { ...noFilters, theme, ranges: { pieces } },
    sort: 'relevance',
    isDescending: false,
    limit: suggested.set,
    offset: 0,
  });
  return rows.map(({ number, name, year, pieces }) => {
    const about = [year, nounText(pieces ?? 0, 'piece')].filter(Boolean).join(' · ');
    return suggestion('set', { number, name, about });
  });
}

/** The theme beside a number of pieces, or else the words to search for. */
export function themeOrTerm({ themes }: Pick<MarketList, 'themes'>, { term, pieces }: PieceSearch) {
  const named = themes.find(({ theme }) => foldText(theme) === foldText(term));
  return named ? { theme: named.theme, q: '', pieces } : { theme: null, q: term, pieces };
}

export async function findByBarcode(deps: WebDeps, term: string): Promise<LinkedItem[]> {
  return (await findBarcodeRows(deps, term)).map(setCard);
}

function suggestion(kind: ItemKind, { number, name, about }: LinkedItem): Suggestion {
  return {
    kind,
    number,
    name,
    about: [number, kind === 'minifig' ? 'minifig' : '', about].filter(Boolean).join(' · '),
    href: itemPath(kind, number),
    picture: picturePath(kind, number, 'thumb'),
  };
}
