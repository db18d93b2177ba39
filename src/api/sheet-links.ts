/**
 * Answers spreadsheet links: link → key → plan → query → read → spend → CSV. A link is charged to
 * its key by the same admission as every call. Whatever is wrong with a link itself has one answer,
 * so that nobody can tell a link that was revoked from one that never was.
 */
import { ApiError, allErrors, type ErrorCode } from '../contract/errors.ts';
import { urlLengthMax } from '../contract/limits.ts';
import type { Admission, Caller } from '../domain/account/quota.ts';
import { type SheetSigner, sheetPrefix } from '../domain/account/sheet-link.ts';
import type { SheetKey, SheetLinkStore } from '../domain/account/sheet-link-store.ts';
import { goneStatus, respondGone } from '../http/gone.ts';
import type { IncomingRequest, ReportRequest } from '../http/request-outcome.ts';
import { streamedIfLong } from '../http/streamed.ts';
import { isRead, pathOf, targetOf } from '../http/target.ts';
import { type Admit, CallerGone } from './admission.ts';
import { type RateLimit, rateHeaders, rateLimitOf, secondsUntilReset } from './respond.ts';
import type { PrepareFile } from './sheet-files.ts';

/** What answering needs. */
export interface SheetDeps {
  /** Null: the operator has set no secret, and there are no links. */
  readonly signer: SheetSigner | null;
  readonly links: Pick<SheetLinkStore, 'findSheetKey' | 'noteSheetUse'>;
  readonly admit: Admit;
  readonly prepare: PrepareFile;
  readonly report: ReportRequest;
  /** Gives an answer that cost nothing, perhaps not at once. */
  giveFree(request: Request, answer: Response): Response | Promise<Response>;
  /** Called when what was spent could not be noted for its owner to see. */
  onNoteFailure(error: unknown): void;
}

/** Whether a URL is that of a link, or looks like one. */
export function isSheetPath(url: string): boolean {
  return targetOf(url).startsWith(sheetPrefix);
}

/** A request for a link, and what is known of it. */
interface Call extends IncomingRequest {
  readonly request: Request;
  readonly deps: SheetDeps;
}

const allow = 'GET, HEAD';

const noLink = 'This link does not work: it was revoked, or it was not copied in full.';

/** Answers a request for a link. It never rejects. */
export async function answerSheet(request: Request, deps: SheetDeps): Promise<Response> {
  const call: Call = {
    request,
    deps,
    requestId: crypto.randomUUID(),
    method: request.method,
    route: 'sheetLink',
    startedAt: performance.now(),
  };
  try {
    if (!isRead(request)) {
      return refuse(call, { code: 'MethodNotAllowed', message: `This link answers ${allow}.` });
    }
    // The signature is looked at before the store is asked: strangers cannot make it work.
    const target = deps.signer?.read(pathOf(request.url)) ?? null;
    const key = target && (await deps.links.findSheetKey(target));
    if (!key) return refuse(call, { code: 'NotFound', message: noLink });
    return await answerKey(call, key, (search) => deps.prepare(target.content, search));
  } catch (error) {
    return answerFailure(call, error);
  }
}

async function answerKey(
  call: Call,
  { linkId, keyHash }: SheetKey,
  prepare: (search: string) => ReturnType<PrepareFile>,
): Promise<Response> {
  const { request, deps } = call;
  const asked = await deps.admit({ keyHash, cost: 0, from: request }, keep);
  const known = asked.admission;
  if (known?.outcome !== 'granted') return refuseAdmission(call, known, { at: asked.at, cost: 0 });
  const price = prepare(readSearch(request.url));
  const cannotPay = (cost: number) => known.used + cost > known.caller.allowance;
  const spent = { used: known.used, at: asked.at };
  // What the least of files costs is asked for first: reading would be for nothing otherwise.
  if (cannotPay(1)) return refuseQuota(call, known, { at: asked.at, cost: 1 });
  const file = await price(known.caller, spent);
  const cost = 'missing' in file ? 1 : file.cost;
  if (cannotPay(cost)) return refuseQuota(call, known, { at: asked.at, cost });
  const text = 'missing' in file ? null : await file.make();
  // Whoever has left by now pays all the same: the work is done.
  const { admission, at } = await deps.admit({ keyHash, cost, from: null }, keep);
  if (admission?.outcome !== 'granted') return refuseAdmission(call, admission, { at, cost });
  await deps.links.noteSheetUse(linkId, { cost, at }).catch(deps.onNoteFailure);
  const rate = rateLimitOf(admission, at);
  const { caller } = admission;
  if (text !== null) return respondFile(call, text, { cost, caller, rate });
  const message = 'missing' in file ? file.missing : '';
  return refuse(call, { code: 'NotFound', message, caller, cost, rate });
}

