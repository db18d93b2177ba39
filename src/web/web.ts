/** The web app: answers every request that is not for the API. */

import { isTooWeak } from '../accounts/people/site-access.ts';
import { hashToken, newToken } from '../accounts/sign-in/sign-in.work.ts';
import type { PageContext } from '../http/answer-page.ts';
import { pools } from '../http/pools.ts';
import { hostAddress, isRead, targetOf } from '../http/request-target.ts';
import { Slots } from '../http/slots.ts';
import { WorkBudget } from '../http/work-budget.ts';
import { minuteMs } from '../kernel/time.ts';
import { dayIn } from '../kernel/time-zone.ts';
import { respondAsset } from './assets.ts';
import { withOwnBarcodes } from './catalog/own-barcode-sets.ts';
import { addressOf, idOf, withQuery } from './kit/address.ts';
import { faultAnswer, missingPage, wrongMethodPage } from './kit/fault.tsx';
import { type Form, FormError, readForm, readSmallForm } from './kit/form.ts';
import { withFormats } from './kit/format.ts';
import { readKeeps } from './owner/device/keeps-cookie.ts';
import {
  type Draft,
  type FullAnswer,
  fullAnswer,
  type OwnRequest,
  type OwnSentRequest,
  type PageAnswer,
  type PageRequest,
  type SentAnswer,
  type SentRequest,
  type WebDeps,
} from './page.ts';
import { mayOpen, type PageRoute } from './page-table.ts';
import { pageRoutes } from './pages.ts';
import { type CookieNames, cookieNames, readCookie, setCookie } from './server/cookies.ts';
import { Downloads } from './server/downloads.ts';
import {
  draftLengthMax,
  draftSeconds,
  draftValues,
  packDraft,
  unpackDraft,
} from './server/draft.ts';
import type { Forwarded } from './server/forwarded.ts';
import {
  formTokenOf,
  isOriginHidden,
  isOwnOrigin,
  isSameToken,
  originOf,
} from './server/origin.ts';
import { findPageOfForm, type PageOfForm } from './server/page-of-form.ts';
import { pagePieces, respondFailure, respondPage } from './server/respond.ts';
import { type FoundRoute, pageRouter, secretPaths } from './server/routes.ts';
import { visitLengthMax } from './session/provider-visit.ts';
import { findRegion } from './session/region.ts';
import { requiredPath } from './session/required.tsx';
import { readTheme } from './session/theme.ts';
import { readTimeZone } from './session/time-zone-choice.tsx';

type Web = (request: Request, context: PageContext & Forwarded) => Promise<Response>;

const pathLengthMax = 500;

/** HSTS: browsers use only https for a year after a visit with https. */
const transportSecurity = `max-age=${365 * 24 * 60 * 60}`;

export function makeWeb(deps: WebDeps): Web {
  const routes = pageRoutes(deps);
  const findRoute = pageRouter(routes);
  const isSecretPath = secretPaths(routes);
  const slots = {
    own: new Slots(pools.ownPages),
    previews: new Slots(pools.previews),
    previewBudget: new WorkBudget(deps.site.previewBudget),
    downloads: new Downloads(),
  };
  return async (request, context) => {
    const ownUrl = deps.site.baseUrl ?? context.url;
    const baseUrl = deps.site.baseUrl ?? hostAddress(context.host) ?? context.url;
    const isSecure = baseUrl.startsWith('https:');
    const { network } = context;
    const site = { baseUrl, ownUrl, network, names: cookieNames(isSecure) };
    const response = await answer(request, { site, deps, findRoute, isSecretPath, slots }).catch(
      (error) => {
        context.onFault(error);
        return respondFailure();
      },
    );
    if (isSecure) response.headers.set('Strict-Transport-Security', transportSecurity);
    return response;
  };
}

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
  readonly isSecretPath: (path: string) => boolean;
  readonly slots: WorkSlots;
}

interface WorkSlots {
  readonly own: Slots;
  readonly previews: Slots;
  readonly previewBudget: WorkBudget;
  readonly downloads: Downloads;
}

