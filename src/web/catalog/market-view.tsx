/** The market: filters, table and paging. */

import { type ItemKind, itemKey, itemKinds } from '../../catalog/items/numbers.ts';
import { statusName } from '../../catalog/items/status.ts';
import type { SearchMatches } from '../../catalog/search/search.ts';
import { isSearchable } from '../../catalog/search/search-terms.ts';
import { searchLengthMax, searchLengthMin } from '../../contract/limits.ts';
import { dataTiers } from '../../market/evidence/evidence.ts';
import { isFiltered, type MarketFilters, noFilters } from '../../market/lists/market-filters.ts';
import type { MarketItem } from '../../market/lists/market-item.ts';
import { type MarketSort, marketSorts, type ThemeSummary } from '../../market/lists/market-list.ts';
import { changedAddress, themePath } from '../kit/address.ts';
import { EmptyState } from '../kit/card.tsx';
import {
  column,
  Lines,
  mainColumn,
  numberColumn,
  readOrder,
  sortInAddress,
} from '../kit/columns.tsx';
import type { Column } from '../kit/data-table.tsx';
import { anyOf, type ChoiceOptions, type Typed } from '../kit/fields.tsx';
import { type Filter, FilterForm } from '../kit/filters.tsx';
import { FormReader } from '../kit/form-reader.ts';
import { countText, decimalText } from '../kit/format.ts';
import { ItemCell } from '../kit/item-picture.tsx';
import type { Tab } from '../kit/layout.tsx';
import { List, PagePager, pageRange } from '../kit/list.tsx';
import { confidenceNames, Delta, Money } from '../kit/money.tsx';
import { Segments } from '../kit/segments.tsx';
import type { PageRequest, WebDeps } from '../page.ts';
import type { LinkedItem } from './item-cards.tsx';
import { sellThroughText } from './item-liquidity.ts';
import { findByBarcode } from './suggestions.ts';

/** The choices of rows per page; the first is the default. */
const rowChoices = [50, 200] as const;

const years = { min: 1930, max: 2100 } as const;
const pieceCounts = { min: 0, max: 1_000_000 } as const;
const percents = { min: 1, max: 99 } as const;

const statuses = { upcoming: 1, available: 2, retiring: 3, retired: 4 } as const;

interface MarketView {
  readonly typed: Typed;
  /** The search term; null if there is none. */
  readonly term: string | null;
  /** The sets with the search term as their barcode. */
  readonly scanned: readonly LinkedItem[];
  readonly kind: ItemKind;
  readonly sort: MarketSort;
  readonly isDescending: boolean;
  readonly pageRows: number;
  readonly totals: Readonly<Record<ItemKind, number>>;
  readonly rows: readonly MarketItem[];
  readonly themes: readonly ThemeSummary[];
  readonly isNarrowed: boolean;
}

/** Reads the address and finds matching items, optionally of one theme only. */
export async function findView(
  deps: WebDeps,
  request: PageRequest,
  theme: string | null = null,
): Promise<MarketView> {
  const { query, today, who } = request;
  const fields = FormReader.ofQuery(query, today);
  const chosen = readFilters(fields, who !== null);
  const filters = { ...chosen, theme: theme ?? chosen.theme };
  const term = readTerm(fields);
  const order = readSort(fields, who !== null);
  const pageRows = rowChoices.find((rows) => String(rows) === query.get('rows')) ?? rowChoices[0];
  const list = await deps.cache.findMarket();
  const scanned = term === null ? [] : await findByBarcode(deps, term);
  const isNarrowed = term !== null || isFiltered(chosen);
  const { typed } = fields;
  const view = { typed, term, scanned, ...order, pageRows, themes: list.themes, isNarrowed };
  if (!fields.isGood) return { ...view, kind: 'set', totals: { set: 0, minifig: 0 }, rows: [] };
  const find = async (kind: ItemKind) => {
    const found = term === null ? null : await findMatches(deps, { kind, term, scanned });
    const matches = found?.keys ?? null;
    const page = list.find({ kind, matches, filters, ...order, ...pageRange(request, pageRows) });
    return { ...page, hasPlain: found?.hasPlain ?? false };
  };
  const [set, minifig] = await Promise.all([find('set'), find('minifig')]);
  const requested = itemKinds.find((kind) => kind === query.get('kind'));
  const kind = requested ?? (isBetter(minifig, set) ? 'minifig' : 'set');
  const { rows } = kind === 'set' ? set : minifig;
  return { ...view, kind, totals: { set: set.total, minifig: minifig.total }, rows };
}

