/** Watch lists: all of them, and the one that is open as a table that can be edited. */

import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { withListedKeys } from '../../../accounts/watch-import.ts';
import { readWatched, type WatchedRow } from '../../../buying/watched-items.ts';
import { type WatchOrder, watchOrders } from '../../../domain/alerts/target-distance.ts';
import {
  type NewWatchedItem,
  type WatchedItem,
  type WatchFacts,
  type WatchList,
  watchLimits,
} from '../../../domain/alerts/watch-list.ts';
import { tablesOf, termsOf } from '../../../domain/buying/buying-settings.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { countText } from '../../../domain/kernel/format.ts';
import { matchItems, type SuggestedItem, suggestItems } from '../../catalog/find-item.ts';
import type { WebDeps } from '../../deps.ts';
import { withQuery } from '../../kit/address.ts';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { type Typed, untyped } from '../../kit/fields.tsx';
import { pageOf } from '../../kit/paging.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { idOf } from '../inventory/lot-form.ts';
import { itemLengthMax, rowVersion, WatchListPage, watchPageSize } from './watch-list-page.tsx';

/** The pages of watch lists. */
export function watchListRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/watchlist',
      get: (request) => showWatchList(deps, request),
      post: (sent) => postList(deps, sent),
    },
    {
      access: 'own',
      path: '/watchlist/suggest',
      get: async ({ query }) => ({ data: await suggestItems(deps, query.get('q') ?? '') }),
    },
    {
      access: 'own',
      path: '/watchlist/{id}',
      get: (request) => showWatchList(deps, request),
      post: (sent) => postRows(deps, sent),
    },
    {
      access: 'own',
      path: '/watchlist/{id}/items',
      get: async (request) => goToItem(request, (id) => `/watchlist/${id}`),
      post: (sent) => postItem(deps, sent),
    },
  ];
}

/** What somebody typed, and what came of it. */
interface Outcome {
  readonly typed?: Typed;
  readonly choices?: readonly SuggestedItem[];
  readonly status?: number;
}

/** The list that an address names, or the first one; undefined when it names none. */
function openList(
  { params }: OwnRequest,
  lists: readonly WatchList[],
): WatchList | null | undefined {
  if (params.id === undefined) return lists[0] ?? null;
  return lists.find(({ id }) => id === idOf(params.id));
}

async function showWatchList(
  deps: WebDeps,
  request: OwnRequest,
  outcome: Outcome = {},
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const lists = await deps.accounts.listWatchLists(accountId);
  const list = openList(request, lists);
  if (list === undefined) return missingPage(request);
  const order = orderOf(request.query);
  const items = list ? await readItems(deps, accountId, list.id) : [];
  const rows = await readRows(deps, request, items);
  const { typed = untyped, choices = [], status = 200 } = outcome;
  const { retailerNames } = deps;
  const shown = { request, lists, list, items, rows, order, typed, choices, retailerNames };
  return { page: <WatchListPage {...shown} />, status };
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
  const tables = tablesOf(deps.tables, settings);
  const source = { market: deps.market, findOffers: deps.findOffers, tables };
  return readWatched(source, items, {
    order: orderOf(query),
    limit: watchPageSize,
    offset: (pageOf(query) - 1) * watchPageSize,
    terms: termsOf(settings),
    at,
  });
}

/** All that is on a list, in the order in which it was added. */
export function readItems(
  { accounts }: Pick<WebDeps, 'accounts'>,
  accountId: number,
  listId: number,
): Promise<WatchedItem[]> {
  return accounts.listWatchedItems(accountId, listId, { after: 0, limit: watchLimits.items });
}

/** Why a list cannot have a name, in words. */
export const nameTaken = 'You have another watch list with this name. Choose a different one.';

async function postList(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accountId } = sent.who;
  const fields = new TypedFields(sent.form, sent.at);
  const name = fields.text('name', watchLimits.nameLength);
  if (fields.isGood) {
    const formId = sent.form.text('once');
    const isFirst = await isFirstSubmission(deps.accounts, { accountId, formId, at: sent.at });
    const made = await deps.accounts.addWatchList(accountId, { name, at: sent.at });
    if (typeof made === 'object') return { goTo: `/watchlist/${made.id}` };
    // Sent twice, the second finds what the first one made.
    const lists = isFirst ? [] : await deps.accounts.listWatchLists(accountId);
    const known = lists.find((list) => list.name === name);
    if (known) return { goTo: `/watchlist/${known.id}` };
    fields.fail('name', made === 'name taken' ? nameTaken : tooManyLists);
  }
  return showWatchList(deps, sent, { typed: fields.typed, status: 400 });
}

/** Why there can be no further list, and no further item, in words. */
export const tooManyLists = `You can have ${watchLimits.lists} watch lists. Delete one first.`;
const itemsMax = countText(watchLimits.items);
export const tooManyItems = `You can watch ${itemsMax} items. Remove some first.`;

async function postItem(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accountId } = sent.who;
  const listId = idOf(sent.params.id);
  const fields = new TypedFields(sent.form, sent.at);
  const facts = readFacts(fields, 'target', 'note');
  const { item, choices } = await readItemField(deps, fields);
  if (item && listId !== null && fields.isGood) {
    const { kind, number } = item;
    const added = { kind, key: itemKey(kind, number), number, ...facts };
    const saved = await saveItem(deps, accountId, listId, { item: added, at: sent.at });
    if (typeof saved === 'object') {
      const { matching } = saved;
      return { goTo: withQuery(`/watchlist/${listId}`, { added: number, matching }) };
    }
    if (saved === 'no list') return missingPage(sent);
    fields.fail('item', tooManyItems);
  }
  return showWatchList(deps, sent, { typed: fields.typed, choices, status: 400 });
}

