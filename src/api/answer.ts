/**
 * Answers one API request. If the response is cached, one visit to the store authenticates and
 * charges. Otherwise: authenticate → validate → read → charge.
 */

import { type KeyHash, type PlainKey, parseKey } from '../accounts/keys/keys.ts';
import {
  type Admission,
  type Caller,
  decideAdmission,
  type KeyUse,
} from '../accounts/keys/quota.ts';
import { type Endpoint, endingHeadersOf, isTagged } from '../contract/endpoint.ts';
import { ApiError, apiErrorOf, rulesOf } from '../contract/errors.ts';
import { plusPrefix } from '../contract/limits.ts';
import { answerDisconnected } from '../http/disconnected.ts';
import type { IncomingRequest, ReportRequest } from '../http/request-outcome.ts';
import { joined, lengthOf, type TextParts } from '../http/text-parts.ts';
import { type Admit, CallerDisconnected, type Decision, keep } from './admission-groups.ts';
import { namesTag } from './answer-data.ts';
import { readBody } from './body.ts';
import { isBeyondEnd, rangeHeaders } from './byte-range.ts';
import {
  type ContentCoding,
  chooseCoding,
  compress,
  compressedLengthMin,
} from './content-coding.ts';
import { type Answer, type AnyWork, costOf, type WholeAnswer, type Work } from './handler.ts';
import { forMethod, type ParsedUrl } from './parsed-url.ts';
import type { PlusPace } from './plus-pace.ts';
import { refusalOf } from './refusals.ts';
import {
  type DataContext,
  dataBody,
  type ErrorContext,
  errorBody,
  type PlusFacts,
  rateLimitOf,
  respondCompressed,
  respondData,
  respondError,
  respondNotModified,
  respondOptions,
  respondWhole,
} from './respond.ts';
import type { TestKeys } from './test-keys/test-keys.ts';

export interface ApiDeps {
  readonly admit: Admit;
  newRequestId(): string;
  /** SHA-256 of a key. */
  hashKey(key: PlainKey): KeyHash;
  /** Called once per response, with the error if there was one. */
  readonly report: ReportRequest;
  /** The client's address, behind trusted proxies. */
  addressOf(request: Request): string;
  networkOf(request: Request): string;
  /** Sends a free response, possibly delayed. */
  sendFree(request: Request, answer: Response): Reply;
  /** Records a use that no charge records: of a test key, or of the earlier secret of a key. */
  noteUse(caller: Caller, at: number): void;
  readonly testKeys: Pick<TestKeys, 'parse' | 'inTurn'>;
  readonly pace: PlusPace;
}

type Reply = Response | Promise<Response>;

/** A request whose path exists. */
interface Call extends IncomingRequest {
  readonly request: Request;
  readonly parsed: ParsedUrl;
  readonly deps: ApiDeps;
}

/**
 * Answers a request for a path of the API. Never throws or rejects. Not `async`, because this is
 * the hot path.
 */
export function answerApi(request: Request, url: ParsedUrl, deps: ApiDeps): Reply {
  const parsed = forMethod(url, request.method);
  const call: Call = {
    request,
    parsed,
    deps,
    requestId: deps.newRequestId(),
    method: request.method,
    route: parsed.route.name,
    startedAt: performance.now(),
  };
  const refusal = refuseMethod(call);
  if (refusal) return refusal;
  const key = readKey(request);
  if (key instanceof ApiError) return answerError(call, key);
  const { needs } = parsed;
  const address = () => deps.addressOf(request);
  return answerCall(call, { keyHash: deps.hashKey(key), needs, address });
}

/** Answers OPTIONS and methods the path does not have; null for methods it has. */
function refuseMethod(call: Call): Reply | null {
  const { method, requestId, deps, request } = call;
  const { allow, endpoint } = call.parsed.route;
  if (method === endpoint.method || (method === 'HEAD' && endpoint.method === 'GET')) return null;
  if (method === 'OPTIONS') {
    deps.report(call, { status: 204, code: null, cost: 0, caller: null, body: '' });
    const own = Object.keys(endpoint.headers?.properties ?? {});
    const headers = [...own, ...conditionHeaders(endpoint)];
    return deps.sendFree(request, respondOptions(allow, requestId, headers));
  }
  const error = new ApiError('MethodNotAllowed', `This path answers ${allow}.`);
  return answerError(call, error, { allow });
}

