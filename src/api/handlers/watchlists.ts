/** Watchlists of the caller. */

import {
  type WatchedItem,
  type WatchList,
  watchLimits,
} from '../../alerts/watchlists/watch-list.ts';
import {
  findListedItem,
  putItem,
  type WatchedItemDeps,
} from '../../alerts/watchlists/watched-items.work.ts';
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WatchedItemPage, Watchlist } from '../../contract/plus/watchlists.ts';
import { toUsdOrNull } from '../../kernel/money.ts';
import { shortText } from '../../kernel/text.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { dataOf } from '../answer-data.ts';
import type { Answer, Handlers } from '../handler.ts';
import { changeDeps, type HandlerDeps } from '../handler-deps.ts';
import { readHundredths } from './buying.ts';

export function watchlistHandlers(deps: HandlerDeps) {
  return { ...listHandlers(deps), ...itemHandlers(deps) } satisfies Partial<Handlers>;
}

function listHandlers({ accounts }: HandlerDeps) {
  return {
    listWatchlists: () => ({
      read: async ({ accountId }) => {
        const lists = await accounts.listWatchLists(accountId);
        return dataOf({ watchlists: lists.map(presentList) });
      },
    }),
    createWatchlist: ({ body: { name } }) => ({
      read: async ({ accountId }, { at }) => {
        const created = await accounts.addWatchList(accountId, { name, at });
        if (created === 'too many') throw tooMany(watchLimits.lists, 'watchlists');
        // A list with this name may be from an attempt whose response was lost.
        const lists = await accounts.listWatchLists(accountId);
        const list = lists.find((each) => each.name === name);
        return list ? dataOf(presentList(list)) : noList;
      },
    }),
    renameWatchlist: ({ params, body: { name } }) => ({
      read: async ({ accountId }) => {
        const outcome = await accounts.renameWatchList(accountId, params.list, name);
        if (outcome === 'name taken') {
          const message = `You have another watchlist named '${shortText(name)}'.`;
          throw new ApiError('Conflict', `${message} Choose another name.`);
        }
        const list = await findList(accounts, accountId, params.list);
        return list ? dataOf(presentList(list)) : noList;
      },
    }),
    deleteWatchlist: ({ params }) => ({
      read: async ({ accountId }) =>
        (await accounts.removeWatchList(accountId, params.list)) ? deleted : noList,
    }),
  } satisfies Partial<Handlers>;
}

function itemHandlers(deps: HandlerDeps) {
  const { accounts } = deps;
  const { store } = deps.market;
  const saving = (): WatchedItemDeps => ({ market: store, accounts, ...changeDeps(deps) });
  return {
    listWatchedItems: ({ params: { list }, query: { after, limit } }) => ({
      read: async ({ accountId }) => {
        if (!(await findList(accounts, accountId, list))) return noList;
        const page = { after, limit: limit + 1 };
        const found = await accounts.listWatchedItems(accountId, list, page);
        const items = found.slice(0, limit);
        const answer: WatchedItemPage = {
          items: await presentItems(store, items),
          next: items.at(-1)?.id ?? after,
          has_more: found.length > limit,
        };
        return dataOf(answer);
      },
    }),
    saveWatchedItem: ({ params, body }) => {
      const targetCents = readHundredths('target_price_usd', body.target_price_usd);
      return {
        read: async ({ accountId }, { at }) => {
          const { list: listId, item_type: kind } = params;
          const number = await findNumber(store, kind, params.number);
          if (number === null) return noItem(kind, params.number);
          const note = body.note ?? '';
          const item = { kind, key: itemKey(kind, number), number, targetCents, note };
          const saved = await putItem(saving(), { accountId, listId, at }, item);
          if (saved === 'no list') return noList;
          if (saved === 'too many') throw tooMany(watchLimits.items, 'watched items');
          const [shown] = await presentItems(store, [saved]);
          return dataOf(shown);
        },
      };
    },
    deleteWatchedItem: ({ params }) => ({
      read: async ({ accountId }) => {
        const { list: listId, item_type: kind } = params;
        if (!(await findList(accounts, accountId, listId))) return noList;
        // An item that is no longer published can be deleted too.
        const number = (await findNumber(store, kind, params.number)) ?? params.number;
        const named = { kind, key: itemKey(kind, number), number, targetCents: null, note: '' };
        const found = await findListedItem(saving(), { accountId, listId }, named);
        const count = found ? await accounts.removeWatchedItems(accountId, [found.id]) : 0;
        if (count > 0) return deleted;
        return { missing: `The ${kind} '${shortText(params.number)}' is not on this watchlist.` };
      },
    }),
  } satisfies Partial<Handlers>;
}

export const deleted: Answer = dataOf({ deleted: true });

async function findList(
  accounts: HandlerDeps['accounts'],
  accountId: number,
  listId: number,
): Promise<WatchList | undefined> {
  return (await accounts.listWatchLists(accountId)).find(({ id }) => id === listId);
}

/** The same message as for another account's list. */
const noList: Answer = { missing: 'You have no watchlist with this ID.' };

function noItem(kind: ItemKind, number: string): Answer {
  return { missing: `There is no ${kind} '${shortText(number)}'.` };
}

export function tooMany(most: number, what: string): ApiError {
  return new ApiError('Conflict', `You have ${most} ${what}, which is the most. Delete one first.`);
}

/** The canonical number; null if there is no such item. */
async function findNumber(
  market: Pick<MarketReading, 'findNames'>,
  kind: ItemKind,
  number: string,
): Promise<string | null> {
  const key = itemKey(kind, number);
  return (await market.findNames(kind, [key])).get(key)?.number ?? null;
}

function presentList({ id, name, items, createdAt }: WatchList): Watchlist {
  return { id, name, item_count: items, created_at: formatInstant(createdAt) };
}

async function presentItems(
  market: Pick<MarketReading, 'findNames'>,
  items: readonly WatchedItem[],
): Promise<WatchedItemPage['items']> {
  const names = await findEachItem(items, (kind, keys) => market.findNames(kind, keys));
  return items.map((item) => {
    const { number, name } = names(item) ?? { number: item.number, name: item.number };
    return {
      item_type: item.kind,
      number,
      title: name,
      target_price_usd: toUsdOrNull(item.targetCents),
      note: item.note || null,
      added_at: formatInstant(item.addedAt),
    };
  });
}
