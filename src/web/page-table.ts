/** Tables of routes: each path with who may open it and the functions that answer it. */
import { hasRole, type Role, roles } from '../accounts/people/role.ts';
import { idOf } from './kit/address.ts';
import { missingPage } from './kit/fault.tsx';
import type { OwnRequest, PageAnswer, PageRequest, SentRequest, WebDeps } from './page.ts';

/**
 * Who may open a page:
 * - `open`: everyone, but only signed-in users on a site without public pages.
 * - `entrance`: everyone on every site. What visitors need there: sign-in, links from emails.
 * - `own`: signed-in users.
 * - `set-up`: signed-in users, also sessions that lack what a site requires of sign-ins. What adds
 *   that.
 * - A role: those who run the site and have at least this role.
 */
type Access = 'open' | 'entrance' | 'own' | 'set-up' | Role;

type Answer<Request, Found extends readonly unknown[]> = (
  deps: WebDeps,
  request: Request,
  ...found: Found
) => PageAnswer | Promise<PageAnswer>;

/** `found` is what the page is about; see `page`. */
interface Page<
  Request extends PageRequest,
  Found extends readonly unknown[] = [found?: undefined],
> {
  /**
   * Whether its form is accepted from anywhere without a token, as mail programs send it. Only for
   * paths that are secrets, where nothing depends on who is signed in.
   */
  readonly takesOneClick?: boolean;
  /** Whether its address is a secret, which browsers and search engines must not pass on. */
  readonly hasSecretPath?: boolean;
  /** Whether it may use the camera, and WebAssembly to read barcodes. */
  readonly isScanner?: boolean;
  /** Whether its form can upload a file, or photos, which may be larger. */
  readonly takesFile?: boolean | 'photos';
  /** Whether it reads an uploaded file, or takes as long; few such requests run at a time. */
  readonly readsFile?: boolean;
  readonly get?: Answer<Request, Found>;
  readonly post?: Answer<Request & SentRequest, Found>;
}

/** A page of signed-in users, as it is in a table. */
export interface OwnPage extends Page<OwnRequest> {
  /** Whether its path names what it is about. Without `get`, GET leads to the page above it. */
  readonly isAboutOne?: boolean;
}

/** A page with its path, in which parameters are written `{name}`. */
export interface PageRoute extends OwnPage {
  readonly path: string;
  readonly access: Access;
}

type Table<Row> = Readonly<Record<string, Row>>;

export function routes(access: 'open' | 'entrance', pages: Table<Page<PageRequest>>): PageRoute[];
export function routes(access: 'own' | 'set-up' | Role, pages: Table<OwnPage>): PageRoute[];
export function routes(access: Access, pages: Table<OwnPage>): PageRoute[] {
  return Object.entries(pages).map(([path, row]) => ({ access, path, ...row }));
}

export function mayOpen({ access }: PageRoute, who: PageRequest['who']): boolean {
  return !isRole(access) || hasRole(who?.role ?? null, access);
}

function isRole(access: Access): access is Role {
  return roles.some((role) => role === access);
}

/** Finds what a path names; null if it does not exist or is another account's. */
export type Find<Found> = (deps: WebDeps, request: OwnRequest) => Promise<Found | null>;

export interface FoundPage<Found> extends Page<OwnRequest, [found: Found]> {
  readonly find: Find<Found>;
}

/** A page about something that its path names; 404 if `find` returns null. */
export function page<Found>({ find, get, post, ...row }: FoundPage<Found>): OwnPage {
  return {
    ...row,
    isAboutOne: true,
    ...(get && { get: withFound(find, get) }),
    ...(post && { post: withFound(find, post) }),
  };
}

function withFound<Request extends OwnRequest, Found>(
  find: Find<Found>,
  answer: Answer<Request, [found: Found]>,
) {
  return async (deps: WebDeps, request: Request): Promise<PageAnswer> => {
    const found = await find(deps, request);
    return found === null ? missingPage(request) : answer(deps, request, found);
  };
}

/** Finds the row of the user with the ID in the path. */
export function byOwnId<Found>(
  find: (accounts: WebDeps['accounts'], accountId: number, id: number) => Promise<Found | null>,
): Find<Found> {
  return async ({ accounts }, { who, params }) => {
    const id = idOf(params.id);
    return id === null ? null : find(accounts, who.accountId, id);
  };
}

/** Finds the row with the ID in the path, in a list of the user. */
export function byId<Row extends { readonly id: number }>(
  list: (deps: WebDeps, request: OwnRequest) => Promise<readonly Row[]>,
): Find<Row> {
  return async (deps, request) => {
    const rows = await list(deps, request);
    return rows.find(({ id }) => id === idOf(request.params.id)) ?? null;
  };
}
