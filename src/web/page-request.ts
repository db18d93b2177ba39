/** A request for a page, once it is known who asks and that it may be answered. */
import type { SignedIn } from '../domain/account/session-store.ts';
import type { Form } from './form.ts';

/** What pages are told about a request. */
export interface PageRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The values of the path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Whoever is signed in; null for a stranger. */
  readonly who: SignedIn | null;
  /** Ties forms to this browser: it goes into each of them as `token`. */
  readonly formToken: string;
  /** Identifies one showing of a form, so that sending it twice is noticed. */
  readonly once: string;
  readonly at: number;
  /** The address that browsers see, without a slash at the end. */
  readonly baseUrl: string;
  readonly network: string;
  readonly agent: string;
}

/** A form that was sent, from this site and by the browser that was given it. */
export interface SentRequest extends PageRequest {
  readonly form: Form;
  /** Aborted when the browser does not wait any longer. */
  readonly signal: AbortSignal;
}

/** The same for pages that only somebody who is signed in may see. */
export type OwnRequest<R extends PageRequest = PageRequest> = R & { readonly who: SignedIn };
