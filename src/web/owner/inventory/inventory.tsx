/** The inventory: the lots of all collections in one table. */
import type { ComponentChildren } from 'preact';
import { type Inventory, readInventory, readRecentValues } from '../../../accounts/inventory.ts';
import {
  countText,
  dayText,
  moneyText,
  nounText,
  percentText,
} from '../../../domain/kernel/format.ts';
import { percentOf } from '../../../domain/kernel/money.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import { type InventoryRow, rowGainCents } from '../../../domain/portfolio/inventory.ts';
import type { StoredEdit } from '../../../domain/portfolio/lot-edits.ts';
import type { SavedView } from '../../../domain/portfolio/saved-views.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf, namedNumber, withQuery } from '../../kit/address.ts';
import { Badge, Card } from '../../kit/card.tsx';
import { orderText } from '../../kit/columns.tsx';
import { ConfidenceDot } from '../../kit/confidence-dot.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Notice, PostForm } from '../../kit/fields.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { conditionNames } from '../../kit/format.ts';
import { ItemPicture } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Missing, Money } from '../../kit/money.tsx';
import { Pager, pageShown } from '../../kit/pager.tsx';
import { Sparkline } from '../../kit/sparkline.tsx';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { BulkBar, editText, lotBox } from './bulk-bar.tsx';
import { columnHeads, type InventoryColumn } from './inventory-columns.ts';
import { inventoryCsv } from './inventory-csv.ts';
import { InventoryFilters, sortChoices } from './inventory-filters.tsx';
import {
  allLots,
  changedView,
  type InventoryView,
  isFiltered,
  readSort,
  readView,
  viewPath,
  viewQuery,
} from './inventory-view.ts';
import { ViewTabs } from './saved-views.tsx';

/** The list, and the same as a file. */
export const inventoryRoutes = ownPages({
  '/inventory': { get: openInventory },
  '/inventory.csv': { get: sendCsv },
});

/** What an address may say besides the view: what was just done, and that all lots are meant. */
const asides = ['did', 'n', 'undo', 'view'];

/** Each view has one address, and the bare one opens the default view. */
async function openInventory(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { query, who } = request;
  if (query.size === 0) {
    const views = await deps.accounts.listSavedViews(who.accountId);
    const first = views.find((view) => view.isDefault && view.query !== '');
    if (first) return { goTo: `/inventory?${first.query}` };
  }
  const view = readView(query);
  const said = new URLSearchParams([...query].filter(([name]) => !asides.includes(name)));
  const needed = viewQuery(view);
  said.sort();
  needed.sort();
  if (String(said) !== String(needed)) {
    const kept = [...query].filter(([name]) => asides.includes(name) && name !== 'view');
    return { goTo: viewPath(view, Object.fromEntries(kept)) };
  }
  return showInventory(deps, request, view);
}

/** What the page shows. */
interface InventoryProps {
  readonly request: OwnRequest;
  readonly view: InventoryView;
  readonly inventory: Inventory;
  readonly shown: readonly ShownRow[];
  readonly brickfolios: readonly Brickfolio[];
  readonly views: readonly SavedView[];
  /** The change that was just made and can be undone. */
  readonly edit: StoredEdit | null;
  /** Why something was not done. */
  readonly fault: string | null;
}

/** A row of the page, with its values over the last 90 days. */
interface ShownRow extends InventoryRow {
  readonly recent: readonly (number | null)[];
}

/** The page of a view, maybe with why something was not done. */
export async function showInventory(
  deps: WebDeps,
  request: OwnRequest,
  view: InventoryView,
  fault: string | null = null,
): Promise<PageAnswer> {
  const { accounts, portfolio } = deps;
  const { accountId } = request.who;
  const { brickfolios, inventory } = await readLots(deps, request, view);
  const last = Math.max(1, Math.ceil(inventory.rows.length / view.rows));
  if (view.page > last) return { goTo: viewPath({ ...view, page: last }) };
  const rows = inventory.rows.slice((view.page - 1) * view.rows, view.page * view.rows);
  const hasTrend = view.columns.includes('trend');
  const recent = hasTrend ? await readRecentValues(portfolio, rows, request.at) : [];
  const shown = rows.map((row, index) => ({ ...row, recent: recent[index] ?? [] }));
  const views = await accounts.listSavedViews(accountId);
  const editId = idOf(request.query.get('undo'));
  const edit = editId === null ? null : await accounts.findEdit(accountId, editId, request.at);
  const props = { request, view, inventory, shown, brickfolios, views, edit, fault };
  return { page: <InventoryPage {...props} />, status: fault === null ? 200 : 409 };
}

