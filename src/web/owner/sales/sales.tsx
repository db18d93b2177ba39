/** Recorded sales: totals, months, platforms, and the list. */

import { at } from '../../../kernel/at.ts';
import { formatMonth, parseMonth } from '../../../kernel/time.ts';
import { feeTotal } from '../../../market/fees/platform-fees.ts';
import { platformNames } from '../../../market/fees/platforms.ts';
import { readSales, type SaleEntry } from '../../../portfolio/lots/collection.work.ts';
import { byName, nameIn } from '../../../portfolio/lots/fields.ts';
import {
  orderFields,
  type SaleOrder,
  type SaleSum,
  saleOrders,
} from '../../../portfolio/sales/ledger.ts';
import { totalSales } from '../../../portfolio/sales/own-sales.work.ts';
import { type SaleField, saleNames } from '../../../portfolio/sales/sale-fields.ts';
import { salesCsv, taxYearCsv } from '../../../portfolio/sales/sales-csv.work.ts';
import { changedAddress } from '../../kit/address.ts';
import { ButtonLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, Figures } from '../../kit/card.tsx';
import { Chart } from '../../kit/chart.tsx';
import {
  countColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
  readOrder,
  sortInAddress,
} from '../../kit/columns.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { countText, moneyText, monthText, nounText, usdText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { List, lastPagePath, pageRange } from '../../kit/list.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { gradeText } from '../buying/predicted.tsx';
import { fieldText, listColumn } from '../field-kinds.tsx';
import { saleToast, withoutMessage } from './sale-toast.tsx';
import {
  isNarrowed,
  readView,
  SalesFilters,
  type SalesView as View,
  YearSegments,
  yearsOf,
} from './sales-view.tsx';

export const salesRoutes = routes('own', {
  '/sales': { get: showSales },
  '/sales.csv': { get: sendView },
  '/sales/year/{file}': { get: sendYear },
});

function readSaleOrder({ query }: OwnRequest): SaleOrder {
  const { key, isDescending } = readOrder(query.get('sort') ?? '-date');
  return { by: saleOrders.find((each) => each === key) ?? 'date', isDescending };
}

async function showSales(deps: WebDeps, opened: OwnRequest): Promise<PageAnswer> {
  const toast = await saleToast(deps, opened);
  const request = withoutMessage(opened);
  const { accountId } = request.who;
  const view = await readView(deps, request);
  const order = readSaleOrder(request);
  const { filter } = view;
  const page = await readSales(deps.portfolio, accountId, {
    ...pageRange(request),
    ...filter,
    order,
  });
  const last = lastPagePath(request, page.total);
  if (last) return { goTo: last };
  const isFiltered = isNarrowed(view);
  const sums = await deps.accounts.listSaleSums(accountId, filter);
  // All years can be chosen, whatever the filters.
  const allSums = isFiltered ? await deps.accounts.listSaleSums(accountId) : sums;
  const years = yearsOf(allSums);
  // It covers all sales, so it would be misread next to the totals of some.
  const graded = isFiltered ? null : gradeText(await deps.accounts.gradePurchases(accountId));
  const props = { request, view, order, page, sums, years, graded };
  return {
    page: (
      <Layout
        title="Sales"
        request={request}
        actions={years.length > 0 && <Actions request={request} years={years} />}
      >
        {toast}
        {years.length === 0 ? (
          <EmptyState
            title="No sales recorded"
            actions={[
              ['/sales/new', 'Record sale'],
              ['/inventory/import', 'Import orders'],
            ]}
          >
            Record a sale, or import orders from eBay, BrickLink or Brick Owl, to see net, profit
            and ROI.
          </EmptyState>
        ) : (
          <SalesView {...props} />
        )}
      </Layout>
    ),
  };
}

async function sendView(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { filter } = await readView(deps, request);
  const order = readSaleOrder(request);
  const portfolio = { ...deps.portfolio, accounts: deps.accounts };
  return csvDownload('sales.csv', salesCsv(portfolio, request.who.accountId, { ...filter, order }));
}

async function sendYear(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const year = /^(\d{4})\.csv$/.exec(request.params.file ?? '')?.[1];
  if (year === undefined) return missingPage(request);
  const portfolio = { ...deps.portfolio, accounts: deps.accounts };
  return csvDownload(`sales-${year}.csv`, taxYearCsv(portfolio, request.who.accountId, year));
}

