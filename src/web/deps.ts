/** The dependencies of pages, wired in `main.ts`. */
import type { PortfolioData } from '../accounts/portfolio-data.ts';
import type { Provider } from '../accounts/provider.ts';
import type { BestOffer } from '../buying/best-offer.ts';
import type { SetDeal, SetDealQuestion } from '../buying/find-deals.ts';
import type { Mail } from '../domain/account/mail.ts';
import type { SheetSigner } from '../domain/account/sheet-link.ts';
import type { SiteAccess } from '../domain/account/site-access.ts';
import type { AlertRuleFacts } from '../domain/alerts/alert-rule.ts';
import type { Matches } from '../domain/alerts/notification.ts';
import type { BoxForSale } from '../domain/buying/box-text.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { DrawPicture } from '../domain/catalog/picture-item.ts';
import type { Encrypter } from '../domain/delivery/encryption.ts';
import type { AllowedNetworks } from '../domain/delivery/outside-address.ts';
import type { Page } from '../domain/kernel/page.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketList } from '../domain/market/market-list.ts';
import type { MakePhoto } from '../domain/portfolio/photos.ts';
import type { BudgetLimits } from '../http/work-budget.ts';
import type { AccountStore, PageMarket, SyncStore } from '../store/store.ts';
import type { PictureFolder } from './catalog/picture-files.ts';
import type { FetchOutside } from './catalog/pictures.ts';

/** Search results, each as its exact JSON. */
export interface Found {
  readonly rows: readonly string[];
  readonly total: number;
}

export interface WebDeps {
  /** Published data and its evidence. No page can load a source row. */
  readonly market: PageMarket;
  /** The state of automatic imports. */
  readonly sync: Pick<SyncStore, 'listSources'>;
  readonly accounts: AccountStore;
  readonly access: SiteAccess;
  /** Where security problems are reported; null: there is no security.txt. */
  readonly securityContact: string | null;
  /** The identity provider; undefined or null if there is none. */
  readonly provider?: Provider | null;
  /** Encrypts secrets and addresses of channels; null if the operator has set no secret. */
  readonly encrypter: Encrypter | null;
  /** Encrypts secrets of authenticator apps; null if the operator has set no secret. */
  readonly factorEncrypter: Encrypter | null;
  /** Signs spreadsheet links; null if the operator has set no secret. */
  readonly sheetSigner: SheetSigner | null;
  /** Private networks that messages may be sent to. */
  readonly allowedNetworks: AllowedNetworks;
  /** The current matches of a rule; `too many` if there are more than a rule may start with. */
  findMatches(accountId: number, rule: AlertRuleFacts): Promise<Matches | 'too many'>;
  /**
   * Records the current matches of the alerts for a list, after its sets or targets changed, so
   * that they are not sent. Returns the number of new matches.
   */
  recordMatches(accountId: number, listId: number, setKeys: readonly string[]): Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Collections joined with their values. */
  readonly portfolio: PortfolioData;
  readonly clock: Clock;
  /** The fees of platforms and carriers. */
  readonly tables: FeeTables;
  /** An example for the page Evaluate, in the demo. */
  readonly exampleBox?: BoxForSale | null;
  /** Whether reads go to a replica; null if there is none. */
  isReplicaUsed(): boolean | null;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly retailerNames: { readonly retailer_a: string; readonly retailer_b: string };
  readonly pictureHosts: readonly string[];
  readonly fetchOutside: FetchOutside;
  /** Caches pictures across restarts; undefined or null: only in memory. */
  readonly pictureFolder?: PictureFolder | null;
  /** Draws pictures of the demo's items as SVG; undefined or null for a real market. */
  readonly drawPicture?: DrawPicture | null;
  /** The maximum size of all photos of an account; 0: none can be added. */
  readonly photoBytesMax: number;
  readonly makePhoto: MakePhoto;
  /** The public address, without a slash at the end; null: the one the server listens on. */
  readonly baseUrl: string | null;
  /** Sends an email; undefined if no mail server is configured. */
  readonly sendMail?: ((mail: Mail) => Promise<void>) | undefined;
  /** Called with the error when an email could not be sent. */
  readonly onMailFailure?: (error: unknown) => void;
  /** Called with the error when a sign-in with the identity provider failed. */
  readonly onProviderFailure?: (error: unknown) => void;
  /** Called with the error when an entry of a device could not be applied. */
  readonly onEntryFailure?: (error: unknown) => void;
  /** How long reading an uploaded file may take; a minute if undefined. */
  readonly readingMsMax?: number;
  /** CPU time of previews and imports per account; that of `pools.ts` if undefined. */
  readonly previewBudget?: BudgetLimits;
  search(query: {
    readonly kind: ItemKind;
    readonly term: string;
    readonly limit: number;
    readonly offset: number;
  }): Promise<Found>;
  /** The keys of all items that match a term, best first. */
  searchKeys(kind: ItemKind, term: string): Promise<readonly string[]>;
  /** All published items, for filtering and sorting. */
  findMarket(): Promise<MarketList>;
  /** The published record of an item as JSON, by any of its numbers; null if there is none. */
  findDocument(kind: ItemKind, number: string): Promise<string | null>;
  /** Sets with deals, for published fees or an account's own rates. */
  findDeals(tables: FeeTables, question: SetDealQuestion): Promise<Page<SetDeal>>;
  /** The cheapest offer of each set; sets without an offer are left out. */
  findOffers(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>>;
  /** Counts a view of an item. */
  noteLookUp(kind: ItemKind, key: string): void;
}
