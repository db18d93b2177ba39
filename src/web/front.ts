/**
 * Pages as the API's process sees them: it reads what was sent, and passes it on to the process
 * that makes pages. Nothing here takes long, and everything has a bound, so that no number of
 * visitors keeps a caller waiting.
 */
import { hashToken } from '../accounts/sign-in.ts';
import { targetOf } from '../contract/target.ts';
import type { FindNetwork } from '../domain/network.ts';
import type { SessionStore } from '../domain/session-store.ts';
import type { Clock } from '../domain/time.ts';
import { Places } from '../http/places.ts';
import { Rate } from '../http/rate.ts';
import { callSocket, type SocketProcess } from '../http/socket-call.ts';
import { cookieNames, readCookie } from './cookies.ts';
import { FormError, formBytesMax, readBounded, uploadBytesMax } from './form.ts';
import { headersWithPlace } from './page-place.ts';
import { plainHeaders } from './respond.ts';

/** Requests under way; a browser opens six connections. Others wait, network by network. */
const pageLimits = { each: 6, all: 32, waitingEach: 64, waitingAll: 1_024, patienceMs: 10_000 };

/** How often a network may ask: a page with all its pictures at once, and that again and again. */
const rateLimits = { burst: 300, perSecond: 50, names: 10_000 };

/** Forms that arrive at a time: they may take their time, and hold nobody up but their network. */
const formLimits = { each: 16, all: 256, waitingEach: 0, waitingAll: 0, patienceMs: 0 };

/** Files that arrive at a time, each of which is held in memory. */
const uploadLimits = { each: 2, all: 8, waitingEach: 0, waitingAll: 0, patienceMs: 0 };

/**
 * Whoever asks for too much is told so after this time: refused at once, a loop would ask again at
 * once, and refusing would keep the server as busy as answering. More than so many do not wait.
 */
const refusalMs = 1_000;
const refusalsMax = 512;

/** How long a page may take to begin. An import has a minute. */
const answerMsMax = 75_000;

/** What passing pages on needs. */
export interface FrontParts {
  readonly pages: SocketProcess;
  readonly accounts: Pick<SessionStore, 'findSignedIn'>;
  readonly findNetwork: FindNetwork;
  readonly clock: Clock;
  /** Milliseconds that only ever go on, whatever the clock is set to. */
  elapsed(): number;
}

/** Where a request came in. */
export interface FrontPlace {
  readonly remote: string | null;
  readonly url: string;
  onFault(error: unknown): void;
}

/** Passes requests for pages on. */
export function makeFront(parts: FrontParts): (r: Request, p: FrontPlace) => Promise<Response> {
  const front = new Front(parts);
  return (request, place) => front.answer(request, place);
}

class Front {
  private readonly rate: Rate;
  private readonly pages = new Places(pageLimits);
  private readonly forms = new Places(formLimits);
  private readonly uploads = new Places(uploadLimits);
  private refusals = 0;

  constructor(private readonly parts: FrontParts) {
    this.rate = new Rate(rateLimits, parts.elapsed);
  }

  async answer(request: Request, place: FrontPlace): Promise<Response> {
    const response = await this.find(request, place);
    if (response.status === 429) await this.hesitate();
    return response;
  }

  private async find(request: Request, place: FrontPlace): Promise<Response> {
    const network = this.parts.findNetwork(place.remote, request.headers.get('X-Forwarded-For'));
    if (!this.rate.take(network)) return plain(429, tooMany);
    const body = await this.readBody(request, network);
    if (body instanceof Response) return body;
    const pass = () => this.pass(request, body, { ...place, network });
    return (await this.pages.take(network, pass)) ?? plain(429, tooMany);
  }

  /** What was sent, or why it is not taken. It has to be here before it takes a place. */
  private async readBody(
    request: Request,
    network: string,
  ): Promise<Uint8Array<ArrayBuffer> | Response | null> {
    if (!request.body) return null;
    const isUpload = await this.mayUpload(request);
    const places = isUpload ? this.uploads : this.forms;
    const max = isUpload ? uploadBytesMax : formBytesMax;
    try {
      const body = await places.take(network, () => readBounded(request, max));
      return body ?? plain(429, isUpload ? tooManyUploads : tooMany);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      return plain(error.status, error.message);
    }
  }

  /** Files come from people who are signed in; from others it is a form, or too large. */
  private async mayUpload({ headers }: Request): Promise<boolean> {
    if (!headers.get('Content-Type')?.startsWith('multipart/form-data')) return false;
    const { accounts, clock } = this.parts;
    for (const isSecure of [true, false]) {
      const token = readCookie(headers.get('Cookie'), cookieNames(isSecure).session);
      if (token && (await accounts.findSignedIn(hashToken(token), clock()))) return true;
    }
    return false;
  }

  private async pass(
    request: Request,
    body: Uint8Array<ArrayBuffer> | null,
    { network, url, onFault }: FrontPlace & { readonly network: string },
  ): Promise<Response> {
    const host = request.headers.get('Host');
    // The time is over once the answer has begun: whoever downloads may take as long as they like.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMsMax);
    try {
      const {
        status,
        headers,
        body: made,
      } = await callSocket(this.parts.pages, {
        target: targetOf(request.url),
        method: request.method,
        headers: headersWithPlace(request.headers, { url, host, network }),
        body,
        signal: AbortSignal.any([request.signal, late.signal]),
      });
      return new Response(made, { status, headers });
    } catch (error) {
      // A visitor who left is no fault.
      if (!request.signal.aborted) onFault(error);
      return plain(503, 'This page cannot be shown right now. Try again in a moment.');
    } finally {
      clearTimeout(timer);
    }
  }

  private async hesitate(): Promise<void> {
    if (this.refusals >= refusalsMax) return;
    this.refusals++;
    await Bun.sleep(refusalMs);
    this.refusals--;
  }
}

const tooMany = 'Too many requests from your network at once. Try again in a moment.';
const tooManyUploads =
  'Too many files are being uploaded from your network. Wait for them to finish, then try again.';

/** An answer that needs none of the pages. */
function plain(status: number, text: string): Response {
  const headers = plainHeaders('text/plain; charset=utf-8', 'no-store');
  if (status === 429 || status === 503) headers.set('Retry-After', '1');
  headers.set('Connection', 'close');
  return new Response(text, { status, headers });
}