/** Whether one kind has matches, and the other none, or only similar items. */
function isBetter(one: FoundKind, other: FoundKind): boolean {
  return one.total > 0 && (other.total === 0 || (one.hasPlain && !other.hasPlain));
}

type FoundKind = Pick<SearchMatches, 'total' | 'hasPlain'>;

/** A barcode is looked up; anything else is searched for. */
async function findMatches(
  deps: WebDeps,
  { kind, term, scanned }: { kind: ItemKind; term: string; scanned: readonly LinkedItem[] },
): Promise<Pick<SearchMatches, 'keys' | 'hasPlain'>> {
  if (scanned.length === 0) return deps.cache.searchAll(kind, term);
  const keys = kind === 'set' ? scanned.map(({ number }) => itemKey('set', number)) : [];
  return { keys, hasPlain: keys.length > 0 };
}

/** Filters by value are only for users who are signed in. */
function readFilters(fields: FormReader, isSignedIn: boolean): MarketFilters {
  const status = fields.wordOrNull('status', Object.keys(statuses) as (keyof typeof statuses)[]);
  const filters = {
    ...noFilters,
    theme: fields.textOrNull('theme', 100),
    statusId: status && statuses[status],
    ranges: {
      year: {
        from: fields.wholeOrNull('year_from', years),
        to: fields.wholeOrNull('year_to', years),
      },
      pieces: {
        from: fields.wholeOrNull('pieces_from', pieceCounts),
        to: fields.wholeOrNull('pieces_to', pieceCounts),
      },
    },
  };
  if (!isSignedIn) return filters;
  return {
    ...filters,
    tier: fields.wordOrNull('tier', dataTiers),
    ranges: {
      ...filters.ranges,
      value: { from: fields.centsOrNull('min_value'), to: fields.centsOrNull('max_value') },
      belowValue: { from: fields.wholeOrNull('below_value', percents), to: null },
      sellThrough: { from: fields.wholeOrNull('sell_through', percents), to: null },
    },
  };
}

function readTerm(fields: FormReader): string | null {
  const term = fields.textOrNull('q', searchLengthMax);
  // A term without letters or digits, such as an emoji, finds nothing.
  if (term !== null && /[\p{L}\p{N}]/u.test(term) && !isSearchable(term, searchLengthMin)) {
    fields.fail('q', `Enter at least ${searchLengthMin} letters or digits.`);
  }
  return term;
}

/** Orders that visitors may choose. */
const openSorts: readonly MarketSort[] = ['relevance', 'name', 'theme', 'year'];

function readSort(fields: FormReader, isSignedIn: boolean) {
  const { key, isDescending } = readOrder(fields.form.text('sort'));
  const sort = (isSignedIn ? marketSorts : openSorts).find((each) => each === key) ?? 'relevance';
  return { sort, isDescending: sort !== 'relevance' && isDescending };
}

interface ViewProps {
  readonly request: PageRequest;
  readonly view: MarketView;
}

const sortOptions: ChoiceOptions = [
  ['', 'Relevance'],
  ['-value', 'Value, high to low'],
  ['value', 'Value, low to high'],
  ['-change', '90-day gain'],
  ['change', '90-day loss'],
  ['-sold', 'Sell-through'],
  ['-year', 'Newest first'],
  ['year', 'Oldest first'],
  ['name', 'Name'],
  ['theme', 'Theme'],
];

