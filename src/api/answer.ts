/** Answers one API request: route → authenticate → validate → read → spend → envelope. */
import { ApiError, errorTable } from '../contract/errors.ts';
import { apiPrefix, headersLengthMax, urlLengthMax } from '../contract/limits.ts';
import { type KeyHash, parseKey } from '../domain/keys.ts';
import type { Admission } from '../domain/quota.ts';
import type { Admit, Decision } from './admission.ts';
import { readBody } from './body.ts';
import type { Answer, Work } from './handler.ts';
import {
  type ErrorContext,
  rateLimitOf,
  respondData,
  respondError,
  respondOptions,
  secondsUntilReset,
} from './respond.ts';
import type { Match, Router } from './router.ts';

/** What answering needs. */
export interface ApiParts {
  readonly router: Router;
  readonly admit: Admit;
  newRequestId(): string;
  /** SHA-256 of a key. */
  hashKey(key: string): KeyHash;
  /** Told once about each unexpected failure. */
  logFailure(requestId: string, error: unknown): void;
}

/** A request whose path exists. */
interface Call {
  readonly request: Request;
  readonly match: Match;
  readonly search: string;
  readonly requestId: string;
  readonly keyHash: KeyHash;
}

/**
 * Answers a request under the API prefix; `target` is its path and query. Never throws or rejects.
 * No `async` until something has to be waited for: on this path each promise can be measured.
 */
export function answerApi(
  request: Request,
  target: string,
  parts: ApiParts,
): Promise<Response> | Response {
  const requestId = parts.newRequestId();
  try {
    return answerTarget(request, target, requestId, parts);
  } catch (error) {
    return respondFailure(error, { requestId }, parts);
  }
}

function answerTarget(
  request: Request,
  target: string,
  requestId: string,
  parts: ApiParts,
): Promise<Response> | Response {
  checkSize(request, target);
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const match = parts.router(path.slice(apiPrefix.length));
  if (!match) throw new ApiError('NotFound', 'There is nothing at this path.');
  const { method } = request;
  const { allow, endpoint } = match.route;
  if (method === 'OPTIONS') return respondOptions(allow, requestId);
  const asked = method === 'HEAD' ? 'GET' : method;
  if (asked !== endpoint.method) {
    const message = `This path answers ${allow}.`;
    return respondError('MethodNotAllowed', message, { requestId, allow });
  }
  const keyHash = authenticate(request, parts);
  const search = at < 0 ? '' : target.slice(at + 1);
  return answerCall({ request, match, search, requestId, keyHash }, parts);
}

function checkSize(request: Request, target: string): void {
  if (target.length > urlLengthMax) {
    throw new ApiError('BadRequest', `The URL is longer than ${urlLengthMax} characters.`);
  }
  let length = 0;
  request.headers.forEach((value, name) => {
    length += name.length + value.length;
  });
  if (length > headersLengthMax) {
    throw new ApiError('BadRequest', `The headers are longer than ${headersLengthMax} characters.`);
  }
}

/** The hash of the key that was sent; whether it is good, only the store can tell. */
function authenticate(request: Request, parts: ApiParts): KeyHash {
  const header = request.headers.get('authorization') ?? '';
  if (!/^bearer( |$)/i.test(header)) {
    throw new ApiError('MissingApiKey', errorTable.MissingApiKey.example);
  }
  const key = parseKey(header.slice('bearer '.length).trim());
  if (!key) throw new ApiError('InvalidApiKey', errorTable.InvalidApiKey.example);
  return parts.hashKey(key);
}

/**
 * An answer that is in memory already needs one visit to the store, which authenticates and
 * charges at once. Everything else is two: who is it, and, once the answer is read, the charge.
 */
function answerCall(call: Call, parts: ApiParts): Promise<Response> {
  const ready = peek(call);
  if (ready === null) return readAndAnswer(call, parts);
  return parts.admit({ keyHash: call.keyHash, cost: ready.cost }).then(
    (decision) => finish(call, decision, ready),
    (error) => respondFailure(error, { requestId: call.requestId }, parts),
  );
}

