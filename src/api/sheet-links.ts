/**
 * Answers spreadsheet links: link → key → plan → query → read → spend → CSV. A link is charged to
 * its key like a call. All problems with the link itself have the same response, so that a revoked
 * link cannot be told from one that never existed.
 */

import { ApiError, allErrors, type ErrorCode } from '../contract/errors.ts';
import { urlLengthMax } from '../contract/limits.ts';
import { sheetFiles } from '../contract/sheet-files.ts';
import type { Admission, Caller, KeyUse } from '../domain/account/quota.ts';
import { missingScopesText, scopeBits } from '../domain/account/scopes.ts';
import type { SheetKey } from '../domain/account/sheet-link.ts';
import { type SheetSigner, sheetPrefix } from '../domain/account/sheet-link.ts';
import { answerDisconnected } from '../http/disconnected.ts';
import type { IncomingRequest, ReportRequest } from '../http/request-outcome.ts';
import { isRead, pathOf, targetOf } from '../http/request-target.ts';
import { streamedIfLong } from '../http/streamed.ts';
import type { SheetLinkStore } from '../store/store.ts';
import { type Admit, CallerDisconnected } from './admission-groups.ts';
import { type RateLimit, rateHeaders, rateLimitOf, secondsUntilReset } from './respond.ts';
import type { PrepareFile } from './sheet-files.ts';

export interface SheetDeps {
  /** Null: no secret file is configured, so there are no links. */
  readonly signer: SheetSigner | null;
  readonly links: Pick<SheetLinkStore, 'findSheetKey' | 'noteSheetUse'>;
  readonly admit: Admit;
  /** The client's address, behind trusted proxies. */
  addressOf(request: Request): string;
  readonly prepare: PrepareFile;
  readonly report: ReportRequest;
  /** Sends a free response, possibly delayed. */
  sendFree(request: Request, answer: Response): Response | Promise<Response>;
  /** Called if the use of a link could not be recorded for its owner. */
  onNoteFailure(error: unknown): void;
}

export function isSheetPath(url: string): boolean {
  return targetOf(url).startsWith(sheetPrefix);
}

interface Call extends IncomingRequest {
  readonly request: Request;
  readonly deps: SheetDeps;
}

const allow = 'GET, HEAD';

const noLink = 'This link does not work: it was revoked, or it was not copied in full.';

/** Never rejects. */
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
    // The signature is verified before the store is asked, so that strangers cause no load.
    const target = deps.signer?.read(pathOf(request.url));
    const key = target && (await deps.links.findSheetKey(target));
    if (!key) return refuse(call, { code: 'NotFound', message: noLink });
    const { content } = target;
    const use: KeyUse = {
      keyHash: key.keyHash,
      needs: scopeBits(sheetFiles[content].needs),
      address: () => deps.addressOf(request),
    };
    return await answerKey(call, { ...key, use }, (search) => deps.prepare(content, search));
  } catch (error) {
    return answerFailure(call, error);
  }
}

async function answerKey(
  call: Call,
  { linkId, use }: Pick<SheetKey, 'linkId'> & { readonly use: KeyUse },
  prepare: (search: string) => ReturnType<PrepareFile>,
): Promise<Response> {
  const { request, deps } = call;
  const asked = await deps.admit({ ...use, cost: 0, from: request }, keep);
  const known = asked.admission;
  if (known?.outcome !== 'granted') return refuseAdmission(call, known, use);
  const price = prepare(readSearch(request.url));
  const cannotPay = (cost: number) => known.used + cost > known.caller.allowance;
  const spent = { used: known.used, at: asked.at };
  // Check the minimum cost before reading anything.
  if (cannotPay(1)) return refuseQuota(call, known, { at: asked.at, cost: 1 });
  const file = await price(known.caller, spent);
  const cost = 'missing' in file ? 1 : file.cost;
  if (cannotPay(cost)) return refuseQuota(call, known, { at: asked.at, cost });
  const text = 'missing' in file ? null : await file.make();
  // Charged even if the caller has disconnected, because the work is done.
  const { admission, at } = await deps.admit({ ...use, cost, from: null }, keep);
  if (admission?.outcome === 'exhausted') return refuseQuota(call, admission, { at, cost });
  if (admission?.outcome !== 'granted') return refuseAdmission(call, admission, use);
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
  return target.slice(pathOf(url).length + 1);
}

/** The cost of a call, and the time of the decision. */
interface Wanted {
  readonly at: number;
  readonly cost: number;
}

/** The links of a revoked key end with it. */
function refuseAdmission(
  call: Call,
  admission: Admission | null,
  { needs }: KeyUse,
): Response | Promise<Response> {
  if (!admission) return refuse(call, { code: 'NotFound', message: noLink });
  const { caller, outcome } = admission;
  if (outcome === 'scope') {
    const message = missingScopesText(needs & ~caller.scopes);
    return refuse(call, { code: 'ScopeRequired', message, caller });
  }
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
  /** Calls charged. */
  readonly cost?: number;
  readonly rate?: RateLimit;
  readonly retryAfterSeconds?: number | undefined;
  readonly fault?: { readonly error: unknown; readonly url: string };
}

function answerFailure(call: Call, error: unknown): Response | Promise<Response> {
  if (error instanceof ApiError) return refuse(call, error);
  if (error instanceof CallerDisconnected) return answerDisconnected(call, call.deps.report);
  // The path contains the signature and must not be logged.
  const fault = { error, url: '' };
  return refuse(call, {
    code: 'InternalError',
    message: allErrors.InternalError.example,
    fault,
  });
}

/** Plain text: a spreadsheet shows only that it failed, but a browser shows the reason. */
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
  return cost > 0 || fault ? answer : call.deps.sendFree(call.request, answer);
}

function respondFile(
  call: Call,
  body: string,
  paid: { readonly cost: number; readonly caller: Caller; readonly rate: RateLimit },
): Response {
  const { cost, caller, rate } = paid;
  call.deps.report(call, { status: 200, code: null, cost, caller, body });
  // For HEAD, the server omits the body but sends its length.
  return new Response(call.method === 'HEAD' ? body : streamedIfLong(body), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      ...commonHeaders(call.requestId),
      ...rateHeaders(rate),
    },
  });
}

/** The URL gives access to the data: do not cache the response or leak the URL. */
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
