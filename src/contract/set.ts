/** The Set record of `GET /set/{number}` and the batch. */

import Type from 'typebox';
import { dataTiers } from '../market/evidence/evidence.ts';
import { retailers } from '../market/source-rows/source-rows.ts';
import {
  count,
  day,
  decimal,
  flag,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from './fields.ts';

export const RetailerSummary = record('RetailerSummary', 'The price of the set at one retailer.', {
  retailer: oneOf(retailers, 'Identifier of the retailer.'),
  retailer_name: text('Display name of the retailer.'),
  current_price: usd('Latest known price; kept when the set sells out.'),
  list_price: usd('List price at the retailer, otherwise the MSRP, otherwise the price.'),
  discount_percent: decimal('Discount from the list price in percent, never below 0.'),
  in_stock: flag('Whether the set can be bought; also true when the retailer does not say.'),
  is_first_party: flag(
    'Whether the retailer itself is the seller. False also when the seller is unknown.',
  ),
  product_url: orNull(text('URL of the product page; null when unknown.')),
  last_checked_at: instant('When the price was last observed.'),
});

const Barcodes = record('Barcodes', 'Barcodes on the box.', {
  upc: orNull(text('12-digit UPC; null when unknown.')),
  ean: orNull(text('13-digit EAN; null when unknown.')),
});

const Box = record('Box', 'Size and weight of the sealed box.', {
  width_in: orNull(decimal('Width in inches; null when unknown.')),
  height_in: orNull(decimal('Height in inches; null when unknown.')),
  depth_in: orNull(decimal('Depth in inches; null when unknown.')),
  weight_lbs: orNull(decimal('Weight in pounds; null when unknown.')),
});

const SetValueRange = record(
  'SetValueRange',
  'Expected range of the next ordinary sale in new condition, around `new_value_usd`; null ' +
    'without a value.',
  {
    low: usd('Lower end of the range.'),
    high: usd('Upper end of the range.'),
    calculated_at: instant('When the value was computed; never in the future.'),
  },
);

/** Shared by the record and its form in a batch. */
export const setFields = {
  set_number: text(
    'The set number: plain for variant 1 (`75192`), with `-k` for variant k (`75192-2`).',
  ),
  title: text('Name of the set.'),
  theme: text('Theme, such as `Castle`.'),
  subtheme: orNull(text('Subtheme; null when there is none.')),
  pieces: orNull(count('Number of pieces in the box; null when unknown.')),
  minifigs_count: count('Number of minifigures in the box.'),
  minifigs: listOf(
    text('A minifigure number.'),
    'Numbers of the minifigures in the set, sorted by number. Includes those that were ' +
      'replaced while it was sold, so there can be more than `minifigs_count`.',
  ),
  barcodes: Barcodes,
  msrp_usd: orNull(usd('Recommended retail price in the US; null when unknown.')),
  release_date: orNull(day('Release date; null when unknown.')),
  retire_date: orNull(day('Retirement date; null while it is in the future, or when unknown.')),
  status_id: Type.Integer({
    minimum: 1,
    maximum: 4,
    format: 'int32',
    description: '1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired.',
  }),
  data_tier: oneOf(dataTiers, 'How well sales support `new_value_usd`.'),
  image_url: orNull(text('URL of a picture; null when unknown.')),
  new_value_usd: orNull(usd('Market value, new and sealed; null when too little is known.')),
  used_value_usd: orNull(usd('Market value, used and complete; null when too little is known.')),
  value_range: orNull(SetValueRange),
  retailers: listOf(
    RetailerSummary,
    'Retailers that have ever had a price for the set, `retailer_a` first.',
    retailers.length,
  ),
  box: Box,
} as const;

export const SetRecord = record('Set', 'A set with its market values.', setFields);

export type SetRecord = Type.Static<typeof SetRecord>;

export type RetailerSummary = Type.Static<typeof RetailerSummary>;

/** Example for the OpenAPI document. */
export const setExample: SetRecord = {
  set_number: '10482',
  title: 'Harbour Lighthouse',
  theme: 'Coastline',
  subtheme: 'Landmarks',
  pieces: 1284,
  minifigs_count: 2,
  minifigs: ['coa0007', 'coa0012'],
  barcodes: { upc: '673419000017', ean: '5702000000015' },
  msrp_usd: 119.99,
  release_date: '2022-03-01',
  retire_date: '2024-12-31',
  status_id: 4,
  data_tier: 'high',
  image_url: 'https://images.example.com/sets/10482.png',
  new_value_usd: 168.4,
  used_value_usd: 109.75,
  value_range: { low: 148.2, high: 191.35, calculated_at: '2026-11-15T06:00:00.000Z' },
  retailers: [
    {
      retailer: 'retailer_a',
      retailer_name: 'Retailer A',
      current_price: 179.99,
      list_price: 119.99,
      discount_percent: 0,
      in_stock: true,
      is_first_party: false,
      product_url: 'https://retailer-a.example.com/dp/B0EXAMPLE1',
      last_checked_at: '2026-11-15T05:40:00.000Z',
    },
  ],
  box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 },
};