async function answer(request: Request, answering: Answering): Promise<Response> {
  const { site, deps, findRoute, isSecretPath } = answering;
  const url = new URL(originOf(site.baseUrl) + targetOf(request.url));
  const asset = respondAsset(url.pathname, request.headers.get('Accept-Encoding'));
  if (asset) return asset;
  const visit = await readRequest(request, { url, site, deps });
  const found = isPlausible(url) ? findRoute(url.pathname) : null;
  return withFormats(visit.formats, async () => {
    const done = found
      ? await answerRoute(request, found.route, { ...visit, params: found.params }, answering)
      : missingPage(visit);
    const sent = await sendPieces(request, visit, { answer: done, answering });
    const { hasPublicPages } = visit.access;
    const hasSecretPath = isSecretPath(url.pathname);
    const kind = { hasPublicPages, hasSecretPath, isScanner: found?.route.isScanner ?? false };
    return respondPage(withCookies(sent, visit, site.names), kind);
  });
}

/** Rejects long paths, and NUL, which PostgreSQL cannot store. */
function isPlausible({ pathname, search }: URL): boolean {
  return pathname.length <= pathLengthMax && !`${pathname}${search}`.includes('%00');
}

interface Reading {
  readonly url: URL;
  readonly site: Site;
  readonly deps: WebDeps;
}

/** `newFormSeed` is the form cookie to set; null if the browser has a session or a form cookie. */
type VisitorRequest = PageRequest & { readonly newFormSeed: string | null };

async function readRequest(
  request: Request,
  { url, site: { baseUrl, ownUrl, network, names }, deps }: Reading,
): Promise<VisitorRequest> {
  const at = deps.clock();
  const cookies = request.headers.get('Cookie');
  const session = readCookie(cookies, names.session);
  const who = session && (await deps.accounts.findSignedIn(hashToken(session), at));
  // Forms of visitors have their own cookie, which is deleted when they sign in.
  const known = (who && session) || readCookie(cookies, names.form);
  const seed = known ?? newToken(deps);
  const timeZone = (who ? who.timeZone : null) ?? readTimeZone(cookies) ?? 'UTC';
  const languages = request.headers.get('Accept-Language');
  const region = await findRegion(deps.market, { who: who || null, languages, at });
  return {
    path: url.pathname,
    query: url.searchParams,
    params: {},
    who: who || null,
    at,
    timeZone,
    today: dayIn(timeZone, at),
    formats: region.formats,
    missingRate: region.missingRate,
    formToken: formTokenOf(seed),
    newFormSeed: known === null ? seed : null,
    once: newToken(deps),
    baseUrl,
    ownUrl,
    network,
    names,
    agent: request.headers.get('User-Agent') ?? '',
    device: readCookie(cookies, names.device),
    step: readCookie(cookies, names.step),
    visit: readCookie(cookies, names.visit, visitLengthMax),
    secretNext: readSecretNext(cookies, names),
    keepsData: readKeeps(cookies),
    access: deps.site.access,
    theme: readTheme(cookies),
    draft: unpackDraft(readCookie(cookies, names.draft, draftLengthMax)),
    signal: request.signal,
  };
}

async function answerRoute(
  request: Request,
  route: PageRoute,
  visit: VisitorRequest,
  answering: Answering,
): Promise<FullAnswer> {
  const { slots, findRoute } = answering;
  const deps = withOwnBarcodes(answering.deps, visit.who);
  const isReading = isRead(request);
  const refused = () => notAllowed(visit, route, { findRoute, isReading });
  if (!isReading && request.method !== 'POST') return refused();
  if (needsAccount(route, visit) && !visit.who) {
    if (isReading) return goToSignIn({ ...visit, route }, answering.site);
    return askToSignIn(request, visit, answering);
  }
  if (await isBarred(route, visit, answering)) return { goTo: requiredPath };
  // To others, operator pages look like missing pages.
  if (!mayOpen(route, visit.who)) return missingPage(visit);
  const { takesFile, takesOneClick, get, post } = route;
  if (isReading) {
    if (!get) return refused();
    return inSlot(visit, slots, { route, work: () => get(deps, visit as OwnRequest) });
  }
  if (!post) return refused();
  // A form takes a slot only after it has arrived and was checked.
  const sent = takesOneClick
    ? // Mail programs send no origin and no token; the path is the secret.
      await orFault(visit, () => readSmallForm(request))
    : await readSent(request, visit, route, answering);
  if (!('form' in sent)) return sent;
  const work = () => post(deps, sent as OwnSentRequest);
  return inSlot(visit, slots, { route, work, isUpload: takesFile === true });
}

/**
 * Whether a session lacks what the site requires. It may set that up, unless the account has it and
 * only this sign-in did not use it: a stolen password must not add a second factor of its own.
 */
