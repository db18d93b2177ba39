/** The caller's watchlists and their items. */
import type { Endpoint } from '../../endpoint.ts';
import * as watchlists from '../watchlists.ts';
import { usual } from './usual.ts';

const row = { ...usual, scope: 'caller', needs: ['portfolio'], tag: 'Watchlists' } as const;
const change = { ...row, effect: 'once' } as const;

export const watchlistEndpoints = {
  listWatchlists: {
    ...row,
    path: '/watchlists',
    summary: 'List your watchlists',
    description: 'Returns your watchlists by name.',
    docs: 'your watchlists',
    answer: watchlists.Watchlists,
    example: { watchlists: [watchlists.watchlistExample] },
  },
  createWatchlist: {
    ...change,
    method: 'POST',
    path: '/watchlists',
    summary: 'Create a watchlist',
    description:
      'Creates a watchlist and returns it. If you have one with this name, returns that one, so ' +
      'a call whose response was lost can be repeated. You can have 20.',
    docs: 'a new watchlist, or yours with this name',
    body: watchlists.WatchlistBody,
    answer: watchlists.Watchlist,
    example: { ...watchlists.watchlistExample, item_count: 0 },
    bodyExample: { name: watchlists.watchlistExample.name },
  },
  renameWatchlist: {
    ...change,
    method: 'PUT',
    path: '/watchlists/{list}',
    summary: 'Rename a watchlist',
    description: 'Gives one of your watchlists another name, and returns it.',
    docs: 'a watchlist with its new name',
    params: watchlists.WatchlistParams,
    body: watchlists.WatchlistBody,
    answer: watchlists.Watchlist,
    example: watchlists.watchlistExample,
    bodyExample: { name: watchlists.watchlistExample.name },
    mayMiss: true,
  },
  saveWatchedItem: {
    ...change,
    method: 'PUT',
    path: '/watchlists/{list}/items/{item_type}/{number}',
    summary: 'Add or change an item of a watchlist',
    description:
      'Puts a set or minifigure on your watchlist with this target price and note, and returns ' +
      'it. If it is on the list, both are replaced. As on the site, alerts that it matches ' +
      'already are not sent. You can watch 5,000 items.',
    docs: 'an item of a watchlist, added or changed',
    params: watchlists.WatchedItemParams,
    body: watchlists.WatchedItemBody,
    answer: watchlists.WatchedItem,
    example: watchlists.watchedItemExample,
    bodyExample: watchlists.watchedItemBodyExample,
    mayMiss: true,
  },
  listWatchedItems: {
    ...row,
    path: '/watchlists/{list}/items',
    summary: 'List the items of a watchlist',
    description:
      'Returns the items of your watchlist in the order they were added. To get the next page, ' +
      'send `next` as `after`.',
    docs: 'the items of a watchlist, with target prices and notes',
    params: watchlists.WatchlistParams,
    query: watchlists.WatchedItemsQuery,
    answer: watchlists.WatchedItemPage,
    example: watchlists.watchedItemPageExample,
    mayMiss: true,
  },
  deleteWatchedItem: {
    ...change,
    method: 'DELETE',
    path: '/watchlists/{list}/items/{item_type}/{number}',
    summary: 'Remove an item from a watchlist',
    description: 'Removes a set or minifigure from your watchlist. A second call returns 404.',
    docs: 'removes an item from a watchlist',
    params: watchlists.WatchedItemParams,
    answer: watchlists.Deletion,
    example: watchlists.deletionExample,
    mayMiss: true,
  },
  deleteWatchlist: {
    ...change,
    method: 'DELETE',
    path: '/watchlists/{list}',
    summary: 'Delete a watchlist',
    description: 'Deletes your watchlist with its items and its alerts. A second call returns 404.',
    docs: 'deletes a watchlist with its items and alerts',
    params: watchlists.WatchlistParams,
    answer: watchlists.Deletion,
    example: watchlists.deletionExample,
    mayMiss: true,
  },
} as const satisfies Record<string, Endpoint>;