function Actions({ request, years }: { request: OwnRequest; years: readonly string[] }) {
  return (
    <>
      <Menu label="Export" look="button plain">
        <a href={changedAddress({ ...request, path: '/sales.csv' }, {})}>This view (CSV)</a>
        {years.map((year) => (
          <a key={year} href={`/sales/year/${year}.csv`}>
            {`Tax export ${year} (CSV)`}
          </a>
        ))}
        <hr />
        <a href="/export/sales/csv">All sales (CSV)</a>
        <a href="/export/sales/json">All sales (JSON)</a>
        <a href="/export/sales/ghostfolio">All sales (Ghostfolio)</a>
      </Menu>
      <ButtonLink href="/sales/new">Record sale</ButtonLink>
    </>
  );
}

interface SalesProps {
  readonly request: OwnRequest;
  readonly view: View;
  readonly order: SaleOrder;
  readonly page: { readonly total: number; readonly sales: readonly SaleEntry[] };
  readonly sums: readonly SaleSum[];
  /** Newest first. */
  readonly years: readonly string[];
  /** The result of purchase predictions; null if none is graded yet. */
  readonly graded: string | null;
}

function SalesView(props: SalesProps) {
  const { request, view, order, page, sums, years, graded } = props;
  return (
    <>
      <div class="heading">
        <YearSegments request={request} years={years} year={view.year} />
        <span class="row">
          <a href={changedAddress({ ...request, path: '/sales/profit' }, { sort: null })}>
            Profit report
          </a>
          <a href="/sales/fees-paid">Fees paid</a>
        </span>
      </div>
      {sums.length > 0 && (
        <>
          <Totals sums={sums} />
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
      <SalesFilters request={request} />
      {page.total === 0 ? (
        <EmptyState title="No sales match" actions={[['/sales', 'Clear filters']]}>
          Try another year, platform or search.
        </EmptyState>
      ) : (
        <List
          request={request}
          label="Sales"
          columns={saleColumns}
          rows={page.sales}
          total={page.total}
          sort={sortInAddress(request, { key: order.by, ...order })}
        />
      )}
    </>
  );
}

function Totals({ sums }: Pick<SalesProps, 'sums'>) {
  const total = totalSales(sums);
  return (
    <Card>
      <Figures
        figures={[
          ['Net', <Money cents={total.netCents} />, `of ${moneyText(total.grossCents)} gross`],
          ['Profit', <Delta cents={total.profitCents} />],
          ['ROI', <Delta percent={total.roiPct} missing="No cost basis" />],
          ['Units sold', countText(total.units), `in ${nounText(total.sales, 'sale')}`],
        ]}
      />
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
  const [first, last] = [parseMonth(sorted[0] ?? ''), parseMonth(sorted.at(-1) ?? '')];
  if (first === null || last === null) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => formatMonth(first + index));
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

/** Without addresses of sales, for readers who may not open them, items lead to their own pages. */
export function saleColumnsOf(pathOf: ((id: number) => string) | null): Column<SaleEntry>[] {
  const itemColumn = mainColumn<SaleEntry>(
    'Item',
    ({ sale, item }) => (
      <ItemCell
        kind={sale.kind}
        number={item.number}
        name={item.title}
        {...(pathOf && { href: pathOf(sale.id) })}
      />
    ),
    { sort: 'set' },
  );
  return [{ ...date, phone: 'detail' }, itemColumn, ...amountColumns];
}

/** Names above columns, if they are shorter than those in the form. */
const headings: Readonly<Partial<Record<SaleField['field'], string>>> = {
  saleDate: 'Date',
  quantity: 'Qty',
  grossCents: 'Gross',
  shippingCents: 'Shipping',
};

const { date, platform, quantity, gross, cost, ...others } = byName(
  saleNames,
  orderFields,
  (row): Column<SaleEntry> => ({
    ...listColumn(row),
    key: nameIn(saleNames, row),
    name: headings[row.field] ?? row.name,
    isSortable: true,
    cell: ({ sale }) =>
      row.kind === 'money' ? <Money cents={sale[row.field]} /> : fieldText(row, sale[row.field]),
  }),
);

/** Computed figures are next to the fields that they are computed from. */
const amountColumns: readonly Column<SaleEntry>[] = [
  platform,
  { ...quantity, phone: 'count' },
  gross,
  moneyColumn('Fees', ({ sale }) => feeTotal(sale), { sort: 'fees', isMinor: true }),
  ...Object.values(others),
  moneyColumn('Net', ({ proceeds }) => proceeds.netCents, { sort: 'net', phone: 'top' }),
  cost,
  numberColumn('Profit', ({ proceeds }) => <Delta cents={proceeds.profitCents} />, {
    sort: 'profit',
    phone: 'bottom',
  }),
  numberColumn(
    'ROI',
    ({ proceeds }) => <Delta percent={proceeds.roiPct} missing="No cost basis" />,
    { sort: 'roi', isMinor: true },
  ),
];

const saleColumns = saleColumnsOf((id) => `/sales/${id}`);
