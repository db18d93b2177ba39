/** The page of a watch list. */

import type { ComponentChildren } from 'preact';
import type { WatchedRow } from '../../../buying/watched-items.ts';
import {
  type TargetDistance,
  type WatchOrder,
  watchOrders,
} from '../../../domain/alerts/target-distance.ts';
import {
  type WatchedItem,
  type WatchFacts,
  type WatchList,
  watchLimits,
} from '../../../domain/alerts/watch-list.ts';
import { countText, moneyText } from '../../../domain/kernel/format.ts';
import type { SuggestedItem } from '../../catalog/find-item.ts';
import type { WebDeps } from '../../deps.ts';
import { withQuery } from '../../kit/address.ts';
import { versionOf } from '../../kit/edit-version.tsx';
import {
  Choice,
  Fault,
  Field,
  faultyProps,
  Notice,
  PostForm,
  type Typed,
} from '../../kit/fields.tsx';
import { ItemPicture } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { itemPath } from '../../kit/links.tsx';
import { Paging, pageOf } from '../../kit/paging.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { amountText } from '../../kit/typed-fields.ts';
import type { OwnRequest } from '../../page.ts';
import { minifigTargets } from '../alerts/target-alert.ts';

/** Rows of a page. Their notes are sent with the form, and even the longest of them fit into it. */
export const watchPageSize = 25;

/** How much may be typed to find an item. */
export const itemLengthMax = 200;

/** The mark of what can be changed in a row. */
export function rowVersion({ targetCents, note }: WatchFacts): string {
  return versionOf([targetCents, note]);
}

/** What the page shows. */
export interface WatchListProps {
  readonly request: OwnRequest;
  readonly lists: readonly WatchList[];
  /** The list that is open; null: there is none. */
  readonly list: WatchList | null;
  /** All that is on it. */
  readonly items: readonly WatchedItem[];
  /** What this page shows of it. */
  readonly rows: readonly WatchedRow[];
  readonly order: WatchOrder;
  readonly typed: Typed;
  /** Items to choose from, when what was typed leaves it open. */
  readonly choices: readonly SuggestedItem[];
  readonly retailerNames: WebDeps['retailerNames'];
}

type ListProps = WatchListProps & { readonly list: WatchList };

/** The page. */
export function WatchListPage(props: WatchListProps) {
  const { request, list } = props;
  return (
    <Layout title={list?.name ?? 'Watch lists'} request={request}>
      <Done request={request} />
      {list ? <OpenList {...props} list={list} /> : <FirstList {...props} />}
    </Layout>
  );
}

/** What came of the form that was just sent. */
function Done({ request: { query } }: Pick<WatchListProps, 'request'>) {
  const count = (name: string) => {
    const text = query.get(name) ?? '';
    return /^\d{1,6}$/.test(text) ? Number(text) : null;
  };
  const [removed, saved, imported] = [count('removed'), count('saved'), count('imported')];
  const matching = count('matching') ?? 0;
  const added = query.get('added');
  return (
    <>
      {added !== null && <Notice>{`Added ${added}.`}</Notice>}
      {removed === 0 && <Notice kind="warn">Select the items to remove first.</Notice>}
      {removed !== null && removed > 0 && <Notice>{`Removed ${itemsText(removed)}.`}</Notice>}
      {saved === 0 && <Notice>Nothing was changed.</Notice>}
      {saved !== null && saved > 0 && <Notice>{`Saved ${itemsText(saved)}.`}</Notice>}
      {imported !== null && <Notice>{`Imported ${itemsText(imported)}.`}</Notice>}
      {matching > 0 && <Notice>{matchingText(matching)}</Notice>}
      {query.has('renamed') && <Notice>Renamed.</Notice>}
      {query.has('deleted') && <Notice>The watch list is deleted.</Notice>}
    </>
  );
}

/** What is true when it is saved is said here, and not sent. */
function matchingText(count: number): string {
  const items = count === 1 ? '1 item already matches' : `${countText(count)} items already match`;
  return `${items} your alerts. You'll be alerted the next time.`;
}

function itemsText(count: number): string {
  return count === 1 ? '1 item' : `${countText(count)} items`;
}

/** For whoever has no list yet. */
function FirstList({ request, typed }: WatchListProps) {
  return (
    <>
      <p>
        Watch any set or minifig, whether you own it or not. Set a target price for each, and see
        how far today’s best price is from it.
      </p>
      <section class="card">
        <h2>Create your first watch list</h2>
        <NewListForm request={request} typed={typed} />
      </section>
    </>
  );
}

function NewListForm({ request, typed }: Pick<WatchListProps, 'request' | 'typed'>) {
  return (
    <PostForm request={request} action="/watchlist">
      <Field
        name="name"
        label="Name"
        typed={typed}
        isRequired
        maxlength={watchLimits.nameLength}
        hint="For example, Retiring soon."
      />
      <button type="submit">Create list</button>
    </PostForm>
  );
}

