/**
 * `/mcp`: tools for AI agents, over HTTP. A tool's calls are calls of the API, made in this process
 * with the key that came with the request: key, plan, quota, log and counters are those of the API.
 * What speaks the protocol is loaded with the first request that brings a key.
 */
import { ApiError, allErrors } from '../contract/errors.ts';
import type { PlainKey } from '../domain/account/keys.ts';
import type { Caller } from '../domain/account/quota.ts';
import { shortText } from '../domain/kernel/text.ts';
import { BodyError, readBounded } from '../http/bounded-body.ts';
import { respondGone } from '../http/gone.ts';
import type { IncomingRequest } from '../http/request-outcome.ts';
import { Slots } from '../http/slots.ts';
import { pathOf } from '../http/target.ts';
import { CallerGone } from './admission.ts';
import { type ApiDeps, answerApi, readKey } from './answer.ts';
import type { ParseUrl } from './parsed-url.ts';

/** Where it is. */
const mcpPath = '/mcp';

/** What the path answers. */
const allow = 'POST, OPTIONS';

/** A message with its arguments, and how long it may be on its way. */
const bodyLimits = {
  bytesMax: 64 * 1024,
  arrival: { msMax: 10_000, trickleMs: 5_000, trickleBytesMin: 1_024 },
};

/** Messages in one request at most; only the protocol of 2025-03-26 has more than one. */
const messagesMax = 10;

/** Requests under way: of one account, and in all. Others wait in turn. */
const requestLimits = {
  each: 4,
  all: 16,
  waitingEach: 32,
  waitingAll: 512,
  hasRoomForNewcomers: true,
  patienceMs: 10_000,
};

/**
 * For each message that paid for no call, the slot is held for so long: 25 free messages a second
 * for one account, and 100 for all. Messages that pay are bounded by the allowance.
 */
const freeMessageMs = 160;

/** How much of an origin a refusal repeats: somebody has to find it in their settings. */
const originLengthMax = 200;

/** Headers of the protocol that browsers may send. */
const sentHeaders = [
  'Authorization',
  'Content-Type',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
].join(', ');

/** What it is told by the settings. */
export interface McpSettings {
  /** The version of this program. */
  readonly version: string;
  /** Sites whose pages may ask, besides our own. */
  readonly origins: readonly string[];
}

/** What answering needs. */
interface McpDeps extends McpSettings {
  /** What calls of the API are answered with. */
  readonly api: ApiDeps;
  readonly parseUrl: ParseUrl;
  /** Our own address. */
  findUrl(): string;
}

/** Whether a URL is for it. */
export function isMcpPath(url: string): boolean {
  return pathOf(url) === mcpPath;
}

/** A refusal that has nothing to do with a message. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Of JSON-RPC. */
    readonly code: number = -32_000,
  ) {
    super(message);
  }
}

/** Answers requests. */
export class McpPath {
  private readonly slots = new Slots(requestLimits);

  constructor(private readonly deps: McpDeps) {}

  /** It never rejects. */
  async answer(request: Request): Promise<Response> {
    const { report, giveFree } = this.deps.api;
    const received: IncomingRequest = {
      requestId: crypto.randomUUID(),
      method: request.method,
      route: 'mcp',
      startedAt: performance.now(),
    };
    const call = new McpCall(request, this.deps);
    const response = await this.find(request, call).catch((error) => failed(error, call));
    const { status } = response;
    const { caller, fault } = call;
    // What its calls cost is counted with them.
    report(received, { status, code: null, cost: 0, caller, body: '', fault });
    response.headers.set('X-Request-Id', received.requestId);
    response.headers.set('Cache-Control', 'no-store');
    this.allowOrigin(request, response);
    return call.cost > 0 || fault ? response : giveFree(request, response);
  }

  private async find(request: Request, call: McpCall): Promise<Response> {
    const origin = request.headers.get('Origin');
    if (origin !== null && !this.mayAsk(origin)) {
      throw new Refusal(403, `Origin ${shortText(origin, originLengthMax)} is not allowed.`);
    }
    if (request.method === 'OPTIONS') return respondOptions();
    if (request.method !== 'POST') {
      throw new Refusal(405, `This path answers ${allow}.`, { Allow: allow });
    }
    const key = readKey(request);
    if (key instanceof ApiError) throw noKey(key.message);
    const caller = await call.authenticate(key);
    const message = await readMessage(request);
    const messages = Array.isArray(message) ? message.length : 1;
    const answer = await this.slots.take(
      String(caller.accountId),
      () => call.answer(key, message),
      () => freeMessageMs * Math.max(0, messages - call.cost),
    );
    if (!answer) throw new Refusal(429, 'Too many requests at once.', { 'Retry-After': '1' });
    return answer;
  }

