/** The retail watch: what retailers ask for the sets that one holds, with the API's filters. */

import {
  readRetailWatch,
  type WatchedRow,
  type WatchFilter,
  watchWindowMs,
} from '../../accounts/retail-watch.ts';
import { listMembersMax } from '../../contract/limits.ts';
import type { PriceBlock, RetailRow } from '../../contract/retail.ts';
import { barcodeKey } from '../../domain/catalog/barcode.ts';
import { countText, moneyText, usdText } from '../../domain/kernel/format.ts';
import { parseDay, parseInstant } from '../../domain/kernel/time.ts';
import { asinKey } from '../../domain/market/retail.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { Choice, Field, nameFault, type Typed } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { Paging, pageOf } from '../kit/paging.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../page.ts';
import { Price, stepText } from './item-retail.tsx';

const pageSize = 100;

/** The retail watch. */
export function retailRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'own', path: '/retail', get: (request) => showWatch(deps, request) }];
}

const filterNames = ['changed_within', 'since', 'asin', 'upc'] as const;

type Filters = Readonly<Record<(typeof filterNames)[number], string>>;

async function showWatch(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { query, who, at } = request;
  const text = (name: string) => (query.get(name) ?? '').trim();
  const filters: Filters = {
    changed_within: text('changed_within'),
    since: text('since'),
    asin: text('asin'),
    upc: text('upc'),
  };
  const { filter, faults } = readFilter(filters, at);
  const typed = { values: filters, faults };
  if (Object.keys(faults).length > 0) {
    return {
      page: <WatchPage request={request} deps={deps} typed={typed} rows={[]} total={0} />,
      status: 400,
    };
  }
  const rows = await readRetailWatch(deps.portfolio, who.accountId, filter);
  const start = (pageOf(query) - 1) * pageSize;
  const shown = rows.slice(start, start + pageSize);
  return {
    page: (
      <WatchPage request={request} deps={deps} typed={typed} rows={shown} total={rows.length} />
    ),
  };
}

/** The filters as the API understands them, and what is wrong with them. */
function readFilter(filters: Filters, at: number) {
  const windowMs = filters.changed_within === '' ? null : watchWindowMs(filters.changed_within);
  const since =
    filters.since === '' ? null : (parseDay(filters.since) ?? parseInstant(filters.since));
  const [asins, codes] = [membersOf(filters.asin), membersOf(filters.upc)];
  const bounds = [windowMs === null ? null : at - windowMs, since].filter((one) => one !== null);
  const filter: WatchFilter = {
    changedSince: bounds.length === 0 ? null : Math.max(...bounds),
    asinKeys: asins?.map(asinKey) ?? null,
    barcodeKeys: codes?.flatMap((code) => barcodeKey(code) ?? []) ?? null,
  };
  const isWrong = (typed: string, read: number | null) => typed !== '' && read === null;
  const faults = {
    ...nameFault(
      'changed_within',
      isWrong(filters.changed_within, windowMs) ? 'Write a time such as 90m, 24h or 7d.' : null,
    ),
    ...nameFault('since', isWrong(filters.since, since) ? 'Write a day such as 2026-11-15.' : null),
    ...nameFault('asin', listFault(asins)),
    ...nameFault('upc', listFault(codes)),
  };
  return { filter, faults };
}

/** The members of a list, by commas or blanks; null when nothing was typed. */
function membersOf(text: string): string[] | null {
  const members = text.split(/[\s,]+/).filter((member) => member !== '');
  return members.length === 0 ? null : members;
}

function listFault(members: readonly string[] | null): string | null {
  return (members?.length ?? 0) > listMembersMax ? `Type at most ${listMembersMax} of them.` : null;
}

interface WatchPageProps {
  readonly request: OwnRequest;
  readonly deps: WebDeps;
  readonly typed: Typed;
  readonly rows: readonly WatchedRow[];
  readonly total: number;
}

function WatchPage({ request, deps, typed, rows, total }: WatchPageProps) {
  return (
    <Layout title="Retail watch" request={request}>
      <p>What the retailers ask for the sets that you hold, the latest change first.</p>
      <section class="card">
        <Filter typed={typed} />
      </section>
      <section class="card">
        {rows.length === 0 ? <Nothing typed={typed} /> : <WatchTable rows={rows} deps={deps} />}
      </section>
      <Paging
        page={pageOf(request.query)}
        pageSize={pageSize}
        total={total}
        to={(page) => withQuery('/retail', { ...typed.values, page })}
      />
    </Layout>
  );
}

const windows: readonly (readonly [string, string])[] = [
  ['', 'at any time'],
  ['1h', 'within an hour'],
  ['24h', 'within a day'],
  ['7d', 'within a week'],
  ['30d', 'within 30 days'],
];

function Filter({ typed }: { readonly typed: Typed }) {
  const window = typed.values.changed_within ?? '';
  // An address may ask for any window, as the API does.
  const isKnown = windows.some(([value]) => value === window);
  const options = isKnown ? windows : [...windows, [window, `within ${window}`] as const];
  return (
    <form class="row" action="/retail">
      <Choice name="changed_within" label="Changed" options={options} typed={typed} />
      <Field name="since" label="Changed since" type="date" typed={typed} />
      <Field name="asin" label="ASINs, by commas" typed={typed} />
      <Field name="upc" label="UPCs or EANs, by commas" typed={typed} />
      <button type="submit">Show</button>
      <a class="button plain" href="/retail">
        Show all
      </a>
    </form>
  );
}

function Nothing({ typed }: { readonly typed: Typed }) {
  const isFiltered = Object.values(typed.values).some((value) => value !== '');
  return isFiltered ? (
    <p>None of your sets fits. Show all to see what is watched.</p>
  ) : (
    <p>
      None of the sets that you hold was seen at a retailer.{' '}
      <a href="/collections">Add sets to a collection</a> to watch them.
    </p>
  );
}

function WatchTable({ rows, deps }: Pick<WatchPageProps, 'rows' | 'deps'>) {
  const { retailer_a: a, retailer_b: b } = deps.retailerNames;
  return (
    <div class="scroll">
      <table class="cards">
        <caption>{`${countText(rows.length)} ${rows.length === 1 ? 'set' : 'sets'}`}</caption>
        <thead>
          <tr>
            <th scope="col">Set</th>
            {['Paid', a, b, 'Left after fees'].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ record, paidCents }) => (
            <WatchRow
              key={record.setKey}
              paidCents={paidCents}
              a={a}
              b={b}
              row={JSON.parse(record.body)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WatchRow(props: {
  readonly row: RetailRow;
  readonly paidCents: number | null;
  readonly a: string;
  readonly b: string;
}) {
  const { row, paidCents, a, b } = props;
  return (
    <tr>
      <td data-name="Set">
        <a href={itemPath('set', row.setNumber)}>{`${row.setNumber} ${row.name}`}</a>
      </td>
      <td data-name="Paid" class="number">
        {moneyText(paidCents)}
      </td>
      <Offer name={a} block={row.retailer_a} />
      <Offer name={b} block={row.retailer_b} />
      <td data-name="Left after fees" class="number">
        {usdText(row.retailer_aExit.netFba)}
      </td>
    </tr>
  );
}

/** What a retailer asks, and how that last moved. */
function Offer({ name, block }: { readonly name: string; readonly block: PriceBlock }) {
  return (
    <td data-name={name} class="number">
      <div>
        <Price block={block} />
        <div class="quiet small">{stepText(block)}</div>
      </div>
    </td>
  );
}
