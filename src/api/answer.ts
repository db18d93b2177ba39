/** Answers one API request: route → authenticate → validate → read → spend → envelope. */
import { ApiError, errorTable } from '../contract/errors.ts';
import { type KeyHash, type PlainKey, parseKey } from '../domain/keys.ts';
import type { Admission } from '../domain/quota.ts';
import type { Admit, Decision } from './admission.ts';
import type { Asked } from './asked.ts';
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

/** What answering needs. */
export interface ApiParts {
  readonly admit: Admit;
  newRequestId(): string;
  /** SHA-256 of a key. */
  hashKey(key: PlainKey): KeyHash;
  /** Told once about each unexpected failure. */
  logFailure(requestId: string, error: unknown): void;
}

/** A request whose path exists, with a key. */
interface Call {
  readonly request: Request;
  readonly asked: Asked;
  readonly requestId: string;
  readonly keyHash: KeyHash;
}

/**
 * Answers a request for a path of the API. It never throws, and rejects only when the store fails
 * to decide; the server answers that with a 500. No `async` until something has to be waited for:
 * this is the path that has to be close to the limit of the machine.
 */
export function answerApi(
  request: Request,
  asked: Asked,
  parts: ApiParts,
): Promise<Response> | Response {
  const requestId = parts.newRequestId();
  const refusal = refuseMethod(request.method, asked, requestId);
  if (refusal) return refusal;
  const keyHash = readKey(request, parts);
  if (keyHash instanceof ApiError)
    return respondError(keyHash.code, keyHash.message, { requestId });
  return answerCall({ request, asked, requestId, keyHash }, parts);
}

/** Answers OPTIONS, and methods that the path does not have; null for those that it has. */
function refuseMethod(method: string, { route }: Asked, requestId: string): Response | null {
  const { allow, endpoint } = route;
  if (method === endpoint.method || (method === 'HEAD' && endpoint.method === 'GET')) return null;
  if (method === 'OPTIONS') return respondOptions(allow, requestId);
  const message = `This path answers ${allow}.`;
  return respondError('MethodNotAllowed', message, { requestId, allow });
}

/** The hash of the key that was sent; whether it is good, only the store can tell. */
function readKey(request: Request, parts: ApiParts): KeyHash | ApiError {
  const header = request.headers.get('authorization') ?? '';
  if (!/^bearer(\s|$)/i.test(header)) {
    return new ApiError('MissingApiKey', errorTable.MissingApiKey.example);
  }
  const key = parseKey(header.slice('bearer '.length).trim());
  return key ? parts.hashKey(key) : new ApiError('InvalidApiKey', errorTable.InvalidApiKey.example);
}

/**
 * An answer that is in memory already needs one visit to the store, which authenticates and
 * charges at once. Everything else is two: who is it, and, once the answer is read, the charge.
 */
function answerCall(call: Call, parts: ApiParts): Promise<Response> {
  const { work } = call.asked;
  const answer = work?.peek?.();
  if (!work || answer === undefined) return readAndAnswer(call, parts);
  const { cost } = work;
  return parts.admit({ keyHash: call.keyHash, cost }, (decision) =>
    finish(call, decision, { cost, answer }),
  );
}

async function readAndAnswer(call: Call, parts: ApiParts): Promise<Response> {
  const { keyHash } = call;
  let context: ErrorContext = { requestId: call.requestId };
  try {
    const decision = await parts.admit({ keyHash, cost: 0 }, keep);
    const refusal = refuse(call, decision, 0);
    if (refusal || !decision.admission) return refusal ?? invalidKey(call);
    context = contextOf(call, decision.admission, decision.at);
    const work = await prepare(call);
    const unaffordable = refuseCost(call, decision, work.cost);
    if (unaffordable) return unaffordable;
    const answer = await work.read(decision.admission.caller);
    const { cost } = work;
    return await parts.admit({ keyHash, cost }, (d) => finish(call, d, { cost, answer }));
  } catch (error) {
    return respondFailure(error, context, parts);
  }
}

const keep = (decision: Decision) => decision;

interface Ready {
  readonly cost: number;
  readonly answer: Answer;
}

async function prepare({ asked, request }: Call): Promise<Work> {
  return asked.work ?? asked.prepare(asked.route.endpoint.body ? await readBody(request) : null);
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
