/** Visits every page that can be reached, some of each route. */
import type { Seen, Site, Visitor } from './site.ts';

export interface Visited {
  readonly path: string;
  readonly seen: Seen;
  readonly visitor: Visitor;
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
      check({ path, seen, visitor });
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

/**
 * Links to addresses of this site that are not found, and to parts that a page lacks. Also follows
 * the links of docs.
 */
export async function findDeadLinks(pages: readonly Visited[]): Promise<string[]> {
  const dead: string[] = [];
  for (const own of Map.groupBy(pages, ({ visitor }) => visitor).values()) {
    dead.push(...(await findDeadLinksOfOne(own)));
  }
  return dead;
}

/** Visitors may see different pages at an address. */
async function findDeadLinksOfOne(pages: readonly Visited[]): Promise<string[]> {
  const dead: string[] = [];
  const known = new Map(pages.map(({ path, seen }) => [path, seen]));
  const waiting = [...pages];
  for (let page = waiting.shift(); page; page = waiting.shift()) {
    const { path, seen, visitor } = page;
    // Scripts complete the links of templates.
    const html = seen.html.replace(/<template.*?<\/template>/gs, '');
    for (const link of new Set(linksIn(html))) {
      const { origin, pathname, search, hash } = new URL(link, new URL(path, home));
      if (origin !== home || link.startsWith('#')) continue;
      const to = pathname + search;
      const found = known.get(to) ?? (await visitor.get(to));
      if (!known.has(to) && to.startsWith('/docs'))
        waiting.push({ ...page, path: to, seen: found });
      known.set(to, found);
      const lacksPart = hash !== '' && !found.html.includes(`id="${hash.slice(1)}"`);
      if (found.status === 404 || lacksPart) dead.push(`${path}: ${link}`);
    }
  }
  return dead;
}

const home = 'http://site';

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
