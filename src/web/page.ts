/** The dependencies, request and answer of every page. */
import { isValidElement, type VNode } from 'preact';
import type { Mail } from '../accounts/people/mail.ts';
import type { SiteAccess } from '../accounts/people/site-access.ts';
import type { SheetSigner } from '../accounts/sheet-links/sheet-link.ts';
import type { PasswordCost } from '../accounts/sign-in/password-hash.ts';
import type { Provider } from '../accounts/sign-in/provider.work.ts';
import type { SignedIn } from '../accounts/sign-in/session.ts';
import type { AllowedNetworks } from '../alerts/channels/outside-address.ts';
import type { AlertRuleFacts } from '../alerts/conditions/alert-rule.ts';
import type { Matches } from '../alerts/conditions/notification.ts';
import type { WatchedItemDeps } from '../alerts/watchlists/watched-items.work.ts';
import type { BoxForSale } from '../buying/boxes/box-text.ts';
import type { BestOffer } from '../buying/deals/best-offer.ts';
import type { SetDeal, SetDealQuestion } from '../buying/deals/find-deals.ts';
import type { FeeTables } from '../buying/prices/selling-channels.ts';
import type { ItemKind } from '../catalog/items/numbers.ts';
import type { DrawPicture } from '../catalog/pictures/picture-item.ts';
import type { SearchMatches } from '../catalog/search/search.ts';
import type { BudgetLimits } from '../http/work-budget.ts';
import type { Encrypter } from '../kernel/encryption.ts';
import type { Formats } from '../kernel/formats.ts';
import type { Page } from '../kernel/page.ts';
import type { Clock } from '../kernel/time.ts';
import type { MarketList } from '../market/lists/market-list.ts';
import type { MakePhoto } from '../portfolio/photos/photos.ts';
import type { PortfolioData } from '../portfolio/returns/portfolio-data.work.ts';
import type { AccountStore, PageMarket } from '../store/store.ts';
import type { SyncStore } from '../sync/sync.store.ts';
import type { PictureSettings } from './catalog/pictures.ts';
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
      /** Rows made while the page is sent, by the name of their `<tr data-rows>`, in its order. */
      readonly rows?: PageRows;
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

/** Batches of the rows of each table of a page. */
export type PageRows = ReadonlyMap<string, AsyncIterable<VNode>>;

/** An answer that is being sent, if it is made in pieces. */
export type SentAnswer =
  | Exclude<FullAnswer, { readonly file: unknown } | { readonly page: unknown }>
  | (Omit<Extract<FullAnswer, { readonly page: unknown }>, 'page' | 'rows'> & {
      readonly page: VNode | ReadableStream<Uint8Array>;
    })
  | {
      readonly file: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
      readonly name: string;
      readonly type: string;
    };

export function fullAnswer(answer: PageAnswer): FullAnswer {
  return isValidElement(answer) ? { page: answer } : answer;
}

/** The dependencies of pages. Each takes the members that it needs. */
export interface WebDeps {
  /** Published data and its evidence. No page can load a source row. */
  readonly market: PageMarket;
  /** Published data in memory: documents, search, lists and deals. */
  readonly cache: MarketInMemory;
  readonly accounts: AccountStore;
  /** Collections joined with their values. */
  readonly portfolio: PortfolioData;
  /** The state of automatic imports. */
  readonly sync: Pick<SyncStore, 'listSources'>;
  /** The current matches of the alerts of an account. */
  readonly alerts: AlertMatching;
  /** Settings of the operator, and facts of the installation. */
  readonly site: SiteFacts;
  /** Encryption and signatures with the operator's secret. */
  readonly secrets: Secrets;
  /** Pictures of items, and photos of lots. */
  readonly pictures: Pictures;
  /** Sends an email; undefined if no mail server is configured. */
  readonly sendMail: ((mail: Mail) => Promise<void>) | undefined;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly passwordCost: PasswordCost;
  /** Called with the error of something that failed although the page was answered. */
  onFailure(what: 'mail' | 'identity provider' | 'device entry', error: unknown): void;
}

interface MarketInMemory {
  /** The results as their exact JSON. */
  search(query: {
    readonly kind: ItemKind;
    readonly term: string;
    readonly limit: number;
    readonly offset: number;
  }): Promise<Page<string> & Pick<SearchMatches, 'hasPlain'>>;
  /** All items that match a term, best first. */
  searchAll(kind: ItemKind, term: string): Promise<SearchMatches>;
  /** All published items, for filtering and sorting. */
  findMarket(): Promise<MarketList>;
  /** The published record of an item as JSON, by any of its numbers; null if there is none. */
  findDocument(kind: ItemKind, number: string): Promise<string | null>;
  /** Sets with deals, for published fees or an account's own rates. */
  findDeals(tables: FeeTables, question: SetDealQuestion): Promise<Page<SetDeal>>;
  /** The cheapest offer of each set; sets without an offer are left out. */
  findOffers(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>>;
  noteLookUp(kind: ItemKind, key: string): void;
}

interface AlertMatching extends Pick<WatchedItemDeps['alerts'], 'recordMatches'> {
  /** The current matches of a rule; `too many` if there are more than a rule may start with. */
  findMatches(accountId: number, rule: AlertRuleFacts): Promise<Matches | 'too many'>;
}

export interface SiteFacts {
  /** Pages have it in the request. */
  readonly access: SiteAccess;
  /** The public address, without a slash at the end; null: the one the server listens on. */
  readonly baseUrl: string | null;
  /** The identity provider; null if there is none. */
  readonly provider: Provider | null;
  /** Where security problems are reported; null: there is no security.txt. */
  readonly securityContact: string | null;
  readonly retailerNames: { readonly retailer_a: string; readonly retailer_b: string };
  readonly tables: FeeTables;
  /** Private networks that messages may be sent to. */
  readonly allowedNetworks: AllowedNetworks;
  /** An example for the page Evaluate, in the demo; else null. */
  readonly exampleBox: BoxForSale | null;
  /** Whether reads go to a replica; null if there is none. */
  isReplicaUsed(): boolean | null;
  /** How long reading an uploaded file may take. */
  readonly readingMsMax: number;
  /** CPU time of previews and imports per account. */
  readonly previewBudget: BudgetLimits;
}

/** Null if the operator has set no secret. */
interface Secrets {
  /** Encrypts secrets and addresses of channels. */
  readonly encrypter: Encrypter | null;
  /** Encrypts secrets of authenticator apps. */
  readonly factorEncrypter: Encrypter | null;
  readonly sheetSigner: SheetSigner | null;
}

interface Pictures extends Pick<PictureSettings, 'hosts' | 'fetchOutside' | 'folder'> {
  /** Draws pictures of the demo's items as SVG; null for a real market. */
  readonly draw: DrawPicture | null;
  readonly makePhoto: MakePhoto;
  /** The maximum size of all photos of an account; 0: none can be added. */
  readonly photoBytesMax: number;
}
