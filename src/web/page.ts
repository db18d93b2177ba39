/** What a page is: its row in the table, what it knows of a request, and what it answers. */
import type { VNode } from 'preact';
import type { SignedIn } from '../domain/account/session-store.ts';
import type { Form } from './kit/form.ts';

/** A request for a page, once it is known who asks and that it may be answered. */
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
  /** The same whoever asks: the address that was set, or where the server listens. */
  readonly ownUrl: string;
  readonly network: string;
  readonly agent: string;
  /** What this browser was told to use; null for what the system prefers. */
  readonly theme: PageTheme | null;
  /** What stands in a form again that could not be taken when it was sent. */
  readonly draft: Draft | null;
  /** Aborted when the browser does not wait any longer. */
  readonly signal: AbortSignal;
}

/** What was typed into a form that could not be taken. */
export interface Draft {
  /** Where the form was sent to. */
  readonly action: string;
  /** The path of the page that the form is on. */
  readonly page: string;
  /** By the names of the fields; no passwords, no files. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether nobody was signed in any more, or the form was of another session. */
  readonly reason: 'signed out' | 'too old';
}

/** How pages look. */
export type PageTheme = 'light' | 'dark';

/** A form that was sent, from this site and by the browser that was given it. */
export interface SentRequest extends PageRequest {
  readonly form: Form;
}

/** The same for pages that only somebody who is signed in may see. */
export type OwnRequest<R extends PageRequest = PageRequest> = R & { readonly who: SignedIn };

/** A form that somebody who is signed in sent. */
export type OwnSentRequest = OwnRequest<SentRequest>;

/** A page, or where to go instead. */
export type PageAnswer =
  | {
      readonly page: VNode;
      readonly status?: number;
      readonly cookies?: readonly string[];
      /** The methods that the path answers, for a 405. */
      readonly allow?: string;
      /** Whether its address is a secret, which browsers then tell nobody. */
      readonly hasSecretPath?: boolean;
    }
  | { readonly goTo: string; readonly cookies?: readonly string[] }
  | {
      /** All of it, or piece by piece. */
      readonly file: string | AsyncIterable<string>;
      readonly name: string;
      readonly type: string;
    }
  | { readonly data: unknown; readonly status?: number }
  | {
      /** The same for everybody, so that any cache may keep it. */
      readonly shared: string;
      readonly type: string;
      readonly seconds: number;
    }
  | {
      readonly picture: string | Uint8Array<ArrayBuffer>;
      readonly type: string;
      /** How long browsers may keep it; 0: not at all. */
      readonly seconds: number;
    };

type Answering<R> = (request: R) => Promise<PageAnswer>;

/** A page that everybody may see. */
export interface OpenRoute {
  readonly access: 'open';
  readonly path: string;
  /**
   * Whether its form is taken from anywhere and without a token, as mail programs send it. Only
   * where the path is a secret that says all, and nothing depends on who is signed in.
   */
  readonly takesOneClick?: boolean;
  readonly get?: Answering<PageRequest>;
  readonly post?: Answering<SentRequest>;
}

/** A page for whoever is signed in, or for operators alone. */
export interface OwnRoute {
  readonly access: 'own' | 'operator';
  readonly path: string;
  /** Whether a file can be sent with its form. */
  readonly takesFile?: boolean;
  /** Whether it reads a file that was sent before: only a few do at a time. */
  readonly readsFile?: boolean;
  readonly get?: Answering<OwnRequest>;
  readonly post?: Answering<OwnSentRequest>;
}

/** One row of the table. A parameter of the path is written `{name}`. */
export type PageRoute = OpenRoute | OwnRoute;
