/** What an operator sets of each source: the text of `sources.toml`, read and checked. */
import type { Secret } from './secret.ts';

/** What every source has. */
export interface SourceSettings {
  /** Where it is; ends with a slash where names are added to it. */
  readonly url: URL;
}

/** Exchange rates of the European Central Bank. */
export type EcbSettings = SourceSettings;

/** Rebrickable's tables. */
export interface RebrickableSettings extends SourceSettings {
  readonly everyMs: number;
}

/** Brickset's API, version 3. */
export interface BricksetSettings extends SourceSettings {
  readonly everyMs: number;
  readonly key: Secret;
  readonly callsPerDay: number;
}

/** BrickLink's API, version 1. */
export interface BricklinkSettings extends SourceSettings {
  readonly consumerKey: Secret;
  readonly consumerSecret: Secret;
  readonly token: Secret;
  readonly tokenSecret: Secret;
  readonly callsPerDay: number;
  /** In which currency prices are asked for. */
  readonly currency: string;
  /** Sales in this region or country only; null: everywhere. */
  readonly region: string | null;
}

/** Keepa's API. */
export interface KeepaSettings extends SourceSettings {
  readonly key: Secret;
}

/** eBay's Marketplace Insights. */
export interface EbaySettings extends SourceSettings {
  readonly clientId: Secret;
  readonly clientSecret: Secret;
  readonly callsPerDay: number;
  /** Such as `EBAY_US`. */
  readonly marketplace: string;
}

/** Any other address, in a format that can be imported. */
export interface HttpSettings extends SourceSettings {
  readonly name: string;
  /** The name of a format. */
  readonly format: string;
  /** The file that names the columns; null where the format needs none. */
  readonly mapping: string | null;
  readonly everyMs: number;
  readonly headers: Readonly<Record<string, Secret | string>>;
}

/** Every source that is turned on. */
export interface SyncSettings {
  readonly ecb: EcbSettings | null;
  readonly rebrickable: RebrickableSettings | null;
  readonly brickset: BricksetSettings | null;
  readonly bricklink: BricklinkSettings | null;
  readonly keepa: KeepaSettings | null;
  readonly ebay: EbaySettings | null;
  readonly http: readonly HttpSettings[];
  /** How long answers are kept as they came. */
  readonly keepDays: number;
}
