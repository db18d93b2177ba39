/** Addresses: where a page is, with what is chosen on it in the query. */
import type { PageRequest } from '../page.ts';

/** Parts of a query to set; an empty one is left out. */
export type QueryChanges = Readonly<Record<string, string | number | null>>;

/** A page: its path and what is chosen on it. */
type Place = Pick<PageRequest, 'path' | 'query'>;

/** The address of a page. */
export function addressOf({ path, query }: Place): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A path with a query, whose empty parts are left out. */
export function withQuery(path: string, values: QueryChanges): string {
  return addressOf({ path, query: changed(new URLSearchParams(), values) });
}

/** The address of a request with some parts of its query changed; a new choice starts at page 1. */
export function changedAddress({ path, query }: Place, changes: QueryChanges): string {
  return addressOf({ path, query: changed(query, { page: '', ...changes }) });
}

/**
 * The number of an item that an address names, to be said in a message; 'item' for anything else.
 * A link from elsewhere has no way to make a page say what it likes.
 */
export function namedNumber(query: URLSearchParams, name: string): string {
  const text = query.get(name) ?? '';
  return /^[\w.-]{1,30}$/.test(text) ? text : 'item';
}

function changed(query: URLSearchParams, changes: QueryChanges): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/** The id in a path or a query; null when there is none. */
export function idOf(text: string | null | undefined): number | null {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