function OpenList(props: ListProps) {
  const { request, lists, list, items, rows, typed } = props;
  const path = `/watchlist/${list.id}`;
  return (
    <>
      {lists.length > 1 && <Lists {...props} />}
      <p class="row">
        <a href={`${path}/edit`}>Rename or delete</a>
        <a href={`${path}/import`}>Import</a>
        {items.some(({ kind }) => kind === 'set') && (
          <a href={`/alerts/new?template=target&list=${list.id}`}>Alert me at target prices</a>
        )}
        {list.items > 0 && (
          <>
            <a href={`${path}/export/csv`} download>
              Export (CSV)
            </a>
            <a href={`${path}/export/xml`} download>
              Export (BrickLink XML)
            </a>
          </>
        )}
      </p>
      <AddItem {...props} />
      {list.items > 0 && <Items {...props} />}
      {list.items === 0 && (
        <section class="card">
          <p>
            Nothing on this list yet. Add a set or minifig above, choose Watch on its page, or{' '}
            <a href={`${path}/import`}>import a list</a>.
          </p>
        </section>
      )}
      {list.items > 0 && rows.length === 0 && (
        <p>
          {`There is no page ${pageOf(request.query)}. `}
          <a href={path}>Go to the first page</a>
        </p>
      )}
      <Paging
        page={pageOf(request.query)}
        pageSize={watchPageSize}
        total={list.items}
        to={(page) => withQuery(path, { sort: sortOf(request), page })}
      />
      <details open={typed.faults.name !== undefined}>
        <summary>New watch list</summary>
        <section class="card">
          <NewListForm request={request} typed={typed} />
        </section>
      </details>
    </>
  );
}

/** The way to other lists. */
function Lists({ lists, list }: ListProps) {
  return (
    <nav class="choices" aria-label="Watch lists">
      {lists.map(({ id, name, items }) => (
        <a
          key={id}
          class={id === list.id ? 'choice chosen' : 'choice'}
          href={`/watchlist/${id}`}
          aria-current={id === list.id ? 'page' : undefined}
        >
          {`${name} (${countText(items)})`}
        </a>
      ))}
    </nav>
  );
}

function sortOf({ query }: OwnRequest): string {
  return query.get('sort') ?? '';
}

function AddItem({ request, list, typed, choices }: ListProps) {
  return (
    <section class="card">
      <h2>Add a set or minifig</h2>
      <PostForm request={request} action={`/watchlist/${list.id}/items`}>
        <div class="form-grid">
          <div class="suggest" data-suggest-sets="/watchlist/suggest">
            <Field
              name="item"
              label="Number, name or barcode"
              typed={typed}
              isRequired
              maxlength={itemLengthMax}
            />
          </div>
          <Field
            name="target"
            label="Target price, $"
            typed={typed}
            inputmode="decimal"
            hint="Optional."
          />
          <Field
            name="note"
            label="Note"
            typed={typed}
            maxlength={watchLimits.noteLength}
            hint="Optional."
          />
        </div>
        {choices.length > 0 && (
          <>
            <input type="hidden" name="chosen_for" value={typed.values.item?.trim()} />
            <Choice
              name="chosen"
              label="Which one?"
              options={choices.map(
                (item) => [`${item.kind} ${item.number}`, choiceText(item)] as const,
              )}
            />
          </>
        )}
        <button type="submit">Add</button>
      </PostForm>
    </section>
  );
}

function choiceText({ number, title, theme, year }: SuggestedItem): string {
  const about = [theme, year].filter(Boolean).join(', ');
  return `${number} ${title}${about && ` (${about})`}`;
}

const orderNames: Readonly<Record<WatchOrder, string>> = {
  distance: 'Distance to target',
  name: 'Name',
  added: 'Date added',
};

function Items(props: ListProps) {
  const { request, list, items, rows, order } = props;
  const path = `/watchlist/${list.id}`;
  const hasMaxBuy = request.who.plan === 'reseller';
  const numbers = ['Best price', 'Value', ...(hasMaxBuy ? ['Max buy price'] : [])];
  if (rows.length === 0) return null;
  return (
    <section class="card">
      <nav class="choices" aria-label="Sort by">
        <span>Sort by</span>
        {watchOrders.map((each) => (
          <a
            key={each}
            class={each === order ? 'choice chosen' : 'choice'}
            href={withQuery(path, { sort: each })}
            aria-current={each === order ? 'true' : undefined}
          >
            {orderNames[each]}
          </a>
        ))}
      </nav>
      <PostForm
        request={request}
        action={withQuery(path, { sort: sortOf(request), page: request.query.get('page') ?? '' })}
        class="watched-form"
      >
        <div class="scroll">
          <table class="cards watched">
            <caption>
              Values are for new sets and used minifigs.
              {items.some(({ kind, targetCents }) => kind === 'minifig' && targetCents !== null) &&
                ` ${minifigTargets}`}
              {hasMaxBuy && (
                <>
                  {' Max buy price follows your '}
                  <a href="/account/buying">buying settings</a>.
                </>
              )}
            </caption>
            <TableHead
              columns={['Item', ...numbers, 'Target, $', 'To target', 'Note', 'Remove']}
              numbers={[...numbers, 'To target']}
            />
            <tbody>
              {rows.map((row) => (
                <ItemRow key={row.item.id} {...props} row={row} hasMaxBuy={hasMaxBuy} />
              ))}
            </tbody>
          </table>
        </div>
        <div class="row actions">
          <button type="submit" name="do" value="save">
            Save changes
          </button>
          <button class="plain" type="submit" name="do" value="remove">
            Remove selected
          </button>
        </div>
      </PostForm>
    </section>
  );
}

