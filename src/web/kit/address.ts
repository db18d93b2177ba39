/** Addresses of pages, and their queries, which have filters, order and page. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { PageRequest } from '../page.ts';

/** Query parameters to set; empty ones are removed. */
export type QueryChanges = Readonly<Record<string, string | number | null>>;

type PageAddress = Pick<PageRequest, 'path' | 'query'>;

export function addressOf({ path, query }: PageAddress): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

export function withQuery(path: string, values: QueryChanges): string {
  return addressOf({ path, query: changed(new URLSearchParams(), values) });
}

/** The address of a request with some parameters changed; it starts at page 1 again. */
export function changedAddress({ path, query }: PageAddress, changes: QueryChanges): string {
  return addressOf({ path, query: changed(query, { page: '', ...changes }) });
}

/**
 * The item number in an address, for a message. Anything else becomes 'item', so that a link
 * cannot inject a text.
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

/** An id in a path or a query; null if it is missing or invalid. */
export function idOf(text: string | null | undefined): number | null {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

export function itemPath(kind: ItemKind, number: string): string {
  return `/${kind}s/${encodeURIComponent(number)}`;
}

export function themePath(theme: string): string {
  return `/themes/${encodeURIComponent(theme)}`;
}
