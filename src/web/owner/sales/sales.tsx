/** Recorded sales: totals, months, platforms, and the list. */

import { readSales, type SaleEntry } from '../../../accounts/collection.ts';
import { type SalesTotal, totalSales } from '../../../accounts/own-sales.ts';
import { salesCsv, taxYearCsv } from '../../../accounts/sales-csv.ts';
import { findEachItem } from '../../../domain/catalog/find-each-item.ts';
import type { ItemRef } from '../../../domain/catalog/numbers.ts';
import { platformChoices, platformNames, platforms } from '../../../domain/fees/platforms.ts';
import { at } from '../../../domain/kernel/at.ts';
import {
  countText,
  dayText,
  moneyText,
  monthText,
  nounText,
  usdText,
} from '../../../domain/kernel/format.ts';
import { foldText } from '../../../domain/kernel/text.ts';
import {
  type SaleFilter,
  type SaleOrder,
  type SaleSum,
  saleOrders,
} from '../../../domain/portfolio/ledger.ts';
import type { WebDeps } from '../../deps.ts';
import { changedAddress } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { Chart } from '../../kit/chart.tsx';
import {
  column,
  countColumn,
  dayColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
  readOrder,
  sortInAddress,
} from '../../kit/columns.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { type Filter, FilterForm } from '../../kit/filters.tsx';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { List } from '../../kit/list.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import { lastPagePath, pageRange } from '../../kit/pager.tsx';
import { Segments } from '../../kit/segments.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { gradeText } from '../buying/predicted.tsx';
import { NotInVersion1 } from '../minifig-note.tsx';
import { saleToast, withoutMessage } from './sale-toast.tsx';

export const salesRoutes = ownPages({
  '/sales': { get: showSales },
  '/sales.csv': { get: sendView },
  '/sales/year/{file}': { get: sendYear },
});

/** The filters and the order of an address. */
interface View {
  /** As YYYY; null for all years. */
  readonly year: string | null;
  readonly filter: SaleFilter;
  readonly order: SaleOrder;
}

