/** Private data: collections, holdings, analytics and recorded sales. */

import type Type from 'typebox';
import { platforms } from '../market/fees/platforms.ts';
import { conditions } from '../market/source-rows/source-rows.ts';
import { holdingStatuses } from '../portfolio/lots/lot-fields.ts';
import { periods, pointsMax } from '../portfolio/returns/periods.ts';
import { Pagination, paginationExample } from './catalog.ts';
import {
  count,
  day,
  decimal,
  flag,
  id,
  instant,
  largeCount,
  listOf,
  month,
  oneOf,
  orNull,
  record,
  text,
  usd,
} from './fields.ts';
import { brickfoliosMax, lotsMax, pageSizeMax } from './limits.ts';

const BrickfolioSummary = record('Brickfolio', 'A collection and its totals.', {
  id: id('ID of the collection.'),
  name: text('Name of the collection.'),
  description: orNull(text('Description; null when there is none.')),
  is_default: flag('Whether new holdings go here by default.'),
  owned_set_count: count('Number of different sets held.'),
  owned_item_count: largeCount('Number of units held.'),
  total_cost_basis_usd: usd('Cost of all units held.'),
  total_current_value_usd: usd('Current value of all units held.'),
  unrealized_gain_loss_usd: usd('Value minus cost.'),
  created_at: instant('When the collection was created.'),
});

const MonthlyPeriod = record('MonthlyPeriod', 'Purchases of one month.', {
  month: month('Month of purchase, as YYYY-MM.'),
  entry_count: count('Holdings bought in this month with units left.'),
  items: largeCount('Units left of those holdings.'),
  cost_basis_usd: orNull(usd('Cost of those units; null when no price is known.')),
});

export const BrickfolioList = record('BrickfolioList', {
  brickfolios: listOf(BrickfolioSummary, 'Default first, then by name.', brickfoliosMax),
  monthly_periods: listOf(MonthlyPeriod, 'Months of purchase, oldest first.', lotsMax),
});

const Holding = record('Holding', 'Units of one set, bought together.', {
  brickfolio_id: id('ID of its collection.'),
  set_number: text('The set number.'),
  title: text('Name of the set.'),
  theme: text('Theme of the set.'),
  quantity: count('Units left.'),
  condition: oneOf(conditions, 'Condition of the units.'),
  purchase_price_usd: usd('Purchase price per unit.'),
  purchase_date: day('Date of purchase.'),
  status: oneOf(holdingStatuses, '`listed` when offered for sale, otherwise `owned`.'),
  current_value_usd: usd('Current value per unit; the purchase price if the value is unknown.'),
  total_current_value_usd: usd('Current value of all units.'),
  unrealized_gain_loss_usd: usd('Value minus cost.'),
  unrealized_gain_loss_pct: decimal('Gain or loss as a percentage of cost; 0 when the cost is 0.'),
});

export const HoldingPage = record('HoldingPage', {
  entries: listOf(Holding, 'Newest purchase first.', pageSizeMax),
  pagination: Pagination,
});

const extreme = (title: string, percent: string, what: string) =>
  orNull(
    record(title, `The set with the largest ${what}; null when there is none.`, {
      set_number: orNull(text('The set number; null when unknown.')),
      title: orNull(text('Name of the set; null when unknown.')),
      [percent]: orNull(decimal(`The ${what} as a percentage of cost; null when unknown.`)),
    }),
  );

const ValuePoint = record('ValuePoint', 'Everything held on one day.', {
  date: day('The date.'),
  total_value_usd: usd('Value of everything held on that day; at cost before its first value.'),
  cost_basis_usd: usd('Cost of everything held on that day.'),
  gain_loss_usd: usd('Value minus cost.'),
  gain_loss_pct: decimal('Gain or loss as a percentage of cost; 0 when the cost is 0.'),
});