  /** A page of another site may have led a browser here by a name of its own: that is refused. */
  private mayAsk(origin: string): boolean {
    const { origins, findUrl } = this.deps;
    return origins.includes(origin) || URL.parse(findUrl())?.origin === origin;
  }

  /** Lets a page that may ask read the answer. */
  private allowOrigin(request: Request, { headers }: Response): void {
    const origin = request.headers.get('Origin');
    if (origin === null || !this.mayAsk(origin)) return;
    headers.set('Access-Control-Allow-Origin', origin);
    headers.set('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id, Retry-After');
    headers.append('Vary', 'Origin');
  }
}

/** One request, and what came of the calls that its tools made. */
class McpCall {
  /** What its calls cost. */
  cost = 0;
  /** Known once the key is accepted. */
  caller: Caller | null = null;
  fault: { readonly error: unknown; readonly url: string } | undefined;

  constructor(
    private readonly request: Request,
    private readonly deps: McpDeps,
  ) {}

  /** Whose key it is. An account without the plan goes no further: it would only take up room. */
  async authenticate(key: PlainKey): Promise<Caller> {
    const { admit, hashKey } = this.deps.api;
    const asked = { keyHash: hashKey(key), cost: 0, from: this.request };
    const { admission } = await admit(asked, (decision) => decision);
    if (!admission) throw noKey(allErrors.InvalidApiKey.example);
    this.caller = admission.caller;
    if (admission.outcome === 'plan') throw new Refusal(403, allErrors.TierRequired.example);
    return admission.caller;
  }

  async answer(key: PlainKey, message: unknown): Promise<Response> {
    const { request } = this;
    const { version } = this.deps;
    // Whoever left while waiting reads nothing, and pays for nothing.
    if (request.signal.aborted) throw new CallerGone();
    const { answerMcp } = await import('../mcp/http.ts');
    return answerMcp({
      request,
      message,
      key,
      version,
      fetch: async (url, init) => {
        const signals = init.signal ? [request.signal, init.signal] : [request.signal];
        return this.callApi(new Request(url, { ...init, signal: AbortSignal.any(signals) }));
      },
      onFault: (error) => this.fail(error),
    });
  }

  private callApi(request: Request): Response | Promise<Response> {
    const { api, parseUrl } = this.deps;
    const parsed = parseUrl(request.url);
    if (!parsed) throw new Error(`There is nothing at ${request.url}.`);
    return answerApi(request, parsed, {
      ...api,
      report: (received, outcome) => {
        this.cost += outcome.cost;
        api.report(received, outcome);
      },
      // What cost nothing waits once, with the answer that it becomes a part of.
      giveFree: (_, answer) => answer,
    });
  }

  fail(error: unknown): void {
    this.fault = { error, url: this.request.url };
  }
}

/** The answer where something was thrown: a refusal, a caller who has gone, or our own fault. */
function failed(error: unknown, call: McpCall): Response {
  if (error instanceof Refusal) return respond(error);
  if (error instanceof CallerGone) return respondGone();
  call.fail(error);
  return respond(new Refusal(500, allErrors.InternalError.example, {}, -32_603));
}

function respond({ status, message, headers, code }: Refusal): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}

/** There is no other way in than a key, so nothing here leads to one. */
function noKey(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' });
}

function respondOptions(): Response {
  const headers = {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': sentHeaders,
    'Access-Control-Max-Age': '86400',
  };
  return new Response(null, { status: 204, headers });
}

/** What was sent; throws a refusal for what is no message. */
async function readMessage(request: Request): Promise<unknown> {
  const message = parse(await readBytes(request));
  if (Array.isArray(message) && message.length > messagesMax) {
    throw new Refusal(400, `At most ${messagesMax} messages can be sent at once.`, {}, -32_600);
  }
  return message;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  try {
    return await readBounded(request, bodyLimits);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'too large') {
      throw new Refusal(413, `The body is larger than ${bodyLimits.bytesMax} bytes.`);
    }
    throw new Refusal(400, `The body was ${error.reason}.`);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.', {}, -32_700);
  }
}
