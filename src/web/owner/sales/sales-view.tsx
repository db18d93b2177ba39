/** Which sales a page shows: the year, the filters and the order of its address. */

import { findEachItem } from '../../../catalog/items/find-each-item.ts';
import { foldText } from '../../../kernel/text.ts';
import { factsOf } from '../../../portfolio/lots/fields.ts';
import { filterTerms, type SaleSum } from '../../../portfolio/sales/ledger.ts';
import { changedAddress } from '../../kit/address.ts';
import { type Filter, FilterForm } from '../../kit/filters.tsx';
import { Segments } from '../../kit/segments.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { choiceTexts } from '../field-kinds.tsx';

export type SalesView = Awaited<ReturnType<typeof readView>>;

export async function readView(deps: WebDeps, request: OwnRequest) {
  const { query } = request;
  const year = /^\d{4}$/.exec(query.get('year') ?? '')?.[0] ?? null;
  return {
    year,
    filter: {
      span: year === null ? undefined : { from: `${year}-01-01`, to: `${year}-12-31` },
      ...factsOf(filterTerms, ({ wire, choices }) => {
        return choices.find((each) => each === query.get(wire)) ?? null;
      }),
      items: await findSoldItems(deps, request.who.accountId, query.get('q') ?? ''),
    },
  };
}

export function isNarrowed({ filter }: SalesView): boolean {
  return Object.values(filter).some((each) => each !== null && each !== undefined);
}

/** Sold items that match a search; null for an empty one. */
async function findSoldItems({ accounts, portfolio }: WebDeps, accountId: number, typed: string) {
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const sold = await accounts.listSoldItems(accountId);
  const itemOf = await findEachItem(sold, (kind, keys) =>
    portfolio.market.findListedItems(kind, keys),
  );
  return sold.filter((ref) => {
    const title = foldText(itemOf(ref)?.title ?? '');
    return words.every((word) => title.includes(word) || ref.key.startsWith(word));
  });
}

/** The maximum number of years to choose from, newest first. */
const yearsListed = 10;

/** The years with sales, newest first. */
export function yearsOf(sums: readonly SaleSum[]): string[] {
  return [...new Set(sums.map(({ month }) => month.slice(0, 4)))].slice(0, yearsListed);
}

export function YearSegments(props: {
  readonly request: OwnRequest;
  readonly years: readonly string[];
  readonly year: string | null;
}) {
  const { request, years, year: current } = props;
  const choices = [null, ...years].map((year) => ({
    href: changedAddress(request, { year }),
    text: year ?? 'All years',
    isCurrent: year === current,
  }));
  return <Segments label="Year" choices={choices} />;
}

const filters: readonly Filter[] = [
  {
    name: 'q',
    label: 'Search',
    type: 'search',
    placeholder: 'Number or name',
    maxlength: 100,
  },
  ...filterTerms.map((row) => ({
    name: row.wire,
    label: row.name,
    options: [
      ['', `All ${row.name.toLowerCase()}s`] as const,
      ...Object.entries(choiceTexts[row.field]),
    ],
  })),
];

/** The filters other than the year. The form keeps the rest of the address. */
export function SalesFilters({ request }: { readonly request: OwnRequest }) {
  const { query } = request;
  const values = Object.fromEntries(filters.map(({ name }) => [name, query.get(name) ?? '']));
  const unused = Object.fromEntries(filters.map(({ name }) => [name, '']));
  return (
    <FilterForm
      action={request.path}
      typed={{ values, faults: {} }}
      filters={filters}
      clear={Object.values(values).some(Boolean) ? changedAddress(request, unused) : null}
      kept={Object.fromEntries(['year', 'sort', 'by'].map((name) => [name, query.get(name)]))}
    />
  );
}