async function sendCsv(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { inventory } = await readLots(deps, request, readView(request.query));
  const name = `brickmark-inventory-${formatDay(request.at)}.csv`;
  return csvDownload(name, inventoryCsv(inventory.rows));
}

/** The lots of a view on all its pages, and all collections. */
export async function readLots(
  { accounts, portfolio }: WebDeps,
  { who }: OwnRequest,
  view: InventoryView,
) {
  const brickfolios = await accounts.listBrickfolios(who.accountId);
  const inventory = await readInventory(portfolio, who.accountId, { ...view, brickfolios });
  return { brickfolios, inventory };
}

function InventoryPage(props: InventoryProps) {
  const { request, view, inventory, shown, brickfolios, views } = props;
  const actions = (
    <>
      <Menu label="More" look="button plain">
        <a href="/inventory/import">Import a file</a>
        <a href={viewPath(view, {}, '/inventory.csv')} download>
          Download this view (CSV)
        </a>
        <a href="/inventory/collections">Manage collections</a>
        <hr />
        <a href="/export/collection/csv" download>
          Export for backup (CSV)
        </a>
        <a href="/export/collection/json" download>
          Export for backup (JSON)
        </a>
        <a href="/export/collection/ghostfolio" download>
          Export for Ghostfolio
        </a>
      </Menu>
      <a class="button" href="/inventory/add">
        Add set
      </a>
    </>
  );
  return (
    <Layout title="Inventory" request={request} actions={actions}>
      <Messages {...props} />
      {inventory.isEmpty ? (
        <EmptyState
          title="No lots yet"
          actions={[
            { href: '/inventory/add', text: 'Add a set' },
            { href: '/inventory/import', text: 'Import a file' },
          ]}
        >
          Add the sets you own to see what they are worth.
        </EmptyState>
      ) : (
        <>
          <ViewTabs request={request} view={view} views={views} />
          <InventoryFilters view={view} themes={inventory.themes} brickfolios={brickfolios} />
          {shown.length > 0 ? <Lots {...props} /> : <NothingFound view={view} />}
        </>
      )}
    </Layout>
  );
}

/** What was just done, with the way back; or why it was not. */
function Messages({ request, view, edit, fault }: InventoryProps) {
  const count = Number(request.query.get('n') ?? 0);
  const action = viewPath(view, {}, '/inventory/undo');
  switch (request.query.get('did')) {
    case 'added':
      return <Toast>Added {namedNumber(request.query, 'n')}.</Toast>;
    case 'undone':
      return <Toast>Undone: {nounText(count, 'lot')} restored.</Toast>;
    case 'nothing':
      return <Toast>Nothing to change.</Toast>;
    case 'saved':
      return <Toast>View saved.</Toast>;
  }
  if (fault !== null) return <Notice kind="bad">{fault}</Notice>;
  if (edit === null) return null;
  return (
    <Toast undo={{ request, action, fields: { edit: String(edit.id) } }}>{editText(edit)}</Toast>
  );
}

function NothingFound({ view }: { readonly view: InventoryView }) {
  const isSold = view.filter.show === 'sold';
  return (
    <EmptyState
      title={isSold ? 'No sold-out lots' : 'No lots match'}
      actions={[
        { href: viewPath(allLots), text: isFiltered(view) ? 'Clear filters' : 'Show all lots' },
      ]}
    >
      {isSold ? 'A lot is listed here once all its units are sold.' : 'Try fewer filters.'}
    </EmptyState>
  );
}

function Lots({ request, view, inventory, shown, brickfolios }: InventoryProps) {
  const { length } = inventory.rows;
  const last = Math.ceil(length / view.rows);
  const to = (page: number) => viewPath({ ...view, page });
  return (
    <Card class="lots">
      {view.filter.show === 'held' && <Totals view={view} inventory={inventory} />}
      <PostForm
        request={request}
        action={viewPath(view, {}, '/inventory/choose')}
        class="selection"
      >
        <DataTable
          label="Lots"
          rows={shown}
          columns={[nameColumn, ...view.columns.map(columnOf), sellColumn]}
          isPlaced
          sort={{
            key: view.order.sort,
            columnKey: view.order.sort === 'gain_pct' ? 'gain' : view.order.sort,
            isDescending: view.order.isDescending,
            choices: sortChoices,
            href: (key, isDescending) => {
              const order = readSort(orderText({ key, isDescending }));
              return viewPath(changedView(view, { order }));
            },
          }}
          select={{ name: lotBox, value: ({ lot }) => String(lot.id) }}
        />
        <BulkBar view={view} lots={length} brickfolios={brickfolios} />
      </PostForm>
      <Pager
        shown={pageShown(view.page, view.rows, length)}
        previous={view.page > 1 ? to(view.page - 1) : null}
        next={view.page < last ? to(view.page + 1) : null}
      />
    </Card>
  );
}

