/** The dependencies of pages, wired in `main.ts`. */

import type { Mail } from '../accounts/people/mail.ts';
import type { SiteAccess } from '../accounts/people/site-access.ts';
import type { SheetSigner } from '../accounts/sheet-links/sheet-link.ts';
import type { PasswordCost } from '../accounts/sign-in/password-hash.ts';
import type { Provider } from '../accounts/sign-in/provider.work.ts';
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
import type { Page } from '../kernel/page.ts';
import type { Clock } from '../kernel/time.ts';
import type { MarketList } from '../market/lists/market-list.ts';
import type { MakePhoto } from '../portfolio/photos/photos.ts';
import type { PortfolioData } from '../portfolio/returns/portfolio-data.work.ts';
import type { AccountStore, PageMarket } from '../store/store.ts';
import type { SyncStore } from '../sync/sync.store.ts';
import type { PictureSettings } from './catalog/pictures.ts';

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
  /** Counts a view of an item. */
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
  /** The fees of platforms and carriers. */
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
export interface Secrets {
  /** Encrypts secrets and addresses of channels. */
  readonly encrypter: Encrypter | null;
  /** Encrypts secrets of authenticator apps. */
  readonly factorEncrypter: Encrypter | null;
  /** Signs spreadsheet links. */
  readonly sheetSigner: SheetSigner | null;
}

export interface Pictures extends Pick<PictureSettings, 'hosts' | 'fetchOutside' | 'folder'> {
  /** Draws pictures of the demo's items as SVG; null for a real market. */
  readonly draw: DrawPicture | null;
  readonly makePhoto: MakePhoto;
  /** The maximum size of all photos of an account; 0: none can be added. */
  readonly photoBytesMax: number;
}
