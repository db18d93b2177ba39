/** The account area: every request that is not the API's, from the cookie to the page. */

import { hashToken, newToken } from '../accounts/sign-in.ts';
import type { PageContext } from '../http/answer-page.ts';
import { Slots } from '../http/slots.ts';
import { hostAddress, isRead, targetOf } from '../http/target.ts';
import type { WebDeps } from './deps.ts';
import { respondAsset } from './kit/assets.ts';
import { faultAnswer, missingPage } from './kit/fault.tsx';
import { FormError, readForm, readSmallForm } from './kit/form.ts';
import type {
  OwnRequest,
  OwnSentRequest,
  PageAnswer,
  PageRequest,
  PageRoute,
  SentRequest,
} from './page.ts';
import { pageRoutes } from './pages.ts';
import { type CookieNames, cookieNames, readCookie, setCookie } from './server/cookies.ts';
import { Downloads } from './server/downloads.ts';
import type { Forwarded } from './server/forwarded.ts';
import { formTokenOf, isOwnOrigin, isSameToken, originOf } from './server/origin.ts';
import { respondFailure, respondPage } from './server/respond.ts';
import { type FoundRoute, pageRouter } from './server/routes.ts';
import { readTheme } from './session/theme.ts';

/** Answers requests for pages. */
export type Web = (request: Request, context: PageContext & Forwarded) => Promise<Response>;

/** A path longer than this is none of ours. */
const pathLengthMax = 500;

/** Pages of one account that are made at a time, and of all accounts. */
const ownLimits = { each: 2, all: 16, waitingEach: 32, waitingAll: 512, patienceMs: 30_000 };

/** Imports at a time; each takes memory, and on PostgreSQL a connection of the few there are. */
const importLimits = { each: 1, all: 2, waitingEach: 1, waitingAll: 16, patienceMs: 10_000 };

/** How long browsers that saw this site with https ask for it in no other way. */
const transportSecurity = `max-age=${365 * 24 * 60 * 60}`;

/** Joins the pages. */
export function makeWeb(deps: WebDeps): Web {
  const findRoute = pageRouter(pageRoutes(deps));
  const slots = {
    own: new Slots(ownLimits),
    imports: new Slots(importLimits),
    downloads: new Downloads(),
  };
  return async (request, context) => {
    const ownUrl = deps.baseUrl ?? context.url;
    const baseUrl = deps.baseUrl ?? hostAddress(context.host) ?? context.url;
    const isSecure = baseUrl.startsWith('https:');
    const { network } = context;
    const site = { baseUrl, ownUrl, network, names: cookieNames(isSecure) };
    const response = await answer(request, { site, deps, findRoute, slots }).catch((error) => {
      context.onFault(error);
      return respondFailure();
    });
    if (isSecure) response.headers.set('Strict-Transport-Security', transportSecurity);
    return response;
  };
}

/** This site, as whoever asks sees it. */
interface Site {
  readonly baseUrl: string;
  readonly ownUrl: string;
  readonly network: string;
  readonly names: CookieNames;
}

interface Answering {
  readonly site: Site;
  readonly deps: WebDeps;
  readonly findRoute: (path: string) => FoundRoute | null;
  readonly slots: WorkSlots;
}

/** Where the work of accounts is done, a few at a time. */
interface WorkSlots {
  readonly own: Slots;
  readonly imports: Slots;
  readonly downloads: Downloads;
}

async function answer(request: Request, answering: Answering): Promise<Response> {
  const { site, deps, findRoute, slots } = answering;
  const url = new URL(originOf(site.baseUrl) + targetOf(request.url));
  const asset = respondAsset(url.pathname);
  if (asset) return asset;
  const visit = await readRequest(request, { url, site, deps });
  const found = isPlausible(url) ? findRoute(url.pathname) : null;
  const done = found
    ? await answerRoute(request, found.route, { ...visit, params: found.params }, slots)
    : missingPage(visit);
  return respondPage(withFormCookie(done, request, { names: site.names, visit }));
}

/** PostgreSQL has no word with this character, and would fail over it. */
function isPlausible({ pathname, search }: URL): boolean {
  return pathname.length <= pathLengthMax && !`${pathname}${search}`.includes('%00');
}

interface Reading {
  readonly url: URL;
  readonly site: Site;
  readonly deps: WebDeps;
}

/** A request with the cookie that its forms are tied to. */
type VisitorRequest = PageRequest & { readonly formSeed: string };

