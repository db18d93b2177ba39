/** Routes as tables: each path with the functions that answer it. */
import type { WebDeps } from './deps.ts';
import { idOf } from './kit/address.ts';
import { missingPage } from './kit/fault.tsx';
import { isFirstSent } from './kit/sent-once.ts';
import type {
  OpenRoute,
  OwnRequest,
  OwnRoute,
  OwnSentRequest,
  PageAnswer,
  PageRequest,
  SentRequest,
} from './page.ts';

/** The functions of one path. */
interface Answers<Deps, Get, Sent> {
  readonly get?: (deps: Deps, request: Get) => PageAnswer | Promise<PageAnswer>;
  readonly post?: (deps: Deps, sent: Sent) => PageAnswer | Promise<PageAnswer>;
}

type OwnTable<Deps> = Readonly<
  Record<
    string,
    Answers<Deps, OwnRequest, OwnSentRequest> & Pick<OwnRoute, 'takesFile' | 'readsFile'>
  >
>;

type OpenTable<Deps> = Readonly<
  Record<string, Answers<Deps, PageRequest, SentRequest> & Pick<OpenRoute, 'takesOneClick'>>
>;

/** Pages for everyone. */
export function openPages<Deps>(deps: Deps, pages: OpenTable<Deps>): OpenRoute[] {
  return Object.entries(pages).map(([path, { takesOneClick = false, ...answers }]) => {
    return { access: 'open', path, takesOneClick, ...bound(deps, answers) };
  });
}

/** Pages for signed-in users. */
export function ownPages<Deps>(deps: Deps, pages: OwnTable<Deps>): OwnRoute[] {
  return signedInPages('own', deps, pages);
}

/** Pages for operators. */
export function operatorPages<Deps>(deps: Deps, pages: OwnTable<Deps>): OwnRoute[] {
  return signedInPages('operator', deps, pages);
}

function signedInPages<Deps>(
  access: OwnRoute['access'],
  deps: Deps,
  pages: OwnTable<Deps>,
): OwnRoute[] {
  return Object.entries(pages).map(
    ([path, { takesFile = false, readsFile = false, ...answers }]) => {
      return { access, path, takesFile, readsFile, ...bound(deps, answers) };
    },
  );
}

/** Passes the dependencies to the functions. */
function bound<Deps, Get, Sent>(deps: Deps, { get, post }: Answers<Deps, Get, Sent>) {
  return {
    ...(get && { get: async (request: Get) => get(deps, request) }),
    ...(post && { post: async (sent: Sent) => post(deps, sent) }),
  };
}

/** Answers with what a path names; 404 if the user has no such thing. */
export function withFound<Deps, Request extends PageRequest, Found>(
  find: (deps: Deps, request: Request) => Promise<Found | null>,
  answer: (deps: Deps, request: Request, found: Found) => PageAnswer | Promise<PageAnswer>,
) {
  return async (deps: Deps, request: Request): Promise<PageAnswer> => {
    const found = await find(deps, request);
    return found === null ? missingPage(request) : answer(deps, request, found);
  };
}

/** Finds the row that a path names by its id, in a list of the user. */
export function byId<Row extends { readonly id: number }>(
  list: (deps: WebDeps, request: OwnRequest) => Promise<readonly Row[]>,
) {
  return async (deps: WebDeps, request: OwnRequest): Promise<Row | null> => {
    const rows = await list(deps, request);
    return rows.find(({ id }) => id === idOf(request.params.id)) ?? null;
  };
}

/**
 * The same for forms that delete what a path names. Sent twice, the second one finds nothing, and
 * leads to `gone` like the first.
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