const keep = <T>(decision: T) => decision;

function readSearch(url: string): string {
  const target = targetOf(url);
  if (target.length > urlLengthMax) {
    throw new ApiError('BadRequest', `The URL is longer than ${urlLengthMax} characters.`);
  }
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

/** What a call wanted to spend, and when that was decided. */
interface Wanted {
  readonly at: number;
  readonly cost: number;
}

/** A key that has ended takes its links with it. */
function refuseAdmission(
  call: Call,
  admission: Admission | null,
  wanted: Wanted,
): Response | Promise<Response> {
  if (!admission) return refuse(call, { code: 'NotFound', message: noLink });
  if (admission.outcome === 'exhausted') return refuseQuota(call, admission, wanted);
  const { caller } = admission;
  const message = 'Spreadsheet links are part of the Reseller plan.';
  return refuse(call, { code: 'TierRequired', message, caller });
}

function refuseQuota(
  call: Call,
  admission: Admission,
  { at, cost }: Wanted,
): Response | Promise<Response> {
  const rate = rateLimitOf(admission, at);
  const message =
    `This file needs ${cost} of the daily allowance of ${rate.limit} calls and ` +
    `${rate.remaining} are left; the allowance resets at midnight UTC.`;
  const { caller } = admission;
  const retryAfterSeconds = secondsUntilReset(at);
  return refuse(call, { code: 'QuotaExceeded', message, caller, rate, retryAfterSeconds });
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly caller?: Caller;
  /** What was charged. */
  readonly cost?: number;
  readonly rate?: RateLimit;
  readonly retryAfterSeconds?: number | undefined;
  readonly fault?: { readonly error: unknown; readonly url: string };
}

function answerFailure(call: Call, error: unknown): Response | Promise<Response> {
  if (error instanceof ApiError) return refuse(call, error);
  if (error instanceof CallerGone) {
    call.deps.report(call, { status: goneStatus, code: null, cost: 0, caller: null, body: '' });
    return respondGone();
  }
  // The path holds the signature, so that it is kept from whoever reads the log.
  const fault = { error, url: '' };
  return refuse(call, {
    code: 'InternalError',
    message: allErrors.InternalError.example,
    fault,
  });
}

/** One line of text: a spreadsheet only shows that it failed, but a browser shows why. */
function refuse(call: Call, refusal: Refusal): Response | Promise<Response> {
  const { code, message, caller = null, cost = 0, rate, retryAfterSeconds, fault } = refusal;
  const { status } = allErrors[code];
  const body = `${message}\n`;
  call.deps.report(call, { status, code, cost, caller, body, fault });
  const answer = new Response(body, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...commonHeaders(call.requestId),
      ...(rate && rateHeaders(rate)),
      ...(status === 405 && { Allow: allow }),
      ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }),
    },
  });
  return cost > 0 || fault ? answer : call.deps.giveFree(call.request, answer);
}

function respondFile(
  call: Call,
  body: string,
  paid: { readonly cost: number; readonly caller: Caller; readonly rate: RateLimit },
): Response {
  const { cost, caller, rate } = paid;
  call.deps.report(call, { status: 200, code: null, cost, caller, body });
  // For HEAD the server leaves the body out, and says how long it is.
  return new Response(call.method === 'HEAD' ? body : streamedIfLong(body), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      ...commonHeaders(call.requestId),
      ...rateHeaders(rate),
    },
  });
}

/** Whoever has the address has the data: it goes nowhere else, and nobody keeps what it shows. */
function commonHeaders(requestId: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Request-Id': requestId,
  };
}
