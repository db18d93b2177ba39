/** A shared collection: what it is worth, its items, and with costs its sales. */

import { itemKey } from '../../../catalog/items/numbers.ts';
import type { InventoryTotal, RowOrder } from '../../../portfolio/lots/inventory.ts';
import { type SharedLots, sharedSorts } from '../../../portfolio/sharing/shared.ts';
import {
  readSharedLots,
  readSharedSales,
  sharedTaxCsv,
} from '../../../portfolio/sharing/shared.work.ts';
import { changedAddress } from '../../kit/address.ts';
import { DownloadLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, type Figure, Figures } from '../../kit/card.tsx';
import { readOrder, sortInAddress } from '../../kit/columns.tsx';
import { columnFields, csvDownload, csvOf } from '../../kit/csv-download.ts';
import { Field, QueryForm } from '../../kit/fields.tsx';
import { countText, nounText, percentText } from '../../kit/format.ts';
import type { Tab } from '../../kit/layout.tsx';
import { List, lastPagePath, pageOf, pageRange, pageRows } from '../../kit/list.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import type { PageRequest, WebDeps } from '../../page.ts';
import {
  sharedColumns,
  sharedCostColumns,
  sharedSortChoices,
} from '../inventory/inventory-columns.tsx';
import { saleColumnsOf } from '../sales/sales.tsx';
import { yearsOf } from '../sales/sales-view.tsx';
import { type Reading, SharedPage } from './reading.tsx';

/** The collection of a share; null if it shares something else. */
function collectionOf({ share }: Reading) {
  const { accountId, brickfolioId, withCosts } = share;
  return brickfolioId === null ? null : { accountId, brickfolioId, withCosts };
}

/** The same, if its costs are shared. */
function costedOf(reading: Reading) {
  const found = collectionOf(reading);
  return found?.withCosts ? { ...found, withCosts: true as const } : null;
}

const textLengthMax = 100;

function readOrderOf({ query }: PageRequest, { share }: Reading): RowOrder {
  const { key, isDescending } = readOrder(query.get('sort') ?? '');
  const sort = sharedSorts(share).find((each) => each === key);
  return sort ? { sort, isDescending } : { sort: 'value', isDescending: true };
}

async function readLots({ market, portfolio }: WebDeps, request: PageRequest, reading: Reading) {
  const shared = collectionOf(reading);
  if (!shared) return null;
  const text = (request.query.get('q') ?? '').trim().slice(0, textLengthMax);
  const typed = itemKey('minifig', text);
  const { minifig: minifigKeys } = await market.findAllKeys({ set: [], minifig: [typed] });
  const order = readOrderOf(request, reading);
  return readSharedLots(portfolio, shared, { text, minifigKeys, order, at: request.at });
}

export async function showLots(deps: WebDeps, request: PageRequest, reading: Reading) {
  const lots = await readLots(deps, request, reading);
  if (!lots) return null;
  const last = lastPagePath(request, lots.rows.length);
  if (last) return { goTo: last };
  const csv = changedAddress({ ...request, path: `${reading.path}/items.csv` }, {});
  return (
    <SharedPage
      request={request}
      reading={reading}
      valuedAt={await deps.market.findPublishedAt()}
      tabs={tabsOf(reading)}
      actions={<DownloadLink href={csv}>Download CSV</DownloadLink>}
    >
      <Card>
        <Totals lots={lots} />
      </Card>
      <Search request={request} />
      <Lots request={request} reading={reading} lots={lots} />
    </SharedPage>
  );
}

function tabsOf(reading: Reading): readonly Tab[] | null {
  const { path } = reading;
  const tabs: readonly Tab[] = [
    [path, 'Items'],
    [`${path}/sales`, 'Sales'],
  ];
  return costedOf(reading) && tabs;
}

function Totals({ lots }: { readonly lots: SharedLots }) {
  const { itemCount, distinctCount, valueCents, withoutValue } = lots.total;
  const counted = lots.withCosts ? 'counted at cost' : 'not counted';
  return (
    <Figures
      figures={[
        [
          'Market value',
          <Money cents={valueCents} />,
          withoutValue > 0 && `${nounText(withoutValue, 'lot')} without a value, ${counted}`,
        ],
        ['Units', countText(itemCount), nounText(distinctCount, 'item')],
        ...(lots.withCosts ? costFigures(lots.total) : []),
      ]}
    />
  );
}