export const Analytics = record('Analytics', {
  period: oneOf(periods, 'The requested period.'),
  summary: record('AnalyticsSummary', 'Your holdings today.', {
    total_sets: count('Number of different sets held.'),
    total_items: largeCount('Number of units held.'),
    total_cost_basis_usd: usd('Cost of all units held.'),
    total_current_value_usd: usd('Current value of all units held.'),
    unrealized_gain_loss_usd: usd('Value minus cost.'),
    unrealized_gain_loss_pct: decimal(
      'Gain or loss as a percentage of cost; 0 when the cost is 0.',
    ),
    top_gainer: extreme('TopGainer', 'gain_pct', 'gain'),
    top_loser: extreme('TopLoser', 'loss_pct', 'loss'),
  }),
  value_history: listOf(
    ValuePoint,
    'Daily for 30d and 90d, weekly for 1y. The last point is today.',
    pointsMax,
  ),
});

/** The fields of a sale besides its item; the Plus API has the same. */
export const saleFields = {
  platform: oneOf(platforms, 'Where it was sold.'),
  sale_date: day('Date of the sale.'),
  quantity: count('Units sold.'),
  gross_proceeds_usd: usd('What the buyer paid in total.'),
  platform_fees_usd: usd('Platform fees.'),
  payment_fees_usd: usd('Payment fees.'),
  shipping_cost_usd: usd('Shipping cost paid by the seller.'),
  net_proceeds_usd: usd('Gross proceeds minus fees and shipping.'),
  profit_loss_usd: usd('Net proceeds minus cost.'),
  roi_pct: orNull(decimal('Profit or loss as a percentage of cost; null when the cost is 0.')),
};

const Sale = record('Sale', 'A recorded sale.', {
  id: id('ID of the sale.'),
  set_number: text('The set number.'),
  title: text('Name of the set.'),
  ...saleFields,
});

export const SalePage = record('SalePage', {
  sales: listOf(Sale, 'Newest first.', pageSizeMax),
  pagination: Pagination,
});

export type BrickfolioList = Type.Static<typeof BrickfolioList>;

export type HoldingPage = Type.Static<typeof HoldingPage>;

export type Analytics = Type.Static<typeof Analytics>;

export type SalePage = Type.Static<typeof SalePage>;

/** Examples for the OpenAPI document. */
export const brickfolioListExample: BrickfolioList = {
  brickfolios: [
    {
      id: 1,
      name: 'Investment shelf',
      description: null,
      is_default: true,
      owned_set_count: 1,
      owned_item_count: 2,
      total_cost_basis_usd: 209,
      total_current_value_usd: 336.8,
      unrealized_gain_loss_usd: 127.8,
      created_at: '2024-01-05T10:00:00.000Z',
    },
  ],
  monthly_periods: [{ month: '2024-11', entry_count: 1, items: 2, cost_basis_usd: 209 }],
};
export const analyticsExample: Analytics = {
  period: '30d',
  summary: {
    total_sets: 1,
    total_items: 2,
    total_cost_basis_usd: 209,
    total_current_value_usd: 336.8,
    unrealized_gain_loss_usd: 127.8,
    unrealized_gain_loss_pct: 61.15,
    top_gainer: { set_number: '10482', title: 'Harbour Lighthouse', gain_pct: 61.15 },
    top_loser: null,
  },
  value_history: [
    {
      date: '2026-11-15',
      total_value_usd: 336.8,
      cost_basis_usd: 209,
      gain_loss_usd: 127.8,
      gain_loss_pct: 61.15,
    },
  ],
};
export const holdingPageExample: HoldingPage = {
  entries: [
    {
      brickfolio_id: 1,
      set_number: '10482',
      title: 'Harbour Lighthouse',
      theme: 'Coastline',
      quantity: 2,
      condition: 'sealed',
      purchase_price_usd: 104.5,
      purchase_date: '2024-11-29',
      status: 'owned',
      current_value_usd: 168.4,
      total_current_value_usd: 336.8,
      unrealized_gain_loss_usd: 127.8,
      unrealized_gain_loss_pct: 61.15,
    },
  ],
  pagination: paginationExample,
};
export const salePageExample: SalePage = {
  sales: [
    {
      id: 1,
      set_number: '10482',
      title: 'Harbour Lighthouse',
      platform: 'ebay',
      sale_date: '2026-10-04',
      quantity: 1,
      gross_proceeds_usd: 172,
      platform_fees_usd: 23.79,
      payment_fees_usd: 0,
      shipping_cost_usd: 14.2,
      net_proceeds_usd: 134.01,
      profit_loss_usd: 29.51,
      roi_pct: 28.24,
    },
  ],
  pagination: paginationExample,
};
