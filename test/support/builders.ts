/**
 * Complete domain values for tests. A test states the fields it depends on and takes the others
 * from here, so a new field of a domain type needs a value only in this file.
 */

import type { NewAccount } from '../../src/accounts/people/account.ts';
import {
  type AddressedKind,
  deliveryTable,
} from '../../src/alerts/channels/delivery-channel-kinds.ts';
import type { MinifigFacts, SetDescription, SetFacts } from '../../src/catalog/items/catalog.ts';
import type { ImportEntry } from '../../src/ingest/runner/journal.ts';
import type { Evidence } from '../../src/market/evidence/evidence.ts';
import type { MonthPoint, Series } from '../../src/market/history/history.ts';
import type { PublishedItem } from '../../src/market/published/publishing.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import type {
  ListingCount,
  Offer,
  PartOutValue,
  Sale,
  StoredSale,
} from '../../src/market/source-rows/source-rows.ts';
import { type Outlook, unknownUncertainty } from '../../src/market/values/uncertainty.ts';
import { type DetailField, noDetails } from '../../src/portfolio/lots/lot-fields.ts';
import {
  type BrickfolioFacts,
  type InventoryLot,
  type LedgerSaleFacts,
  type LotFacts,
  lotDefaults,
} from '../../src/portfolio/lots/lots.ts';
import type { LedgerSale } from '../../src/portfolio/sales/ledger.ts';

/** An account of a reseller who cannot sign in with a password. */
export function anAccount(facts: Partial<NewAccount> = {}): NewAccount {
  return {
    email: 'ann@example.com',
    plan: 'reseller',
    isOperator: false,
    passwordHash: null,
    at: Date.UTC(2026, 10, 15, 12),
    ...facts,
  };
}

export function aBrickfolio(facts: Partial<BrickfolioFacts> = {}): BrickfolioFacts {
  return { name: 'Shelf', description: null, isDefault: false, ...facts };
}

/** A lot of two sealed sets at $10 each, in the collection Shelf. */
export function aLot(facts: Partial<LotFacts> = {}): LotFacts {
  return {
    sourceId: 'a',
    brickfolio: 'Shelf',
    kind: 'set',
    number: '1',
    quantity: 2,
    condition: 'sealed',
    priceCents: 10_00,
    purchaseDate: '2026-03-04',
    ...lotDefaults,
    ...noDetails,
    ...facts,
  };
}

/**
 * A lot that differs from the feed's defaults in every field, to find fields that an import or
 * export drops. A new field needs a value here that is not its default.
 */
export function anUnusualLot(): Required<LotFacts> {
  return {
    sourceId: 'rebrickable/10482/sealed#1',
    brickfolio: 'Attic',
    kind: 'set',
    number: '10482',
    quantity: 2,
    condition: 'sealed',
    priceCents: 1234,
    purchaseDate: '2025-03-04',
    status: 'listed',
    isEstimated: true,
    dateBasis: 'assumed',
    grade: 'damaged_box',
    notes: '=SUM(A1), "quoted"\nsecond line',
    tags: 'gift, Ünusual',
    place: 'Shelf A › Bin 3',
    boughtAt: '+1 555 Toy & Hobby',
    askingCents: 19_99,
    listedAt: '2025-04-05',
    listingUrl: 'https://example.com/item?id=1&x=<b>',
    ownFields: '{"=Code":"-7","Buyer":"Ann, Bob"}',
  };
}

/** The details of a lot in which its owner can write anything, by their names in files. */
export type OwnersText = Exclude<DetailField, { readonly kind: 'grade' | 'money' | 'day' }>['wire'];

/** A sale of one sealed set for $30, taken from the oldest lots. */
export function aLedgerSale(facts: Partial<LedgerSaleFacts> = {}): LedgerSaleFacts {
  return {
    sourceId: 's',
    kind: 'set',
    number: '1',
    condition: 'sealed',
    platform: 'ebay',
    quantity: 1,
    saleDate: '2026-05-06',
    grossCents: 30_00,
    platformFeesCents: 1_00,
    paymentFeesCents: 2_00,
    shippingCents: 3_00,
    costCents: null,
    lot: null,
    ...facts,
  };
}

/** A lot in the inventory, with no units sold. */
export function anInventoryLot(facts: Partial<InventoryLot> = {}): InventoryLot {
  const { sourceId: _sourceId, brickfolio: _brickfolio, ...lot } = aLot();
  return { ...lot, id: 1, brickfolioId: 1, key: lot.number, sold: 0, ...facts };
}

/** A stored sale with a cost basis of $10. */
export function aRecordedSale(facts: Partial<LedgerSale> = {}): LedgerSale {
  const { sourceId: _sourceId, lot: _lot, ...sale } = aLedgerSale();
  return { ...sale, id: 1, key: sale.number, costCents: 10_00, ...facts };
}

export function aSet(facts?: Partial<SetFacts>): SetFacts;
export function aSet(facts: Partial<SetDescription>): SetDescription;
export function aSet(facts: Partial<SetDescription> = {}): SetDescription {
  const set: SetFacts = {
    number: '75192',
    title: 'Castle',
    theme: 'Castles',
    subtheme: null,
    pieces: null,
    year: null,
    minifigs: null,
    minifigsCount: null,
    upc: null,
    ean: null,
    msrpCents: null,
    releaseDate: null,
    retireDate: null,
    imageUrl: null,
    box: null,
    itemClass: 'set',
    isOnSale: null,
  };
  return { ...set, ...facts };
}

