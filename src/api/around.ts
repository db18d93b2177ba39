/** The paths around the API: whether it runs, what it is, and the record of restated history. */
import { ApiError, errorTable } from '../contract/errors.ts';
import { apiPrefix } from '../contract/limits.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { pathOf } from '../contract/target.ts';
import { formatInstant, formatMonth } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import type { Drain } from './drain.ts';
import type { Readiness } from './readiness.ts';
import { errorBody, respondError, respondOptions } from './respond.ts';
import type { Begun, RouteName, Watch } from './watch.ts';

/** What these answers need. */
export interface Around {
  readonly store: Store;
  readonly drain: Drain;
  readonly readiness: Readiness;
  readonly watch: Watch;
  /** The public address; null: where it listens. */
  readonly baseUrl: string | null;
  url: string;
  /** Made when it is first asked for; it does not change while the server runs. */
  openApi: string | null;
}

/** What these answers need; where the server listens is known once it does. */
export function makeAround(parts: Omit<Around, 'url' | 'openApi'>): Around {
  return { ...parts, url: '', openApi: null };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const nothingHere = `There is nothing here; /openapi.json lists what is under ${apiPrefix}.`;

/** Where this API is, and any other version of it will be. */
const apiRoot = '/api';

/** What all of these paths answer. */
const allow = 'GET, HEAD, OPTIONS';

type AnswerPath = (around: Around) => Promise<Answer>;

/** Every path, written out. */
const paths: ReadonlyMap<string, readonly [RouteName, AnswerPath]> = new Map([
  ['/healthz', ['healthz', answerHealth]],
  ['/readyz', ['readyz', answerReadiness]],
  ['/openapi.json', ['openapi', answerOpenApi]],
  ['/restatements.json', ['restatements', answerRestatements]],
]);

/** Answers a request for a path that is not under the API's prefix, or not there at all. */
export async function answerAround(request: Request, around: Around): Promise<Response> {
  const { method, url } = request;
  if (isPlainCheck(request)) return answerOptions(begin('page', method), around);
  const found = paths.get(pathOf(url));
  if (!found) {
    return answerError(begin('none', method), new ApiError('NotFound', nothingHere), around);
  }
  const [route, answerPath] = found;
  const begun = begin(route, method);
  if (method === 'OPTIONS') return answerOptions(begun, around);
  if (method !== 'GET' && method !== 'HEAD') {
    const error = new ApiError('MethodNotAllowed', `This path answers ${allow}.`);
    return answerError(begun, error, around, { allow });
  }
  try {
    const { status, body, headers } = await answerPath(around);
    around.watch(begun, { status, code: null, cost: 0, caller: null, body });
    return new Response(body, { status, headers });
  } catch (error) {
    return answerError(begun, error, around, { url });
  }
}

function answerOptions(begun: Begun, { watch }: Around): Response {
  watch(begun, { status: 204, code: null, cost: 0, caller: null, body: '' });
  return respondOptions(allow, begun.requestId);
}

/** Whether a path is one of these, or the API's, whose errors have the contract's shape. */
export function isAround(request: Request): boolean {
  const path = pathOf(request.url);
  const isApi = path === apiRoot || path.startsWith(`${apiRoot}/`);
  return isApi || paths.has(path) || isPlainCheck(request);
}

/** What load balancers ask that were told no path: whether anybody is there. */
function isPlainCheck({ method, url }: Request): boolean {
  return method === 'OPTIONS' && pathOf(url) === '/';
}

/** Whether somebody asks how the server is. */
export function isHealth({ url }: Request): boolean {
  const path = pathOf(url);
  return path === '/healthz' || path === '/readyz';
}

/** Answers a request for a page, and tells of it like of all others. */
export async function answerPage(
  request: Request,
  answer: (onFault: (error: unknown) => void) => Promise<Response>,
  around: Around,
): Promise<Response> {
  const begun = begin('page', request.method);
  let fault: { readonly error: unknown; readonly url: string } | undefined;
  const response = await answer((error) => {
    fault = { error, url: request.url };
  });
  const { status } = response;
  around.watch(begun, { status, code: null, cost: 0, caller: null, body: '', fault });
  return response;
}

/** Answers a request that could not be read: its URL is too long, or we failed. */
export function answerUnread(error: unknown, around: Around): Response {
  return answerError(begin('none', ''), error, around);
}

function begin(route: RouteName, method: string): Begun {
  return { requestId: crypto.randomUUID(), method, route, startedAt: performance.now() };
}

function answerError(
  begun: Begun,
  error: unknown,
  { watch }: Around,
  { url = '', allow }: { readonly url?: string; readonly allow?: string } = {},
): Response {
  const isExpected = error instanceof ApiError;
  const code = isExpected ? error.code : 'InternalError';
  const body = errorBody(code, isExpected ? error.message : errorTable.InternalError.example);
  const { status } = errorTable[code];
  const fault = isExpected ? undefined : { error, url };
  watch(begun, { status, code, cost: 0, caller: null, body, fault });
  return respondError(code, body, { requestId: begun.requestId, allow });
}

/** Fails, and so answers 500, when the store cannot be read. */
async function answerHealth({ store }: Around): Promise<Answer> {
  await store.market.publishStamp();
  return json({ status: 'ok' });
}

/** Whether requests should be sent here: they can be counted, and the server is not ending. */
async function answerReadiness({ readiness, drain }: Around): Promise<Answer> {
  if (drain.isLeaving) return unready('draining');
  if (!(await readiness.check())) return unready('unavailable');
  return json({ status: 'ready' }, { 'Cache-Control': 'no-store' });
}

function unready(status: string): Answer {
  return { ...json({ status }, { 'Cache-Control': 'no-store' }), status: 503 };
}

async function answerOpenApi(around: Around): Promise<Answer> {
  around.openApi ??= JSON.stringify(openApiDocument(around.baseUrl ?? around.url));
  const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' };
  return { status: 200, body: around.openApi, headers };
}

async function answerRestatements({ store }: Around): Promise<Answer> {
  const restatements = (await store.market.listRestatements()).map((restatement) => ({
    id: restatement.id,
    from_month: formatMonth(restatement.fromMonth),
    reason: restatement.reason,
    recorded_at: formatInstant(restatement.at),
  }));
  return json({ restatements });
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = { 'Content-Type': 'application/json;charset=utf-8' };
  return { status: 200, body: JSON.stringify(value), headers: { ...type, ...headers } };
}
