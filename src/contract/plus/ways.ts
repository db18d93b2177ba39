/** Ways to sell a set, compared. */
import type { Static } from 'typebox';
import { noBestReasons, noWayReasons, wayAssumptions, wayNames } from '../../buying/ways/ways.ts';
import { dataTiers } from '../../market/evidence/evidence.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import {
  choice,
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
import { amount } from './catalog-list.ts';
import { sellingChannelNames } from './terms.ts';

export const WaysQuery = exactly({
  condition: choice(conditions, 'The condition of the set in hand.', { usual: 'sealed' }),
  price_usd: amount('Cost of the set; with it, each way has a `profit_usd`.', 99.99),
});

const soldThings = ['set', 'minifigs', 'rest', 'parts'] as const;

const SoldLine = record('SoldLine', 'Something that is sold.', {
  what: oneOf(soldThings, 'The `set`, its `minifigs`, the `rest` without them, or its `parts`.'),
  units: count('How many; 1 for parts, which are one estimate.'),
  channel: orNull(
    oneOf(sellingChannelNames, 'The channel that leaves most; null if minifigures have several.'),
  ),
  price_usd: usd('The median price, including shipping; of parts, without it.'),
  fees_usd: usd('Platform, payment, fulfillment and storage fees.'),
  postage_usd: usd('Shipping and packaging.'),
});

const Way = record('WayToSell', 'The result of one way.', {
  way: oneOf(
    wayNames,
    '`sealed`; `used` and complete; `minifigs` one by one, with the rest as an incomplete ' +
      'set; or `parts` one by one.',
  ),
  sold: listOf(SoldLine, 'The items sold.', 2),
  revenue_usd: usd('Sum of the prices.'),
  fees_usd: usd('Sum of the fees.'),
  postage_usd: usd('Sum of shipping and packaging.'),
  hours: decimal('Hours of work, to the half hour.'),
  work_usd: usd('The same at your cost per hour.'),
  net_usd: usd('Revenue minus fees, shipping and work; below 0 if the way loses money.'),
  profit_usd: orNull(usd('Net minus your cost; null without `price_usd`.')),
  uncertainty_usd: usd('Standard deviation of the net, as far as values are uncertain.'),
  half_days: orNull(decimal('Days until half of the money is in; null when unknown.')),
  most_days: orNull(decimal('Days until nine tenths of it are; null when unknown.')),
  data_tier: orNull(oneOf(dataTiers, 'The worst tier of its values; null for `parts`.')),
  rest_value_pct: orNull(
    decimal(
      'For `minifigs`: value of the rest, as a percentage of the used value, 0 if it is not ' +
        'sold; null otherwise.',
    ),
  ),
  assumed: listOf(
    oneOf(wayAssumptions, 'An assumption.'),
    'Assumptions that are not learned from sales; may be empty.',
    wayAssumptions.length,
  ),
});

const MissingWay = record('MissingWay', 'A way without a result.', {
  way: oneOf(wayNames, 'The way.'),
  reason: oneOf(noWayReasons, 'Why it has none.'),
});

const PartsEstimate = record(
  'PartsEstimate',
  'Our estimate of the revenue from the parts; null if no source has a recent value for them.',
  {
    sold_usd: usd('Revenue from the parts that are assumed to sell, in whole dollars.'),
    orders: count('The orders it is assumed to sell in.'),
  },
);

const WorkTerms = record('WorkTerms', "Your account's settings for work.", {
  hour_usd: usd('Cost per hour.'),
  seconds_per_lot: count('Seconds to list a lot.'),
  seconds_per_piece: count('Seconds to sort a piece.'),
});

export const WaysToSell = record('WaysToSell', {
  set_number: text('The set number.'),
  title: text('Name of the set.'),
  condition: oneOf(conditions, 'The condition of the set in hand.'),
  best: orNull(
    oneOf(
      wayNames,
      'The way with the highest net; null unless it beats the next one by more than their ' +
        'uncertainty.',
    ),
  ),
  no_best_reason: orNull(
    oneOf(noBestReasons, 'Why none is best; null if there is one, or no way at all.'),
  ),
  loses_each_way: flag('Whether each way loses money; with `price_usd`, also after your cost.'),
  ways: listOf(Way, 'In a fixed order.', wayNames.length),
  missing: listOf(MissingWay, 'Ways without a result.', wayNames.length),
  parts: orNull(PartsEstimate),
  work: WorkTerms,
});

export type WaysToSell = Static<typeof WaysToSell>;

/** Example for the OpenAPI document. */
export const waysExample: WaysToSell = {
  set_number: '10482',
  title: 'Harbour Lighthouse',
  condition: 'sealed',
  best: 'sealed',
  no_best_reason: null,
  loses_each_way: false,
  ways: [
    {
      way: 'sealed',
      sold: [
        {
          what: 'set',
          units: 1,
          channel: 'bricklink',
          price_usd: 165.2,
          fees_usd: 11.92,
          postage_usd: 14.4,
        },
      ],
      revenue_usd: 165.2,
      fees_usd: 11.92,
      postage_usd: 14.4,
      hours: 0,
      work_usd: 0,
      net_usd: 138.88,
      profit_usd: null,
      uncertainty_usd: 3.44,
      half_days: 31.5,
      most_days: 104.6,
      data_tier: 'high',
      rest_value_pct: null,
      assumed: [],
    },
    {
      way: 'parts',
      sold: [
        {
          what: 'parts',
          units: 1,
          channel: 'bricklink',
          price_usd: 148,
          fees_usd: 14.04,
          postage_usd: 6,
        },
      ],
      revenue_usd: 148,
      fees_usd: 14.04,
      postage_usd: 6,
      hours: 4,
      work_usd: 60,
      net_usd: 67.96,
      profit_usd: null,
      uncertainty_usd: 44.4,
      half_days: 270,
      most_days: 900,
      data_tier: null,
      rest_value_pct: null,
      assumed: ['parts_share', 'parts_time', 'parts_orders'],
    },
  ],
  missing: [
    { way: 'used', reason: 'no_value' },
    { way: 'minifigs', reason: 'no_value' },
  ],
  parts: { sold_usd: 148, orders: 6 },
  work: { hour_usd: 15, seconds_per_lot: 40, seconds_per_piece: 3 },
};
