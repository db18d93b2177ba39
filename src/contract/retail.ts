/** The retail row: prices at both retailers, and the net proceeds of a resale. */
import Type from 'typebox';
import { sellerTypes } from '../market/source-rows/source-rows.ts';
import {
  count,
  described,
  flag,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from './fields.ts';
import { lotsMax } from './limits.ts';

const PriceBlock = record('PriceBlock', 'The price of a set at one retailer.', {
  price: orNull(usd('Current price; null when there is no offer.')),
  sellerType: orNull(
    oneOf(
      sellerTypes,
      '`retailer`: sold by the retailer; `third_party`: sold only by third parties; null: no ' +
        'offer, or the seller is unknown.',
    ),
  ),
  changedAt: orNull(
    instant(
      'When the price last changed, by observation time; null if it never did. A set that ' +
        'comes back in stock at the same price has not changed.',
    ),
  ),
  lastChange: orNull(
    usd('Amount of the last change, negative for a drop; null if there was none.'),
  ),
  flip1pTo3p: flag(
    'Whether the retailer stopped selling the set itself and third parties took over. ' +
      'Confirmed by two observations in a row, or after six hours.',
  ),
  atLowest: flag('Whether the price is the lowest ever seen and has been higher.'),
  lowest: orNull(usd('Lowest price ever seen; null if there was none.')),
  inStock: orNull(flag('Whether it is in stock; null when unknown.')),
});

const Exit = record(
  'RetailExit',
  'What you would net by selling one unit through Retailer A, before your purchase cost, ' +
    'inbound shipping and storage.',
  {
    lowestFba: orNull(usd('Lowest offer fulfilled by the retailer (FBA); null when unknown.')),
    fbaSellers: orNull(count('Number of sellers with such an offer; null when unknown.')),
    buyBox: orNull(usd('Price of the featured offer; null when unknown.')),
    netFba: orNull(
      usd(
        '`lowestFba`, otherwise `buyBox`, minus referral and fulfillment fees; null when the ' +
          'price or the size of the box is unknown.',
      ),
    ),
  },
);

export type PriceBlock = Type.Static<typeof PriceBlock>;

export const RetailRow = record('RetailRow', 'One set at both retailers.', {
  setNumber: text('The set number.'),
  name: text('Name of the set.'),
  asin: orNull(text("Retailer A's product identifier; null when unknown.")),
  upc: orNull(text('12-digit UPC; null when unknown.')),
  ean: orNull(text('13-digit EAN; null when unknown.')),
  paid: Type.Optional(
    usd('Your average unit cost over lots you still hold; present only for sets you hold.'),
  ),
  retailer_a: described(PriceBlock, 'The price at Retailer A.'),
  retailer_b: described(PriceBlock, 'The price at Retailer B.'),
  retailer_aExit: Exit,
});

export type RetailRow = Type.Static<typeof RetailRow>;

/** Null: no match. */
export const RetailRowOrNull = orNull(RetailRow);

export const RetailRows = listOf(
  RetailRow,
  'One row per matching set you hold, latest price change first.',
  lotsMax,
);

const priceBlock: RetailRow['retailer_a'] = {
  price: 179.99,
  sellerType: 'third_party',
  changedAt: '2026-11-12T09:15:00.000Z',
  lastChange: -10,
  flip1pTo3p: true,
  atLowest: false,
  lowest: 95.99,
  inStock: true,
};

/** At a retailer that never had the set. */
export const noPrice: RetailRow['retailer_b'] = {
  price: null,
  sellerType: null,
  changedAt: null,
  lastChange: null,
  flip1pTo3p: false,
  atLowest: false,
  lowest: null,
  inStock: null,
};

/** Example for the OpenAPI document. */
export const retailRowExample: RetailRow = {
  setNumber: '10482',
  name: 'Harbour Lighthouse',
  asin: 'B0EXAMPLE1',
  upc: '673419000017',
  ean: '5702000000015',
  paid: 104.5,
  retailer_a: priceBlock,
  retailer_b: noPrice,
  retailer_aExit: { lowestFba: 176.5, fbaSellers: 6, buyBox: 179.99, netFba: 139.46 },
};
