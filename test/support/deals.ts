/** A deal with good margins, which tests vary to make it worse. */
import type { DealCandidate, DealOffer } from '../../src/buying/deals/deal.ts';
import type { Resale } from '../../src/buying/prices/resale.ts';
import { hourMs } from '../../src/kernel/time.ts';
import { normalAbove } from '../../src/market/values/price.ts';

/** The current time in tests of deals. */
export const dealsAt = Date.UTC(2026, 5, 1);

/** A median sale of $100.00 at a fixed price, and frequent sales. */
export const soldWell: Resale = {
  tier: 'high',
  doubtedCents: null,
  price: { valueCents: 100_00, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove },
  offsets: { fixed: 0, bricklink: Math.log(0.95) },
  rate: { sales: 24, days: 365, priorSales: 2, priorDays: 60 },
  season: null,
  growthPerYear: null,
  listings: [],
  parcel: { box: { widthIn: 15, heightIn: 10, depthIn: 2.5, weightLbs: 2 }, pieces: 500 },
  fbaSellers: 3,
  amazonAskCents: null,
};

/** No other units for sale on eBay, BrickLink or Amazon. */
export const noRivals: Resale['listings'] = (['fixed', 'bricklink', 'amazon'] as const).map(
  (channel) => ({ channel, observedAt: dealsAt, units: 0, lowestCents: null }),
);

/** $50.00, observed an hour ago, sold by the retailer itself, in stock. */
const plainOffer: DealOffer = {
  retailer: 'retailer_a',
  priceCents: 50_00,
  observedAt: dealsAt - hourMs,
  sellerType: 'retailer',
  inStock: true,
  productUrl: 'https://retailer-a.example.com/item/B0TEST',
  cheaperUntil: null,
  isOftenDiscounted: false,
};

export function candidate(given: {
  readonly set?: Partial<Omit<DealCandidate, 'offer' | 'resale'>>;
  readonly resale?: Partial<Resale>;
  readonly offer?: Partial<DealOffer>;
}): DealCandidate {
  return {
    setKey: '10001-1',
    setNumber: '10001',
    title: 'Harbor',
    theme: 'Harbors',
    statusId: 4,
    partsCents: null,
    ...given.set,
    resale: { ...soldWell, ...given.resale },
    offer: { ...plainOffer, ...given.offer },
  };
}
