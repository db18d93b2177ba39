/** What the pages work with; joined in `main.ts`. */
import type { PortfolioData } from '../accounts/portfolio-data.ts';
import type { BestOffer } from '../buying/best-offer.ts';
import type { DealQuestion } from '../buying/deals.ts';
import type { AccountStore } from '../domain/account/account-store.ts';
import type { Mail } from '../domain/account/mail.ts';
import type { SheetSigner } from '../domain/account/sheet-link.ts';
import type { AlertRuleFacts } from '../domain/alerts/alert-rule.ts';
import type { Matches } from '../domain/alerts/alert-store.ts';
import type { BoxForSale } from '../domain/buying/box-text.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import type { Deal } from '../domain/buying/deal.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { DrawPicture } from '../domain/catalog/picture-item.ts';
import type { AllowedNetworks } from '../domain/delivery/outside-address.ts';
import type { Sealer } from '../domain/delivery/seal.ts';
import type { Page } from '../domain/kernel/page.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketList } from '../domain/market/market-list.ts';
import type { PageMarket } from '../domain/market/served-market.ts';
import type { SyncStore } from '../domain/sync/sync-store.ts';
import type { PictureFolder } from './catalog/picture-files.ts';
import type { FetchOutside } from './catalog/pictures.ts';

/** What a search finds: the exact JSON of each result. */
export interface Found {
  readonly rows: readonly string[];
  readonly total: number;
}

/** Everything that pages are made from. */
export interface WebDeps {
  /** What is published, and what stands behind it: no page can load a source row. */
  readonly market: PageMarket;
  /** How sources do that are fetched by themselves. */
  readonly sync: Pick<SyncStore, 'listSources'>;
  /** The private side of the store. */
  readonly accounts: AccountStore;
  /** Keeps secrets and addresses of channels; null where the operator has set no secret. */
  readonly sealer: Sealer | null;
  /** Signs spreadsheet links; null where the operator has set no secret. */
  readonly sheetSigner: SheetSigner | null;
  /** Private networks that messages may be sent to nevertheless. */
  readonly allowedNetworks: AllowedNetworks;
  /** What a rule holds for now; it may be more than a rule can begin with. */
  findMatches(accountId: number, rule: AlertRuleFacts): Promise<Matches | 'too many'>;
  /**
   * Has what alerts about a list hold for already not told, after these sets were put on it or
   * their targets were changed; how many match that did not before.
   */
  recordMatches(accountId: number, listId: number, setKeys: readonly string[]): Promise<number>;
  /** Waits. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Collections with the values they are joined with. */
  readonly portfolio: PortfolioData;
  readonly clock: Clock;
  /** What platforms and carriers charge. */
  readonly tables: FeeTables;
  /** A box to try evaluating with; undefined or null where there is no such thing. */
  readonly exampleBox?: BoxForSale | null;
  /** Whether a replica is read from; null where there is none. */
  isReplicaUsed(): boolean | null;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The names of the retailers. */
  readonly retailerNames: { readonly retailer_a: string; readonly retailer_b: string };
  /** Hosts that pictures are fetched from. */
  readonly pictureHosts: readonly string[];
  readonly fetchOutside: FetchOutside;
  /** Where pictures are kept over restarts; undefined or null: in memory alone. */
  readonly pictureFolder?: PictureFolder | null;
  /** Draws an item of a made-up market as SVG; undefined or null where the market is real. */
  readonly drawPicture?: DrawPicture | null;
  /** The address that browsers see, without a slash at the end; null: where it listens. */
  readonly baseUrl: string | null;
  /** Sends an e-mail; undefined where none can be sent. */
  readonly sendMail?: ((mail: Mail) => Promise<void>) | undefined;
  /** Called with what went wrong when an e-mail could not be sent. */
  readonly onMailFailure?: (error: unknown) => void;
  search(query: {
    readonly kind: ItemKind;
    readonly term: string;
    readonly limit: number;
    readonly offset: number;
  }): Promise<Found>;
  /** The keys of all that a term finds, best first. */
  searchKeys(kind: ItemKind, term: string): Promise<readonly string[]>;
  /** Everything on the market, to be filtered and sorted. */
  findMarket(): Promise<MarketList>;
  /** The published record of an item as JSON, by any of its numbers; null when there is none. */
  findDocument(kind: ItemKind, number: string): Promise<string | null>;
  /** Deals, by tables of fees that may be somebody's own. */
  findDeals(tables: FeeTables, question: DealQuestion): Promise<Page<Deal>>;
  /** The cheapest offers of sets; those that no retailer has are left out. */
  findOffers(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>>;
  /** Counts that somebody looked at an item. */
  noteLookUp(kind: ItemKind, key: string): void;
}
