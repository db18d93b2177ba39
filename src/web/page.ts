/** The types of requests for pages and of their answers. */
import { isValidElement, type VNode } from 'preact';
import type { SiteAccess } from '../accounts/people/site-access.ts';
import type { SignedIn } from '../accounts/sign-in/session.ts';
import type { Formats } from '../kernel/formats.ts';
import type { Form } from './kit/form.ts';
import type { CookieNames } from './server/cookies.ts';
import type { MissingRate } from './session/region.ts';

/** A request for a page, after all access checks. */
export interface PageRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The signed-in user; null for visitors. */
  readonly who: SignedIn | null;
  /** Ties forms to this browser. Every form sends it as `token`. */
  readonly formToken: string;
  /** Identifies this rendering of a form, to detect a form that is sent twice. */
  readonly once: string;
  readonly at: number;
  /** The time zone of the account, else of the browser, else UTC. */
  readonly timeZone: string;
  /** The date in that time zone, as YYYY-MM-DD. */
  readonly today: string;
  /** How amounts, numbers and dates are shown; `kit/format.ts` uses them. */
  readonly formats: Formats;
  /** Why amounts are in dollars although another currency was chosen; else null. */
  readonly missingRate: MissingRate | null;
  /** The address that browsers see, without a slash at the end. */
  readonly baseUrl: string;
  /** The configured address, or the one the server listens on; the same for everyone. */
  readonly ownUrl: string;
  readonly network: string;
  readonly names: CookieNames;
  readonly agent: string;
  /** The token of a browser that signed in before; null if it did not. */
  readonly device: string | null;
  /** The token of a sign-in that waits for a code; null if there is none. */
  readonly step: string | null;
  /** The seed of a visit to the identity provider, and where to go then; null if there is none. */
  readonly visit: string | null;
  /** The page with a secret address that asked this browser to sign in; null if none did. */
  readonly secretNext: string | null;
  /** Whether this browser keeps data or entries for use without a network. */
  readonly keepsData: boolean;
  /** Who may create an account, and what visitors can see. */
  readonly access: SiteAccess;
  /** The theme chosen in this browser; null for the system's. */
  readonly theme: PageTheme | null;
  /** Input to show again, of a form that could not be accepted. */
  readonly draft: Draft | null;
  /** The form that was just sent and rejected, which the page shows again. */
  readonly rejected?: RejectedForm;
  /** Aborted when the browser stops waiting. */
  readonly signal: AbortSignal;
}

/** The input of a form that could not be accepted. */
export interface Draft {
  /** The path that the form was sent to. */
  readonly action: string;
  /** The path of the page that the form is on. */
  readonly page: string;
  /** By field name, without passwords and files. */
  readonly values: Readonly<Record<string, string>>;
  /** The session had ended, or the form was rendered in another session. */
  readonly reason: 'signed out' | 'too old';
}

/** The input of a form that was read and rejected, and its errors, by field name. */
export interface RejectedForm {
  /** The path that the form was sent to; empty to show the form without its input. */
  readonly action: string;
  readonly values: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, string>>;
  /** An error that is not of a single field; empty if there is none. */
  readonly message: string;
}

export type PageTheme = 'light' | 'dark';

/** A submitted form. Its origin and token were checked, except for one-click forms. */
export interface SentRequest extends PageRequest {
  readonly form: Form;
}

export type OwnRequest<R extends PageRequest = PageRequest> = R & { readonly who: SignedIn };

export type OwnSentRequest = OwnRequest<SentRequest>;

/** The answer of a route; a page that needs nothing else is its element. */
export type PageAnswer = VNode | FullAnswer;

/** A page, a redirect, a file, JSON, shared text or a picture. */
export type FullAnswer =
  | {
      readonly page: VNode;
      readonly status?: number;
      readonly cookies?: readonly string[];
      /** The allowed methods, for a 405. */
      readonly allow?: string;
    }
  | { readonly goTo: string; readonly cookies?: readonly string[] }
  | {
      /** The whole file, or pieces that are sent as they are made. */
      readonly file: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>;
      readonly name: string;
      readonly type: string;
    }
  | { readonly data: unknown; readonly status?: number }
  | {
      /** The same for everyone, so any cache may store it if the site has public pages. */
      readonly shared: string;
      readonly type: string;
      readonly seconds: number;
    }
  | {
      readonly picture: string | Uint8Array<ArrayBuffer>;
      readonly type: string;
      /** How long browsers may cache it; 0: not at all. */
      readonly seconds: number;
    };

/** An answer whose file is being sent, if it is made in pieces. */
export type SentAnswer =
  | Exclude<FullAnswer, { readonly file: unknown }>
  | {
      readonly file: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
      readonly name: string;
      readonly type: string;
    };

export function fullAnswer(answer: PageAnswer): FullAnswer {
  return isValidElement(answer) ? { page: answer } : answer;
}
