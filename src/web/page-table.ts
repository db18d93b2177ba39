/** Tables of routes: each path with the functions that answer it. */
import { hasRole, type Role } from '../domain/account/role.ts';
import type { WebDeps } from './deps.ts';
import { idOf } from './kit/address.ts';
import { goToItem, missingPage } from './kit/fault.tsx';
import { isFirstSent } from './kit/sent-once.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, SentRequest } from './page.ts';

/** `found` is what the page is about; only `foundPages` have it. */
type Answer<Request, Found extends readonly unknown[] = [found?: undefined]> = (
  deps: WebDeps,
  request: Request,
  ...found: Found
) => PageAnswer | Promise<PageAnswer>;

/** A page for everyone. */
interface OpenPage {
  /**
   * Whether its form is accepted from anywhere without a token, as mail programs send it. Only for
   * paths that are secrets, where nothing depends on who is signed in.
   */
  readonly takesOneClick?: boolean;
  /** Whether it also answers visitors of a site without public pages. */
  readonly isEntrance?: boolean;
  /** Whether its address is a secret, which browsers and search engines must not pass on. */
  readonly hasSecretPath?: boolean;
  /** Whether it may use the camera, and WebAssembly to read barcodes. */
  readonly isScanner?: boolean;
  readonly get?: Answer<PageRequest>;
  readonly post?: Answer<SentRequest>;
}

/** A page for signed-in users. */
interface OwnPage<Found extends readonly unknown[] = [found?: undefined]> {
  readonly hasSecretPath?: boolean;
  /** Whether its form can upload a file, or photos, which may be larger. */
  readonly takesFile?: boolean | 'photos';
  /** Whether it adds what a site requires of sign-ins, for sessions without it. */
  readonly isSetUp?: boolean;
  /** Whether it reads an uploaded file, or takes as long; few such requests run at a time. */
  readonly readsFile?: boolean;
  readonly isScanner?: boolean;
  readonly get?: Answer<OwnRequest, Found>;
  readonly post?: Answer<OwnSentRequest, Found>;
}

/** A page with its path, in which parameters are written `{name}`, and who may open it. */
export type PageRoute = { readonly path: string } & (
  | (OpenPage & { readonly access: 'open' })
  | (OwnPage & { readonly access: 'own' | Role })
);

type Table<Page> = Readonly<Record<string, Page>>;

export function openPages(pages: Table<OpenPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({ access: 'open', path, ...page }));
}

/** Pages that visitors need even if a site has no public pages: sign-in, links from emails. */
export function entrancePages(pages: Table<OpenPage>): PageRoute[] {
  return openPages(pages).map((route) => ({ ...route, isEntrance: true }));
}

export function ownPages(pages: Table<OwnPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({ access: 'own', path, ...page }));
}

/** Pages that set up what a site requires of sign-ins. */
export function setUpPages(pages: Table<OwnPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({
    access: 'own',
    path,
    isSetUp: true,
    ...page,
  }));
}

/** Pages for those who run the site, with the role that they need at least. */
export function operatorPages(role: Role, pages: Table<OwnPage>): PageRoute[] {
  return Object.entries(pages).map(([path, page]) => ({ access: role, path, ...page }));
}

/** Whether a signed-in user may open a page. */
export function mayOpen({ access }: PageRoute, who: PageRequest['who']): boolean {
  return access === 'open' || access === 'own' || hasRole(who?.role ?? null, access);
}

/** A page about something that its path names. */
interface FoundPage<Found> extends OwnPage<[found: Found]> {
  /** Where a form leads that is sent again after it deleted that; a 404 if undefined. */
  readonly goneTo?: string;
  /** The page that has the form, by the ID in the path; GET leads there. */
  readonly formOn?: (id: number) => string;
}

/** Pages about the same thing; 404 if `find` returns null. */
export function foundPages<Found>(
  find: (deps: WebDeps, request: OwnRequest) => Promise<Found | null>,
  pages: Table<FoundPage<Found>>,
): Table<OwnPage> {
  const bound = Object.entries(pages).map(([path, { goneTo, formOn, get, post, ...page }]) => [
    path,
    {
      ...page,
      ...(get && { get: withFound(find, get) }),
      ...(formOn && { get: (_: WebDeps, request: OwnRequest) => goToItem(request, formOn) }),
      ...(post && { post: goneTo ? withFoundOnce(find, post, goneTo) : withFound(find, post) }),
    },
  ]);
  return Object.fromEntries(bound);
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

/** Like `withFound`, for forms that may be sent twice, and find nothing the second time. */
function withFoundOnce<Found>(
  find: (deps: WebDeps, sent: OwnSentRequest) => Promise<Found | null>,
  answer: Answer<OwnSentRequest, [found: Found]>,
  goneTo: string,
) {
  return async (deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> => {
    const isFirst = await isFirstSent(deps, sent);
    const found = await find(deps, sent);
    if (found !== null) return answer(deps, sent, found);
    return isFirst ? missingPage(sent) : { goTo: goneTo };
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