async function readRequest(
  request: Request,
  { url, site: { baseUrl, ownUrl, network, names }, deps }: Reading,
): Promise<VisitorRequest> {
  const at = deps.clock();
  const cookies = request.headers.get('Cookie');
  const session = readCookie(cookies, names.session);
  const who = session && (await deps.accounts.findSignedIn(hashToken(session), at));
  // Forms of a stranger are tied to a cookie of their own, which ends with signing in.
  const seed = (who && session) || (readCookie(cookies, names.form) ?? newToken(deps));
  return {
    path: url.pathname,
    query: url.searchParams,
    params: {},
    who: who || null,
    at,
    formToken: formTokenOf(seed),
    formSeed: seed,
    once: newToken(deps),
    baseUrl,
    ownUrl,
    network,
    agent: request.headers.get('User-Agent') ?? '',
    theme: readTheme(cookies),
  };
}

async function answerRoute(
  request: Request,
  route: PageRoute,
  visit: VisitorRequest,
  slots: WorkSlots,
): Promise<PageAnswer> {
  const isReading = isRead(request);
  if (!isReading && request.method !== 'POST')
    return notAllowed(visit, route, 'This cannot be done here.');
  if (route.access !== 'open' && !visit.who) {
    const query = isReading && visit.query.size > 0 ? `?${visit.query}` : '';
    return { goTo: `/sign-in?next=${encodeURIComponent(visit.path + query)}` };
  }
  // What is not for everybody looks to others as if it were not there.
  if (route.access === 'operator' && !visit.who?.isOperator) return missingPage(visit);
  if (isReading) {
    const { get } = route;
    if (!get) return notAllowed(visit, route, 'This cannot be looked at.');
    const made = await inSlot(visit, slots.own, () => get(visit as OwnRequest));
    if (!('file' in made) || typeof made.file === 'string' || !visit.who) return made;
    const name = String(visit.who.accountId);
    const file = await slots.downloads.begin(name, made.file, request.signal);
    return file ? { ...made, file } : faultAnswer(visit, 429, busy);
  }
  const { post } = route;
  if (!post) return notAllowed(visit, route, 'Nothing can be sent here.');
  const takesFile = route.access !== 'open' && route.takesFile === true;
  const takesOneClick = route.access === 'open' && route.takesOneClick === true;
  // A slot is taken by what has arrived, and comes from our own pages.
  const sent = takesOneClick
    ? await readOneClick(request, visit)
    : await readSent(request, visit, takesFile);
  if (!('form' in sent)) return sent;
  const work = () => post(sent as OwnSentRequest);
  return inSlot(visit, takesFile ? slots.imports : slots.own, work);
}

/** An account has so many pages made at a time, whatever is in it. */
async function inSlot(
  visit: VisitorRequest,
  slots: Slots,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  if (!visit.who) return work();
  return (await slots.take(String(visit.who.accountId), work)) ?? faultAnswer(visit, 429, busy);
}

const busy = 'Your account is still busy with what you asked for before. Try again in a moment.';

/** What changes something must come from our own pages, with the token that they were given. */
async function readSent(
  request: Request,
  visit: VisitorRequest,
  takesFile: boolean,
): Promise<SentRequest | PageAnswer> {
  if (!isOwnOrigin(request.headers, originOf(visit.baseUrl))) {
    return faultAnswer(visit, 403, 'This was not sent from the pages of this site.');
  }
  const sent = await orFault(visit, async () => {
    const form = await readForm(request, takesFile);
    return { ...visit, form, signal: request.signal };
  });
  if (!('form' in sent) || isSameToken(sent.form.text('token'), visit.formToken)) return sent;
  const message = 'The page was open for too long; go back, reload it and try again.';
  return faultAnswer(visit, 403, message);
}

/** What mail programs send: it comes from nowhere, and has no token but the path. */
function readOneClick(request: Request, visit: VisitorRequest): Promise<SentRequest | PageAnswer> {
  return orFault(visit, async () => {
    const form = await readSmallForm(request);
    return { ...visit, form, signal: request.signal };
  });
}

/** A form, or what is wrong with it. */
async function orFault(
  visit: VisitorRequest,
  read: () => Promise<SentRequest>,
): Promise<SentRequest | PageAnswer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FormError) return faultAnswer(visit, error.status, error.message);
    throw error;
  }
}

/** Refuses a method, and tells which ones the path has. */
function notAllowed(request: PageRequest, route: PageRoute, message: string): PageAnswer {
  const allow = [route.get && 'GET, HEAD', route.post && 'POST'].filter(Boolean).join(', ');
  return { ...faultAnswer(request, 405, message), allow };
}

/** A stranger who sees a page gets the cookie that its forms are tied to. */
function withFormCookie(
  answer: PageAnswer,
  request: Request,
  { names, visit }: { readonly names: CookieNames; readonly visit: VisitorRequest },
): PageAnswer {
  const hasOne = readCookie(request.headers.get('Cookie'), names.form) !== null;
  if (visit.who || hasOne || !('page' in answer)) return answer;
  const cookie = setCookie(names.form, visit.formSeed, { ...names, seconds: null });
  return { ...answer, cookies: [...(answer.cookies ?? []), cookie] };
}