function Totals({ view, inventory }: Pick<InventoryProps, 'view' | 'inventory'>) {
  const { total } = inventory;
  const withoutValue = viewPath(changedView(view, { filter: { value: 'none' } }));
  return (
    <Figures>
      <Figure
        name="Units"
        value={countText(total.itemCount)}
        note={`${nounText(total.lots, 'lot')}, ${nounText(total.setCount, 'set')}`}
      />
      <Figure name="Cost basis" value={<Money cents={total.costCents} />} />
      <Figure
        name="Market value"
        value={<Money cents={total.valueCents} />}
        note={
          total.withoutValue > 0 && (
            <a href={withoutValue}>
              {nounText(total.withoutValue, 'lot')} without a value, counted at cost
            </a>
          )
        }
      />
      <Figure
        name="Unrealized gain"
        value={<Delta cents={total.gainCents} />}
        note={total.costCents > 0 && percentText(total.gainPct)}
      />
    </Figures>
  );
}

const nameColumn: Column<ShownRow> = {
  key: 'name',
  name: 'Set',
  isMain: true,
  isSortable: true,
  // As `ItemCell`, without an element around it.
  cell: ({ lot, set: { number, title, theme } }) => (
    <>
      <ItemPicture kind="set" number={number} size="thumb" />
      <a href={`/lots/${lot.id}`}>{title || number}</a>
      <small>{theme ? `${number} · ${theme}` : number}</small>
    </>
  ),
};

/** The way to a sale of the lot, beside the row. */
const sellColumn: Column<ShownRow> = {
  key: 'sell',
  name: 'Sell',
  isNameHidden: true,
  cell: ({ lot, units }) =>
    units > 0 && (
      <a href={withQuery('/sales/new', { lot: lot.id })} aria-describedby={String(lot.id)}>
        Sell
      </a>
    ),
};

function columnOf(key: InventoryColumn): Column<ShownRow> {
  return { ...columnHeads[key], cell: cells[key] };
}

/** What stands in each column. */
const cells: Readonly<Record<InventoryColumn, Column<ShownRow>['cell']>> = {
  quantity: ({ lot, units }) => countText(units || lot.quantity),
  condition: ({ lot }) => conditionNames[lot.condition],
  cost: ({ lot, units }) =>
    lines(
      moneyText(lot.priceCents * (units || lot.quantity)),
      lot.isEstimated ? 'Estimated' : eachText(lot.priceCents, units || lot.quantity),
    ),
  value: valueCell,
  gain: gainCell,
  // An estimate follows no sales: its line would be flat.
  trend: ({ recent, tier }) => tier !== 'modeled' && trendCell(recent),
  collection: ({ brickfolio }) =>
    brickfolio.length > shortPlace ? (
      <span class="place" title={brickfolio}>
        {brickfolio}
      </span>
    ) : (
      brickfolio
    ),
  date: ({ lot }) =>
    lot.dateBasis === 'unknown' ? (
      <Missing reason="Purchase date unknown" />
    ) : (
      lines(dayText(lot.purchaseDate), lot.dateBasis === 'assumed' && 'Assumed')
    ),
  status: ({ lot, units }) =>
    units === 0 ? 'Sold out' : lot.status === 'listed' ? <Badge>Listed</Badge> : 'Owned',
};

/** Names of collections up to this length fit into the column; longer ones are cut by style. */
const shortPlace = 12;

/** A figure, and below it what goes with it. There are hundreds: no element around them. */
function lines(first: ComponentChildren, second: ComponentChildren) {
  return (
    <>
      {first}
      {second && <small>{second}</small>}
    </>
  );
}

/** The price of one, where there are several. */
function eachText(cents: number, units: number): string | null {
  return units > 1 ? `${moneyText(cents)} each` : null;
}

function valueCell({ unitCents, units, tier }: ShownRow) {
  if (units === 0) return null;
  if (unitCents === null) return <Missing reason="No value yet" />;
  const value = (
    <>
      {tier && <ConfidenceDot tier={tier} />} {moneyText(unitCents * units)}
    </>
  );
  return lines(value, tier === 'modeled' ? 'Estimated' : eachText(unitCents, units));
}

function gainCell(row: ShownRow) {
  const gain = rowGainCents(row);
  if (row.units === 0) return null;
  if (gain === null) return <Missing reason="No value yet" />;
  const percent = row.costCents > 0 && percentText(percentOf(gain, row.costCents));
  return lines(<Delta cents={gain} />, percent);
}

function trendCell(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || last === undefined) return null;
  return <Sparkline values={values} label={percentText(percentOf(last - first, first))} />;
}
