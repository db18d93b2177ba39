/** Holdings and recorded sales of the caller, of sets and minifigures. */
import Type, { type Static } from 'typebox';
import { itemKinds } from '../../catalog/items/numbers.ts';
import { dataTiers } from '../../market/evidence/evidence.ts';
import { platforms } from '../../market/fees/platforms.ts';
import { gradeLengthMax } from '../../market/grades/grades.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { detailLimits } from '../../portfolio/lots/lot-details.ts';
import { dateBases, holdingStatuses } from '../../portfolio/lots/lot-fields.ts';
import { saleFields } from '../brickfolio.ts';
import { pageQuery } from '../catalog.ts';
import {
  anyWhole,
  choice,
  count,
  day,
  decimal,
  exactly,
  filterDay,
  flag,
  id,
  identifier,
  largeCount,
  listOf,
  oneOf,
  orNull,
  position,
  record,
  text,
  usd,
} from '../fields.ts';
import { pageSizeMax } from '../limits.ts';

const itemType = oneOf(itemKinds, 'Whether it is a set or a minifigure.');
const number = text('The number, as it was entered.');
const title = text('Name of the item; its number if it is not published.');

const optional = Type.Optional;

const after = optional(position('Only rows after this position. If omitted, the first rows.'));

const itemFilters = {
  item_type: optional(choice(itemKinds, 'Only sets, or only minifigures.')),
  number: Type.Optional(identifier('Only this set or minifigure, by any of its numbers.', '10482')),
  condition: optional(choice(conditions, 'Only units in this condition.')),
};

const brickfolioId = Type.Optional(
  anyWhole({ minimum: 1, description: 'Only holdings in this collection.', example: 1 }),
);

export const HoldingsQuery = exactly({
  ...itemFilters,
  brickfolio_id: brickfolioId,
  status: optional(choice(holdingStatuses, 'Only holdings with this status.')),
  purchased_from: filterDay('Only holdings bought on or after this day.', '2024-01-01'),
  purchased_to: filterDay('Only holdings bought on or before this day.', '2026-12-31'),
  after,
  limit: pageQuery.limit,
});

export const HoldingsSummaryQuery = exactly({ brickfolio_id: brickfolioId });

export const RecordedSalesQuery = exactly({
  ...itemFilters,
  platform: optional(choice(platforms, 'Only sales on this platform.')),
  sold_from: filterDay('Only sales on or after this day.', '2026-01-01'),
  sold_to: filterDay('Only sales on or before this day.', '2026-12-31'),
  after,
  limit: pageQuery.limit,
});

/** Text that a person entered, and its maximum length. */
function limitedText(maxLength: number, description: string) {
  return Type.String({ maxLength, description });
}

const OwnField = record('OwnField', 'A field that you named.', {
  name: limitedText(detailLimits.ownName, 'Its name.'),
  value: limitedText(detailLimits.ownValue, 'Its value.'),
});

const OwnHolding = record(
  'OwnHolding',
  'Units of one set or minifigure, bought together. Details are null when they are not known.',
  {
    id: id('ID of the holding.'),
    item_type: itemType,
    number,
    title,
    theme: text('Theme; empty when unknown.'),
    brickfolio_id: id('ID of its collection.'),
    quantity: count('Units left.'),
    quantity_bought: count('Units bought.'),
    condition: oneOf(conditions, 'Condition of the units.'),
    status: oneOf(holdingStatuses, '`listed` when offered for sale, otherwise `owned`.'),
    purchase_price_usd: usd('Purchase price per unit.'),
    price_is_estimated: flag('Whether the price is an estimate.'),
    purchase_date: day('Date of purchase.'),
    purchase_date_is: oneOf(dateBases, 'How the date is known.'),
    current_value_usd: orNull(usd('Current value per unit; null when unknown.')),
    data_tier: orNull(oneOf(dataTiers, 'How well sales support the value; null without one.')),
    total_current_value_usd: orNull(usd('Current value of all units; null when unknown.')),
    unrealized_gain_loss_usd: orNull(usd('Value minus cost; null when unknown.')),
    unrealized_gain_loss_pct: orNull(
      decimal('Gain or loss as a percentage of cost; 0 when the cost is 0; null when unknown.'),
    ),
    grade: orNull(
      limitedText(
        gradeLengthMax,
        'Grade of condition, such as `damaged_box` or `incomplete_85`; null if none was chosen.',
      ),
    ),
    notes: orNull(
      limitedText(
        detailLimits.notes,
        'Notes; may have several lines. It is null if there are none.',
      ),
    ),
    tags: listOf(
      limitedText(detailLimits.tag, 'A tag.'),
      'Tags, in the order they were entered.',
      detailLimits.tags,
    ),
    place: orNull(
      limitedText(
        detailLimits.place,
        'Where the units are, from the outside in: `Shelf A › Bin 3`; null if unknown.',
      ),
    ),
    bought_at: orNull(
      limitedText(detailLimits.boughtAt, 'Where they were bought; null if unknown.'),
    ),
    asking_price_usd: orNull(usd('Asking price per unit; null if unknown.')),
    listing_url: orNull(limitedText(detailLimits.url, 'Address of the listing; null if unknown.')),
    listed_at: orNull(day('Date of the listing; null if unknown.')),
    days_listed: orNull(count('Days since then; null unless the status is `listed`.')),
    own_fields: listOf(OwnField, 'Fields that you named, by name.', detailLimits.ownFields),
  },
);