/** Puts an item on a list, or changes it there under whichever number it has. */
export async function saveItem(
  deps: Pick<WebDeps, 'accounts' | 'market' | 'recordMatches'>,
  accountId: number,
  listId: number,
  { item, at }: { readonly item: NewWatchedItem; readonly at: number },
) {
  const listed = item.kind === 'minifig' ? await readItems(deps, accountId, listId) : [];
  const items = await withListedKeys(deps.market, [item], listed);
  return saveItems(deps, accountId, listId, { items, at });
}

/** Puts items on a list; what alerts say of them already is not told, but counted here. */
export async function saveItems(
  deps: Pick<WebDeps, 'accounts' | 'recordMatches'>,
  accountId: number,
  listId: number,
  sent: { readonly items: readonly NewWatchedItem[]; readonly at: number },
) {
  const saved = await deps.accounts.saveWatchedItems(accountId, listId, sent);
  if (typeof saved !== 'object') return saved;
  return {
    ...saved,
    matching: await countMatching(deps, accountId, { listId, items: sent.items }),
  };
}

/** How many items of a list match an alert since they were saved; nothing to say when none does. */
export async function countMatching(
  deps: Pick<WebDeps, 'recordMatches'>,
  accountId: number,
  {
    listId,
    items,
  }: { readonly listId: number; readonly items: readonly Pick<NewWatchedItem, 'kind' | 'key'>[] },
): Promise<number | ''> {
  // Retailers have no minifigs.
  const keys = items.filter(({ kind }) => kind === 'set').map(({ key }) => key);
  return (await deps.recordMatches(accountId, listId, keys)) || '';
}

/** A target that was typed; null when none was. */
export function readTarget(fields: TypedFields, name: string): number | null {
  const targetCents = fields.centsOrNull(name);
  if (targetCents === 0) fields.fail(name, 'Enter more than 0, or leave it empty.');
  return targetCents;
}

function readFacts(fields: TypedFields, target: string, note: string): WatchFacts {
  return {
    targetCents: readTarget(fields, target),
    note: fields.textOrNull(note, watchLimits.noteLength) ?? '',
  };
}

/** The item that was typed or chosen; what is wrong is said beside the field. */
async function readItemField(
  deps: WebDeps,
  fields: TypedFields,
): Promise<{ readonly item: SuggestedItem | null; readonly choices: readonly SuggestedItem[] }> {
  const typed = fields.text('item', itemLengthMax);
  if (typed === '') return { item: null, choices: [] };
  const matches = await matchItems(deps, typed);
  // A choice was made for what had been typed then.
  const isChosen = fields.form.text('chosen_for') === typed;
  const chosen = fields.form.text('chosen');
  const only = isChosen
    ? matches.find(({ kind, number }) => `${kind} ${number}` === chosen)
    : matches.length === 1
      ? matches[0]
      : undefined;
  if (only) return { item: only, choices: [] };
  if (matches.length === 0) fields.fail('item', `No set or minifig matches '${typed}'.`);
  else fields.fail('item', 'Several match. Choose one below.');
  return { item: null, choices: matches };
}

async function postRows(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accountId } = sent.who;
  const lists = await deps.accounts.listWatchLists(accountId);
  const list = openList(sent, lists);
  if (!list) return missingPage(sent);
  const path = `/watchlist/${list.id}`;
  const asked = { sort: sent.query.get('sort') ?? '', page: sent.query.get('page') ?? '' };
  if (sent.form.text('do') === 'remove') {
    const ids = idsOf(sent, 'pick');
    const removed = await deps.accounts.removeWatchedItems(accountId, ids);
    return { goTo: withQuery(path, { ...asked, removed }) };
  }
  const fields = new TypedFields(sent.form, sent.at);
  const items = await readItems(deps, accountId, list.id);
  const changes = readChanges(fields, idsOf(sent, 'was'), items);
  if (!fields.isGood) return showWatchList(deps, sent, { typed: fields.typed, status: 400 });
  for (const { id, facts } of changes) {
    await deps.accounts.changeWatchedItem(accountId, id, facts);
  }
  const ids = new Set(changes.map(({ id }) => id));
  const changed = items.filter(({ id }) => ids.has(id));
  const matching = await countMatching(deps, accountId, { listId: list.id, items: changed });
  return { goTo: withQuery(path, { ...asked, saved: changes.length, matching }) };
}

/** The ids of the rows that a form has a field of. */
function idsOf({ form }: OwnSentRequest, name: string): number[] {
  return Object.keys(form.typed).flatMap((field) => {
    const [start, id] = field.split('-');
    return start === name ? (idOf(id) ?? []) : [];
  });
}

/** What was typed over, row by row; rows that were left as they are stay so, whatever they are. */
function readChanges(
  fields: TypedFields,
  ids: readonly number[],
  items: readonly WatchedItem[],
): { readonly id: number; readonly facts: WatchFacts }[] {
  const known = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => {
    const item = known.get(id);
    const facts = readFacts(fields, `target-${id}`, `note-${id}`);
    const [was, typed] = [fields.form.text(`was-${id}`), rowVersion(facts)];
    const now = item && rowVersion(item);
    if (!now || typed === was || typed === now) return [];
    if (now !== was) {
      fields.fail(`target-${id}`, 'Changed elsewhere since you opened the page.');
    }
    return [{ id, facts }];
  });
}