async function readView(deps: WebDeps, request: OwnRequest): Promise<View> {
  const { query } = request;
  const year = /^\d{4}$/.exec(query.get('year') ?? '')?.[0] ?? null;
  const { key, isDescending } = readOrder(query.get('sort') ?? '-date');
  return {
    year,
    filter: {
      span: year === null ? undefined : { from: `${year}-01-01`, to: `${year}-12-31` },
      platform: platforms.find((each) => each === query.get('platform')) ?? null,
      items: await findSoldItems(deps, request.who.accountId, query.get('q') ?? ''),
    },
    order: { by: saleOrders.find((each) => each === key) ?? 'date', isDescending },
  };
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

async function showSales(deps: WebDeps, opened: OwnRequest): Promise<PageAnswer> {
  const toast = await saleToast(deps, opened);
  const request = withoutMessage(opened);
  const { accountId } = request.who;
  const view = await readView(deps, request);
  const { filter, order } = view;
  const page = await readSales(deps.portfolio, accountId, {
    ...pageRange(request),
    ...filter,
    order,
  });
  const last = lastPagePath(request, page.total);
  if (last) return { goTo: last };
  const isFiltered = Object.values(filter).some((each) => each !== null && each !== undefined);
  const sums = await deps.accounts.listSaleSums(accountId, filter);
  // All years can be chosen, whatever the filters.
  const allSums = isFiltered ? await deps.accounts.listSaleSums(accountId) : sums;
  const years = [...new Set(allSums.map(({ month }) => month.slice(0, 4)))];
  // It covers all sales, so it would be misread next to the totals of some.
  const graded = isFiltered ? null : gradeText(await deps.accounts.gradePurchases(accountId));
  const minifigs = totalSales(
    await deps.accounts.listSaleSums(accountId, { ...filter, kind: 'minifig' }),
  );
  const props = { request, view, page, sums, minifigs, years, graded };
  return {
    page: (
      <Layout
        title="Sales"
        request={request}
        actions={years.length > 0 && <Actions request={request} years={years} />}
      >
        {toast}
        {years.length === 0 ? <NoSales /> : <SalesView {...props} />}
      </Layout>
    ),
  };
}

async function sendView(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { filter, order } = await readView(deps, request);
  const portfolio = { ...deps.portfolio, accounts: deps.accounts };
  const file = salesCsv(portfolio, request.who.accountId, { ...filter, order });
  return csvDownload('sales.csv', file);
}

async function sendYear(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const year = /^(\d{4})\.csv$/.exec(request.params.file ?? '')?.[1];
  if (year === undefined) return missingPage(request);
  const portfolio = { ...deps.portfolio, accounts: deps.accounts };
  const file = taxYearCsv(portfolio, request.who.accountId, year);
  return csvDownload(`sales-${year}.csv`, file);
}

function Actions({ request, years }: { request: OwnRequest; years: readonly string[] }) {
  return (
    <>
      <Menu label="Export" look="button plain">
        <a href={changedAddress({ ...request, path: '/sales.csv' }, {})}>This view (CSV)</a>
        {years.slice(0, yearsListed).map((year) => (
          <a key={year} href={`/sales/year/${year}.csv`}>
            {`Tax export ${year} (CSV)`}
          </a>
        ))}
        <hr />
        <a href="/export/sales/csv">All sales (CSV)</a>
        <a href="/export/sales/json">All sales (JSON)</a>
        <a href="/export/sales/ghostfolio">All sales (Ghostfolio)</a>
      </Menu>
      <a class="button" href="/sales/new">
        Record sale
      </a>
    </>
  );
}

/** The maximum number of years to choose from, newest first. */
const yearsListed = 10;

function NoSales() {
  return (
    <EmptyState
      title="No sales recorded"
      actions={[
        { href: '/sales/new', text: 'Record sale' },
        { href: '/inventory/import', text: 'Import orders' },
      ]}
    >
      Record a sale, or import orders from eBay, BrickLink or Brick Owl, to see net, profit and ROI.
    </EmptyState>
  );
}

interface SalesProps {
  readonly request: OwnRequest;
  readonly view: View;
  readonly page: { readonly total: number; readonly sales: readonly SaleEntry[] };
  readonly sums: readonly SaleSum[];
  /** The part of the sums that is minifigs. */
  readonly minifigs: SalesTotal;
  /** Newest first. */
  readonly years: readonly string[];
  /** The result of purchase predictions; null if none is graded yet. */
  readonly graded: string | null;
}

function SalesView(props: SalesProps) {
  const { request, view, page, sums, minifigs, years, graded } = props;
  const choices = [null, ...years.slice(0, yearsListed)].map((year) => ({
    href: changedAddress(request, { year }),
    text: year ?? 'All years',
    isCurrent: year === view.year,
  }));
  return (
    <>
      <div class="heading">
        <Segments label="Year" choices={choices} />
        <a href="/sales/fees-paid">Fees paid</a>
      </div>
      {sums.length > 0 && (
        <>
          <Totals sums={sums} />
          {minifigs.sales > 0 && (
            <NotInVersion1
              what={
                `${nounText(minifigs.sales, 'sale')} of minifigs with a net of ` +
                moneyText(minifigs.netCents)
              }
            />
          )}
          {graded && (
            <p class="quiet">
              {`${graded}. `}
              <a href="/docs/buying#how-predictions-are-graded">How predictions are graded</a>
            </p>
          )}
          <div class="grid sales-sums">
            <Months sums={sums} />
            <Card title="By platform">
              <ByPlatform sums={sums} />
            </Card>
          </div>
        </>
      )}
      <Filters request={request} view={view} />
      {page.total === 0 ? (
        <EmptyState title="No sales match" actions={[{ href: '/sales', text: 'Clear filters' }]}>
          Try another year, platform or search.
        </EmptyState>
      ) : (
        <List
          request={request}
          label="Sales"
          columns={saleColumns}
          rows={page.sales}
          total={page.total}
          sort={sortInAddress(request, { key: view.order.by, ...view.order })}
        />
      )}
    </>
  );
}

function Totals({ sums }: Pick<SalesProps, 'sums'>) {
  const total = totalSales(sums);
  return (
    <Card>
      <Figures>
        <Figure
          name="Net"
          value={<Money cents={total.netCents} />}
          note={`of ${moneyText(total.grossCents)} gross`}
        />
        <Figure name="Profit" value={<Delta cents={total.profitCents} />} />
        <Figure name="ROI" value={<Delta percent={total.roiPct} missing="No cost basis" />} />
        <Figure
          name="Units sold"
          value={countText(total.units)}
          note={`in ${nounText(total.sales, 'sale')}`}
        />
      </Figures>
    </Card>
  );
}

/** The maximum number of bars, latest months first. */
const monthsShown = 24;

function Months({ sums }: Pick<SalesProps, 'sums'>) {
  const byMonth = Map.groupBy(sums, ({ month }) => month);
  const all = monthsBetween([...byMonth.keys()].sort());
  const months = all.slice(-monthsShown);
  return (
    <Card title={months.length < all.length ? `Latest ${monthsShown} months` : 'By month'}>
      <Chart
        id="months"
        caption="Net and profit by month"
        unit="usd"
        columns={[
          { name: 'Net', look: 'bar', tone: 'series-1', show: usdText },
          { name: 'Profit', look: 'bar', tone: 'series-2', show: usdText },
        ]}
        rows={months.map((month) => {
          const { netCents, profitCents } = totalSales(byMonth.get(month) ?? []);
          return { at: month, values: [netCents / 100, profitCents / 100] };
        })}
        empty={`All sales are in ${monthText(at(months, 0))}.`}
      />
    </Card>
  );
}

/** Every month from the first to the last, including months without sales. */
function monthsBetween(sorted: readonly string[]): string[] {
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const months: string[] = [];
  for (const at = new Date(`${first}-01`); ; at.setUTCMonth(at.getUTCMonth() + 1)) {
    const month = at.toISOString().slice(0, 7);
    if (month > last) return months;
    months.push(month);
  }
}

type PlatformSum = ReturnType<typeof totalSales> & Pick<SaleSum, 'platform'>;

const platformColumns: readonly Column<PlatformSum>[] = [
  mainColumn('Platform', ({ platform }) => platformNames[platform]),
  countColumn('Units', ({ units }) => units),
  moneyColumn('Net', ({ netCents }) => netCents),
  numberColumn('Profit', ({ profitCents, roiPct }) => (
    <Delta cents={profitCents} percent={roiPct} />
  )),
];

function ByPlatform({ sums }: Pick<SalesProps, 'sums'>) {
  const groups = [...Map.groupBy(sums, ({ platform }) => platform)].map(([platform, own]) => {
    return { platform, ...totalSales(own) };
  });
  return (
    <DataTable
      label="Sales by platform"
      rows={groups.sort((a, b) => b.netCents - a.netCents)}
      columns={platformColumns}
    />
  );
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

function Filters({ request, view }: Pick<SalesProps, 'request' | 'view'>) {
  const { query } = request;
  const typed = {
    values: { q: query.get('q') ?? '', platform: view.filter.platform ?? '' },
    faults: {},
  };
  const isNarrowed = Boolean(query.get('q') || query.get('platform'));
  return (
    <FilterForm
      action="/sales"
      typed={typed}
      filters={filters}
      clear={isNarrowed ? changedAddress(request, { q: '', platform: '' }) : null}
      kept={{ year: query.get('year'), sort: query.get('sort') }}
    />
  );
}

const saleColumns: readonly Column<SaleEntry>[] = [
  dayColumn('Date', ({ sale }) => dayText(sale.saleDate), { sort: 'date' }),
  mainColumn(
    'Item',
    ({ sale, item }) => (
      <ItemCell
        kind={sale.kind}
        number={item.number}
        name={item.title}
        href={`/sales/${sale.id}`}
      />
    ),
    { sort: 'set' },
  ),
  column('Platform', ({ sale }) => platformNames[sale.platform], { sort: 'platform' }),
  countColumn('Qty', ({ sale }) => sale.quantity, { sort: 'quantity' }),
  moneyColumn('Gross', ({ sale }) => sale.grossCents, { sort: 'gross' }),
  moneyColumn('Fees', ({ sale }) => sale.platformFeesCents + sale.paymentFeesCents, {
    sort: 'fees',
    isMinor: true,
  }),
  moneyColumn('Shipping', ({ sale }) => sale.shippingCents, { sort: 'shipping', isMinor: true }),
  moneyColumn('Net', ({ proceeds }) => proceeds.netCents, { sort: 'net' }),
  moneyColumn('Cost basis', ({ sale }) => sale.costCents, { sort: 'cost', isMinor: true }),
  numberColumn('Profit', ({ proceeds }) => <Delta cents={proceeds.profitCents} />, {
    sort: 'profit',
  }),
  numberColumn(
    'ROI',
    ({ proceeds }) => <Delta percent={proceeds.roiPct} missing="No cost basis" />,
    { sort: 'roi', isMinor: true },
  ),
];
