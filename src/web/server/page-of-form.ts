/** Finds the page that a form was on, so that it can be shown again. */
import type { FoundRoute } from './routes.ts';

/** A page that can be shown, as its route has GET. */
export interface PageOfForm extends FoundRoute {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * The page that a form was sent from, by its referrer; otherwise the nearest page at or above the
 * path that it was sent to. Null if there is none.
 */
export function findPageOfForm(
  findRoute: (path: string) => FoundRoute | null,
  sent: {
    readonly to: string;
    /** The full address of the page; null if it is unknown. */
    readonly from: string | null;
    readonly origin: string;
  },
): PageOfForm | null {
  for (const { pathname, searchParams } of candidates(sent)) {
    const found = findRoute(pathname);
    if (found?.route.get) return { ...found, path: pathname, query: searchParams };
  }
  return null;
}

function candidates(sent: Parameters<typeof findPageOfForm>[1]): URL[] {
  const { to, from, origin } = sent;
  const parts = to.split('/');
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  const own = above.filter((path) => path !== '').map((path) => new URL(origin + path));
  const page = from === null ? null : new URL(from);
  return page?.origin === origin ? [page, ...own] : own;
}
