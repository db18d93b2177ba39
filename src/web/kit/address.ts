/** Addresses of pages; the query has what is chosen on them. */
import type { PageRequest } from '../page.ts';

/** Query parameters to set; empty ones are removed. */
export type QueryChanges = Readonly<Record<string, string | number | null>>;

/** A page with what is chosen on it. */
type Place = Pick<PageRequest, 'path' | 'query'>;

/** The address of a page. */
export function addressOf({ path, query }: Place): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A path with a query, without empty parameters. */
export function withQuery(path: string, values: QueryChanges): string {
  return addressOf({ path, query: changed(new URLSearchParams(), values) });
}

/** The address of a request with some parameters changed; it starts at page 1 again. */
export function changedAddress({ path, query }: Place, changes: QueryChanges): string {
  return addressOf({ path, query: changed(query, { page: '', ...changes }) });
}

/**
 * The item number in an address, for a message; 'item' for anything else, so that a link from
 * elsewhere cannot make a page show its text.
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
