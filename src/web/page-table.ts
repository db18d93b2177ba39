/** Pages written as a table: each path with the functions that answer it. */
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

/** Pages that everybody may see. */
export function openPages<Deps>(deps: Deps, pages: OpenTable<Deps>): OpenRoute[] {
  return Object.entries(pages).map(([path, { takesOneClick = false, ...answers }]) => {
    return { access: 'open', path, takesOneClick, ...bound(deps, answers) };
  });
}

/** Pages for whoever is signed in. */
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

/** The same functions with what they work with. */
function bound<Deps, Get, Sent>(deps: Deps, { get, post }: Answers<Deps, Get, Sent>) {
  return {
    ...(get && { get: async (request: Get) => get(deps, request) }),
    ...(post && { post: async (sent: Sent) => post(deps, sent) }),
  };
}

/** Answers about what a path names, once it is found. Somebody else's is as if there were none. */
export function withFound<Deps, Request extends PageRequest, Found>(
  find: (deps: Deps, request: Request) => Promise<Found | null>,
  answer: (deps: Deps, request: Request, found: Found) => PageAnswer | Promise<PageAnswer>,
) {
  return async (deps: Deps, request: Request): Promise<PageAnswer> => {
    const found = await find(deps, request);
    return found === null ? missingPage(request) : answer(deps, request, found);
  };
}

/** Finds the row of an own list that a path names by its id. */
export function byId<Row extends { readonly id: number }>(
  list: (deps: WebDeps, request: OwnRequest) => Promise<readonly Row[]>,
) {
  return async (deps: WebDeps, request: OwnRequest): Promise<Row | null> => {
    const rows = await list(deps, request);
    return rows.find(({ id }) => id === idOf(request.params.id)) ?? null;
  };
}

/**
 * Deletes what a path names, once it is found. Sent twice, the second finds nothing any more, and
 * leads where the first one did.
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
