/** The page of a watchlist: a table to read, or to edit targets and notes. */

import type { ComponentChildren } from 'preact';
import {
  type TargetDistance,
  type WatchOrder,
  watchOrders,
} from '../../../alerts/watchlists/target-distance.ts';
import {
  type WatchedItem,
  type WatchFacts,
  type WatchList,
  watchLimits,
} from '../../../alerts/watchlists/watch-list.ts';
import type { WatchedRow } from '../../../alerts/watchlists/watched-prices.work.ts';
import { formatDay } from '../../../kernel/time.ts';
import { changedAddress } from '../../kit/address.ts';
import { ButtonForm, PlainLink } from '../../kit/buttons.tsx';
import { Badge, Card, EmptyState } from '../../kit/card.tsx';
import {
  column,
  dayColumn,
  Lines,
  mainColumn,
  moneyColumn,
  numberColumn,
  wideColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { CellField, Field, PostForm } from '../../kit/fields.tsx';
import { amountText, versionOf } from '../../kit/form-reader.ts';
import { countText, dayText, decimalText, moneyText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout, type Tab, watchlistTabs } from '../../kit/layout.tsx';
import { PagePager } from '../../kit/list.tsx';
import { Dialog, Menu } from '../../kit/menu.tsx';
import { Delta, Missing, Money } from '../../kit/money.tsx';
import { Segments } from '../../kit/segments.tsx';
import { SetPicker, type SuggestedItem } from '../../kit/set-picker.tsx';
import type { OwnRequest, SiteFacts } from '../../page.ts';
import { alreadyMatchText } from '../alerts/alert-text.ts';
import { minifigTargets } from '../alerts/target-alert.ts';

/** Rows per page. Even with the longest notes, they fit into one form. */
export const watchPageSize = 25;

export function rowVersion({ targetCents, note }: WatchFacts): string {
  return versionOf([targetCents, note]);
}

interface WatchListProps {
  readonly request: OwnRequest;
  readonly lists: readonly WatchList[];
  /** The open list; null if there is none. */
  readonly list: WatchList | null;
  readonly items: readonly WatchedItem[];
  readonly rows: readonly WatchedRow[];
  readonly order: WatchOrder;
  /** Whether an alert for its target prices is on. */
  readonly isAlerted: boolean;
  /** The matches of ambiguous input. */
  readonly choices: readonly SuggestedItem[];
  readonly retailerNames: SiteFacts['retailerNames'];
  /** The item that was just added, for the message. */
  readonly added: string;
  /** The change of the market value in 90 days, in percent; null if unknown. */
  readonly changeOf: (item: WatchedItem) => number | null;
}

type ListProps = WatchListProps & { readonly list: WatchList };

export function WatchListPage(props: WatchListProps) {
  const { request, lists, list } = props;
  const isNameWrong = request.rejected?.faults.name !== undefined;
  return (
    <Layout
      title={list?.name ?? 'Watchlist'}
      request={request}
      done={doneTexts(request, props.added)}
      tabs={watchlistTabs}
      actions={
        <>
          {list && <ListActions {...props} list={list} />}
          {!isNameWrong && (
            <Dialog id="new-list" title="New list" trigger="New list">
              <NewListForm />
            </Dialog>
          )}
        </>
      }
    >
      {isNameWrong && (
        <Card title="New list">
          <NewListForm />
        </Card>
      )}
      {lists.length > 1 && (
        <Segments
          label="Lists"
          choices={lists.map(({ id, name, items }) => ({
            href: `/watchlist/${id}`,
            text: `${name} (${countText(items)})`,
            isCurrent: id === list?.id,
          }))}
        />
      )}
      {!(list && isEditing(request, list)) && <AddItem {...props} />}
      {list && list.items > 0 ? <Items {...props} list={list} /> : <NoItems list={list} />}
    </Layout>
  );
}

function doneTexts({ query }: OwnRequest, added: string) {
  const count = Number(query.get('n')) || 0;
  const items = nounText(count, 'item');
  const matching = matchingText(Number(query.get('matching')) || 0);
  return {
    added: `Added ${added}.${matching}`,
    removed: count > 0 ? `Removed ${items}.` : 'Select items to remove.',
    saved: count > 0 ? `Saved ${items}.${matching}` : 'Nothing to save.',
    imported: `Imported ${items}.${matching}`,
    alerted: 'Alert on. You’ll be alerted when a price reaches its target.',
    renamed: 'List renamed.',
    deleted: 'List deleted.',
  };
}

/** Current matches are shown here and not sent. */
function matchingText(count: number): string {
  if (count === 0) return '';
  return ` ${alreadyMatchText(count)} your alerts. You’ll be alerted the next time.`;
}

function NewListForm() {
  return (
    <PostForm action="/watchlist">
      <Field
        name="name"
        label="Name"
        isRequired
        maxlength={watchLimits.nameLength}
        placeholder="Retiring soon"
      />
      <button type="submit">Create list</button>
    </PostForm>
  );
}

/** Whether targets and notes are edited: behind *Edit*, or if the form was rejected. */
function isEditing({ query, rejected }: OwnRequest, { id }: WatchList): boolean {
  return query.has('edit') || rejected?.action === `/watchlist/${id}`;
}

function ListActions({ request, list, items, isAlerted }: ListProps) {
  const path = `/watchlist/${list.id}`;
  return (
    <>
      {list.items > 0 && !isEditing(request, list) && (
        <PlainLink href={changedAddress(pageOf(request, list), { edit: 'yes' })}>Edit</PlainLink>
      )}
      {!isAlerted && items.some(({ kind }) => kind === 'set') && (
        <ButtonForm action={`${path}/alert`} look="plain">
          Alert me at target prices
        </ButtonForm>
      )}
      <PlainLink href={`${path}/import`}>Import</PlainLink>
      <Menu label="⋯" name="More actions" look="button plain">
        {list.items > 0 && (
          <>
            <a href={`${path}/export/csv`} download>
              Export CSV
            </a>
            <a href={`${path}/export/xml`} download>
              Export BrickLink XML
            </a>
          </>
        )}
        <a href={`${path}/edit`}>Rename list</a>
        <a class="danger" href={`${path}/delete`}>
          Delete list
        </a>
      </Menu>
    </>
  );
}

/** The form to add an item; the first one creates a list. */
function AddItem({ list, choices }: WatchListProps) {
  const action = list ? `/watchlist/${list.id}/items` : '/watchlist/items';
  return (
    <PostForm action={action} class="filters add-item">
      <SetPicker name="item" label="Add a set or minifig" kind="any" choices={choices} />
      <Field name="target" label="Target price ($)" placeholder="Optional" maxlength={20} />
      <Field name="note" label="Note" placeholder="Optional" maxlength={watchLimits.noteLength} />
      <button type="submit">Add</button>
    </PostForm>
  );
}

function NoItems({ list }: Pick<WatchListProps, 'list'>) {
  const market: Tab = ['/market', 'Browse the market'];
  const actions: Tab[] = list
    ? [[`/watchlist/${list.id}/import`, 'Import a list'], market]
    : [market];
  return (
    <EmptyState title={list ? 'This list is empty' : 'Your watchlist is empty'} actions={actions}>
      Watch any set or minifig, owned or not. With a target price, you see how far the best price is
      from it, and get an alert when it’s reached.
    </EmptyState>
  );
}

const orderNames: Readonly<Record<WatchOrder, string>> = {
  distance: 'Closest to target',
  name: 'Name, A to Z',
  added: 'Newest first',
};
const sortChoices = watchOrders.map((key) => {
  return { key, isDescending: false, text: orderNames[key] };
});

function Items(props: ListProps) {
  const { request, list, items, rows, order } = props;
  const view = keptAddress(request, list, ['sort', 'page', 'edit']);
  const sort = {
    key: order,
    isDescending: false,
    href: (sort: string) => changedAddress(view, { sort }),
    choices: sortChoices,
  };
  const isEdited = isEditing(request, list);
  const columns = isEdited
    ? editColumns()
    : [itemColumn, ...marketColumns(props), ...ownColumns(props)];
  const table = { label: list.name, columns, rows, sort };
  return (
    <Card>
      {isEdited ? (
        <EditForm request={request} list={list}>
          <DataTable {...table} select={{ name: 'pick', value: ({ item }) => String(item.id) }} />
        </EditForm>
      ) : (
        <DataTable {...table} />
      )}
      <PagePager request={view} total={list.items} rows={watchPageSize} />
      <p class="quiet small">
        Values are for sealed sets and used minifigs.
        {items.some(({ kind, targetCents }) => kind === 'minifig' && targetCents !== null) &&
          ` ${minifigTargets}`}
      </p>
    </Card>
  );
}

/** The form around the rows, which leads back to the page to read. */
function EditForm(props: {
  readonly request: OwnRequest;
  readonly list: WatchList;
  readonly children: ComponentChildren;
}) {
  const { request, list, children } = props;
  const page = pageOf(request, list);
  const back = changedAddress(page, { page: page.query.get('page') });
  return (
    <PostForm action={back} class="watched">
      {children}
      <div class="row">
        <button type="submit" name="do" value="save">
          Save changes
        </button>
        <button class="plain" type="submit" name="do" value="remove">
          Remove selected
        </button>
        <PlainLink href={back}>Cancel</PlainLink>
      </div>
    </PostForm>
  );
}

/** The address of a list with its order and page, without the message. */
function pageOf(request: OwnRequest, list: WatchList): Pick<OwnRequest, 'path' | 'query'> {
  return keptAddress(request, list, ['sort', 'page']);
}

function keptAddress({ query }: OwnRequest, { id }: WatchList, names: readonly string[]) {
  const kept = [...query].filter(([name]) => names.includes(name));
  return { path: `/watchlist/${id}`, query: new URLSearchParams(kept) };
}

const itemColumn: Column<WatchedRow> = mainColumn(
  'Item',
  ({ item: { kind }, number, title, theme }) => (
    <ItemCell
      kind={kind}
      number={number}
      name={title ?? number}
      about={title === null ? 'Not in the catalog' : kind === 'minifig' ? 'Minifig' : theme}
    />
  ),
  { sort: 'name' },
);

function marketColumns(props: ListProps): readonly Column<WatchedRow>[] {
  const maxBuy = moneyColumn<WatchedRow>('Max buy', ({ maxBuyCents }) => maxBuyCents, {
    isSecondary: true,
  });
  const { request, retailerNames, changeOf } = props;
  return [
    numberColumn(
      'Market value',
      ({ valueCents, tier }) => <Money cents={valueCents} tier={tier} />,
      { phone: 'detail' },
    ),
    numberColumn(
      'Best price',
      ({ offer }) =>
        offer ? (
          <Lines
            first={<Money cents={offer.priceCents} />}
            second={retailerNames[offer.retailer] + (offer.isAtLowest ? ', all-time low' : '')}
          />
        ) : (
          <Missing reason="No offer" />
        ),
      { phone: 'top' },
    ),
    ...(request.who.plan === 'reseller' ? [maxBuy] : []),
    numberColumn(
      '90 days',
      ({ item }) => <Delta percent={changeOf(item)} missing="Too few sales" />,
      { isSecondary: true },
    ),
  ];
}

/** The editing view, with the figures that help to choose a target. */
function editColumns(): readonly Column<WatchedRow>[] {
  return [
    itemColumn,
    numberColumn('Market value', ({ valueCents, tier }) => (
      <Money cents={valueCents} tier={tier} />
    )),
    numberColumn('Target ($)', ({ item, number }) => (
      <>
        <input type="hidden" name={`was-${item.id}`} value={rowVersion(item)} />
        <CellField
          name={`target-${item.id}`}
          label={`Target price for ${number}`}
          value={amountText(item.targetCents)}
          inputmode="decimal"
        />
      </>
    )),
    wideColumn('Note', ({ item: { id, note }, number }) => (
      <CellField
        name={`note-${id}`}
        label={`Note for ${number}`}
        value={note}
        maxlength={watchLimits.noteLength}
      />
    )),
  ];
}

function ownColumns({ isAlerted }: ListProps): readonly Column<WatchedRow>[] {
  return [
    moneyColumn('Target', ({ item }) => item.targetCents, { missing: 'No target price' }),
    numberColumn('To target', ({ distance }) => <Distance distance={distance} />, {
      sort: 'distance',
      phone: 'bottom',
    }),
    column('Alert', ({ item }) => <AlertState item={item} isAlerted={isAlerted} />, {
      isSecondary: true,
    }),
    wideColumn('Note', ({ item: { note } }) => note),
    dayColumn('Added', ({ item }) => dayText(formatDay(item.addedAt)), {
      sort: 'added',
      isMinor: true,
    }),
  ];
}

function AlertState(props: { readonly item: WatchedItem; readonly isAlerted: boolean }) {
  const { item, isAlerted } = props;
  if (item.kind === 'minifig') return <Missing reason={minifigTargets} />;
  if (item.targetCents === null) return <Missing reason="Set a target price to get an alert" />;
  return isAlerted ? (
    <a href="/alerts">
      <Badge kind="good">On</Badge>
    </a>
  ) : (
    <Badge>Off</Badge>
  );
}

function Distance({ distance }: { readonly distance: TargetDistance | null }) {
  if (distance === null) return <Missing reason="Needs a target and a price" />;
  const { cents, percent } = distance;
  if (cents === 0) return <strong class="gain">At target</strong>;
  const side = cents < 0 ? 'below' : 'above';
  return (
    <Lines
      first={
        <span
          class={cents < 0 ? 'gain' : undefined}
        >{`${moneyText(Math.abs(cents))} ${side}`}</span>
      }
      second={percent !== null && `${decimalText(Math.abs(percent), 1)}%`}
    />
  );
}
