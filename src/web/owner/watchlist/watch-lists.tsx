/** Watchlists: creating, renaming and deleting them, and changing the items on them. */
import { type WatchOrder, watchOrders } from '../../../alerts/watchlists/target-distance.ts';
import {
  type NewWatchedItem,
  type WatchedItem,
  type WatchFacts,
  type WatchList,
  watchLimits,
} from '../../../alerts/watchlists/watch-list.ts';
import { countMatching, saveItem } from '../../../alerts/watchlists/watched-items.work.ts';
import { readWatched, type WatchedRow } from '../../../alerts/watchlists/watched-prices.work.ts';
import { tablesOf, termsOf } from '../../../buying/prices/buying-settings.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { namedItem } from '../../catalog/find-item.ts';
import { readSetPicker } from '../../catalog/pick-item.ts';
import { idOf, type QueryChanges, withQuery } from '../../kit/address.ts';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field } from '../../kit/fields.tsx';
import { applyForm, FormPage, formPage, foundForm } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { limitText, nounText } from '../../kit/format.ts';
import { watchlistTabs } from '../../kit/layout.tsx';
import { lastPagePath, pageRange } from '../../kit/list.tsx';
import type { SuggestedItem } from '../../kit/set-picker.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId, page, routes } from '../../page-table.ts';
import { ensureTargetAlert, isTargetAlert } from '../alerts/target-alert.ts';
import { rowVersion, WatchListPage, watchPageSize } from './watch-list-page.tsx';

export function watchListRoutes() {
  return routes('own', {
    '/watchlist': listForm,
    '/watchlist/items': { get: () => ({ goTo: '/watchlist' }), post: itemForm.post },
    '/watchlist/{id}': page({ find: findList, get: showWatchList, post: postRows }),
    '/watchlist/{id}/items': page({ find: findList, post: itemForm.post }),
    '/watchlist/{id}/alert': page({ find: findList, post: postAlert }),
  });
}

export const findList = byId(({ accounts }, { who }) => accounts.listWatchLists(who.accountId));

async function showWatchList(
  deps: WebDeps,
  request: OwnRequest,
  /** Undefined for the first list. */
  found: WatchList | undefined,
  /** The matches of ambiguous input. */
  choices: readonly SuggestedItem[] = [],
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const lists = await deps.accounts.listWatchLists(accountId);
  const list = found ?? lists[0] ?? null;
  const last = lastPagePath(request, list?.items ?? 0, watchPageSize);
  if (last !== null) return { goTo: last };
  const order = orderOf(request.query);
  const items = list ? await readItems(deps, accountId, list.id) : [];
  const [rows, rules] = await Promise.all([
    readRows(deps, request, items),
    deps.accounts.listAlertRules(accountId),
  ]);
  const isAlerted = rules.some((rule) => isTargetAlert(rule, list?.id ?? 0));
  const { retailerNames } = deps.site;
  const added = await namedItem(deps, request.query, 'n');
  const market = await deps.cache.findMarket();
  const changeOf = (item: WatchedItem) => market.findItem(item)?.change90 ?? null;
  const listed = { request, lists, list, items, rows, order, isAlerted };
  const about = { choices, retailerNames, added, changeOf };
  return <WatchListPage {...listed} {...about} />;
}

function orderOf(query: URLSearchParams): WatchOrder {
  return watchOrders.find((order) => order === query.get('sort')) ?? 'distance';
}

async function readRows(
  deps: WebDeps,
  { who, query, at }: OwnRequest,
  items: readonly WatchedItem[],
): Promise<WatchedRow[]> {
  if (items.length === 0) return [];
  const settings = await deps.accounts.findBuyingSettings(who.accountId);
  const tables = tablesOf(deps.site.tables, settings);
  const source = { market: deps.market, findOffers: deps.cache.findOffers, tables };
  return readWatched(source, items, {
    order: orderOf(query),
    ...pageRange({ query }, watchPageSize),
    terms: termsOf(settings),
    at,
  });
}

/** All items on a list, oldest first. */
export function readItems({ accounts }: WebDeps, accountId: number, listId: number) {
  return accounts.listWatchedItems(accountId, listId, { after: 0, limit: watchLimits.items });
}

const nameTaken = 'You already have a list with this name. Choose another one.';

const listForm = formPage({
  show: (deps, request: OwnRequest) => showWatchList(deps, request, undefined),
  read: ({ fields }) => fields.text('name', watchLimits.nameLength),
  save: async ({ deps, sent }, name) => {
    const list = { name, at: sent.at };
    const created = await applyForm(deps, sent, (accounts) =>
      accounts.addWatchList(sent.who.accountId, list),
    );
    if (typeof created === 'object') return { goTo: `/watchlist/${created.id}` };
    if (created === 'sent before') return created;
    return { refused: created === 'name taken' ? nameTaken : tooManyLists, field: 'name' };
  },
  // Sent twice, the second form opens the list of the first.
  sentBefore: async ({ deps, sent }, name) => {
    const lists = await deps.accounts.listWatchLists(sent.who.accountId);
    const known = lists.find((list) => list.name === name);
    return known ? { goTo: `/watchlist/${known.id}` } : { goTo: '/watchlist' };
  },
});

const tooManyLists = limitText(watchLimits.lists, 'list');
export const tooManyItems = limitText(watchLimits.items, 'watched item');

