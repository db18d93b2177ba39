/** The value of a box of sets and minifigs, by item and in total. */
import Type, { type Static } from 'typebox';
import { dataTiers } from '../../market/evidence/evidence.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { count, flag, listOf, oneOf, orNull, plainNumber, record, text, usd } from '../fields.ts';
import { amountMax, batchItemsMax, boxListMax, itemUnitsMax } from '../limits.ts';
import {
  gradeFields,
  inBody,
  itemCondition,
  itemGrade,
  itemNames,
  sellingChannelNames,
  termFields,
} from './terms.ts';

export const EvaluateBody = record('EvaluateRequest', {
  items: Type.Array(
    record('EvaluateItem', 'Units of one item in one condition and grade.', {
      ...itemNames,
      condition: itemCondition,
      grade: itemGrade,
      quantity: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: itemUnitsMax,
          format: 'int32',
          description: 'Number of units. Default: 1. Repeated items are added up.',
        }),
      ),
    }),
    {
      minItems: 1,
      maxItems: boxListMax,
      description: 'The contents of the box: up to 100 unique items and 100,000 units.',
    },
  ),
  cost_usd: Type.Optional(
    plainNumber({
      minimum: 0,
      maximum: amountMax,
      decimals: 2,
      description: 'Price of the whole box, including tax and shipping.',
      example: 200,
    }),
  ),
  share: inBody(termFields.share),
  margin_pct: inBody(termFields.margin_pct),
});

const EvaluatedItem = record('EvaluatedItem', 'One item in one condition and grade.', {
  item_type: oneOf(['set', 'minifig'] as const, 'Type of the item.'),
  number: text('The canonical number, or the number as sent if there is no such item.'),
  title: orNull(text('Name of the item; null if there is no such item.')),
  condition: oneOf(conditions, 'The condition of the units.'),
  quantity: count('Number of units.'),
  found: flag('Whether the item exists. Items that do not exist cost a call too.'),
  unit_value_usd: orNull(usd('Value of one unit; null when there is none.')),
  total_value_usd: orNull(usd('Value of all units; null when there is none.')),
  data_tier: orNull(oneOf(dataTiers, 'How well sales support the value; null if there is none.')),
  cost_usd: orNull(
    usd('Its share of the cost, by value; null when no cost was sent or the item does not exist.'),
  ),
  ...gradeFields,
});

const Summary = record('EvaluationSummary', 'The box as a whole.', {
  units: count('Units in the box.'),
  units_valued: count('Units that have a value.'),
  sum_of_values_usd: usd('Sum of the values of all units.'),
  low_usd: orNull(usd('90% of such boxes sell for more; null when nothing has a value.')),
  median_usd: orNull(
    usd(
      '50% of such boxes sell for more; of one unit, its price on eBay at a `share` of 0.5; ' +
        'null when nothing has a value.',
    ),
  ),
  high_usd: orNull(usd('10% of such boxes sell for more; null when nothing has a value.')),
  max_bid_usd: orNull(usd('The most you can pay and keep `margin_pct`; null if no price does.')),
  best_channel: orNull(
    oneOf(sellingChannelNames, 'Best channel to sell the box in; null when there is no max bid.'),
  ),
  profit_usd: orNull(
    usd('Median net in the best channel, minus the cost; null without a cost or a max bid.'),
  ),
});

export const Evaluation = record('Evaluation', {
  items: listOf(
    EvaluatedItem,
    'One element per item, condition and grade, in the order of the request.',
    batchItemsMax,
  ),
  summary: Summary,
});

export type Evaluation = Static<typeof Evaluation>;

/** Examples for the OpenAPI document. */
export const evaluateBodyExample: Static<typeof EvaluateBody> = {
  items: [{ set: '10482', quantity: 2 }, { minifig: 'coa0007' }, { set: '99999' }],
  cost_usd: 200,
};
export const evaluationExample: Evaluation = {
  items: [
    {
      item_type: 'set',
      number: '10482',
      title: 'Harbour Lighthouse',
      condition: 'sealed',
      quantity: 2,
      found: true,
      unit_value_usd: 168.4,
      total_value_usd: 336.8,
      data_tier: 'high',
      cost_usd: 196.3,
    },
    {
      item_type: 'minifig',
      number: 'coa0007',
      title: 'Lighthouse Keeper, Yellow Raincoat',
      condition: 'used',
      quantity: 1,
      found: true,
      unit_value_usd: 6.35,
      total_value_usd: 6.35,
      data_tier: 'medium',
      cost_usd: 3.7,
    },
    {
      item_type: 'set',
      number: '99999',
      title: null,
      condition: 'sealed',
      quantity: 1,
      found: false,
      unit_value_usd: null,
      total_value_usd: null,
      data_tier: null,
      cost_usd: null,
    },
  ],
  summary: {
    units: 4,
    units_valued: 3,
    sum_of_values_usd: 343.15,
    low_usd: 309.2,
    median_usd: 343.8,
    high_usd: 382.25,
    max_bid_usd: 217.4,
    best_channel: 'bricklink',
    profit_usd: 92.15,
  },
};
