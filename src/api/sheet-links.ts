/**
 * Answers spreadsheet links: link → key → plan → query → read → spend → CSV. A link is charged to
 * its key like a call. All problems with the link itself have the same response, so that a revoked
 * link cannot be told from one that never existed.
 */

import {
  type Admission,
  type Caller,
  decideAdmission,
  type KeyUse,
} from '../accounts/keys/quota.ts';
import { scopeBits } from '../accounts/keys/scopes.ts';
import type { SheetKey } from '../accounts/sheet-links/sheet-link.ts';
import { type SheetSigner, sheetPrefix } from '../accounts/sheet-links/sheet-link.ts';
import type { SheetLinkStore } from '../accounts/sheet-links/sheet-links.store.ts';
import { ApiError, apiErrorOf } from '../contract/errors.ts';
import { bad } from '../contract/input-messages.ts';
import { urlLengthMax } from '../contract/limits.ts';
import { sheetFiles } from '../contract/sheet-files.ts';
import { answerDisconnected } from '../http/disconnected.ts';
import { type IncomingRequest, incoming, type ReportRequest } from '../http/request-outcome.ts';
import { isRead, pathOf, targetOf } from '../http/request-target.ts';
import { streamedIfLong } from '../http/streamed.ts';
import { type Admit, CallerDisconnected, keep } from './admission-groups.ts';
import { refusalOf } from './refusals.ts';
import { errorHeaders, type RateLimit, rateHeaders, rateLimitOf } from './respond.ts';
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

/** Also for the links of a revoked key. */
const noLink = 'This link does not work: it was revoked, or it was not copied in full.';

/** Never rejects. */
export async function answerSheet(request: Request, deps: SheetDeps): Promise<Response> {
  const call: Call = { request, deps, ...incoming('sheetLink', request.method) };
  try {
    if (!isRead(request)) {
      return refuse(call, new ApiError('MethodNotAllowed', `This link answers ${allow}.`));
    }
    // The signature is verified before the store is asked, so that strangers cause no load.
    const target = deps.signer?.read(pathOf(request.url));
    const key = target && (await deps.links.findSheetKey(target));
    if (!key) return refuse(call, new ApiError('NotFound', noLink));
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
  const decision = await deps.admit({ ...use, cost: 0, from: request }, keep);
  const known = decision.admission;
  if (!known) return refuse(call, new ApiError('NotFound', noLink));
  const { caller, used } = known;
  const { needs } = use;
  const unknown = refuseAdmission(call, known, { needs, cost: 0, at: decision.at });
  if (unknown) return unknown;
  const price = prepare(readSearch(request.url));
  const refuseCost = (cost: number) =>
    refuseAdmission(call, decideAdmission(caller, { used, cost, needs }), {
      needs,
      cost,
      at: decision.at,
    });
  // Check the minimum cost before reading anything.
  const early = refuseCost(1);
  if (early) return early;
  const file = await price(caller, { used, at: decision.at });
  const cost = 'missing' in file ? 1 : file.cost;
  const late = refuseCost(cost);
  if (late) return late;
  const text = 'missing' in file ? null : await file.make();
  // Charged even if the caller has disconnected, because the work is done.
  const { admission, at } = await deps.admit({ ...use, cost, from: null }, keep);
  if (!admission) return refuse(call, new ApiError('NotFound', noLink));
  const last = refuseAdmission(call, admission, { needs, cost, at });
  if (last) return last;
  await deps.links.noteSheetUse(linkId, { cost, at }).catch(deps.onNoteFailure);
  const rate = rateLimitOf(admission, at);
  if (text !== null) return respondFile(call, text, { cost, caller, rate });
  const message = 'missing' in file ? file.missing : '';
  return refuse(call, new ApiError('NotFound', message), { caller, cost, rate });
}

function readSearch(url: string): string {
  const target = targetOf(url);
  if (target.length > urlLengthMax) {
    throw bad(`The URL is longer than ${urlLengthMax} characters.`);
  }
  return target.slice(pathOf(url).length + 1);
}

const texts = {
  what: 'This file',
  planText: 'Spreadsheet links are part of the Reseller plan.',
} as const;

/** Null if it was granted. */
function refuseAdmission(
  call: Call,
  admission: Admission,
  charge: { readonly needs: number; readonly cost: number; readonly at: number },
): Response | Promise<Response> | null {
  const error = refusalOf(admission, { ...texts, ...charge });
  const isQuota = admission.outcome === 'exhausted';
  const rate = isQuota ? rateLimitOf(admission, charge.at) : undefined;
  return error && refuse(call, error, { caller: admission.caller, rate });
}

interface Facts {
  readonly caller?: Caller;
  /** Calls charged. */
  readonly cost?: number;
  readonly rate?: RateLimit | undefined;
  readonly fault?: { readonly error: unknown; readonly url: string };
}

function answerFailure(call: Call, error: unknown): Response | Promise<Response> {
  if (error instanceof CallerDisconnected) return answerDisconnected(call, call.deps.report);
  const refusal = apiErrorOf(error);
  // The path contains the signature and must not be logged.
  return refuse(call, refusal, refusal === error ? {} : { fault: { error, url: '' } });
}

/** Plain text: a spreadsheet shows only that it failed, but a browser shows the reason. */
function refuse(
  call: Call,
  error: ApiError,
  { caller, cost = 0, rate, fault }: Facts = {},
): Response | Promise<Response> {
  const { status, code, message } = error;
  const body = `${message}\n`;
  call.deps.report(call, { status, code, cost, caller: caller ?? null, body, fault });
  const answer = new Response(body, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...commonHeaders(call.requestId),
      ...(rate && rateHeaders(rate)),
      ...errorHeaders(error, allow),
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
