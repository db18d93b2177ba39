/** Things of which next to nothing is known. */

import type { MinifigFacts, SetFacts } from '../../src/domain/catalog/catalog.ts';
import type { Evidence } from '../../src/domain/market/evidence.ts';
import type { MonthPoint, Series } from '../../src/domain/market/history.ts';
import type { ImportEntry } from '../../src/domain/market/journal.ts';
import type { MarketRow } from '../../src/domain/market/market-ingest.ts';
import type { PublishedItem } from '../../src/domain/market/publishing-store.ts';
import type { Offer, Sale } from '../../src/domain/market/source-rows.ts';
import { type Outlook, unknownUncertainty } from '../../src/domain/market/uncertainty.ts';

/** A set with a number, a title and a theme; tests add what they are about. */
export const bareSet: SetFacts = {
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

/** A minifig with a number and a name. */
export const bareMinifig: MinifigFacts = {
  number: 'cas001',
  name: 'Knight',
  category: null,
  color: null,
  yearReleased: null,
  imageUrl: null,
  aliases: [],
};

/** A sealed castle sold for 100 dollars. */
export const bareSale: Sale = {
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
};

/** A look at retailer A that found a price and told nothing else. */
export const bareOffer: Offer = {
  retailer: 'retailer_a',
  setKey: '75192',
  observedAt: Date.UTC(2026, 10, 9),
  priceCents: 120_00,
  listPriceCents: null,
  sellerType: null,
  inStock: null,
  asin: null,
  productUrl: null,
  lowestFbaCents: null,
  fbaSellers: null,
  buyBoxCents: null,
};

/** An import that brought nothing. */
export const bareImport: ImportEntry = {
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
};

/** What stands behind a value when nothing is known. */
export const bareEvidence: Evidence = {
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
};

/** What a plan knows of an item that nobody knows anything about. */
export const bareOutlook: Outlook = {
  sealed: unknownUncertainty(0.01),
  used: unknownUncertainty(0.01),
  isTraded: true,
  hasBarcode: false,
};

/** A finished document without values; tests say whose it is, and in which version. */
export const bareItem: Omit<PublishedItem, 'id' | 'version'> = {
  at: Date.UTC(2026, 10, 9),
  body: '{}',
  searchRow: '{}',
  search: { otherNames: [], subthemes: [], themes: [], interest: 0 },
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
  evidence: bareEvidence,
  events: null,
  outlook: bareOutlook,
  scores: [],
  dealScores: [],
  dueAt: Date.UTC(2026, 11, 9),
};

/** Months of which nobody wrote down what they were made from. */
export function bareSeries(firstMonth: number, points: readonly MonthPoint[]): Series {
  return { firstMonth, points, revision: 0, provenance: points.map(() => null) };
}

/** A set with nothing but a number, as the feed brings it in. */
export function setRow(number: string): MarketRow {
  return { kind: 'set', source: 'feed', facts: { ...bareSet, number } };
}

/** A minifig with nothing but its numbers, as the feed brings it in. */
export function minifigRow(number: string, aliases: string[] = []): MarketRow {
  return { kind: 'minifig', source: 'feed', facts: { ...bareMinifig, number, aliases } };
}