interface RowProps extends ListProps {
  readonly row: WatchedRow;
  readonly hasMaxBuy: boolean;
}

function ItemRow({ row, typed, retailerNames, hasMaxBuy }: RowProps) {
  const { item, number, title, offer, valueCents, maxBuyCents, distance } = row;
  const { id, targetCents, note } = item;
  const isFaulty = [`target-${id}`, `note-${id}`].some((name) => typed.faults[name]);
  return (
    <tr>
      <td data-name="Item">
        <div class="watched-item">
          <ItemPicture kind={item.kind} number={number} size="card" />
          <div>
            <a href={itemPath(item.kind, number)}>{title ?? number}</a>
            <div class="quiet small">{title === null ? 'Not in the catalog' : number}</div>
            <details class="unfold" open={isFaulty}>
              <summary>
                Edit<span class="visually-hidden">{` ${number}`}</span>
              </summary>
            </details>
          </div>
        </div>
      </td>
      <Amount name="Best price" cents={offer?.priceCents ?? null}>
        {offer && retailerNames[offer.retailer]}
        {offer?.isAtLowest && (
          <div>
            <span class="badge">all-time low</span>
          </div>
        )}
      </Amount>
      <Amount name="Value" cents={valueCents} isFolded />
      {hasMaxBuy && <Amount name="Max buy price" cents={maxBuyCents} isFolded />}
      <td data-name="Target, $" class="folded">
        <input type="hidden" name={`was-${id}`} value={rowVersion(item)} />
        <CellField
          name={`target-${id}`}
          label={`Target price for ${number}`}
          typed={typed}
          value={targetCents === null ? '' : amountText(targetCents)}
          isAmount
        />
      </td>
      <td data-name="To target" class="number">
        <Distance distance={distance} />
      </td>
      <td data-name="Note" class="note folded">
        <CellField name={`note-${id}`} label={`Note for ${number}`} typed={typed} value={note} />
      </td>
      <td data-name="Remove" class="folded">
        <input type="checkbox" name={`pick-${id}`} value="yes" aria-label={`Select ${number}`} />
      </td>
    </tr>
  );
}

/** An amount, and what goes with it below. */
function Amount(props: {
  readonly name: string;
  readonly cents: number | null;
  /** On a phone it is shown with the fields, once they are opened. */
  readonly isFolded?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { name, cents, isFolded = false, children } = props;
  return (
    <td data-name={name} class={isFolded ? 'number folded' : 'number'}>
      <div>
        {moneyText(cents)}
        {children && <div class="quiet small">{children}</div>}
      </div>
    </td>
  );
}

/** How far the best price is above the target, or below it. */
function Distance({ distance }: { readonly distance: TargetDistance | null }) {
  if (distance === null) return <>–</>;
  const { cents, percent } = distance;
  if (cents === 0) return <strong class="gain">At target</strong>;
  const [amount, side] = [moneyText(Math.abs(cents)), cents < 0 ? 'below' : 'above'];
  return (
    <div class={cents < 0 ? 'gain' : undefined}>
      {`${amount} ${side}`}
      {percent !== null && <div class="small">{`${Math.abs(percent).toFixed(1)}%`}</div>}
    </div>
  );
}

/** A field in a cell, whose name is that of the column. */
function CellField(props: {
  readonly name: string;
  readonly label: string;
  readonly typed: Typed;
  readonly value: string;
  readonly isAmount?: boolean;
}) {
  const { name, label, typed, value, isAmount = false } = props;
  return (
    <div class="field">
      <input
        type="text"
        name={name}
        aria-label={label}
        value={typed.values[name] ?? value}
        autocomplete="off"
        size={isAmount ? 7 : 16}
        inputmode={isAmount ? 'decimal' : undefined}
        maxlength={isAmount ? 20 : watchLimits.noteLength}
        {...faultyProps(typed, name)}
        aria-describedby={typed.faults[name] ? `field-${name}-fault` : undefined}
      />
      <Fault typed={typed} name={name} />
    </div>
  );
}