async function readAndAnswer(call: Call, parts: ApiParts): Promise<Response> {
  const { keyHash } = call;
  let context: ErrorContext = { requestId: call.requestId };
  try {
    const decision = await parts.admit({ keyHash, cost: 0 });
    const refusal = refuse(call, decision, 0);
    if (refusal || !decision.admission) return refusal ?? invalidKey(call);
    context = contextOf(call, decision.admission, decision.at);
    const work = await prepare(call);
    const unaffordable = refuseCost(call, decision, work.cost);
    if (unaffordable) return unaffordable;
    const answer = await work.read(decision.admission.caller);
    return finish(call, await parts.admit({ keyHash, cost: work.cost }), {
      cost: work.cost,
      answer,
    });
  } catch (error) {
    return respondFailure(error, context, parts);
  }
}

interface Ready {
  readonly cost: number;
  readonly answer: Answer;
}

/** The answer, if the request is valid, has no body and is answered from memory. */
function peek(call: Call): Ready | null {
  if (call.match.route.endpoint.body) return null;
  try {
    const work = prepareFrom(call, null);
    const answer = work.peek?.();
    return answer === undefined ? null : { cost: work.cost, answer };
  } catch (error) {
    // Invalid input is reported after the key has been looked at.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function prepare(call: Call): Promise<Work> {
  const { endpoint } = call.match.route;
  return prepareFrom(call, endpoint.body ? await readBody(call.request) : null);
}

function prepareFrom({ match, search }: Call, body: string | null): Work {
  const { input, prepare: prepareWork } = match.route;
  return prepareWork({
    params: input.readPath(match.parameter),
    query: input.readQuery(search),
    body: body === null ? null : input.readBody(body),
  });
}

/** The answer to an admitted and charged request, or the refusal. */
function finish(call: Call, decision: Decision, ready: Ready): Response {
  const { admission, at } = decision;
  const refusal = refuse(call, decision, ready.cost);
  if (refusal || !admission) return refusal ?? invalidKey(call);
  const { answer } = ready;
  if (typeof answer === 'string') {
    return respondData(answer, call.requestId, rateLimitOf(admission, at));
  }
  return respondError('NotFound', answer.missing, contextOf(call, admission, at));
}

function refuse(call: Call, { admission, at }: Decision, cost: number): Response | null {
  if (!admission) return invalidKey(call);
  if (admission.outcome === 'granted') return null;
  const context = contextOf(call, admission, at);
  if (admission.outcome === 'plan') {
    return respondError('TierRequired', errorTable.TierRequired.example, context);
  }
  return quotaExceeded(admission, at, { cost, context });
}

/** Refuses before anything is read when the allowance cannot cover the cost. */
function refuseCost(call: Call, { admission, at }: Decision, cost: number): Response | null {
  if (!admission || admission.used + cost <= admission.caller.allowance) return null;
  return quotaExceeded(admission, at, { cost, context: contextOf(call, admission, at) });
}

function quotaExceeded(
  admission: Admission,
  at: number,
  facts: { cost: number; context: ErrorContext },
): Response {
  const { limit, remaining } = rateLimitOf(admission, at);
  const message =
    `This request needs ${facts.cost} of the daily allowance of ${limit} calls and ` +
    `${remaining} are left; the allowance resets at midnight UTC.`;
  const retryAfterSeconds = secondsUntilReset(at);
  return respondError('QuotaExceeded', message, { ...facts.context, retryAfterSeconds });
}

function invalidKey({ requestId }: Call): Response {
  return respondError('InvalidApiKey', errorTable.InvalidApiKey.example, { requestId });
}

function contextOf({ requestId }: Call, admission: Admission, at: number): ErrorContext {
  return { requestId, rate: rateLimitOf(admission, at) };
}

function respondFailure(error: unknown, context: ErrorContext, parts: ApiParts): Response {
  if (error instanceof ApiError) return respondError(error.code, error.message, context);
  parts.logFailure(context.requestId, error);
  return respondError('InternalError', errorTable.InternalError.example, context);
}