const itemForm = formPage({
  show: (
    deps,
    request: OwnRequest,
    found: WatchList | undefined,
    input?: { readonly choices: readonly SuggestedItem[]; readonly item: NewWatchedItem },
  ) => showWatchList(deps, request, found, input?.choices),
  read: async ({ deps, fields }) => {
    const facts = readFacts(fields, 'target', 'note');
    const picked = await readSetPicker(deps, fields, { name: 'item', kind: 'any' });
    const { kind = 'set', number = '' } = picked.item ?? {};
    return {
      choices: picked.choices,
      item: { kind, key: itemKey(kind, number), number, ...facts },
    };
  },
  save: async ({ deps, sent, found }, { item }) => {
    const list = found ?? (await deps.accounts.ensureFirstList(sent.who.accountId, sent.at));
    if (!list) return missingPage(sent);
    const listId = list.id;
    const change = { accountId: sent.who.accountId, listId, at: sent.at };
    const saved = await saveItem(deps, change, item);
    if (saved === 'no list') return missingPage(sent);
    if (saved === 'too many') return { refused: tooManyItems, field: 'item' };
    const matching = saved.matching || '';
    return { goTo: withQuery(`/watchlist/${listId}`, { did: 'added', n: item.number, matching }) };
  },
});

async function postAlert(deps: WebDeps, sent: OwnSentRequest, list: WatchList) {
  if (await ensureTargetAlert(deps, sent, list)) {
    return { goTo: `/watchlist/${list.id}?did=alerted` };
  }
  // The form of the alert shows why it cannot be created.
  return { goTo: withQuery('/alerts/new', { template: 'target', list: list.id }) };
}

export function readTarget(fields: FormReader, name: string): number | null {
  const targetCents = fields.centsOrNull(name);
  if (targetCents === 0) fields.fail(name, 'Enter a price above 0, or leave it empty.');
  return targetCents;
}

function readFacts(fields: FormReader, target: string, note: string): WatchFacts {
  return {
    targetCents: readTarget(fields, target),
    note: fields.textOrNull(note, watchLimits.noteLength) ?? '',
  };
}

async function postRows(deps: WebDeps, sent: OwnSentRequest, list: WatchList): Promise<PageAnswer> {
  if (sent.form.text('do') !== 'remove') return rowsForm.post(deps, sent, list);
  const ids = sent.form.texts('pick').flatMap((id) => idOf(id) ?? []);
  const n = await deps.accounts.removeWatchedItems(sent.who.accountId, ids);
  return { goTo: changedPath(sent, list, { did: 'removed', n }) };
}

const rowsForm = formPage({
  show: (deps, request: OwnRequest, list: WatchList) => showWatchList(deps, request, list),
  read: async ({ deps, sent, found: list, fields }) => {
    const items = await readItems(deps, sent.who.accountId, list.id);
    return { items, changes: readChanges(fields, rowIds(sent), items) };
  },
  save: async ({ deps, sent, found: list, fields }, { items, changes }) => {
    const others = await deps.accounts.changeWatchedItems(sent.who.accountId, changes);
    for (const id of others) fields.fail(`target-${id}`, changedElsewhere);
    if (others.length > 0) return { refused: changedElsewhere, status: 409 };
    const ids = new Set(changes.map(({ id }) => id));
    const changed = items.filter(({ id }) => ids.has(id));
    const { accountId } = sent.who;
    const matching = (await countMatching(deps, { accountId, listId: list.id }, changed)) || '';
    return { goTo: changedPath(sent, list, { did: 'saved', n: changes.length, matching }) };
  },
});

/** The address of a list after its rows were changed, in the same order and on the same page. */
function changedPath({ query }: OwnRequest, { id }: WatchList, done: QueryChanges): string {
  return withQuery(`/watchlist/${id}`, {
    sort: query.get('sort'),
    page: query.get('page'),
    ...done,
  });
}

function rowIds({ form }: OwnSentRequest): number[] {
  return Object.keys(form.typed).flatMap((name) => idOf(/^was-(\d+)$/.exec(name)?.[1]) ?? []);
}

function readChanges(fields: FormReader, ids: readonly number[], items: readonly WatchedItem[]) {
  const known = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => {
    const item = known.get(id);
    const facts = readFacts(fields, `target-${id}`, `note-${id}`);
    const [was, typed] = [fields.form.text(`was-${id}`), rowVersion(facts)];
    const now = item && rowVersion(item);
    if (!now || typed === was || typed === now) return [];
    if (now !== was) {
      fields.fail(`target-${id}`, changedElsewhere);
    }
    return [{ id, facts, seen: item }];
  });
}

export const changedElsewhere = 'Changed elsewhere since you opened this page.';

export const watchListEditRoutes = routes('own', {
  '/watchlist/{id}/edit': foundForm({
    find: findList,
    show: (_, request, { id, name }) => (
      <FormPage
        request={request}
        title={`Rename ${name}`}
        tabs={watchlistTabs}
        button="Save changes"
        cancel={`/watchlist/${id}`}
      >
        <Field
          name="name"
          label="Name"
          value={name}
          isRequired
          maxlength={watchLimits.nameLength}
        />
      </FormPage>
    ),
    read: ({ fields }) => fields.text('name', watchLimits.nameLength),
    save: async ({ deps, sent, found: { id } }, name) => {
      const outcome = await deps.accounts.renameWatchList(sent.who.accountId, id, name);
      if (outcome === 'no list') return missingPage(sent);
      if (outcome === 'done') return { goTo: `/watchlist/${id}?did=renamed` };
      return { refused: nameTaken, field: 'name' };
    },
  }),
  '/watchlist/{id}/delete': deletionPage({
    find: findList,
    noun: 'list',
    describe: ({ id, name, items }) => ({
      name,
      outcome:
        items === 0
          ? 'This list is empty.'
          : `${nounText(items, 'item')} and the alerts for this list are deleted with it.`,
      cancel: `/watchlist/${id}`,
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.removeWatchList(who.accountId, id),
    goTo: '/watchlist?did=deleted',
  }),
});
