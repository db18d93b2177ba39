/** Max buy prices of one unit by channel. */
import type { Static } from 'typebox';
import { buyWarnings, noBuyReasons } from '../../buying/prices/what-to-pay.ts';
import { dataTiers } from '../../market/evidence/evidence.ts';
import { leftOutFees } from '../../market/fees/left-out-fees.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import {
  count,
  decimal,
  exactly,
  flag,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from '../fields.ts';
import {
  gradeFields,
  itemCondition,
  itemGrade,
  itemNames,
  sellingChannel,
  sellingChannelNames,
  termFields,
} from './terms.ts';

export const MaxBuyQuery = exactly({
  ...itemNames,
  condition: itemCondition,
  grade: itemGrade,
  ...termFields,
  channel: sellingChannel,
});

const ChannelQuote = record('ChannelQuote', 'The result in one channel.', {
  channel: oneOf(sellingChannelNames, 'The channel; `fba` is Amazon with fulfillment by Amazon.'),
  assumed: flag('Whether its prices are assumed from other channels.'),
  price_usd: usd('Price that `share` of ordinary sales reach, including shipping, before tax.'),
  fees_usd: usd('Platform, payment, fulfillment and storage fees.'),
  not_included: listOf(
    oneOf(leftOutFees, 'A fee.'),
    "Fees that depend on how you sell and are not in `fees_usd`: Amazon's `selling_plan` " +
      '($39.99 a month, or $0.99 per item) and `inbound_placement`; may be empty.',
    leftOutFees.length,
  ),
  postage_usd: usd('Shipping and packaging; 0 for `fba` and `local`.'),
  net_usd: usd('Price minus fees and shipping.'),
  max_buy_usd: orNull(usd('The most you can pay and keep `margin_pct`; null if no price does.')),
  wait_days: orNull(
    decimal('Median days until your unit sells at the usual price; null when unknown.'),
  ),
  rivals: orNull(count('Units of other sellers in the last 30 days; null when unknown.')),
  cheapest: flag('Whether the usual price is at or below the lowest one that others ask.'),
  wait_assumed: flag('Whether `wait_days` rests on assumed rivals or on sales elsewhere.'),
});

export const MaxBuy = record('MaxBuy', {
  item_type: oneOf(['set', 'minifig'] as const, 'Type of the item.'),
  number: text('The canonical number.'),
  title: text('Name of the item.'),
  condition: oneOf(conditions, 'Condition of the unit.'),
  share: decimal('The requested share.'),
  margin_pct: decimal('The requested margin.'),
  value_usd: orNull(usd('Value in this condition; null when there is none.')),
  data_tier: orNull(oneOf(dataTiers, 'How well sales support the value; null if there is none.')),
  sales_per_month: orNull(decimal('Expected sales per month in all channels; null when unknown.')),
  wait_days: orNull(
    decimal('Median days until your unit sells in the best channel; null when unknown.'),
  ),
  best_channel: orNull(
    oneOf(
      sellingChannelNames,
      'The channel with the highest max buy price, among those with learned prices; null if ' +
        'there is a `reason`.',
    ),
  ),
  warnings: listOf(
    oneOf(buyWarnings, 'A warning.'),
    'What to check before you buy; may be empty.',
    buyWarnings.length,
  ),
  reason: orNull(oneOf(noBuyReasons, 'Why there is no max buy price; null when there is one.')),
  channels: listOf(
    ChannelQuote,
    'All channels in a fixed order; `fba` only if the box size is known.',
    sellingChannelNames.length,
  ),
  ...gradeFields,
});

export type MaxBuy = Static<typeof MaxBuy>;

/** Example for the OpenAPI document. */
export const maxBuyExample: MaxBuy = {
  item_type: 'set',
  number: '10482',
  title: 'Harbour Lighthouse',
  condition: 'sealed',
  share: 0.8,
  margin_pct: 25,
  value_usd: 168.4,
  data_tier: 'high',
  sales_per_month: 9.36,
  wait_days: 31.5,
  best_channel: 'bricklink',
  warnings: [],
  reason: null,
  channels: [
    {
      channel: 'bricklink',
      assumed: false,
      price_usd: 151.2,
      fees_usd: 9.8,
      not_included: [],
      postage_usd: 14.4,
      net_usd: 127,
      max_buy_usd: 101.6,
      wait_days: 31.5,
      rivals: 11,
      cheapest: false,
      wait_assumed: false,
    },
    {
      channel: 'facebook',
      assumed: true,
      price_usd: 151.2,
      fees_usd: 0,
      not_included: [],
      postage_usd: 14.4,
      net_usd: 136.8,
      max_buy_usd: 109.44,
      wait_days: 58.4,
      rivals: null,
      cheapest: false,
      wait_assumed: true,
    },
  ],
};
