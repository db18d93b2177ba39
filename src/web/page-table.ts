/** Tables of routes: each path with the functions that answer it. */
import type { WebDeps } from './deps.ts';
import { idOf } from './kit/address.ts';
import { missingPage } from './kit/fault.tsx';
import { isFirstSent } from './kit/sent-once.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, SentRequest } from './page.ts';

type Answer<Request> = (deps: WebDeps, request: Request) => PageAnswer | Promise<PageAnswer>;

/** A page for everyone. */
interface OpenPage {
  /**
   * Whether its form is accepted from anywhere without a token, as mail programs send it. Only for
   * paths that are secrets, where nothing depends on who is signed in.
   */
  readonly takesOneClick?: boolean;
  readonly get?: Answer<PageRequest>;
  readonly post?: Answer<SentRequest>;
}

/** A page for signed-in users. */
interface OwnPage {
  /** Whether its form can upload a file. */
  readonly takesFile?: boolean;
  /** Whether it reads an uploaded file; only a few such requests run at a time. */
  readonly readsFile?: boolean;
  readonly get?: Answer<OwnRequest>;
  readonly post?: Answer<OwnSentRequest>;
}

/** A page with its path, in which parameters are written `{name}`, and who may open it. */
export type PageRoute = { readonly path: string } & (
  | (OpenPage & { readonly access: 'open' })
  | (OwnPage & { readonly access: 'own' | 'operator' })
);

type Table<Page> = Readonly<Record<string, Page>>;

export function openPages(pages: Table<OpenPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({ access: 'open', path, ...page }));
}

export function ownPages(pages: Table<OwnPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({ access: 'own', path, ...page }));
}

export function operatorPages(pages: Table<OwnPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({ access: 'operator', path, ...page }));
}

/** Passes the row that a path names to `answer`; 404 if `find` returns null. */
export function withFound<Deps, Request extends PageRequest, Found>(
  find: (deps: Deps, request: Request) => Promise<Found | null>,
  answer: (deps: Deps, request: Request, found: Found) => PageAnswer | Promise<PageAnswer>,
) {
  return async (deps: Deps, request: Request): Promise<PageAnswer> => {
    const found = await find(deps, request);
    return found === null ? missingPage(request) : answer(deps, request, found);
  };
}

/** Finds the row with the ID in the path, in a list of the user. */
export function byId<Row extends { readonly id: number }>(
  list: (deps: WebDeps, request: OwnRequest) => Promise<readonly Row[]>,
) {
  return async (deps: WebDeps, request: OwnRequest): Promise<Row | null> => {
    const rows = await list(deps, request);
    return rows.find(({ id }) => id === idOf(request.params.id)) ?? null;
  };
}

/**
 * Like `withFound`, for forms that delete the row. A form that is sent twice finds nothing the
 * second time, and redirects to `gone` instead of a 404.
 */
export function withFoundOnce<Deps extends Pick<WebDeps, 'accounts'>, Found>(
  find: (deps: Deps, sent: OwnSentRequest) => Promise<Found | null>,
  gone: string,
  answer: (deps: Deps, sent: OwnSentRequest, found: Found) => PageAnswer | Promise<PageAnswer>,
) {
  return async (deps: Deps, sent: OwnSentRequest): Promise<PageAnswer> => {
    const isFirst = await isFirstSent(deps, sent);
    const found = await find(deps, sent);
    if (found !== null) return answer(deps, sent, found);
    return isFirst ? missingPage(sent) : { goTo: gone };
  };
}
