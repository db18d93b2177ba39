/**
 * `/mcp`: tools for AI apps over HTTP. A tool's calls are API calls, made in this process with the
 * caller's key, so that key, plan, quota, log and metrics are those of the API. The protocol code
 * is loaded with the first request that has a key.
 */

import type { PlainKey } from '../accounts/keys/keys.ts';
import { type Caller, chargedCost, decideAdmission, type KeyUse } from '../accounts/keys/quota.ts';
import { ApiError, allErrors, apiErrorOf, rulesOf } from '../contract/errors.ts';
import { bad } from '../contract/input-messages.ts';
import { BodyError, readBounded } from '../http/bounded-body.ts';
import { respondDisconnected } from '../http/disconnected.ts';
import { pools } from '../http/pools.ts';
import { type IncomingRequest, incoming, type RequestOutcome } from '../http/request-outcome.ts';
import { pathOf } from '../http/request-target.ts';
import { Slots } from '../http/slots.ts';
import { shortText } from '../kernel/text.ts';
import type { McpBill } from '../mcp/http.ts';
import { type Admit, CallerDisconnected, type Decision, keep } from './admission-groups.ts';
import { type ApiDeps, answerApi, readKey } from './answer.ts';
import type { ParseUrl } from './parsed-url.ts';
import { errorHeaders, rateLimitOf } from './respond.ts';

const allow = 'POST, OPTIONS';

/** Limits of a request body: its size, and the time to receive it. */
const bodyLimits = {
  bytesMax: 64 * 1024,
  arrival: { msMax: 10_000, trickleMs: 5_000, trickleBytesMin: 1_024 },
};

/** Messages per request; only the 2025-03-26 version of the protocol has batches. */
const messagesMax = 10;

/**
 * A slot is held this long for each message that was free: 25 free messages per second for an
 * account, 100 in total. Paid messages are limited by the allowance.
 */
const freeMessageMs = 160;

/** Characters of a refused origin in the message, so that it can be found in the settings. */
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

export interface McpSettings {
  readonly version: string;
  /** Allowed origins besides our own. */
  readonly origins: readonly string[];
}

interface McpDeps extends McpSettings {
  /** Handles the API calls of tools. */
  readonly api: ApiDeps;
  readonly parseUrl: ParseUrl;
  findUrl(): string;
}

export function isMcpPath(url: string): boolean {
  return pathOf(url) === '/mcp';
}

/** The JSON-RPC error code of refusals that have none of their own. */
const refusedCode = -32_000;

/** A refusal with a status or JSON-RPC error code that the errors of the API do not have. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly rpcCode: number = refusedCode,
  ) {
    super(message);
  }
}

export class McpPath {
  constructor(
    private readonly deps: McpDeps,
    private readonly slots: Pick<Slots, 'take'> = new Slots(pools.mcp),
  ) {}

  /** Never rejects. */
  async answer(request: Request): Promise<Response> {
    const { report, sendFree } = this.deps.api;
    const received = incoming('mcp', request.method);
    const call = new McpCall(request, this.deps);
    const response = await this.find(request, call).catch((error) => failed(error, call));
    const { status } = response;
    const { caller, fault } = call;
    // The cost is counted with the API calls.
    report(received, { status, code: null, cost: 0, caller, body: '', fault });
    response.headers.set('X-Request-Id', received.requestId);
    response.headers.set('Cache-Control', 'no-store');
    this.allowOrigin(request, response);
    return call.cost > 0 || fault ? response : sendFree(request, response);
  }

  private async find(request: Request, call: McpCall): Promise<Response> {
    const origin = request.headers.get('Origin');
    if (origin !== null && !this.mayAsk(origin)) {
      throw new Refusal(403, `Origin ${shortText(origin, originLengthMax)} is not allowed.`);
    }
    if (request.method === 'OPTIONS') return respondOptions();
    if (request.method !== 'POST') {
      throw new ApiError('MethodNotAllowed', `This path answers ${allow}.`);
    }
    const key = readKey(request);
    if (key instanceof ApiError) throw key;
    const caller = await call.authenticate(key);
    const message = await readMessage(request);
    const messages = Array.isArray(message) ? message.length : 1;
    const answer = await this.slots.take(
      { account: caller.accountId, network: this.deps.api.networkOf(request) },
      () => call.answer(key, message),
      () => freeMessageMs * Math.max(0, messages - call.cost),
    );
    if (!answer) throw new ApiError('TooManyRequests', 'Too many requests at once.', 1);
    return answer;
  }

  /** Refuses other origins (DNS rebinding). */
  private mayAsk(origin: string): boolean {
    const { origins, findUrl } = this.deps;
    return origins.includes(origin) || URL.parse(findUrl())?.origin === origin;
  }

  private allowOrigin(request: Request, { headers }: Response): void {
    const origin = request.headers.get('Origin');
    if (origin === null || !this.mayAsk(origin)) return;
    headers.set('Access-Control-Allow-Origin', origin);
    headers.set('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id, Retry-After');
    headers.append('Vary', 'Origin');
  }
}

/** One request, with the results of the API calls of its tools. */
class McpCall {
  cost = 0;
  /** Set once the key is accepted. */
  caller: Caller | null = null;
  fault: { readonly error: unknown; readonly url: string } | undefined;

  constructor(
    private readonly request: Request,
    private readonly deps: McpDeps,
  ) {}

  /** Accounts without the plan are refused here, before they use a slot. */
  async authenticate(key: PlainKey): Promise<Caller> {
    const { api } = this.deps;
    const keyUse = { ...useOf(key, this.request, api), cost: 0, from: this.request };
    const { admission } = await api.admit(keyUse, keep);
    if (!admission) throw new ApiError('InvalidApiKey');
    this.caller = admission.caller;
    if (admission.outcome === 'plan') throw new ApiError('TierRequired');
    return admission.caller;
  }

