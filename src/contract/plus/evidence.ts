/** Evidence behind the values of an item: counts and reasons, never a single sale. */
import type { Static, TSchema } from 'typebox';
import { dataTiers, rowOutcomes } from '../../market/evidence/evidence.ts';
import { channels } from '../../market/source-rows/source-rows.ts';
import { soldShares } from '../../market/values/price.ts';
import {
  count,
  decimal,
  flag,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from '../fields.ts';
import { sellingChannelNames } from './terms.ts';

const Range = record(
  'EvidenceRange',
  'Expected range of the next ordinary sale; null without a value.',
  { low: usd('Lower end of the range.'), high: usd('Upper end of the range.') },
);

const SalesByWindow = record('SalesByWindow', 'Sales that count, by age; null without a value.', {
  days_30: count('In the last 30 days.'),
  days_90: count('In the last 90 days.'),
  days_180: count('In the last 180 days.'),
  days_365: count('In the last 365 days.'),
  ever: count('Since the first sale.'),
});

const rowCounts = Object.fromEntries(
  rowOutcomes.map((outcome) => [outcome, count(`Sales that were ${outcome.replace('_', '-')}.`)]),
) as Record<(typeof rowOutcomes)[number], ReturnType<typeof count>>;

const ReasonCount = record('ReasonCount', 'Sales with the same outcome for the same reason.', {
  outcome: oneOf(rowOutcomes, 'The outcome of these sales.'),
  reason: orNull(text('Reason code; null for ordinary sales.')),
  count: count('Number of these sales.'),
});

const SoldQuantile = record('SoldQuantile', 'A measured quantile of past errors.', {
  share: decimal('A share of ordinary sales.'),
  quantile: decimal('The error that this share of sales exceeds, in units of the spread.'),
});

const SalesRate = record(
  'SalesRate',
  'How often the item sells in this condition; null when unknown.',
  {
    sales: count('Sales in the last `days` days.'),
    counted_sales: count('Those that count in waits: of each seller no more than usual.'),
    days: count('Days in which sales could be observed, at most 180.'),
    prior_sales: decimal('What similar items count for, in sales.'),
    prior_days: decimal('The days of these sales.'),
    season_index: decimal('How busy these `days` were: 1 is an average time of the year.'),
  },
);

const ChannelQueue = record(
  'ChannelQueue',
  'What the time to sell in the channel depends on; null when the sales rate is unknown.',
  {
    sales_share: decimal("The channel's share of the item's sales, from 0 to 1."),
    rivals: orNull(count('Units of other sellers in the last 30 days; null when unknown.')),
    supply_months: decimal(
      'Used if `rivals` is null: how many months of sales there the units for sale are.',
    ),
    cheapest: flag('Whether the usual price there is at or below the lowest asking price.'),
    assumed: flag('Whether `sales_share` or the rivals are assumed.'),
  },
);

const ChannelTerms = record('ChannelTerms', 'Prices and sales in one channel.', {
  channel: oneOf(sellingChannelNames, 'The channel, as in `max-buy`.'),
  offset: decimal('Prices there relative to the value, as a difference of logarithms.'),
  assumed: flag('Whether the offset is assumed.'),
  price_max_usd: orNull(
    usd("Amazon's own price, above which nothing sells there; null if there is none."),
  ),
  queue: orNull(ChannelQueue),
});

const PriceTerms = record(
  'PriceTerms',
  'What prices, max buy prices and box bids are computed from; null without a value.',
  {
    data_tier: oneOf(dataTiers, 'Tier of this value; if `modeled`, there is no max buy price.'),
    level_usd: usd('The value, or the other price while it is doubted, whichever is lower.'),
    value_spread: decimal('Uncertainty of the value: the standard deviation of its logarithm.'),
    sale_spread: decimal('Scatter of sales around the value: likewise.'),
    quantiles: listOf(
      SoldQuantile,
      'By increasing share; between two shares, interpolate.',
      soldShares.length,
    ),
    growth_per_year: orNull(
      decimal('How fast prices rise, as a difference of logarithms; null if not learned.'),
    ),
    rate: orNull(SalesRate),
    channels: listOf(ChannelTerms, 'All channels in a fixed order.', sellingChannelNames.length),
  },
);

const ChannelLiquidity = record('ChannelLiquidity', 'Sell-through in one channel.', {
  channel: oneOf(channels, 'The sales channel.'),
  sold: count('Units sold in 90 days.'),
  stock: count('Units for sale.'),
  sell_through_pct: orNull(
    decimal('`sold` as a percentage of `sold` and `stock`; null when both are 0.'),
  ),
});

const Liquidity = record(
  'Liquidity',
  'How fast the item sells in this condition; null without a value.',
  {
    sold_90d: count('Units sold in 90 days, in all channels.'),
    units_per_month: decimal('The same per month.'),
    sellers_90d: orNull(
      count('Sellers of these units, as far as sources name them; null when none does.'),
    ),
    sell_through_pct: orNull(
      decimal('Sell-through of all `channels` together; null when `channels` is empty.'),
    ),
    channels: listOf(
      ChannelLiquidity,
      'The channels in which the units for sale were counted in the last 30 days.',
      channels.length,
    ),
  },
);

const ConditionEvidence = record(
  'ConditionEvidence',
  'The value in one condition and the sales behind it.',
  {
    value_usd: orNull(usd('Value in this condition; null when there is none.')),
    range: orNull(Range),
    sales: orNull(SalesByWindow),
    rows: record('OutcomeCounts', 'Sales in this condition, by outcome.', rowCounts),
    reasons: listOf(ReasonCount, 'The same counts with reasons, sorted by outcome.'),
    liquidity: orNull(Liquidity),
    terms: orNull(PriceTerms),
  },
);

const ChannelSales = record('ChannelSales', 'Sales in one channel.', {
  channel: oneOf([...channels, 'unknown'] as const, 'The sales channel.'),
  sales: count('Sales that count.'),
  offset_pct: decimal(
    'How far prices are above fixed-price sales, in percent; negative when below.',
  ),
});

export const ItemEvidence = record('Evidence', {
  item_type: oneOf(['set', 'minifig'] as const, 'Type of the item.'),
  number: text('The canonical number.'),
  title: text('Name of the item.'),
  data_tier: oneOf(dataTiers, 'How well sales support the values.'),
  tier_reasons: listOf(text('A reason, as a sentence.'), 'Why the item has this tier.'),
  sealed: ConditionEvidence,
  used: ConditionEvidence,
  channels: listOf(
    ChannelSales,
    'Sales that count in both conditions, by channel.',
    channels.length + 1,
  ),
  season: orNull(
    listOf(
      decimal('Sales per day in a month, relative to the average.'),
      'How busy each month of the year is, January first; null if not learned.',
      12,
    ),
  ),
  engine: orNull(
    text('Version of the engine that computed the values; null if there are none yet.'),
  ),
  parameters: orNull(
    text('Version of the learned parameters it used; null if there are none yet.'),
  ),
  input_hash: orNull(text('Hash of the inputs of the values; null if there are none yet.')),
  calculated_at: orNull(instant('When the values were computed; null if there are none yet.')),
} satisfies Record<string, TSchema>);

export type ItemEvidence = Static<typeof ItemEvidence>;

/** Example for the OpenAPI document. */
export const evidenceExample: ItemEvidence = {
  item_type: 'set',
  number: '10482',
  title: 'Harbour Lighthouse',
  data_tier: 'high',
  tier_reasons: [
    'Data tier high: 28 sealed sales in 90 days, 55 in 180 days. The value is accurate to about ' +
      '2.1%; single sales vary by about 9.0%.',
    'Sealed sales counted: Mar 2022 to Nov 2026.',
  ],
  sealed: {
    value_usd: 168.4,
    range: { low: 148.2, high: 191.35 },
    sales: { days_30: 11, days_90: 28, days_180: 55, days_365: 104, ever: 260 },
    rows: { accepted: 255, down_weighted: 5, quarantined: 1, rejected: 7 },
    reasons: [
      { outcome: 'accepted', reason: null, count: 255 },
      { outcome: 'down_weighted', reason: 'damaged_box', count: 5 },
      { outcome: 'quarantined', reason: 'does_not_fit', count: 1 },
      { outcome: 'rejected', reason: 'duplicate', count: 7 },
    ],
    liquidity: {
      sold_90d: 28,
      units_per_month: 9.3,
      sellers_90d: 21,
      sell_through_pct: 56,
      channels: [
        { channel: 'fixed', sold: 18, stock: 11, sell_through_pct: 62.1 },
        { channel: 'bricklink', sold: 10, stock: 11, sell_through_pct: 47.6 },
      ],
    },
    terms: {
      data_tier: 'high',
      level_usd: 168.4,
      value_spread: 0.0208,
      sale_spread: 0.0862,
      quantiles: [
        { share: 0.5, quantile: -0.03 },
        { share: 0.8, quantile: -0.87 },
        { share: 0.95, quantile: -1.7 },
      ],
      growth_per_year: 0.062,
      rate: {
        sales: 55,
        counted_sales: 54,
        days: 180,
        prior_sales: 2.31,
        prior_days: 18.6,
        season_index: 1.04,
      },
      channels: [
        {
          channel: 'bricklink',
          offset: -0.064,
          assumed: false,
          price_max_usd: null,
          queue: {
            sales_share: 0.31,
            rivals: 11,
            supply_months: 6,
            cheapest: false,
            assumed: false,
          },
        },
      ],
    },
  },
  used: {
    value_usd: null,
    range: null,
    sales: null,
    rows: { accepted: 0, down_weighted: 0, quarantined: 0, rejected: 0 },
    reasons: [],
    liquidity: null,
    terms: null,
  },
  channels: [
    { channel: 'fixed', sales: 180, offset_pct: 0 },
    { channel: 'bricklink', sales: 80, offset_pct: -6.2 },
  ],
  season: [0.9, 0.9, 0.95, 0.95, 0.9, 0.9, 0.95, 0.95, 1, 1.05, 1.25, 1.3],
  engine: 'brickmark-7',
  parameters: '2026-11-5f0e9d55',
  input_hash: '0b6a1f6e5a0c4',
  calculated_at: '2026-11-15T06:00:00.000Z',
};
