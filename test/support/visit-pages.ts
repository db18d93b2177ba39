/** Visits every page that can be reached, some of each route. */
import type { Seen, Site, Visitor } from './site.ts';

export interface Visited {
  readonly path: string;
  readonly seen: Seen;
}

interface Visits {
  readonly visitors: readonly Visitor[];
  /** Addresses to begin with, besides the routes without parameters. */
  readonly from: readonly string[];
  /** Addresses per route: a route has any number of pages (items, filters, orders). */
  readonly viewsMax: number;
  /** Called with every HTML page. */
  check(page: Visited): void;
}

/** Returns the routes of `pages.ts` that no listed address or link leads to. */
export async function visitPages(
  site: Site,
  { visitors, from, viewsMax, check }: Visits,
): Promise<string[]> {
  const rows = site.routes.filter(({ get }) => get).map(({ path }) => path);
  const waiting = [...from, ...rows.filter((path) => !path.includes('{'))];
  const seenPages = new Set<string>();
  const viewsOf = new Map<string, number>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const [bare = ''] = path.split(/[?#]/);
    const row = rows.includes(bare) ? bare : (rows.find((each) => isOfRow(each)(bare)) ?? bare);
    const views = viewsOf.get(row) ?? 0;
    if (seenPages.has(path) || views >= viewsMax) continue;
    seenPages.add(path);
    viewsOf.set(row, views + 1);
    for (const visitor of visitors) {
      const seen = await visitor.get(path);
      // A rate-limited page would not be checked.
      if (seen.status >= 500 || seen.status === 429) throw new Error(`${path}: ${seen.status}`);
      if (!seen.headers.get('Content-Type')?.startsWith('text/html')) continue;
      check({ path, seen });
      // Docs have no external text, so one page of each route is enough.
      const isLeftOut = (url: string) => /^\/(assets|docs)\//.test(url);
      // Found addresses come first: a listed one may delete or hide what leads to them.
      waiting.unshift(
        ...linksIn(seen.html).filter((url) => url.startsWith('/') && !isLeftOut(url)),
      );
    }
  }
  const paths = [...seenPages].map((path) => path.replace(/[?#].*/, ''));
  const others = paths.filter((path) => !rows.includes(path));
  return rows.filter((row) => !paths.includes(row) && !others.some(isOfRow(row)));
}

/** All links of a page. */
export const linksIn = (html: string) =>
  [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, url = '']) =>
    url
      .replace(/&amp;/g, '&')
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"'),
  );

/** Whether an address belongs to a route, such as `/sets/{number}`. */
const isOfRow = (row: string) => (path: string) =>
  new RegExp(`^${row.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
