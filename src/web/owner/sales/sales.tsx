/** Recorded sales: what they brought, as figures, by month, by platform, and one by one. */

import { readSales, type SaleEntry } from '../../../accounts/collection.ts';
import { totalSales } from '../../../accounts/own-sales.ts';
import { salesCsv, taxYearCsv } from '../../../accounts/sales-csv.ts';
import { platformChoices, platformNames, platforms } from '../../../domain/fees/platforms.ts';
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
} from '../../../domain/portfolio/ledger-store.ts';
import type { WebDeps } from '../../deps.ts';
import { changedAddress } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { Chart } from '../../kit/chart.tsx';
import {
  column,
  countColumn,
  dayColumn,
  mainColumn,
  minor,
  moneyColumn,
  numberColumn,
  readOrder,
  sortable,
  sortInAddress,
} from '../../kit/columns.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Choice, Field, type Options } from '../../kit/fields.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { ApplyFilters, FilterFold } from '../../kit/filters.tsx';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import { lastPagePath, PagePager, pageRange } from '../../kit/pager.tsx';
import { Segments } from '../../kit/segments.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { gradeText } from '../buying/predicted.tsx';
import { saleToast, untold } from './sale-toast.tsx';

/** The list of sales, and its tables to take along. */
export const salesRoutes = ownPages({
  '/sales': { get: showSales },
  '/sales.csv': { get: sendView },
  '/sales/year/{file}': { get: sendYear },
});

/** What is asked for: which sales, and in which order. */
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
      setKeys: await findSoldSets(deps, request.who.accountId, query.get('q') ?? ''),
    },
    order: { by: saleOrders.find((each) => each === key) ?? 'date', isDescending },
  };
}

/** The sets that were sold and fit what was typed; null when nothing was. */
async function findSoldSets(
  { accounts, portfolio }: WebDeps,
  accountId: number,
  typed: string,
): Promise<string[] | null> {
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const keys = await accounts.listSoldSets(accountId);
  const sets = await portfolio.market.findListedSets(keys);
  return keys.filter((key) => {
    const title = foldText(sets.get(key)?.title ?? '');
    return words.every((word) => title.includes(word) || key.startsWith(word));
  });
}

async function showSales(deps: WebDeps, asked: OwnRequest): Promise<PageAnswer> {
  const toast = await saleToast(deps, asked);
  const request = untold(asked);
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
  // Years to choose from are those of everything.
  const allSums = isFiltered ? await deps.accounts.listSaleSums(accountId) : sums;
  const years = [...new Set(allSums.map(({ month }) => month.slice(0, 4)))];
  // It is of all sales: beside the totals of some it would be taken for theirs.
  const graded = isFiltered ? null : gradeText(await deps.accounts.gradePurchases(accountId));
  const props = { request, view, page, sums, years, graded };
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

/** What is done here most, and files to take along. */
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

/** Years that can be chosen, newest first. */
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
  /** Newest first. */
  readonly years: readonly string[];
  /** How predictions of purchases came out; null as long as none did. */
  readonly graded: string | null;
}

function SalesView(props: SalesProps) {
  const { request, view, page, sums, years, graded } = props;
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
        <Card>
          <SaleTable request={request} view={view} sales={page.sales} />
          <PagePager request={request} total={page.total} />
        </Card>
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

/** Months shown in bars, the latest ones. */
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
        empty={`All sales are in ${monthText(months[0] ?? '')}.`}
      />
    </Card>
  );
}

/** Every month from the first to the last, those without sales too. */
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

function Filters({ request, view }: Pick<SalesProps, 'request' | 'view'>) {
  const { query } = request;
  const kept = ['year', 'sort'].filter((name) => query.get(name));
  const isNarrowed = Boolean(query.get('q') || query.get('platform'));
  const anywhere: Options = [['', 'All platforms'], ...platformChoices];
  return (
    <form class="filters" action="/sales">
      {kept.map((name) => (
        <input key={name} type="hidden" name={name} value={query.get(name) ?? ''} />
      ))}
      <Field
        name="q"
        label="Search"
        type="search"
        value={query.get('q') ?? ''}
        placeholder="Number or name"
        maxlength={100}
      />
      <FilterFold count={view.filter.platform === null ? 0 : 1}>
        <Choice
          name="platform"
          label="Platform"
          options={anywhere}
          value={view.filter.platform ?? ''}
        />
      </FilterFold>
      <ApplyFilters clear={isNarrowed ? changedAddress(request, { q: '', platform: '' }) : null} />
    </form>
  );
}

const saleColumns: Readonly<Record<SaleOrder['by'], Column<SaleEntry>>> = {
  date: dayColumn('Date', ({ sale }) => dayText(sale.saleDate)),
  set: mainColumn('Set', ({ sale, set }) => (
    <ItemCell kind="set" number={set.number} name={set.title} href={`/sales/${sale.id}`} />
  )),
  platform: column('Platform', ({ sale }) => platformNames[sale.platform]),
  quantity: countColumn('Qty', ({ sale }) => sale.quantity),
  gross: moneyColumn('Gross', ({ sale }) => sale.grossCents),
  fees: minor(moneyColumn('Fees', ({ sale }) => sale.platformFeesCents + sale.paymentFeesCents)),
  shipping: minor(moneyColumn('Shipping', ({ sale }) => sale.shippingCents)),
  net: moneyColumn('Net', ({ proceeds }) => proceeds.netCents),
  cost: minor(moneyColumn('Cost basis', ({ sale }) => sale.costCents)),
  profit: numberColumn('Profit', ({ proceeds }) => <Delta cents={proceeds.profitCents} />),
  roi: minor(
    numberColumn('ROI', ({ proceeds }) => (
      <Delta percent={proceeds.roiPct} missing="No cost basis" />
    )),
  ),
};

function SaleTable(props: {
  readonly request: OwnRequest;
  readonly view: View;
  readonly sales: readonly SaleEntry[];
}) {
  const { request, view, sales } = props;
  const { by: key, isDescending } = view.order;
  return (
    <DataTable
      label="Sales"
      rows={sales}
      columns={sortable(saleColumns)}
      sort={sortInAddress(request, { key, isDescending })}
    />
  );
}