const paging = {
  next: largeCount('Send this as `after` in the next call.'),
  has_more: flag('Whether there are more rows after `next`.'),
};

export const OwnHoldingPage = record('OwnHoldingPage', {
  holdings: listOf(OwnHolding, 'In the order they were recorded.', pageSizeMax),
  ...paging,
});

const HoldingsTotals = record('HoldingsTotals', 'Totals of holdings.', {
  distinct_count: count('Number of different sets or minifigures held.'),
  item_count: largeCount('Number of units held.'),
  total_cost_basis_usd: usd('Cost of all units held.'),
  total_current_value_usd: usd('Current value of all units held; those without one at cost.'),
  unrealized_gain_loss_usd: usd('Value minus cost.'),
  unrealized_gain_loss_pct: decimal('Gain or loss as a percentage of cost; 0 when the cost is 0.'),
});

export const HoldingsSummary = record('HoldingsSummary', {
  all: HoldingsTotals,
  sets: HoldingsTotals,
  minifigs: HoldingsTotals,
});

const RecordedSale = record('RecordedSale', 'A recorded sale.', {
  id: id('ID of the sale.'),
  item_type: itemType,
  number,
  title,
  condition: oneOf(conditions, 'Condition of the units.'),
  ...saleFields,
  cost_basis_usd: usd('Cost of the units, fixed when the sale was recorded.'),
});

export const RecordedSalePage = record('RecordedSalePage', {
  sales: listOf(RecordedSale, 'In the order they were recorded.', pageSizeMax),
  ...paging,
});

export type HoldingsQuery = Static<typeof HoldingsQuery>;
export type OwnHoldingPage = Static<typeof OwnHoldingPage>;
export type HoldingsSummary = Static<typeof HoldingsSummary>;
export type RecordedSalePage = Static<typeof RecordedSalePage>;

/** Examples for the OpenAPI document. */
export const ownHoldingPageExample: OwnHoldingPage = {
  holdings: [
    {
      id: 7,
      item_type: 'minifig',
      number: 'coa0007',
      title: 'Lighthouse Keeper, Yellow Raincoat',
      theme: 'Coastline',
      brickfolio_id: 1,
      quantity: 2,
      quantity_bought: 3,
      condition: 'used',
      status: 'listed',
      purchase_price_usd: 4.5,
      price_is_estimated: false,
      purchase_date: '2025-03-02',
      purchase_date_is: 'known',
      current_value_usd: 6.2,
      data_tier: 'medium',
      total_current_value_usd: 12.4,
      unrealized_gain_loss_usd: 3.4,
      unrealized_gain_loss_pct: 37.78,
      grade: 'complete',
      notes: 'Raincoat slightly yellowed.',
      tags: ['harbor', 'gift'],
      place: 'Shelf A › Bin 3',
      bought_at: 'Flea market',
      asking_price_usd: 7.5,
      listing_url: 'https://www.example.com/listing/4711',
      listed_at: '2026-11-01',
      days_listed: 14,
      own_fields: [{ name: 'Buyer', value: 'Ann' }],
    },
  ],
  next: 7,
  has_more: false,
};
const setTotals = {
  distinct_count: 1,
  item_count: 2,
  total_cost_basis_usd: 209,
  total_current_value_usd: 336.8,
  unrealized_gain_loss_usd: 127.8,
  unrealized_gain_loss_pct: 61.15,
};
export const holdingsSummaryExample: HoldingsSummary = {
  all: {
    distinct_count: 2,
    item_count: 4,
    total_cost_basis_usd: 218,
    total_current_value_usd: 349.2,
    unrealized_gain_loss_usd: 131.2,
    unrealized_gain_loss_pct: 60.18,
  },
  sets: setTotals,
  minifigs: {
    distinct_count: 1,
    item_count: 2,
    total_cost_basis_usd: 9,
    total_current_value_usd: 12.4,
    unrealized_gain_loss_usd: 3.4,
    unrealized_gain_loss_pct: 37.78,
  },
};
export const recordedSalePageExample: RecordedSalePage = {
  sales: [
    {
      id: 1,
      item_type: 'minifig',
      number: 'coa0007',
      title: 'Lighthouse Keeper, Yellow Raincoat',
      condition: 'used',
      platform: 'bricklink',
      sale_date: '2026-10-04',
      quantity: 1,
      gross_proceeds_usd: 7,
      platform_fees_usd: 0.21,
      payment_fees_usd: 0.5,
      shipping_cost_usd: 0,
      net_proceeds_usd: 6.29,
      profit_loss_usd: 1.79,
      roi_pct: 39.78,
      cost_basis_usd: 4.5,
    },
  ],
  next: 1,
  has_more: false,
};
