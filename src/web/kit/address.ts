/** Addresses: where a page is, with what is chosen on it in the query. */
import type { PageRequest } from '../page.ts';

/** Parts of a query to set; an empty one is left out. */
export type QueryChanges = Readonly<Record<string, string | number | null>>;

/** A path with a query, whose empty parts are left out. */
export function withQuery(path: string, values: QueryChanges): string {
  return joined(path, changed(new URLSearchParams(), values));
}

/** The address of a request with some parts of its query changed; a new choice starts at page 1. */
export function changedAddress(
  { path, query }: Pick<PageRequest, 'path' | 'query'>,
  changes: QueryChanges,
): string {
  return joined(path, changed(query, { page: '', ...changes }));
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

function joined(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A number in a path that may be an id; null when it cannot be one. */
export function idOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