function costFigures({ costCents, gainCents, gainPct }: InventoryTotal): Figure[] {
  return [
    ['Cost basis', <Money cents={costCents} />],
    ['Unrealized gain', <Delta cents={gainCents} />, costCents > 0 && percentText(gainPct)],
  ];
}

function Search({ request }: { readonly request: PageRequest }) {
  const { path, query } = request;
  const sort = query.get('sort');
  const typed = { values: { q: query.get('q') ?? '' }, faults: {} };
  return (
    <QueryForm action={path} class="filters" typed={typed}>
      {sort && <input type="hidden" name="sort" value={sort} />}
      <Field
        name="q"
        label="Search"
        type="search"
        placeholder="Number or name"
        maxlength={textLengthMax}
      />
      <button type="submit" class="plain">
        Search
      </button>
    </QueryForm>
  );
}

function Lots(props: {
  readonly request: PageRequest;
  readonly reading: Reading;
  readonly lots: SharedLots;
}) {
  const { request, reading, lots } = props;
  const { sort: key, isDescending } = readOrderOf(request, reading);
  const order = { key, isDescending, choices: sharedSortChoices(reading.share) };
  const start = (pageOf(request.query) - 1) * pageRows;
  const list = {
    request,
    label: 'Items',
    total: lots.rows.length,
    sort: { ...sortInAddress(request, order), columnKey: key === 'gain_pct' ? 'gain' : key },
    empty: <EmptyState title={request.query.get('q') ? 'No items match' : 'No items yet'} />,
  };
  return lots.withCosts ? (
    <List {...list} columns={sharedCostColumns} rows={lots.rows.slice(start, start + pageRows)} />
  ) : (
    <List {...list} columns={sharedColumns} rows={lots.rows.slice(start, start + pageRows)} />
  );
}

export async function sendLots(deps: WebDeps, request: PageRequest, reading: Reading) {
  const lots = await readLots(deps, request, reading);
  if (!lots) return null;
  const file = lots.withCosts
    ? csvOf(columnFields(sharedCostColumns), lots.rows)
    : csvOf(columnFields(sharedColumns), lots.rows);
  return csvDownload(`brickmark-shared-${request.today}.csv`, file);
}

const partColumns = saleColumnsOf(null);

export async function showSales(deps: WebDeps, request: PageRequest, reading: Reading) {
  const shared = costedOf(reading);
  if (!shared) return null;
  const { total, sales } = await readSharedSales(deps.portfolio, shared, pageRange(request));
  const last = lastPagePath(request, total);
  if (last) return { goTo: last };
  const { accountId, brickfolioId } = shared;
  const years = yearsOf(await deps.accounts.listSaleSums(accountId, { brickfolioId }));
  return (
    <SharedPage
      request={request}
      reading={reading}
      valuedAt={null}
      tabs={tabsOf(reading)}
      actions={
        years.length > 0 && (
          <Menu label="Export" look="button plain">
            {years.map((year) => (
              <a key={year} href={`${reading.path}/sales/${year}.csv`} download>
                {`Tax export ${year} (CSV)`}
              </a>
            ))}
          </Menu>
        )
      }
    >
      <List
        request={request}
        label="Sales"
        columns={partColumns}
        rows={sales}
        total={total}
        empty={
          <EmptyState title="No sales">
            Sales of units from this collection are listed here, one row per lot.
          </EmptyState>
        }
      />
    </SharedPage>
  );
}

export async function sendTaxYear(deps: WebDeps, { params }: PageRequest, reading: Reading) {
  const shared = costedOf(reading);
  const year = /^(\d{4})\.csv$/.exec(params.file ?? '')?.[1];
  if (!shared || year === undefined) return null;
  return csvDownload(`sales-${year}.csv`, await sharedTaxCsv(deps.portfolio, shared, year));
}
