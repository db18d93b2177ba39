/** Things of which next to nothing is known. */
import type { SetFacts } from '../../src/domain/catalog.ts';
import type { Offer } from '../../src/domain/market.ts';

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