async function isBarred(route: PageRoute, { who, access }: PageRequest, { deps }: Answering) {
  if (!who || !isTooWeak(who.method, access)) return false;
  if (route.access === 'entrance' || route.path === requiredPath) return false;
  const required = { requires: access.requires, issuer: deps.site.provider?.issuer ?? null };
  return route.access !== 'set-up' || (await deps.accounts.hasRequired(who.accountId, required));
}

/** Without public pages, visitors see only what they need to sign in or to use a link. */
function needsAccount(route: PageRoute, { access }: PageRequest): boolean {
  return route.access !== 'entrance' && !(route.access === 'open' && access.hasPublicPages);
}

interface PageWork {
  readonly route: PageRoute;
  readonly work: () => PageAnswer | Promise<PageAnswer>;
  /** Whether the work reads a file that was just uploaded. */
  readonly isUpload?: boolean;
}

/**
 * Limits the concurrent pages of an account; visitors have no limit here. Routes that read an
 * uploaded file share a few slots, and a budget of CPU time; photos have slots of their own.
 */
async function inSlot(
  visit: PageRequest,
  { own, previews, previewBudget }: WorkSlots,
  { route, work, isUpload }: PageWork,
): Promise<FullAnswer> {
  const run = async () => fullAnswer(await work());
  if (!visit.who) return run();
  const account = visit.who.accountId;
  const taker = { account, network: visit.network };
  const isPreview = isUpload || route.readsFile === true;
  if (!isPreview) return (await own.take(taker, run)) ?? faultAnswer(visit, 429, busy);
  const waitMs = previewBudget.waitMs(account);
  if (waitMs > 0) return faultAnswer(visit, 429, tooMuchText(waitMs));
  const done = await previews.take(taker, () => previewBudget.run(account, run));
  return done ?? faultAnswer(visit, 429, 'Too many files are being read. Try again in a moment.');
}

const busy = 'Your last request is still running. Try again in a moment.';
const busyDownloads =
  'Too many files are being downloaded. Wait for yours to finish, then try again.';

function tooMuchText(waitMs: number): string {
  const minutes = Math.ceil(waitMs / minuteMs);
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `You have uploaded very much in a short time. Try again in ${time}.`;
}

/** Starts to send a file or a page that is made in pieces. */
async function sendPieces(
  { signal }: Request,
  visit: PageRequest,
  { answer, answering }: { readonly answer: FullAnswer; readonly answering: Answering },
): Promise<SentAnswer> {
  const taker = { account: visit.who?.accountId ?? null, network: visit.network };
  const send = (pieces: AsyncIterable<string>) =>
    answering.slots.downloads.begin(taker, pieces, signal);
  if ('page' in answer && answer.rows) {
    const { rows, ...page } = answer;
    const pieces = await send(pagePieces(page.page, rows));
    return pieces ? { ...page, page: pieces } : faultAnswer(visit, 429, busyDownloads);
  }
  if (!('file' in answer)) return answer;
  const { file: pieces, ...named } = answer;
  if (typeof pieces === 'string' || pieces instanceof Uint8Array) {
    return { ...named, file: pieces };
  }
  const file = await send(pieces);
  return file ? { ...named, file } : faultAnswer(visit, 429, busyDownloads);
}

function goToSignIn(
  page: Pick<PageRequest, 'path' | 'query'> & { readonly route: PageRoute },
  { names }: Site,
) {
  if (!page.route.hasSecretPath) return { goTo: withQuery('/sign-in', { next: addressOf(page) }) };
  // In a query, it would be in logs of proxies, and in the referrer of the sign-in page.
  const kept = Buffer.from(page.path).toString('base64url');
  const cookie = setCookie(names.next, kept, { ...names, seconds: draftSeconds });
  return { goTo: '/sign-in', cookies: [cookie] };
}

function readSecretNext(cookies: string | null, names: CookieNames): string | null {
  const kept = readCookie(cookies, names.next);
  return kept && Buffer.from(kept, 'base64url').toString();
}

function formPageOf(request: Request, visit: PageRequest, { findRoute }: Answering) {
  const origin = originOf(visit.baseUrl);
  const from = request.headers.get('Referer');
  const isGood = from !== null && URL.canParse(from) && isPlausible(new URL(from));
  return findPageOfForm(findRoute, { to: visit.path, from: isGood ? from : null, origin });
}

