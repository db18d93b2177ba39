/** Which sales a page shows: the year, the filters and the order of its address. */

import { findEachItem } from '../../../domain/catalog/find-each-item.ts';
import type { ItemRef } from '../../../domain/catalog/numbers.ts';
import { platformChoices, platforms } from '../../../domain/fees/platforms.ts';
import { foldText } from '../../../domain/kernel/text.ts';
import type { SaleFilter, SaleSum } from '../../../domain/portfolio/ledger.ts';
import type { WebDeps } from '../../deps.ts';
import { changedAddress } from '../../kit/address.ts';
import { type Filter, FilterForm } from '../../kit/filters.tsx';
import { Segments } from '../../kit/segments.tsx';
import type { OwnRequest } from '../../page.ts';

export interface SalesView {
  /** As YYYY; null for all years. */
  readonly year: string | null;
  readonly filter: SaleFilter;
}

export async function readView(deps: WebDeps, request: OwnRequest): Promise<SalesView> {
  const { query } = request;
  const year = /^\d{4}$/.exec(query.get('year') ?? '')?.[0] ?? null;
  return {
    year,
    filter: {
      span: year === null ? undefined : { from: `${year}-01-01`, to: `${year}-12-31` },
      platform: platforms.find((each) => each === query.get('platform')) ?? null,
      items: await findSoldItems(deps, request.who.accountId, query.get('q') ?? ''),
    },
  };
}

export function isNarrowed({ filter }: SalesView): boolean {
  return Object.values(filter).some((each) => each !== null && each !== undefined);
}

/** Sold items that match a search; null for an empty one. */
async function findSoldItems(
  { accounts, portfolio }: WebDeps,
  accountId: number,
  typed: string,
): Promise<ItemRef[] | null> {
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
  { name: 'platform', label: 'Platform', options: [['', 'All platforms'], ...platformChoices] },
];

/** The filters other than the year. The form keeps the rest of the address. */
export function SalesFilters(props: { readonly request: OwnRequest; readonly view: SalesView }) {
  const { request, view } = props;
  const { query } = request;
  const typed = {
    values: { q: query.get('q') ?? '', platform: view.filter.platform ?? '' },
    faults: {},
  };
  const isUsed = Boolean(query.get('q') || query.get('platform'));
  const kept = ['year', 'sort', 'by'].map((name) => [name, query.get(name)]);
  return (
    <FilterForm
      action={request.path}
      typed={typed}
      filters={filters}
      clear={isUsed ? changedAddress(request, { q: '', platform: '' }) : null}
      kept={Object.fromEntries(kept)}
    />
  );
}