export function aMinifig(facts: Partial<MinifigFacts> = {}): MinifigFacts {
  return {
    number: 'cas001',
    name: 'Knight',
    category: null,
    color: null,
    yearReleased: null,
    imageUrl: null,
    aliases: [],
    ...facts,
  };
}

export function setRow(number: string): MarketRow {
  return { kind: 'set', source: 'feed', facts: aSet({ number }) };
}

export function minifigRow(number: string, aliases: string[] = []): MarketRow {
  return { kind: 'minifig', source: 'feed', facts: aMinifig({ number, aliases }) };
}

/** A sale of a sealed set for $100. */
export function aSale(facts: Partial<Sale> = {}): Sale {
  return {
    source: 'shop',
    sourceId: 'a',
    itemKind: 'set',
    itemKey: '75192',
    condition: 'sealed',
    priceCents: 100_00,
    shippingCents: 0,
    currency: 'USD',
    quantity: 1,
    soldAt: Date.UTC(2026, 10, 9),
    channel: null,
    seller: null,
    completeness: null,
    ...facts,
  };
}

/** A stored sale, ingested when it was sold. */
export function aStoredSale(facts: Partial<StoredSale> = {}): StoredSale {
  const { itemKind: _itemKind, itemKey: _itemKey, ...sale } = aSale();
  const ingestedAt = facts.soldAt ?? sale.soldAt;
  return { ...sale, ingestedAt, retractedAt: null, usdPerUnit: 1, ...facts };
}

export function anOffer(facts: Partial<Offer> = {}): Offer {
  return {
    retailer: 'retailer_a',
    setKey: '75192',
    observedAt: Date.UTC(2026, 10, 9),
    currency: 'USD',
    priceCents: 120_00,
    listPriceCents: null,
    sellerType: null,
    inStock: null,
    asin: null,
    productUrl: null,
    lowestFbaCents: null,
    fbaSellers: null,
    buyBoxCents: null,
    ...facts,
  };
}

/** 12 sealed units of a set for sale on BrickLink. */
export function aListingCount(facts: Partial<ListingCount> = {}): ListingCount {
  return {
    itemKind: 'set',
    itemKey: '75192',
    condition: 'sealed',
    channel: 'bricklink',
    observedAt: Date.UTC(2026, 10, 9),
    units: 12,
    lowestCents: null,
    currency: 'USD',
    ...facts,
  };
}

export function aPartOutValue(facts: Partial<PartOutValue> = {}): PartOutValue {
  return {
    setKey: '75192',
    condition: 'sealed',
    source: 'bricklink',
    observedAt: Date.UTC(2026, 10, 9),
    amountCents: 400_00,
    currency: 'USD',
    lots: 300,
    units: 1_000,
    ...facts,
  };
}

/** An import without rows. */
export function anImport(facts: Partial<ImportEntry> = {}): ImportEntry {
  return {
    format: 'feed',
    files: ['rows.ndjson'],
    startedAt: 0,
    endedAt: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    gone: null,
    error: null,
    rejects: [],
    warned: 0,
    warnings: [],
    ...facts,
  };
}

/** Evidence for an item without sales. */
export function someEvidence(facts: Partial<Evidence> = {}): Evidence {
  return {
    engine: 'test-1',
    parameters: '2026-10-00000000',
    inputHash: 0x123456789abcd,
    at: Date.UTC(2026, 10, 9),
    learnedUntil: Date.UTC(2026, 10, 9),
    tier: 'modeled',
    sealed: null,
    used: null,
    modeled: null,
    outcomes: [],
    channels: [],
    retailWeeks: 0,
    moves: [],
    ...facts,
  };
}

/** The outlook of an item without data. */
export function anOutlook(): Outlook {
  return {
    sealed: unknownUncertainty(0.01),
    used: unknownUncertainty(0.01),
    isTraded: true,
    hasBarcode: false,
  };
}

/** A published document without values. */
export function aPublishedItem(facts: Partial<PublishedItem> = {}): PublishedItem {
  return {
    id: 1,
    version: 1,
    at: Date.UTC(2026, 10, 9),
    body: '{}',
    searchRow: '{}',
    search: { otherNames: [], subthemes: [], themes: [], year: null, interest: 0 },
    name: 'Castle',
    theme: null,
    itemClass: null,
    minifigsCount: null,
    upcKey: null,
    eanKey: null,
    newCents: null,
    usedCents: null,
    series: { sealed: null, used: null },
    retail: null,
    deals: [],
    evidence: someEvidence(),
    events: null,
    outlook: anOutlook(),
    scores: [],
    dealScores: [],
    checkpoints: [],
    checkpointTimes: [],
    dueAt: Date.UTC(2026, 11, 9),
    ...facts,
  };
}

/** A series whose months all have the provenance `unsold`. */
export function aSeries(firstMonth: number, points: readonly MonthPoint[]): Series {
  return { firstMonth, points, revision: 0, provenance: points.map(() => 'unsold') };
}

/** The part of an example address that its dots leave out. */
const exampleEnds: Readonly<Record<AddressedKind, string>> = {
  webhook: '',
  ntfy: '',
  discord: '1/abc',
};

/** An address of a channel, like the example of its kind. */
export function anAddress(kind: AddressedKind): string {
  return deliveryTable[kind].address.example.replace('…', exampleEnds[kind]);
}
