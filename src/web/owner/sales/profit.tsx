/** The profit report: recorded sales by theme, period, platform, store and time held. */

import { csvCell, usdCell } from '../../../kernel/csv-cell.ts';
import {
  type ProfitGrouping,
  type ProfitRow,
  profitGroupings,
} from '../../../portfolio/sales/profit.ts';
import { ProfitReports } from '../../../portfolio/sales/profit.work.ts';
import { changedAddress } from '../../kit/address.ts';
import { BarList } from '../../kit/bar-list.tsx';
import { PlainLink } from '../../kit/buttons.tsx';
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
import { columnFields, csvDownload, csvOf } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { versionOf } from '../../kit/form-reader.ts';
import { countText, moneyText, monthText, nounText, usdText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { Delta, Missing, Money } from '../../kit/money.tsx';
import { Segments } from '../../kit/segments.tsx';
import type { Order } from '../../kit/sort-menu.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { readView, SalesFilters, YearSegments, yearsOf } from './sales-view.tsx';

export function profitRoutes(deps: WebDeps) {
  const reports = new ProfitReports(deps, { ...deps.portfolio, accounts: deps.accounts });
  return routes('own', {
    '/sales/profit': { get: (_, request) => showProfit(deps, reports, request) },
    '/sales/profit.csv': { get: (_, request) => sendProfit(deps, reports, request) },
  });
}

const groupingNames: Readonly<Record<ProfitGrouping, string>> = {
  theme: 'Theme',
  year: 'Year',
  month: 'Month',
  platform: 'Platform',
  bought_at: 'Bought at',
  time_held: 'Time held',
};

/** Groupings with an order of their own; the others begin with the highest profit. */
const orderOfGroups: Partial<Record<ProfitGrouping, Order>> = {
  year: { key: 'group', isDescending: true },
  month: { key: 'group', isDescending: true },
  time_held: { key: 'group', isDescending: false },
};

type Report = Awaited<ReturnType<typeof readReport>>;

async function readReport(deps: WebDeps, reports: ProfitReports, request: OwnRequest) {
  const { query, who } = request;
  const view = await readView(deps, request);
  const grouping = profitGroupings.find((each) => each === query.get('by')) ?? 'theme';
  const usual = orderOfGroups[grouping] ?? { key: 'profit', isDescending: true };
  const typed = readOrder(query.get('sort') ?? '');
  const order = Object.hasOwn(sortValues, typed.key) ? typed : usual;
  const { filter, year } = view;
  const name = versionOf([year, filter.platform ?? null, query.get('q')]);
  const { rows, total } = await reports.find(who.accountId, { name, filter, grouping });
  return { view, grouping, order, rows: sorted(rows, order), total };
}

async function showProfit(deps: WebDeps, reports: ProfitReports, request: OwnRequest) {
  const report = await readReport(deps, reports, request);
  const years = yearsOf(await deps.accounts.listSaleSums(request.who.accountId));
  const csv = changedAddress({ ...request, path: '/sales/profit.csv' }, {});
  return (
    <Layout
      title="Profit report"
      request={request}
      actions={years.length > 0 && <PlainLink href={csv}>Export CSV</PlainLink>}
    >
      {years.length === 0 ? (
        <EmptyState title="No sales recorded" actions={[['/sales/new', 'Record sale']]}>
          Record a sale to see which themes, platforms and stores earn you the most.
        </EmptyState>
      ) : (
        <ReportView request={request} report={report} years={years} />
      )}
    </Layout>
  );
}

async function sendProfit(deps: WebDeps, reports: ProfitReports, request: OwnRequest) {
  const { grouping, rows } = await readReport(deps, reports, request);
  return csvDownload(`profit-by-${grouping}.csv`, csvOf(columnFields(columnsOf(grouping)), rows));
}

function ReportView(props: {
  readonly request: OwnRequest;
  readonly report: Report;
  readonly years: readonly string[];
}) {
  const { request, report, years } = props;
  const { view, grouping, order, rows, total } = report;
  const groupings = profitGroupings.map((each) => ({
    href: changedAddress(request, { by: each, sort: null }),
    text: groupingNames[each],
    isCurrent: each === grouping,
  }));
  return (
    <>
      <div class="heading">
        <Segments label="Group by" choices={groupings} />
        <YearSegments request={request} years={years} year={view.year} />
      </div>
      <SalesFilters request={request} />
      {rows.length === 0 ? (
        <EmptyState
          title="No sales match"
          actions={[[changedAddress(request, cleared), 'Clear filters']]}
        >
          Try another year, platform or search.
        </EmptyState>
      ) : (
        <>
          <Card>
            <Figures
              figures={[
                ['Profit', <Delta cents={total.profitCents} />],
                ['ROI', <Delta percent={total.roiPct} missing="No cost basis" />],
                [
                  'Net',
                  <Money cents={total.netCents} />,
                  `of ${moneyText(total.grossCents)} gross`,
                ],
                ['Units sold', countText(total.units), `in ${nounText(total.sales, 'sale')}`],
                ['Average time held', <DaysHeld days={total.daysHeld} />],
              ]}
            />
          </Card>
          <Card title={`Profit by ${groupingNames[grouping].toLowerCase()}`}>
            {grouping === 'month' ? <MonthChart rows={rows} /> : <Bars rows={rows} />}
          </Card>
          <Card>
            <DataTable
              label="Profit"
              rows={rows}
              columns={columnsOf(grouping)}
              sort={sortInAddress(request, order)}
            />
          </Card>
        </>
      )}
    </>
  );
}

const cleared = { year: null, platform: null, q: null };

/** The maximum number of bars; the table has all groups. */
const barsMax = 12;

function Bars({ rows }: Pick<Report, 'rows'>) {
  const bars = rows.map(({ name, profitCents }) => ({ name, cents: profitCents }));
  return (
    <>
      <BarList label="Profit" rows={bars.slice(0, barsMax)} />
      {bars.length > barsMax && (
        <p class="quiet small">{`The first ${barsMax} of ${bars.length} in the table below.`}</p>
      )}
    </>
  );
}

function MonthChart({ rows }: Pick<Report, 'rows'>) {
  const months = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return (
    <Chart
      id="profit"
      caption="Profit by month"
      unit="usd"
      columns={[{ name: 'Profit', look: 'bar', tone: 'series-1', show: usdText }]}
      rows={months.map(({ key, profitCents }) => ({ at: key, values: [profitCents / 100] }))}
      empty="All sales are in one month."
    />
  );
}

function DaysHeld({ days }: { readonly days: number | null }) {
  if (days === null) return <Missing reason="Purchase dates unknown" />;
  return <span>{nounText(Math.round(days), 'day')}</span>;
}

const sortValues: Readonly<Record<string, (row: ProfitRow) => string | number | null>> = {
  group: ({ key }) => key,
  units: ({ units }) => units,
  gross: ({ grossCents }) => grossCents,
  costs: sellingCosts,
  net: ({ netCents }) => netCents,
  cost: ({ costCents }) => costCents,
  profit: ({ profitCents }) => profitCents,
  roi: ({ roiPct }) => roiPct,
  held: ({ daysHeld }) => daysHeld,
};

/** Rows without a value come last in both directions. */
function sorted(rows: readonly ProfitRow[], { key, isDescending }: Order): ProfitRow[] {
  const read = sortValues[key] ?? (() => null);
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [read(a), read(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return left < right ? -direction : left > right ? direction : 0;
  });
}

function sellingCosts({ grossCents, netCents }: ProfitRow): number {
  return grossCents - netCents;
}

function columnsOf(grouping: ProfitGrouping): readonly Column<ProfitRow>[] {
  const shown = ({ name }: ProfitRow) => (grouping === 'month' ? monthText(name) : name);
  const group = mainColumn<ProfitRow>(groupingNames[grouping], shown, {
    sort: 'group',
    csv: { [grouping]: ({ name }) => csvCell(name), sales: ({ sales }) => sales },
  });
  return [group, ...figureColumns];
}

const figureColumns: readonly Column<ProfitRow>[] = [
  countColumn('Units', ({ units }) => units, {
    sort: 'units',
    phone: 'count',
    csv: 'units',
  }),
  moneyColumn('Gross', ({ grossCents }) => grossCents, {
    sort: 'gross',
    isMinor: true,
    csv: 'gross_proceeds_usd',
  }),
  moneyColumn('Fees and shipping', sellingCosts, {
    sort: 'costs',
    isMinor: true,
    csv: 'fees_and_shipping_usd',
  }),
  moneyColumn('Net', ({ netCents }) => netCents, {
    sort: 'net',
    csv: 'net_proceeds_usd',
  }),
  moneyColumn('Cost basis', ({ costCents }) => costCents, {
    sort: 'cost',
    csv: 'cost_basis_usd',
  }),
  numberColumn('Profit', ({ profitCents }) => <Delta cents={profitCents} />, {
    sort: 'profit',
    phone: 'top',
    csv: { profit_loss_usd: ({ profitCents }) => usdCell(profitCents) },
  }),
  numberColumn('ROI', ({ roiPct }) => <Delta percent={roiPct} missing="No cost basis" />, {
    sort: 'roi',
    phone: 'bottom',
    csv: { roi_pct: ({ roiPct }) => roiPct?.toFixed(2) ?? '' },
  }),
  numberColumn('Average time held', ({ daysHeld }) => <DaysHeld days={daysHeld} />, {
    sort: 'held',
    isMinor: true,
    csv: { average_days_held: ({ daysHeld }) => daysHeld?.toFixed(1) ?? '' },
  }),
];
