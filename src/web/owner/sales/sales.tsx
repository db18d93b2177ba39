/** Recorded sales: what they brought, by month and platform, and as a table of a year. */

import { readSales, type SaleEntry } from '../../../accounts/collection.ts';
import { totalSales } from '../../../accounts/own-sales.ts';
import { taxYearCsv } from '../../../accounts/tax-year.ts';
import { platformNames } from '../../../domain/fees/platforms.ts';
import { countText, gainText, moneyText, percentText } from '../../../domain/kernel/format.ts';
import type { SaleSum } from '../../../domain/portfolio/ledger-store.ts';
import type { WebDeps } from '../../deps.ts';
import { csvDownload } from '../../kit/csv-download.ts';
import { missingPage } from '../../kit/fault.tsx';
import { Notice } from '../../kit/fields.tsx';
import { Figure, signClass } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { lastPagePath, PagePager, pageRange } from '../../kit/pager.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../../page.ts';
import { ExportLinks } from '../../session/export.tsx';
import { findOwnTables } from '../buying/own-tables.ts';
import { gradeHint, gradeText } from '../buying/predicted.tsx';
import { typedFees } from './sale-form.tsx';

/** The list of sales, and their table of a year. */
export function salesRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'own', path: '/sales', get: (request) => showSales(deps, request) },
    {
      access: 'own',
      path: '/sales/fees',
      get: async (request) => {
        const { fees } = await findOwnTables(deps, request);
        return { data: typedFees(request.query, fees) };
      },
    },
    { access: 'own', path: '/sales/year/{file}', get: (request) => sendYear(deps, request) },
  ];
}

async function showSales(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const page = await readSales(deps.portfolio, accountId, pageRange(request));
  const last = lastPagePath(request, page.total);
  if (last) return { goTo: last };
  const sums = await deps.accounts.listSaleSums(accountId);
  const graded = gradeText(await deps.accounts.gradePurchases(accountId));
  return { page: <SalesPage request={request} page={page} sums={sums} graded={graded} /> };
}

async function sendYear(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const year = /^(\d{4})\.csv$/.exec(request.params.file ?? '')?.[1];
  if (year === undefined) return missingPage(request);
  const file = await taxYearCsv(
    { ...deps.portfolio, accounts: deps.accounts },
    request.who.accountId,
    year,
  );
  return csvDownload(`sales-${year}.csv`, file);
}

interface SalesProps {
  readonly request: OwnRequest;
  readonly page: { readonly total: number; readonly sales: readonly SaleEntry[] };
  readonly sums: readonly SaleSum[];
  /** How predictions of purchases came out; null as long as none did. */
  readonly graded: string | null;
}

function SalesPage({ request, page, sums, graded }: SalesProps) {
  const { query } = request;
  return (
    <Layout title="Sales" request={request}>
      {query.has('recorded') && <Notice>The sale is recorded.</Notice>}
      {query.has('changed') && <Notice>Changed.</Notice>}
      {query.has('removed') && (
        <Notice>The sale is gone, its units are in their lots again.</Notice>
      )}
      {sums.length > 0 ? (
        <Totals sums={sums} />
      ) : (
        <p class="quiet">
          Nothing is sold yet. Open a lot in one of your <a href="/collections">collections</a> to
          record a sale.
        </p>
      )}
      {graded && (
        <section class="card">
          <p class="flush">Your buys: {graded}.</p>
          <p class="quiet flush">{gradeHint}</p>
        </section>
      )}
      {page.sales.length > 0 && <SaleTable sales={page.sales} />}
      <PagePager request={request} total={page.total} />
      {sums.length > 0 && (
        <>
          <SumTable title="By month" name="Month" groups={groupsOf(sums, ({ month }) => month)} />
          <SumTable
            title="By platform"
            name="Platform"
            groups={groupsOf(sums, ({ platform }) => platformNames[platform])}
          />
          <p>
            <a href="/sales/fees-paid">Fees you paid</a>, compared with published fees
          </p>
          <Years sums={sums} />
        </>
      )}
    </Layout>
  );
}

type Groups = readonly (readonly [name: string, sums: readonly SaleSum[]])[];

