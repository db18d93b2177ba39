/** The inventory: the lots of all collections in one table. */

import { itemKey } from '../../../catalog/items/numbers.ts';
import { at } from '../../../kernel/at.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { findListed } from '../../../portfolio/lots/collection.work.ts';
import {
  type Inventory,
  readInventory,
  readRecentValues,
} from '../../../portfolio/lots/inventory.work.ts';
import type { OwnField } from '../../../portfolio/lots/lot-details.ts';
import type { FoundEdit } from '../../../portfolio/lots/lot-edits.ts';
import type { SavedView } from '../../../portfolio/lots/saved-views.ts';
import { itemText, namedItem } from '../../catalog/find-item.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { ButtonLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, Figures } from '../../kit/card.tsx';
import { orderText } from '../../kit/columns.tsx';
import { csvDownload, csvOf } from '../../kit/csv-download.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { Notice, PostForm } from '../../kit/fields.tsx';
import { countText, nounText, percentText } from '../../kit/format.ts';
import { inventoryTabs, Layout } from '../../kit/layout.tsx';
import { Pager, pageShown } from '../../kit/list.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { BulkBar, editText, lotBox } from './bulk-bar.tsx';
import { columnsOf, inventoryFields, type ShownRow, sortChoices } from './inventory-columns.tsx';
import {
  allLots,
  changedView,
  InventoryFilters,
  type InventoryView,
  isFiltered,
  readSort,
  readView,
  viewPath,
  viewQuery,
} from './inventory-view.tsx';
import { ViewTabs } from './saved-views.tsx';

export const inventoryRoutes = routes('own', {
  '/inventory': { get: openInventory },
  '/inventory.csv': { get: sendCsv },
});

/** Parameters that are not part of a view. */
const otherNames = ['did', 'n', 'undo', 'view'];

/** Redirects to the canonical address of a view; without parameters, to the default view. */
async function openInventory(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { query, who } = request;
  if (query.size === 0) {
    const views = await deps.accounts.listSavedViews(who.accountId);
    const first = views.find((view) => view.isDefault && view.query !== '');
    if (first) return { goTo: `/inventory?${first.query}` };
  }
  const view = readView(query);
  const given = new URLSearchParams([...query].filter(([name]) => !otherNames.includes(name)));
  const canonical = viewQuery(view);
  given.sort();
  canonical.sort();
  if (String(given) !== String(canonical)) {
    const kept = [...query].filter(([name]) => otherNames.includes(name) && name !== 'view');
    return { goTo: viewPath(view, Object.fromEntries(kept)) };
  }
  return showInventory(deps, request, view);
}

interface InventoryProps {
  readonly request: OwnRequest;
  readonly view: InventoryView;
  readonly inventory: Inventory;
  readonly shown: readonly ShownRow[];
  readonly brickfolios: readonly Brickfolio[];
  readonly ownFields: readonly OwnField[];
  readonly views: readonly SavedView[];
  /** The change that was just made, for undo. */
  readonly edit: FoundEdit | null;
  /** The names of its items. */
  readonly edited: readonly string[];
  /** The item that was just added, for the message. */
  readonly added: string;
  /** Why an action was rejected. */
  readonly fault: string | null;
}

export async function showInventory(
  deps: WebDeps,
  request: OwnRequest,
  view: InventoryView,
  fault: string | null = null,
): Promise<PageAnswer> {
  const { accounts, portfolio } = deps;
  const { accountId } = request.who;
  const { brickfolios, ownFields, inventory } = await readViewLots(deps, request, view);
  const last = Math.max(1, Math.ceil(inventory.rows.length / view.rows));
  if (view.page > last) return { goTo: viewPath({ ...view, page: last }) };
  const rows = inventory.rows.slice((view.page - 1) * view.rows, view.page * view.rows);
  const hasTrend = view.columns.includes('trend');
  const recent = hasTrend ? await readRecentValues(portfolio, rows, request.at) : [];
  const ids = rows.map(({ lot }) => lot.id);
  const photos = await accounts.countPhotos(accountId, ids);
  const shown = rows.map((row, index) => ({
    ...row,
    recent: hasTrend ? at(recent, index) : [],
    photos: photos.get(row.lot.id) ?? 0,
  }));
  const views = await accounts.listSavedViews(accountId);
  const editId = idOf(request.query.get('undo'));
  const edit = editId === null ? null : await accounts.findEdit(accountId, editId, request.at);
  const itemOf = await findListed(portfolio.market, edit?.items ?? []);
  const edited = (edit?.items ?? []).map((ref) => itemText(itemOf(ref)));
  const added = await namedItem(deps, request.query, 'n');
  const listed = { request, view, inventory, shown, brickfolios, ownFields, views };
  const props = { ...listed, edit, edited, fault, added };
  return { page: <InventoryPage {...props} />, status: fault === null ? 200 : 409 };
}

