/** Deals: retailer offers at or below the max buy price. */
import Type, { type Static } from 'typebox';
import { dealTiers, dealWarnings, usualMinTier } from '../../buying/deals/deal.ts';
import { sealedGrades } from '../../market/grades/grades.ts';
import { retailers } from '../../market/source-rows/source-rows.ts';
import { Pagination, pageQuery } from '../catalog.ts';
import {
  choice,
  decimal,
  exactly,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from '../fields.ts';
import { pageSizeMax } from '../limits.ts';
import { amount, setFilters } from './catalog-list.ts';
import { gradeFields, sellingChannelNames, termFields } from './terms.ts';

export const DealsQuery = exactly({
  retailer: Type.Optional(choice(retailers, 'Only offers of this retailer.')),
  ...setFilters,
  min_tier: choice(dealTiers, 'The lowest data tier to include.', { usual: usualMinTier }),
  min_profit_usd: amount('Only deals with at least this profit.', 20),
  min_roi_pct: amount('Only deals with at least this return on cost, in percent.', 25),
  max_price_usd: amount('Only offers at or below this price.', 150),
  min_part_out_ratio: amount('Only offers with at least this `part_out_ratio`.', 2),
  grade: Type.Optional(
    choice(
      sealedGrades,
      'Grade in which you expect to sell the sealed units, which lowers their prices.',
      { example: 'light_wear' },
    ),
  ),
  ...termFields,
  ...pageQuery,
});

const Deal = record('Deal', 'One set at one retailer.', {
  set_number: text('The set number.'),
  title: text('Name of the set.'),
  theme: text('Theme of the set.'),
  retailer: oneOf(retailers, 'The retailer.'),
  price_usd: usd('Current price at the retailer.'),
  max_buy_usd: usd('Max buy price; never below `price_usd`.'),
  best_channel: oneOf(sellingChannelNames, 'Best channel to sell it in.'),
  net_usd: usd('Median net in the best channel.'),
  profit_usd: usd('Net minus cost.'),
  roi_pct: decimal('Profit as a percentage of cost.'),
  wait_days: orNull(decimal('Median days until it sells there; null when unknown.')),
  profit_per_month_usd: orNull(
    usd('Profit divided by months until it sells, at least one; null if `wait_days` is.'),
  ),
  part_out_ratio: orNull(
    decimal(
      'Estimated revenue from its parts, as a multiple of `price_usd`; null when no source has ' +
        'a recent value for them.',
    ),
  ),
  warnings: listOf(
    oneOf(dealWarnings, 'A warning.'),
    'What to check before you buy; may be empty.',
    dealWarnings.length,
  ),
  observed_at: instant('When the price was observed.'),
  product_url: orNull(text('URL of the product page; null when unknown.')),
});

export const DealPage = record('DealPage', {
  deals: listOf(Deal, 'Highest profit per month first.', pageSizeMax),
  pagination: Pagination,
  ...gradeFields,
});

export type DealPage = Static<typeof DealPage>;

/** Example for the OpenAPI document. */
export const dealPageExample: DealPage = {
  deals: [
    {
      set_number: '10482',
      title: 'Harbour Lighthouse',
      theme: 'Coastline',
      retailer: 'retailer_a',
      price_usd: 95.99,
      max_buy_usd: 101.6,
      best_channel: 'bricklink',
      net_usd: 141.15,
      profit_usd: 45.16,
      roi_pct: 47.05,
      wait_days: 2.3,
      profit_per_month_usd: 45.16,
      part_out_ratio: 1.54,
      warnings: ['third_party_seller'],
      observed_at: '2026-11-15T05:40:00.000Z',
      product_url: 'https://retailer-a.example.com/dp/B0EXAMPLE1',
    },
  ],
  pagination: { total: 1, limit: 50, offset: 0, has_more: false },
};