/** Visitors who are not signed in cannot sort by values: they do not see them. */
function sortsFor({ who }: PageRequest): ChoiceOptions {
  return sortOptions.filter(([value]) => who !== null || !/value|change|sold/.test(value));
}

export function MarketForm(props: ViewProps & { readonly isOneTheme?: boolean }) {
  const { request, view } = props;
  const { query } = request;
  return (
    <FilterForm
      class="market"
      action={request.path}
      typed={view.typed}
      filters={filtersOf(props)}
      clear={view.isNarrowed ? request.path : null}
      kept={{ kind: query.get('kind'), rows: query.get('rows') }}
    />
  );
}

function filtersOf(props: Parameters<typeof MarketForm>[0]): readonly Filter[] {
  const { request, view, isOneTheme = false } = props;
  const states = Object.entries(statuses).map(([name, id]) => [name, statusName(id) ?? name]);
  const tiers = dataTiers.map((tier) => [tier, confidenceNames[tier]]);
  const theme: Filter = {
    name: 'theme',
    label: 'Theme',
    options: themeOptions(view.typed, view.themes),
  };
  const byValue: readonly Filter[] = [
    { name: 'min_value', label: 'Value from ($)', inputmode: 'decimal', isRare: true },
    { name: 'max_value', label: 'Value to ($)', inputmode: 'decimal', isRare: true },
    { name: 'below_value', label: 'Below value by (%)', inputmode: 'numeric', isRare: true },
    { name: 'sell_through', label: 'Sell-through from (%)', inputmode: 'numeric', isRare: true },
    {
      name: 'tier',
      label: 'Value tier',
      options: anyOf(Object.fromEntries(tiers)),
      isRare: true,
    },
  ];
  return [
    {
      name: 'q',
      label: 'Search',
      type: 'search',
      placeholder: 'Number or name',
      maxlength: searchLengthMax,
    },
    ...(isOneTheme ? [] : [theme]),
    { name: 'status', label: 'Status', options: anyOf(Object.fromEntries(states)) },
    {
      name: 'sort',
      label: 'Sort by',
      options: sortsFor(request),
      isForTables: true,
      isSetting: true,
    },
    { name: 'year_from', label: 'Year from', inputmode: 'numeric', isRare: true },
    { name: 'year_to', label: 'Year to', inputmode: 'numeric', isRare: true },
    { name: 'pieces_from', label: 'Pieces from', inputmode: 'numeric', isRare: true },
    { name: 'pieces_to', label: 'Pieces to', inputmode: 'numeric', isRare: true },
    ...(request.who === null ? [] : byValue),
  ];
}

/** The themes, including that of the address, which may no longer exist. */
export function themeOptions(
  { values }: Typed,
  themes: readonly Pick<ThemeSummary, 'theme'>[],
): ChoiceOptions {
  const { theme = '' } = values;
  const names = themes.map((each) => each.theme);
  const all = theme === '' || names.includes(theme) ? names : [theme, ...names];
  return [['', 'Any'], ...all.map((name) => [name, name] as const)];
}

const kindNames = { set: 'Sets', minifig: 'Minifigs' } as const;

export function MarketTable(props: ViewProps & { readonly isOneTheme?: boolean }) {
  const { request, view, isOneTheme = false } = props;
  const { kind, rows, totals, pageRows, sort, isDescending } = view;
  const total = totals[kind];
  const to = (changes: Parameters<typeof changedAddress>[1]) => changedAddress(request, changes);
  const heading = (
    <div class="heading">
      <Segments
        label="Type"
        choices={itemKinds.map((each) => ({
          href: to({ kind: each }),
          text: `${kindNames[each]} ${countText(totals[each])}`,
          isCurrent: each === kind,
        }))}
      />
      {total > rowChoices[0] && (
        <Segments
          label="Rows per page"
          choices={rowChoices.map((each) => ({
            href: to({ rows: each === rowChoices[0] ? '' : each }),
            text: `${each} rows`,
            isCurrent: each === pageRows,
          }))}
        />
      )}
    </div>
  );
  const choices = sortsFor(request).map(([value, text]) => {
    return { ...readOrder(value || 'relevance'), text };
  });
  return (
    <List
      label={kindNames[kind]}
      typed={view.typed}
      heading={heading}
      columns={columnsOf(view, { isSignedIn: request.who !== null, isOneTheme })}
      rows={rows}
      pager={<PagePager request={request} total={total} rows={pageRows} />}
      sort={sortInAddress(request, { key: sort, isDescending, choices })}
      empty={<NothingFound {...props} />}
    />
  );
}

