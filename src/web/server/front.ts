/**
 * Page requests in the `serve` process: it reads them and passes them to the page process. Nothing
 * here takes long and everything is limited, so that no number of visitors delays API calls.
 */

import type { AccountRoomStore } from '../../accounts/accounts.store.ts';
import { hashToken } from '../../accounts/sign-in/sign-in.work.ts';
import type { AnswerPage, PageContext } from '../../http/answer-page.ts';
import { respondDisconnected } from '../../http/disconnected.ts';
import type { FreeAnswers } from '../../http/free-answers.ts';
import { pools } from '../../http/pools.ts';
import { callSocket, NotSentError, type SocketProcess } from '../../http/process-socket.ts';
import { targetOf } from '../../http/request-target.ts';
import { type Arriving, Slots } from '../../http/slots.ts';
import type { Clock } from '../../kernel/time.ts';
import { shareLinkPath } from '../../portfolio/sharing/share.ts';
import {
  FormError,
  formBytesMax,
  photoFormBytesMax,
  photoFormPath,
  readFormBody,
  uploadFormBytesMax,
} from '../kit/form.ts';
import { cookieNames, readCookie } from './cookies.ts';
import { forwardedHeaders } from './forwarded.ts';
import { plainHeaders } from './respond.ts';

const usualPatience: Patience = {
  turnMs: pools.pages.patienceMs,
  answerMs: pools.pages.least.msMax,
};

interface FrontDeps {
  readonly pages: SocketProcess;
  readonly accounts: Pick<AccountRoomStore, 'findSignedIn'>;
  readonly freeAnswers: FreeAnswers;
  readonly clock: Clock;
  readonly patience?: Patience;
}

/** How long a request waits for its turn, and for its answer to start. */
interface Patience {
  readonly turnMs: number;
  readonly answerMs: number;
}

export function makeFront(deps: FrontDeps): AnswerPage {
  const front = new Front(deps);
  return (request, context) => front.answer(request, context);
}

type Body = Uint8Array<ArrayBuffer>;

class Front {
  private readonly patience: Patience;
  private readonly pages: Slots;
  private readonly linkPages: Slots;
  private readonly forms = new Slots(pools.forms);
  private readonly uploads = new Slots(pools.uploads);
  private readonly photos = new Slots(pools.photoForms);

  constructor(private readonly deps: FrontDeps) {
    this.patience = deps.patience ?? usualPatience;
    const patienceMs = this.patience.turnMs;
    this.pages = new Slots({ ...pools.pages, patienceMs });
    this.linkPages = new Slots({ ...pools.linkPages, patienceMs });
  }

  async answer(request: Request, context: PageContext): Promise<Response> {
    const { freeAnswers } = this.deps;
    const isTooOften = !freeAnswers.mayHave(context.network);
    const response = isTooOften ? plain(429, tooMany) : await this.find(request, context);
    // A client in a loop would retry an immediate rejection immediately.
    return response.status === 429 ? freeAnswers.later(response) : response;
  }

  private async find(request: Request, context: PageContext): Promise<Response> {
    const { network } = context;
    const { signal } = request;
    const visitor = { account: null, network, signal };
    const pass = async (body: Body | null) =>
      (await this.pages.take(visitor, () => this.pass(request, body, context))) ??
      plain(429, tooMany);
    const take = () => pass(null);
    if (isLinkPage(request)) {
      // First its own slot, so that those that wait for one take no slot of other pages.
      const answer = await this.linkPages.take(visitor, take);
      return answer ?? this.deps.freeAnswers.later(plain(503, tooManyReaders));
    }
    if (request.method !== 'POST' || !request.body) return take();
    // A form takes a page slot only when it has arrived, and keeps its own slot until it is
    // answered, so that both arriving and waiting forms are limited.
    const account = await this.findUploader(request);
    const isUpload = account !== null;
    const isPhotos = isUpload && photoFormPath.test(targetOf(request.url));
    const slots = isPhotos ? this.photos : isUpload ? this.uploads : this.forms;
    // A large file after the session has ended: the page asks to sign in again.
    const orNothing = (error: unknown) => {
      if (isFileForm(request) && !isUpload && error instanceof FormError) return null;
      throw error;
    };
    const uploadMax = isPhotos ? photoFormBytesMax : uploadFormBytesMax;
    const max = isUpload ? uploadMax : formBytesMax;
    try {
      const takeForm = async (arriving: Arriving) => {
        const body = await readFormBody(request, max, arriving).catch(orNothing);
        arriving.complete();
        return pass(body);
      };
      const tooManyForms = isUpload ? tooManyUploads : tooMany;
      return (await slots.take({ ...visitor, account }, takeForm)) ?? plain(429, tooManyForms);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      return plain(error.status, error.message);
    }
  }

  /**
   * The account that uploads a file; null if it is none. Only signed-in users may upload files; for
   * others, the limit of forms applies.
   */
  private async findUploader({ headers }: Pick<Request, 'headers'>): Promise<number | null> {
    if (!isFileForm({ headers })) return null;
    const { accounts, clock } = this.deps;
    for (const isSecure of [true, false]) {
      const token = readCookie(headers.get('Cookie'), cookieNames(isSecure).session);
      const who = token && (await accounts.findSignedIn(hashToken(token), clock()));
      if (who) return who.accountId;
    }
    return null;
  }

  private async pass(
    request: Request,
    body: Body | null,
    { network, url, onFault }: PageContext,
  ): Promise<Response> {
    const host = request.headers.get('Host');
    try {
      const answer = await callSocket(this.deps.pages, {
        target: targetOf(request.url),
        method: request.method,
        headers: forwardedHeaders(request.headers, { url, host, network }),
        body,
        patienceMs: this.patience.answerMs,
        signal: request.signal,
      });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      // A closed connection is not a fault.
      if (request.signal.aborted) return respondDisconnected();
      onFault(error);
      // A proxy may send a request again after 503, so it says that nothing was done. Otherwise it
      // must not be 502 or 504: nginx replaces the text of these.
      if (error instanceof NotSentError) return plain(503, notShown);
      return plain(500, request.method === 'POST' ? maybeSaved : notShown);
    }
  }
}

/** Parsed as the page process does: `/x/../s/…` is one too. */
function isLinkPage({ url }: Request): boolean {
  return new URL(`http://site${targetOf(url)}`).pathname.startsWith(shareLinkPath(''));
}

function isFileForm({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.get('Content-Type')?.startsWith('multipart/form-data') ?? false;
}

const notShown = 'This page cannot be shown right now. Try again in a moment.';
const maybeSaved =
  'Your form was sent, but its answer was lost, so it may have been saved. ' +
  'Check before you send it again.';
const tooMany = 'Too many requests at once. Try again in a moment.';
const tooManyReaders = 'Too many people are opening shared pages. Try again in a moment.';
const tooManyUploads =
  'Too many files are being uploaded. Wait for yours to finish, then try again.';

/** A plain-text answer, made without the page process. */
function plain(status: number, text: string): Response {
  const headers = plainHeaders('text/plain; charset=utf-8', 'no-store');
  // The address may be a secret.
  headers.set('Referrer-Policy', 'no-referrer');
  if (status === 429 || status === 503) headers.set('Retry-After', '1');
  return new Response(text, { status, headers });
}