/** Answers a form whose session has ended. Its input is kept and shown again after signing in. */
async function askToSignIn(request: Request, visit: VisitorRequest, answering: Answering) {
  const page = formPageOf(request, visit, answering);
  if (!page) return { goTo: '/sign-in' };
  const toSignIn = goToSignIn(page, answering.site);
  if (!isOwnOrigin(request.headers, originOf(visit.baseUrl))) return toSignIn;
  const sent = await orFault(visit, () => readForm(request, true));
  if (!('form' in sent)) return toSignIn;
  const packed = packDraft({
    action: visit.path,
    page: page.path,
    values: draftValues(sent.form),
    reason: 'signed out',
  });
  if (packed === null) return toSignIn;
  const { names } = answering.site;
  const draft = setCookie(names.draft, packed, { ...names, seconds: draftSeconds });
  return { ...toSignIn, cookies: [...(toSignIn.cookies ?? []), draft] };
}

/** Reads a form, which must come from our own pages and have their token. */
async function readSent(
  request: Request,
  visit: VisitorRequest,
  { hasSecretPath, takesFile = false }: PageRoute,
  answering: Answering,
): Promise<SentRequest | FullAnswer> {
  const { headers } = request;
  // Other sites know neither a secret path nor the token.
  const isOwn = isOwnOrigin(headers, originOf(visit.baseUrl));
  if (!isOwn && !(hasSecretPath && isOriginHidden(headers))) {
    return faultAnswer(visit, 403, 'This form was sent from another site, so it was rejected.');
  }
  const sent = await orFault(visit, () => readForm(request, takesFile));
  if (!('form' in sent) || isSameToken(sent.form.text('token'), visit.formToken)) return sent;
  return showAgain(sent, formPageOf(request, visit, answering), answering);
}

/** Shows the page of a form from another session again, with the input. */
async function showAgain(sent: SentRequest, page: PageOfForm | null, answering: Answering) {
  const deps = withOwnBarcodes(answering.deps, sent.who);
  const get = page?.route.get;
  const outdated = 'This page is out of date. Reload it and try again.';
  if (!get) return faultAnswer(sent, 403, outdated);
  if (await isBarred(page.route, sent, answering)) return { goTo: requiredPath };
  if (needsAccount(page.route, sent) && !sent.who) return goToSignIn(page, answering.site);
  if (!mayOpen(page.route, sent.who)) return faultAnswer(sent, 403, outdated);
  const values = draftValues(sent.form);
  const draft: Draft = { action: sent.path, page: page.path, values, reason: 'too old' };
  const { path, query, params } = page;
  const again = { ...sent, path, query, params, draft };
  const work = () => get(deps, again as OwnSentRequest);
  const shown = await inSlot(sent, answering.slots, { route: page.route, work });
  if ('page' in shown) return { ...shown, status: 403 };
  // Files and pictures have no forms.
  return 'goTo' in shown ? shown : faultAnswer(sent, 403, outdated);
}

/** A form, or the error page if it cannot be read. */
async function orFault(visit: VisitorRequest, read: () => Promise<Form>) {
  try {
    return { ...visit, form: await read() };
  } catch (error) {
    if (error instanceof FormError) return faultAnswer(visit, error.status, error.message);
    throw error;
  }
}

/**
 * Rejects a method, with a link to the page near the path. What only takes a form about something
 * leads there at once: after a form was rejected, its address is in the browser.
 */
function notAllowed(
  request: PageRequest,
  route: PageRoute,
  { findRoute, isReading }: Pick<Answering, 'findRoute'> & { readonly isReading: boolean },
): FullAnswer {
  const origin = originOf(request.baseUrl);
  const near = findPageOfForm(findRoute, { to: request.path, from: null, origin })?.path ?? null;
  if (isReading && route.isAboutOne && near !== null) {
    const { id } = request.params;
    return id === undefined || idOf(id) !== null ? { goTo: near } : missingPage(request);
  }
  const allow = [route.get && 'GET, HEAD', route.post && 'POST'].filter(Boolean).join(', ');
  return { ...wrongMethodPage(request, near), allow };
}

/** Deletes the draft that a page shows, and sets the form cookie of a visitor. */
function withCookies(answer: SentAnswer, visit: VisitorRequest, names: CookieNames): SentAnswer {
  const { draft, who, path, newFormSeed } = visit;
  if (!('page' in answer)) return answer;
  const cookies = [...(answer.cookies ?? [])];
  const lasting = { ...names, seconds: null };
  if (draft && who && draft.page === path) cookies.push(setCookie(names.draft, null, lasting));
  if (newFormSeed !== null) cookies.push(setCookie(names.form, newFormSeed, lasting));
  return { ...answer, cookies };
}