function columnsOf(
  { kind, themes }: Pick<MarketView, 'kind' | 'themes'>,
  { isSignedIn, isOneTheme }: { readonly isSignedIn: boolean; readonly isOneTheme: boolean },
): readonly Column<MarketItem>[] {
  const isSet = kind === 'set';
  const name = mainColumn<MarketItem>(
    isSet ? 'Set' : 'Minifig',
    (item) => <ItemCell kind={item.kind} number={item.number} name={item.name} />,
    { sort: 'name' },
  );
  // Categories of minifigs without sets have no page.
  const paged = new Set(themes.map((each) => each.theme));
  const themeLink = (name: string) => <a href={themePath(name)}>{name}</a>;
  // With values, there is no room for theme and year on a phone.
  const theme = column<MarketItem>(
    'Theme',
    (item) => item.theme && (paged.has(item.theme) ? themeLink(item.theme) : item.theme),
    { sort: 'theme', isMinor: isSignedIn },
  );
  const year = numberColumn<MarketItem>('Year', (item) => item.year, {
    sort: 'year',
    isMinor: isSignedIn && isSet,
  });
  const status = column<MarketItem>('Status', ({ statusId }) => statusId && statusName(statusId));
  return [
    name,
    ...(isOneTheme ? [] : [theme]),
    year,
    ...(isSet ? [status] : []),
    ...(isSignedIn ? [valueColumn(kind)] : []),
    ...(isSignedIn && isSet ? [changeColumn] : []),
    ...(isSignedIn ? [sellThroughColumn] : []),
  ];
}

export function valueColumn(kind: ItemKind): Column<MarketItem> {
  const name = kind === 'set' ? 'Sealed value' : 'Used value';
  const value = ({ valueCents, tier }: MarketItem) => <Money cents={valueCents} tier={tier} />;
  return numberColumn(name, value, { sort: 'value' });
}

export const changeColumn = numberColumn<MarketItem>(
  '90 days',
  // A plain dash keeps pages with hundreds of rows small.
  ({ change90 }) => (change90 === null ? '—' : <Delta percent={change90} />),
  { sort: 'change' },
);

const sellThroughColumn = numberColumn<MarketItem>(
  'Sell-through',
  ({ sellThrough, soldPerMonth }) => (
    <Lines
      first={sellThrough === null ? '—' : sellThroughText(sellThrough)}
      second={soldPerMonth !== null && `${decimalText(soldPerMonth, 1)} a month`}
    />
  ),
  { sort: 'sold', isMinor: true },
);

function NothingFound({ request, view }: ViewProps) {
  const { kind, term, totals, isNarrowed } = view;
  if (!isNarrowed) {
    return (
      <EmptyState title="The catalog is empty">Sets appear after the first import.</EmptyState>
    );
  }
  const other = kind === 'set' ? 'minifig' : 'set';
  const otherName = kindNames[other].toLowerCase();
  const clear: Tab = [request.path, 'Clear filters'];
  const show: Tab = [changedAddress(request, { kind: other }), `Show ${otherName}`];
  const what = kindNames[kind].toLowerCase();
  return (
    <EmptyState
      title={term === null ? `No ${what} match` : `No ${what} match “${term}”`}
      actions={totals[other] === 0 ? [clear] : [show, clear]}
    >
      Try fewer words or filters.
    </EmptyState>
  );
}
