/** Fees and shipping by date, and the buying costs of the account: what max buy prices use. */
import type { Static } from 'typebox';
import { feeBases, stepsPers } from '../../market/fees/fee-table.ts';
import { platforms } from '../../market/fees/platforms.ts';
import {
  count,
  day,
  decimal,
  described,
  flag,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from '../fields.ts';

const from = day('In effect from this day, until the next one; the first also before it.');
const source = text('The price list it is taken from.');
const upToUsd = orNull(usd('Up to this amount; null for no limit.'));
const upToOz = orNull(decimal('Up to this weight in ounces; null for no limit.'));
const base = oneOf(
  feeBases,
  'What the percentage is of: the items, the price with shipping, or that with sales tax.',
);

const PlatformFees = record(
  'PlatformFees',
  'The fees of one platform from a day on. A price of 0 has no fees.',
  {
    platform: oneOf(platforms, 'The platform.'),
    from,
    source,
    base,
    steps_per: oneOf(stepsPers, 'Whether steps apply to each unit or to the whole order.'),
    steps: listOf(
      record('FeeStep', { up_to_usd: upToUsd, percent: decimal('Percentage of this part.') }),
      'Marginal, like tax brackets.',
    ),
    per_order: listOf(
      record('OrderFee', { up_to_usd: upToUsd, fee_usd: usd('Fee of an order up to there.') }),
      'A fixed fee by the amount of the order; may be empty.',
    ),
    minimum_usd: usd('The least that percentage and order fee come to.'),
    payments: listOf(
      record('PaymentFee', {
        name: text('The payment method.'),
        base,
        percent: decimal('Percentage of it.'),
        fee_usd: usd('Fixed fee per payment.'),
      }),
      'Payment methods, the usual one first; may be empty.',
    ),
  },
);

const PostageTable = record('PostageTable', 'Shipping within the United States from a day on.', {
  from,
  source,
  packing_usd: usd('Cost of packing material.'),
  packing_lbs: decimal('Weight of packing material in pounds.'),
  cubic_inches_per_pound: decimal('Volume that counts as a pound.'),
  rates: listOf(
    record('PostageRate', { up_to_lbs: decimal('Weight in pounds.'), usd: usd('Postage.') }),
    'By increasing weight.',
  ),
  above_per_lb_usd: usd('For each pound begun above the last rate.'),
  pieces_factor: decimal(
    'An unknown weight is this many pounds, times the pieces to the power of `pieces_power`.',
  ),
  pieces_power: decimal('The power of the number of pieces.'),
});

const FbaSize = record(
  'FbaSize',
  'A box belongs to the first size that it fits and that has a row for its weight.',
  {
    size: text('Name of the size tier.'),
    standard_size: flag('Whether storage is charged as standard size.'),
    longest_in: orNull(decimal('Limit of the longest side in inches; null for none.')),
    median_in: orNull(decimal('Limit of the median side; null for none.')),
    shortest_in: orNull(decimal('Limit of the shortest side; null for none.')),
    length_and_girth_in: orNull(
      decimal('Limit of the longest side plus twice the two others; null for none.'),
    ),
    volume_side_min_in: orNull(
      decimal(
        'The two shorter sides count as at least this much for dimensional weight; null if ' +
          'only the actual weight counts.',
      ),
    ),
    rows: listOf(
      record('FbaRow', {
        up_to_oz: upToOz,
        low_price_usd: usd('Fee below the middle prices.'),
        middle_price_usd: usd('Fee at middle prices.'),
        high_price_usd: usd('Fee above them.'),
      }),
      'By increasing weight. Heavier boxes belong to a later size.',
    ),
    step: orNull(
      record('FbaStep', 'An additional fee by weight; null for none.', {
        above_oz: decimal('Weight above which it is charged.'),
        every_oz: decimal('Size of a step.'),
        usd: usd('Fee for each step begun.'),
      }),
    ),
    peak: listOf(
      record('FbaPeakRow', { up_to_oz: upToOz, usd: usd('Additional fee in the peak season.') }),
      'By increasing weight.',
    ),
  },
);

const FbaSchedule = record(
  'FbaSchedule',
  "Amazon's fees for selling and fulfillment from a day on.",
  {
    from,
    source,
    referral_percent: decimal('Referral fee in percent of the price.'),
    referral_minimum_usd: usd('The least referral fee.'),
    middle_price_from_usd: usd('The lowest middle price.'),
    middle_price_to_usd: usd('The highest middle price.'),
    surcharge_percent: decimal('Added to the fulfillment fee, without the peak fee.'),
    cubic_inches_per_pound: decimal('Volume that counts as a pound.'),
    peak_from: text('First day of the peak season, as MM-DD.'),
    peak_to: text('Its last day, as MM-DD.'),
    sizes: listOf(FbaSize, 'From small to large.'),
  },
);

const StorageRates = record('StorageRates', {
  standard_size_usd: usd('Per cubic foot and month, for standard sizes.'),
  larger_usd: usd('Per cubic foot and month, for larger sizes.'),
});

const FbaStorage = record('FbaStorage', "Amazon's fees for storage from a day on.", {
  from,
  source,
  january_to_september: described(StorageRates, 'In the first nine months.'),
  october_to_december: described(StorageRates, 'In the last three months.'),
  aged: listOf(
    record('AgedRate', {
      from_day: count('Days in storage from which it is charged.'),
      usd: usd('Per cubic foot and month.'),
      minimum_usd: usd('The least per unit.'),
    }),
    'Surcharges by age on the 15th of a month; only the last that applies.',
  ),
});

const BuyingCosts = record('BuyingCosts', 'The buying settings of your account.', {
  sales_tax_percent: decimal('Sales tax on what you buy.'),
  cashback_percent: decimal('Cashback on the price, rounded down to cents.'),
  inbound_usd: usd('Cost of getting a unit, or a box, home.'),
  cost_of_capital_percent: decimal('Cost of capital per year, on your cost until the sale.'),
});

export const FeeSchedules = record('FeeSchedules', {
  date: day('Today in UTC, for which max buy prices are computed.'),
  sales_tax_percent: decimal('Assumed sales tax of buyers, for fees with the base `with_tax`.'),
  platforms: listOf(PlatformFees, 'By date. Your own rates replace all rows of their platforms.'),
  postage: listOf(PostageTable, 'By date.'),
  fba: listOf(FbaSchedule, 'By date.'),
  fba_storage: listOf(FbaStorage, 'By date.'),
  buying_costs: BuyingCosts,
});

export type FeeSchedules = Static<typeof FeeSchedules>;

/** Example for the OpenAPI document, with one row of each table. */
export const feeSchedulesExample: FeeSchedules = {
  date: '2026-11-15',
  sales_tax_percent: 7.5,
  platforms: [
    {
      platform: 'bricklink',
      from: '2026-01-01',
      source: 'BrickLink, Fees & Billing Policy; PayPal, merchant fees in the United States',
      base: 'items',
      steps_per: 'order',
      steps: [
        { up_to_usd: 500, percent: 3 },
        { up_to_usd: 1000, percent: 2 },
        { up_to_usd: null, percent: 1 },
      ],
      per_order: [],
      minimum_usd: 0,
      payments: [{ name: 'PayPal', base: 'with_tax', percent: 3.49, fee_usd: 0.49 }],
    },
  ],
  postage: [
    {
      from: '2026-01-01',
      source: 'Typical ground postage within the United States',
      packing_usd: 1,
      packing_lbs: 0.35,
      cubic_inches_per_pound: 166,
      rates: [
        { up_to_lbs: 1, usd: 7.25 },
        { up_to_lbs: 5, usd: 13 },
      ],
      above_per_lb_usd: 1.4,
      pieces_factor: 0.0135,
      pieces_power: 0.784,
    },
  ],
  fba: [
    {
      from: '2026-04-17',
      source: 'Amazon, FBA fulfillment fees',
      referral_percent: 15,
      referral_minimum_usd: 0.3,
      middle_price_from_usd: 10,
      middle_price_to_usd: 50,
      surcharge_percent: 3.5,
      cubic_inches_per_pound: 139,
      peak_from: '10-15',
      peak_to: '01-14',
      sizes: [
        {
          size: 'small bulky',
          standard_size: false,
          longest_in: 37,
          median_in: 28,
          shortest_in: 20,
          length_and_girth_in: 130,
          volume_side_min_in: 2,
          rows: [
            { up_to_oz: 800, low_price_usd: 6.78, middle_price_usd: 7.55, high_price_usd: 7.55 },
          ],
          step: { above_oz: 16, every_oz: 16, usd: 0.38 },
          peak: [{ up_to_oz: 800, usd: 1.04 }],
        },
      ],
    },
  ],
  fba_storage: [
    {
      from: '2026-01-15',
      source: 'Amazon, Monthly inventory storage fees',
      january_to_september: { standard_size_usd: 0.78, larger_usd: 0.56 },
      october_to_december: { standard_size_usd: 2.4, larger_usd: 1.4 },
      aged: [{ from_day: 181, usd: 0.5, minimum_usd: 0 }],
    },
  ],
  buying_costs: {
    sales_tax_percent: 0,
    cashback_percent: 0,
    inbound_usd: 0,
    cost_of_capital_percent: 0,
  },
};