async function sendCsv(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { inventory, ownFields } = await readViewLots(deps, request, readView(request.query));
  const name = `brickmark-inventory-${request.today}.csv`;
  return csvDownload(name, csvOf(inventoryFields(ownFields), inventory.rows));
}

/** The lots on all pages of a view, and all collections. */
export async function readViewLots(
  { accounts, market, portfolio }: WebDeps,
  { who, at }: OwnRequest,
  view: InventoryView,
) {
  const brickfolios = await accounts.listBrickfolios(who.accountId);
  const ownFields = await accounts.listOwnFields(who.accountId);
  const typed = itemKey('minifig', view.filter.text);
  const { minifig } = await market.findAllKeys({ set: [], minifig: [typed] });
  const question = { ...view, brickfolios, ownFields, minifigKeys: minifig, at };
  const inventory = await readInventory(portfolio, who.accountId, question);
  return { brickfolios, ownFields, inventory };
}

function InventoryPage(props: InventoryProps) {
  const { request, view, inventory, shown, brickfolios, ownFields, views } = props;
  const actions = (
    <>
      <Menu label="More" look="button plain">
        <a href="/inventory/import">Import a file</a>
        <a href={viewPath(view, {}, '/inventory.csv')} download>
          Download this view (CSV)
        </a>
        <a href="/inventory/collections">Manage collections</a>
        <a href="/inventory/fields">Own fields</a>
        <a href={withQuery('/inventory/insurance', { collection: view.filter.brickfolioId })}>
          Insurance sheet
        </a>
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
      <ButtonLink href="/inventory/add">Add item</ButtonLink>
    </>
  );
  return (
    <Layout title="Inventory" request={request} tabs={inventoryTabs} actions={actions}>
      <Messages {...props} />
      {inventory.isEmpty ? (
        <EmptyState
          title="No lots yet"
          actions={[
            ['/inventory/add', 'Add a set or minifig'],
            ['/inventory/import', 'Import a file'],
          ]}
        >
          Add the sets and minifigs you own to see what they are worth.
        </EmptyState>
      ) : (
        <>
          <ViewTabs view={view} views={views} />
          <InventoryFilters
            view={view}
            inventory={inventory}
            brickfolios={brickfolios}
            ownFields={ownFields}
          />
          {shown.length > 0 ? <Lots {...props} /> : <NothingFound view={view} />}
        </>
      )}
    </Layout>
  );
}

function Messages({ request, view, edit, edited, fault, added }: InventoryProps) {
  const count = Number(request.query.get('n') ?? 0);
  const action = viewPath(view, {}, '/inventory/undo');
  switch (request.query.get('did')) {
    case 'added':
      return <Toast>{`Added ${added}.`}</Toast>;
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
    <Toast undo={{ action, fields: { edit: String(edit.id) } }}>{editText(edit, edited)}</Toast>
  );
}

function NothingFound({ view }: { readonly view: InventoryView }) {
  const isSold = view.filter.show === 'sold';
  return (
    <EmptyState
      title={isSold ? 'No sold-out lots' : 'No lots match'}
      actions={[[viewPath(allLots), isFiltered(view) ? 'Clear filters' : 'Show all lots']]}
    >
      {isSold ? 'A lot is listed here once all its units are sold.' : 'Try fewer filters.'}
    </EmptyState>
  );
}

function Lots({ view, inventory, shown, brickfolios, ownFields }: InventoryProps) {
  const { length } = inventory.rows;
  const last = Math.ceil(length / view.rows);
  const to = (page: number) => viewPath({ ...view, page });
  return (
    <Card class="lots">
      {view.filter.show === 'held' && <Totals view={view} inventory={inventory} />}
      <PostForm action={viewPath(view, {}, '/inventory/choose')} class="selection">
        <DataTable
          label="Lots"
          rows={shown}
          columns={columnsOf(view.columns, ownFields)}
          isPlaced
          sort={{
            key: view.order.sort,
            columnKey: view.order.sort === 'gain_pct' ? 'gain' : view.order.sort,
            isDescending: view.order.isDescending,
            choices: sortChoices(ownFields),
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
    <Figures
      figures={[
        [
          'Units',
          countText(total.itemCount),
          `${nounText(total.lots, 'lot')}, ${nounText(total.distinctCount, 'item')}`,
        ],
        ['Cost basis', <Money cents={total.costCents} />],
        [
          'Market value',
          <Money cents={total.valueCents} />,
          total.withoutValue > 0 && (
            <a href={withoutValue}>
              {nounText(total.withoutValue, 'lot')} without a value, counted at cost
            </a>
          ),
        ],
        [
          'Unrealized gain',
          <Delta cents={total.gainCents} />,
          total.costCents > 0 && percentText(total.gainPct),
        ],
      ]}
    />
  );
}
