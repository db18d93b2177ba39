/** Public paths outside the API, without a key: health, OpenAPI documents, restatements. */
import { ApiError, apiErrorOf } from '../contract/errors.ts';
import { apiPrefix, plusPrefix } from '../contract/limits.ts';
import { openApiDocument, plusOpenApiDocument } from '../contract/openapi.ts';
import { restatementsPath, restatementsRecord } from '../contract/restatements.ts';
import type { Drain } from '../http/drain.ts';
import {
  type IncomingRequest,
  incoming,
  type ReportRequest,
  type RouteName,
} from '../http/request-outcome.ts';
import { isRead, pathOf } from '../http/request-target.ts';
import type { MarketReading } from '../publish/reading.store.ts';
import type { Readiness } from './health.ts';
import { errorBody, respondError, respondOptions } from './respond.ts';
import type { WarmUp } from './warm-up.ts';

export interface BuildName {
  readonly version: string;
  /** Null if unknown. */
  readonly commit: string | null;
}

export interface PublicDeps {
  readonly market: Pick<MarketReading, 'publishStamp' | 'listRestatements'>;
  readonly drain: Drain;
  readonly warmUp: Pick<WarmUp, 'isDone'>;
  readonly readiness: Readiness;
  readonly report: ReportRequest;
  /** The public URL; null: the address it listens on. */
  readonly baseUrl: string | null;
  readonly build: BuildName;
  /** The address it listens on, once it does. */
  url: string;
  /** By path, created on first use; they do not change while the server runs. */
  readonly openApi: Map<string, string>;
}

/** The address is set once the server listens. */
export function makePublicDeps(deps: Omit<PublicDeps, 'url' | 'openApi'>): PublicDeps {
  return { ...deps, url: '', openApi: new Map() };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const openApiPath = '/openapi.json';
const plusOpenApiPath = `${plusPrefix}/openapi.json`;

function nothingAt(path: string): string {
  const isPlus = path === plusPrefix || path.startsWith(`${plusPrefix}/`);
  const [document, prefix] = isPlus ? [plusOpenApiPath, plusPrefix] : [openApiPath, apiPrefix];
  return `There is nothing here; ${document} lists what is under ${prefix}.`;
}

/** The common prefix of all API versions. */
const apiRoot = '/api';

const allow = 'GET, HEAD, OPTIONS';

const paths = new Map<string, readonly [RouteName, (deps: PublicDeps) => Promise<Answer>]>([
  ['/healthz', ['healthz', answerHealth]],
  ['/readyz', ['readyz', answerReadiness]],
  [openApiPath, ['openapi', (deps) => answerOpenApi(deps, openApiPath, openApiDocument)]],
  [
    plusOpenApiPath,
    ['plusOpenapi', (deps) => answerOpenApi(deps, plusOpenApiPath, plusOpenApiDocument)],
  ],
  [restatementsPath, ['restatements', answerRestatements]],
]);

/** Answers a request outside the API's prefix, including unknown paths. */
export async function answerPublic(request: Request, deps: PublicDeps): Promise<Response> {
  const { method, url } = request;
  if (isPlainCheck(request)) return answerOptions(incoming('page', method), deps);
  const path = pathOf(url);
  const found = paths.get(path);
  if (!found) {
    return answerError(incoming('none', method), new ApiError('NotFound', nothingAt(path)), deps);
  }
  const [route, answerPath] = found;
  const received = incoming(route, method);
  if (method === 'OPTIONS') return answerOptions(received, deps);
  if (!isRead(request)) {
    const error = new ApiError('MethodNotAllowed', `This path answers ${allow}.`);
    return answerError(received, error, deps, { allow });
  }
  try {
    const { status, body, headers } = await answerPath(deps);
    deps.report(received, { status, code: null, cost: 0, caller: null, body });
    return new Response(body, { status, headers });
  } catch (error) {
    return answerError(received, error, deps, { url });
  }
}

function answerOptions(received: IncomingRequest, { report }: PublicDeps): Response {
  report(received, { status: 204, code: null, cost: 0, caller: null, body: '' });
  return respondOptions(allow, received.requestId);
}

/**
 * Whether a path is one of these, or of the API, whose errors have the contract's format. Without
 * public pages, restatements are a page for signed-in users.
 */
export function isPublic(request: Request, hasPublicPages: boolean): boolean {
  const path = pathOf(request.url);
  if (path === restatementsPath && !hasPublicPages) return false;
  const isApi = path === apiRoot || path.startsWith(`${apiRoot}/`);
  return isApi || paths.has(path) || isPlainCheck(request);
}

/** The default check of load balancers. */
function isPlainCheck({ method, url }: Request): boolean {
  return method === 'OPTIONS' && pathOf(url) === '/';
}

export function isHealth({ url }: Request): boolean {
  const path = pathOf(url);
  return path === '/healthz' || path === '/readyz';
}

/** Answers a page request, and reports it like any other. */
export async function answerPage(
  request: Request,
  answer: (onFault: (error: unknown) => void) => Promise<Response>,
  report: ReportRequest,
): Promise<Response> {
  const received = incoming('page', request.method);
  let fault: { readonly error: unknown; readonly url: string } | undefined;
  const response = await answer((error) => {
    fault = { error, url: request.url };
  });
  const { status } = response;
  report(received, { status, code: null, cost: 0, caller: null, body: '', fault });
  return response;
}

/** Answers a request that could not be read: the URL is too long, or a fault. */
export function answerUnreadable(error: unknown, deps: PublicDeps): Response {
  return answerError(incoming('none', ''), error, deps);
}

function answerError(
  received: IncomingRequest,
  error: unknown,
  { report }: PublicDeps,
  { url = '', allow }: { readonly url?: string; readonly allow?: string } = {},
): Response {
  const refusal = apiErrorOf(error);
  const { status, code } = refusal;
  const body = errorBody(refusal);
  const fault = refusal === error ? undefined : { error, url };
  report(received, { status, code, cost: 0, caller: null, body, fault });
  return respondError(refusal, body, { requestId: received.requestId, allow });
}

/** Throws, which results in a 500, if the store cannot be read. */
async function answerHealth({ market, build }: PublicDeps): Promise<Answer> {
  await market.publishStamp();
  const { version, commit } = build;
  return json({ status: 'ok', version, commit });
}

/** Whether the server is warm and calls can be counted, and it is not stopping. */
async function answerReadiness({ readiness, drain, warmUp }: PublicDeps): Promise<Answer> {
  if (drain.isLeaving) return unready('draining');
  if (!warmUp.isDone) return unready('starting');
  if (!(await readiness.check())) return unready('unavailable');
  return json({ status: 'ready' }, { 'Cache-Control': 'no-store' });
}

function unready(status: string): Answer {
  return { ...json({ status }, { 'Cache-Control': 'no-store' }), status: 503 };
}

async function answerOpenApi(
  deps: PublicDeps,
  path: string,
  documentAt: typeof openApiDocument,
): Promise<Answer> {
  const kept = deps.openApi.get(path);
  const body = kept ?? JSON.stringify(documentAt(deps.baseUrl ?? deps.url));
  deps.openApi.set(path, body);
  const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' };
  return { status: 200, body, headers };
}

async function answerRestatements({ market }: PublicDeps): Promise<Answer> {
  return json(restatementsRecord(await market.listRestatements()));
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = { 'Content-Type': 'application/json;charset=utf-8' };
  return { status: 200, body: JSON.stringify(value), headers: { ...type, ...headers } };
}