function groupsOf(sums: readonly SaleSum[], nameOf: (sum: SaleSum) => string): Groups {
  return [...Map.groupBy(sums, nameOf)];
}

function Totals({ sums }: Pick<SalesProps, 'sums'>) {
  const total = totalSales(sums);
  return (
    <div class="grid figures">
      <Figure name="Buyers paid" value={moneyText(total.grossCents)} />
      <Figure name="You got" value={moneyText(total.netCents)} />
      <Figure name="Profit" value={gainText(total.profitCents)} sign={total.profitCents} />
      <Figure name="Return on cost" value={percentText(total.roiPct)} sign={total.profitCents} />
    </div>
  );
}

function SaleTable({ sales }: { readonly sales: readonly SaleEntry[] }) {
  return (
    <section class="card scroll">
      <h2>All sales</h2>
      <table class="cards">
        <TableHead
          columns={['Day', 'Set', 'Platform', 'Units', 'Paid', 'You got', 'Profit']}
          numbers={['Units', 'Paid', 'You got', 'Profit']}
          action="Open"
        />
        <tbody>
          {sales.map((entry) => (
            <SaleRow key={entry.sale.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SaleRow({ entry: { sale, set, proceeds } }: { readonly entry: SaleEntry }) {
  return (
    <tr>
      <td data-name="Day" class="day">
        {sale.saleDate}
      </td>
      <td data-name="Set">
        <SetLink number={set.number} title={set.title} />
      </td>
      <td data-name="Platform">{platformNames[sale.platform]}</td>
      <td data-name="Units" class="number">
        {countText(sale.quantity)}
      </td>
      <td data-name="Paid" class="number">
        {moneyText(sale.grossCents)}
      </td>
      <td data-name="You got" class="number">
        {moneyText(proceeds.netCents)}
      </td>
      <td data-name="Profit" class="number">
        <span class={signClass(proceeds.profitCents)}>
          {gainText(proceeds.profitCents)} ({percentText(proceeds.roiPct)})
        </span>
      </td>
      <td data-name="">
        <a href={`/sales/${sale.id}`}>
          Change
          <span class="visually-hidden">
            {' '}
            the sale of {set.title} on {sale.saleDate}
          </span>
        </a>
      </td>
    </tr>
  );
}

const amounts = ['Sales', 'Units', 'Paid', 'You got', 'Cost', 'Profit'];

function SumTable(props: {
  readonly title: string;
  readonly name: string;
  readonly groups: Groups;
}) {
  const { title, name, groups } = props;
  return (
    <section class="card scroll">
      <h2>{title}</h2>
      <table class="cards">
        <TableHead columns={[name, ...amounts]} numbers={amounts} />
        <tbody>
          {groups.map(([group, sums]) => (
            <SumRow key={group} name={name} group={group} sums={sums} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SumRow(props: {
  readonly name: string;
  readonly group: string;
  readonly sums: readonly SaleSum[];
}) {
  const total = totalSales(props.sums);
  const cells = [
    ['Sales', countText(total.sales)],
    ['Units', countText(total.units)],
    ['Paid', moneyText(total.grossCents)],
    ['You got', moneyText(total.netCents)],
    ['Cost', moneyText(total.costCents)],
  ] as const;
  return (
    <tr>
      <td data-name={props.name}>{props.group}</td>
      {cells.map(([name, text]) => (
        <td key={name} data-name={name} class="number">
          {text}
        </td>
      ))}
      <td data-name="Profit" class="number">
        <span class={signClass(total.profitCents)}>
          {gainText(total.profitCents)} ({percentText(total.roiPct)})
        </span>
      </td>
    </tr>
  );
}

function Years({ sums }: Pick<SalesProps, 'sums'>) {
  const years = [...new Set(sums.map(({ month }) => month.slice(0, 4)))];
  return (
    <section class="card">
      <h2>Files</h2>
      <p class="row">
        {years.map((year) => (
          <a key={year} class="button plain" href={`/sales/year/${year}.csv`}>
            For the taxes of {year} (CSV)
          </a>
        ))}
        <ExportLinks kind="sales" />
      </p>
    </section>
  );
}