/** The key of a request; the store decides whether it is valid. */
export function readKey(request: Request): PlainKey | ApiError {
  const header = request.headers.get('authorization') ?? '';
  if (!/^bearer(\s|$)/i.test(header)) return new ApiError('MissingApiKey');
  const key = parseKey(header.slice('bearer '.length).trim());
  return key ?? new ApiError('InvalidApiKey');
}

/**
 * A response in memory needs one store visit, which authenticates and charges. Others need two:
 * first authentication, then, once the response is read, the charge. So do all of the Plus API,
 * whose rate is checked in between.
 */
function answerCall(call: Call, key: KeyUse): Promise<Response> {
  const { work } = call.parsed;
  const answer = isPlus(call) ? undefined : work?.peek?.();
  if (!work || answer === undefined) return readAndAnswer(call, key);
  const cost = costOf(call.parsed.route.endpoint, work);
  return call.deps.admit(
    { ...key, cost, from: call.request },
    (decision) =>
      decision.admission?.caller.isTest
        ? answerTest(call, key, { admission: decision.admission, at: decision.at })
        : finish(call, decision, { cost, answer }),
    (error) => answerFailure(call, error, {}),
  );
}

/** Refuses a call beyond the rate of the Plus API, at no cost. */
function refusePace(call: Call, { caller }: Admission, facts: Facts): Reply | null {
  const { pace } = call.deps;
  if (!isPlus(call) || pace.take(caller.keyId)) return null;
  const message =
    `This key may call the Plus API ${pace.perSecond} times per second. ` +
    'This call was not charged.';
  return answerError(call, new ApiError('TooManyRequests', message, 1), facts);
}

function isPlus({ parsed }: Call): boolean {
  return parsed.route.endpoint.prefix === plusPrefix;
}

/** Null for version 1, whose headers stay as they are. */
function plusFacts(call: Call, cost: number): PlusFacts | null {
  if (!isPlus(call)) return null;
  const ending = endingHeadersOf(call.parsed.route.endpoint);
  return { cost, perSecond: call.deps.pace.perSecond, ending };
}

async function readAndAnswer(call: Call, key: KeyUse): Promise<Response> {
  const { admit } = call.deps;
  const from = call.request;
  let facts: Facts = {};
  try {
    const decision = await admit({ ...key, cost: 0, from }, keep);
    const { admission, at } = decision;
    if (!admission) return answerError(call, new ApiError('InvalidApiKey'));
    facts = factsOf(admission, at);
    const accepted = { admission, at };
    const refusal = refuse(call, accepted, 0) ?? refusePace(call, admission, facts);
    if (refusal) return refusal;
    if (admission.caller.isTest) return await answerTest(call, key, accepted);
    const prepared = await prepare(call);
    const unaffordable = refuseWork(call, accepted, prepared);
    if (unaffordable) return unaffordable;
    const work = await begun(call, accepted, prepared);
    const beyond = refuseWork(call, accepted, work);
    if (beyond) return beyond;
    const { endpoint } = call.parsed.route;
    const price = costOf(endpoint, work);
    if (endpoint.effect) return await carryOut(call, key, { work, cost: price });
    const answer = await work.read(...givenTo(call, key, accepted));
    try {
      const isEmpty = isUnchanged(call, answer) || isBeyond(call, answer);
      const cost = isEmpty ? Math.min(price, emptyCost) : price;
      if (cost === 0) return finish(call, decision, { cost, answer });
      // Expensive work is charged even if the caller disconnects; otherwise it could be had for
      // free.
      const charge = { ...key, cost, from: work.isExpensive ? null : from };
      return await admit(charge, (d) => finish(call, d, { cost, answer }));
    } finally {
      if (isWhole(answer)) answer.release();
    }
  } catch (error) {
    return answerFailure(call, error, facts);
  }
}

/** Makes a change once it is charged, so that nothing is changed for free. */
async function carryOut(
  call: Call,
  key: KeyUse,
  { work, cost }: { readonly work: Work; readonly cost: number },
): Promise<Response> {
  const { deps, request } = call;
  const decision = await deps.admit({ ...key, cost, from: request }, keep);
  const { admission, at } = decision;
  if (!admission) return answerError(call, new ApiError('InvalidApiKey'));
  const refusal = refuse(call, { admission, at }, cost);
  if (refusal) return refusal;
  try {
    const answer = await work.read(...givenTo(call, key, { admission, at }));
    return await finish(call, decision, { cost, answer });
  } catch (error) {
    return answerFailure(call, error, { ...factsOf(admission, at), cost });
  }
}

