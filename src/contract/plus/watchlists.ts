/** Watchlists of the caller: reading and changing them. */
import Type, { type Static } from 'typebox';
import { watchLimits } from '../../alerts/watchlists/watch-list.ts';
import { itemKinds } from '../../catalog/items/numbers.ts';
import { centsMax, toUsd } from '../../kernel/money.ts';
import { pageQuery } from '../catalog.ts';
import {
  choice,
  count,
  enteredText,
  exactly,
  flag,
  id,
  identifier,
  instant,
  largeCount,
  listOf,
  oneOf,
  orNull,
  ownId,
  plainNumber,
  position,
  record,
  text,
  usd,
} from '../fields.ts';
import { pageSizeMax } from '../limits.ts';

const list = ownId('ID of the watchlist.');

export const WatchlistParams = exactly({ list });

export const WatchedItemParams = exactly({
  list,
  item_type: choice(itemKinds, 'Whether it is a set or a minifigure.'),
  number: identifier('The number. `75192` and `75192-1` are the same set.', '10482'),
});

export const WatchedItemsQuery = exactly({
  after: position('Only items after this position.', { usual: 0 }),
  limit: pageQuery.limit,
});

export const WatchlistBody = record('WatchlistRequest', {
  name: enteredText(watchLimits.nameLength, 'Name of the watchlist.', 'Retiring soon'),
});

export const WatchedItemBody = record('WatchedItemRequest', {
  target_price_usd: Type.Optional(
    orNull(
      plainNumber({
        minimum: 0.01,
        maximum: toUsd(centsMax),
        decimals: 2,
        description: 'The price you wait for; null or omitted for none.',
        example: 120,
      }),
    ),
  ),
  note: Type.Optional(
    orNull(enteredText(watchLimits.noteLength, 'Your note; null or omitted for none.', 'For Ann')),
  ),
});

export const Watchlist = record('Watchlist', 'A watchlist.', {
  id: id('ID of the watchlist.'),
  name: text('Its name, which no other of your watchlists has.'),
  item_count: count('Number of items on it.'),
  created_at: instant('When it was created.'),
});

export const Watchlists = record('WatchlistList', {
  watchlists: listOf(Watchlist, 'By name.', watchLimits.lists),
});

export const WatchedItem = record('WatchedItem', 'An item of a watchlist.', {
  item_type: oneOf(itemKinds, 'Whether it is a set or a minifigure.'),
  number: text('The canonical number.'),
  title: text('Name of the item; its number if it is not published.'),
  target_price_usd: orNull(usd('The price you wait for; null if there is none.')),
  note: orNull(text('Your note; null if there is none.')),
  added_at: instant('When it was added.'),
});

export const WatchedItemPage = record('WatchedItemPage', {
  items: listOf(WatchedItem, 'In the order they were added.', pageSizeMax),
  next: largeCount('Send this as `after` in the next call.'),
  has_more: flag('Whether there are more items after `next`.'),
});

export const Deletion = record('Deletion', {
  deleted: flag('Always true: what does not exist returns 404.'),
});

export type WatchedItemPage = Static<typeof WatchedItemPage>;
export type Watchlist = Static<typeof Watchlist>;
export type WatchedItem = Static<typeof WatchedItem>;

/** Examples for the OpenAPI document. */
export const watchlistExample: Watchlist = {
  id: 1,
  name: 'Retiring soon',
  item_count: 1,
  created_at: '2026-11-01T09:30:00.000Z',
};
export const watchedItemExample: WatchedItem = {
  item_type: 'set',
  number: '10482',
  title: 'Harbour Lighthouse',
  target_price_usd: 120,
  note: 'For Ann',
  added_at: '2026-11-02T18:00:00.000Z',
};
export const watchedItemPageExample: WatchedItemPage = {
  items: [watchedItemExample],
  next: 1,
  has_more: false,
};
export const watchedItemBodyExample: Static<typeof WatchedItemBody> = {
  target_price_usd: 120,
  note: 'For Ann',
};
export const deletionExample: Static<typeof Deletion> = { deleted: true };