  async answer(key: PlainKey, message: unknown): Promise<Response> {
    const { request } = this;
    const { version } = this.deps;
    // A caller that disconnected while waiting is not charged.
    if (request.signal.aborted) throw new CallerDisconnected();
    const { answerMcp } = await import('../mcp/http.ts');
    return answerMcp({
      request,
      message,
      key,
      version,
      openBill: () =>
        new ToolBill(key, request, { ...this.deps, onPaid: (cost) => this.pay(cost) }),
      onFault: (error) => this.fail(error),
    });
  }

  private pay(cost: number): void {
    this.cost += cost;
  }

  fail(error: unknown): void {
    this.fault = { error, url: this.request.url };
  }
}

/** The use of the key itself; the calls of tools say which scopes they need. */
function useOf(key: PlainKey, request: Request, { hashKey, addressOf }: ApiDeps): KeyUse {
  return { keyHash: hashKey(key), needs: 0, address: () => addressOf(request) };
}

interface BillDeps extends Pick<McpDeps, 'api' | 'parseUrl'> {
  onPaid(cost: number): void;
}

/**
 * The calls of one tool. Each identifies its caller for free, and all are charged with one decision
 * when the tool has ended. If each were charged, tools that run at the same time could use up the
 * allowance without any of them having a result.
 */
class ToolBill implements McpBill {
  private readonly calls: [IncomingRequest, RequestOutcome][] = [];
  private cost = 0;
  /** Whether it is charged even if the caller disconnects, as for a single call. */
  private isOwed = false;

  constructor(
    private readonly key: PlainKey,
    private readonly request: Request,
    private readonly deps: BillDeps,
  ) {}

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const { api, parseUrl } = this.deps;
    const parsed = parseUrl(url);
    if (!parsed) throw new Error(`There is nothing at ${url}.`);
    const { signal } = this.request;
    const signals = init.signal ? [signal, init.signal] : [signal];
    const call = new Request(url, { ...init, signal: AbortSignal.any(signals) });
    return answerApi(call, parsed, {
      ...api,
      admit: this.admit,
      addressOf: () => api.addressOf(this.request),
      networkOf: () => api.networkOf(this.request),
      report: (received, outcome) => this.calls.push([received, outcome]),
      // A free response is delayed once, together with the response it becomes part of.
      sendFree: (_, answer) => answer,
    });
  }

  async pay(): ReturnType<McpBill['pay']> {
    if (this.calls.length === 0) return null;
    // A tool that was refused or failed has no result.
    const hasFailed = this.calls.some(
      ([, { code }]) =>
        code === 'ScopeRequired' || (code !== null && rulesOf(code).retry !== 'never'),
    );
    if (hasFailed) this.cost = 0;
    const { cost } = this;
    const { api } = this.deps;
    const from = this.isOwed ? null : this.request;
    const keyUse = { ...useOf(this.key, this.request, api), cost, from };
    try {
      const { admission, at } = await api.admit(keyUse, keep);
      if (!admission) return { refusal: allErrors.InvalidApiKey.example };
      const { outcome } = admission;
      if (outcome === 'plan') return { refusal: allErrors.TierRequired.example };
      const { limit, remaining, reset } = rateLimitOf(admission, at);
      const budget = { limit, remaining, reset };
      const { tooFewText } = await import('../mcp/tool.ts');
      if (outcome === 'exhausted') return { refusal: tooFewText(cost, budget) };
      this.report(true);
      return { budget };
    } catch (error) {
      // The client has disconnected, so the result goes nowhere.
      if (error instanceof CallerDisconnected) return { refusal: 'The caller has disconnected.' };
      throw error;
    } finally {
      this.report(false);
    }
  }

  /** Reports calls that were not reported before; unpaid ones are free. */
  private report(isPaid: boolean): void {
    const { api, onPaid } = this.deps;
    for (const [received, outcome] of this.calls.splice(0)) {
      api.report(received, isPaid && this.cost > 0 ? outcome : { ...outcome, cost: 0 });
    }
    if (isPaid) onPaid(this.cost);
  }

  /** Decides as if the earlier calls of the tool were charged. */
  private readonly admit: Admit = (keyUse, use, fail) => {
    const note = ({ admission, at }: Decision): Decision => {
      if (!admission) return { admission, at };
      const { cost, needs } = keyUse;
      const used = admission.used + this.cost;
      const decided = decideAdmission(admission.caller, { used, cost, needs });
      if (decided.outcome === 'granted') {
        this.cost += chargedCost(admission.caller, cost);
        this.isOwed ||= cost > 0 && keyUse.from === null;
      }
      return { admission: decided, at };
    };
    return this.deps.api.admit({ ...keyUse, cost: 0 }, (decision) => use(note(decision)), fail);
  };
}

/** The response to an exception: a refusal, a disconnect, or a fault. */
function failed(error: unknown, call: McpCall): Response {
  if (error instanceof CallerDisconnected) return respondDisconnected();
  if (error instanceof Refusal) return respond(error, error.rpcCode);
  if (error instanceof ApiError) return respond(error, refusedCode, errorHeaders(error, allow));
  call.fail(error);
  return respond(apiErrorOf(error), -32_603);
}

function respond(
  { status, message }: Refusal | ApiError,
  code: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers });
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

/** Throws a refusal if it is not a message. */
async function readMessage(request: Request): Promise<unknown> {
  const message = parse(await readBytes(request));
  if (Array.isArray(message) && message.length > messagesMax) {
    throw new Refusal(400, `At most ${messagesMax} messages can be sent at once.`, -32_600);
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
    throw bad(`The body was ${error.reason}.`);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.', -32_700);
  }
}