/** Answers with fixed data, at no cost. */
async function answerTest(real: Call, key: KeyUse, accepted: Accepted): Promise<Response> {
  const { admission, at } = accepted;
  const { testKeys } = real.deps;
  const call: Call = { ...real, parsed: forMethod(testKeys.parse(real.request.url), real.method) };
  const facts = factsOf(admission, at);
  try {
    const refusal = refuse(call, accepted, 0);
    if (refusal) return refusal;
    const work = await begun(call, accepted, await prepare(call));
    const given = givenTo(call, key, accepted);
    const { endpoint } = call.parsed.route;
    const answer = await testKeys.inTurn(given[0], endpoint, () => work.read(...given));
    return finish(call, accepted, { cost: 0, answer });
  } catch (error) {
    const isQuota = error instanceof ApiError && error.code === 'QuotaExceeded';
    const rate = { ...rateLimitOf(admission, at), ...(isQuota && { remaining: 0 }) };
    return answerFailure(call, error, { ...facts, rate });
  }
}

/** A response without data, a 304 or 416, costs one call, whatever the price. */
const emptyCost = 1;

/** The least that a call can cost, before it is known whether the response has data. */
function leastCost({ parsed, request }: Call, price: number): number {
  const names = conditionHeaders(parsed.route.endpoint);
  return names.some((name) => request.headers.has(name)) ? Math.min(price, emptyCost) : price;
}

/** The headers that can make a response empty. */
function conditionHeaders(endpoint: Endpoint): readonly string[] {
  if (!isTagged(endpoint)) return [];
  return ['If-None-Match', ...(endpoint.kind === 'file' ? rangeHeaders : [])];
}

/** Null if the response has no tag. */
function tagOf({ parsed }: Call, answer: Answer): string | null {
  if ('missing' in answer) return null;
  if (isWhole(answer)) return answer.headers.ETag ?? null;
  return isTagged(parsed.route.endpoint) && 'tag' in answer ? answer.tag : null;
}

/** Whether the caller has the data, by its tag. */
function isUnchanged(call: Call, answer: Answer): boolean {
  const named = call.request.headers.get('if-none-match');
  if (named === null) return false;
  const tag = tagOf(call, answer);
  return tag !== null && namesTag(named, tag);
}

/** Whether the requested part of a file begins after its end. */
function isBeyond({ method, request }: Call, answer: Answer): boolean {
  if (method !== 'GET' || !isWhole(answer)) return false;
  const { 'Content-Length': length, ETag: tag = null } = answer.headers;
  return length !== undefined && isBeyondEnd(request.headers, { length: Number(length), tag });
}

interface Ready {
  readonly cost: number;
  readonly answer: Answer;
}

async function prepare({ parsed, request }: Call): Promise<AnyWork> {
  const { work, route } = parsed;
  return work ?? parsed.prepare(route.endpoint.body ? await readBody(request) : null);
}

/** Throws if a change is beyond a limit of its own; nothing has been charged. */
async function begun(call: Call, { admission, at }: Accepted, work: AnyWork): Promise<Work> {
  if (!('begin' in work)) return work;
  const { caller, used } = admission;
  // The caller's copy can only be compared with the whole response.
  const mayBeUnchanged = call.request.headers.has('if-none-match');
  const left = mayBeUnchanged ? Number.POSITIVE_INFINITY : caller.allowance - used;
  return work.begin(caller, { used, at }, left);
}

function givenTo(
  { deps, request, requestId }: Call,
  key: KeyUse,
  { admission, at }: Accepted,
): Parameters<Work['read']> {
  const caller = { ...admission.caller, network: deps.networkOf(request) };
  return [caller, { used: admission.used, at }, { request, requestId, key }];
}

function finish(call: Call, decision: Decision, ready: Ready): Reply {
  const { admission, at } = decision;
  const { cost, answer } = ready;
  if (!admission) return answerError(call, new ApiError('InvalidApiKey'));
  const refusal = refuse(call, { admission, at }, cost);
  if (refusal) return refusal;
  const { caller } = admission;
  if (caller.isOld || caller.isTest) call.deps.noteUse(caller, at);
  if ('missing' in answer) {
    const error = new ApiError('NotFound', answer.missing);
    return answerError(call, error, { ...factsOf(admission, at), cost });
  }
  const paid = { caller, cost };
  const { requestId } = call;
  const rate = rateLimitOf(admission, at);
  const context = { requestId, rate, tag: tagOf(call, answer), plus: plusFacts(call, cost) };
  if (isWhole(answer)) return give(call, paid, wholeResponse(call, answer, context), '');
  if (isUnchanged(call, answer)) return give(call, paid, respondNotModified(context), '');
  const body = dataBody(answer, requestId, rate);
  const coding = codingOf(call, body);
  if (coding !== null) return finishCompressed(call, paid, { body, coding, context });
  return give(call, paid, respondData(body, context), body);
}

function wholeResponse(call: Call, answer: WholeAnswer, context: DataContext): Response {
  const { headers } = answer;
  if (isUnchanged(call, answer)) return respondWhole(null, { status: 304, headers: {} }, context);
  if (isBeyond(call, answer)) {
    const range = { 'Content-Range': `bytes */${headers['Content-Length']}` };
    return respondWhole(null, { status: 416, headers: range }, context);
  }
  const body = call.method === 'HEAD' ? null : answer.start();
  return respondWhole(body, { status: 200, headers }, context);
}

interface Compressible {
  readonly body: TextParts;
  readonly coding: ContentCoding;
  readonly context: DataContext;
}

/** Separate from `finish`, which stays synchronous for most responses. */
async function finishCompressed(
  call: Call,
  paid: Paid,
  { body, coding, context }: Compressible,
): Promise<Response> {
  const compressed = await compress(joined(body), coding);
  const response = compressed
    ? respondCompressed(compressed, coding, context)
    : respondData(body, context);
  return give(call, paid, response, body);
}

/** The coding of a body; null: not compressed, like most bodies, which are short. */
function codingOf({ request }: Call, body: TextParts): ContentCoding | null {
  if (lengthOf(body) < compressedLengthMin) return null;
  return chooseCoding(request.headers.get('accept-encoding'));
}

interface Paid {
  readonly caller: Caller;
  readonly cost: number;
}

function give(call: Call, { caller, cost }: Paid, answer: Response, body: TextParts): Reply {
  call.deps.report(call, { status: answer.status, code: null, cost, caller, body });
  call.parsed.work?.noteAnswered?.();
  return cost > 0 ? answer : call.deps.sendFree(call.request, answer);
}

function isWhole(answer: Answer): answer is WholeAnswer {
  return 'start' in answer;
}

/** A decision about an existing key. */
interface Accepted {
  readonly admission: Admission;
  readonly at: number;
}

/** Null if the requested cost was granted. */
function refuse(call: Call, { admission, at }: Accepted, cost: number): Reply | null {
  const charge = { what: 'This request', needs: call.parsed.needs, cost, at };
  const error = refusalOf(admission, charge);
  return error && answerError(call, error, factsOf(admission, at));
}

/** Refuses the call before anything is read if the allowance does not cover its work. */
function refuseWork(call: Call, { admission, at }: Accepted, work: AnyWork): Reply | null {
  const cost = leastCost(call, costOf(call.parsed.route.endpoint, work));
  const decided = decideAdmission(admission.caller, { used: admission.used, cost });
  return refuse(call, { admission: decided, at }, cost);
}

interface Facts extends Omit<ErrorContext, 'requestId'> {
  readonly caller?: Caller | undefined;
  /** Calls charged. */
  readonly cost?: number;
  readonly fault?: { readonly error: unknown; readonly url: string };
}

function factsOf(admission: Admission, at: number): Facts {
  return { rate: rateLimitOf(admission, at), caller: admission.caller };
}

function answerFailure(call: Call, error: unknown, facts: Facts): Reply {
  if (error instanceof CallerDisconnected) return answerDisconnected(call, call.deps.report);
  if (error instanceof ApiError) return answerError(call, error, facts);
  const fault = { error, url: call.request.url };
  return answerError(call, apiErrorOf(error), { ...facts, fault });
}

function answerError(
  call: Call,
  error: ApiError,
  { caller, cost = 0, fault, ...context }: Facts = {},
): Reply {
  const { code, status, message } = error;
  if (cost > 0 && rulesOf(code).charge === 'never') {
    const charged = new Error(`${code} after the call was charged: ${message}`);
    return answerFailure(call, charged, { rate: context.rate, caller, cost });
  }
  const body = errorBody(error);
  call.deps.report(call, { status, code, cost, caller: caller ?? null, body, fault });
  const plus = plusFacts(call, cost);
  const answer = respondError(error, body, { requestId: call.requestId, ...context, plus });
  // Responses that were charged, and failures, are not delayed.
  return cost > 0 || fault ? answer : call.deps.sendFree(call.request, answer);
}
