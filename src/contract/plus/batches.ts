/** Histories, evidence, retail data and max buy prices of up to 100 items in one call. */
import Type, { type Static } from 'typebox';
import { conditions, retailers } from '../../market/source-rows/source-rows.ts';
import { BatchSummary, found, MissingMinifig, MissingSet, notFound } from '../catalog.ts';
import { identifier, oneOf, record, text } from '../fields.ts';
import { History, historyExample } from '../history.ts';
import {
  batchChangesDefault,
  batchChangesMax,
  batchItemsMax,
  batchListMax,
  boxListMax,
} from '../limits.ts';
import { RetailRow, retailRowExample } from '../retail.ts';
import { evidenceExample, ItemEvidence } from './evidence.ts';
import { MaxBuy, maxBuyExample } from './max-buy.ts';
import { bodyTimes, RetailHistory, retailHistoryExample } from './retail-history.ts';
import {
  inBody,
  itemCondition,
  itemGrade,
  itemNames,
  sellingChannel,
  termFields,
} from './terms.ts';

/** A summary of a batch, and an element for each unique item, found or not. */
const elements = {
  maxItems: batchItemsMax,
  description: 'One element per unique item, in the order of the request.',
};

const sets = Type.Array(identifier('A set number.', '10482-1'), {
  minItems: 1,
  maxItems: batchListMax,
  description: 'Set numbers, at most 100 unique ones.',
});

export const HistoryBatchBody = record('HistoryBatchRequest', {
  sets,
  condition: Type.Optional(
    oneOf(conditions, 'The condition to return values for. Default: `sealed`.'),
  ),
});

export const HistoryBatch = record('HistoryBatch', {
  sets: Type.Array(
    Type.Union([
      record('FoundHistory', 'The history of a set.', { ...History.properties, found }),
      MissingSet,
    ]),
    elements,
  ),
  summary: BatchSummary,
});

const FoundEvidence = record('FoundEvidence', 'The evidence for the values of an item.', {
  ...ItemEvidence.properties,
  found,
});

export const EvidenceBatch = record('EvidenceBatch', {
  sets: Type.Array(Type.Union([FoundEvidence, MissingSet]), elements),
  minifigs: Type.Array(Type.Union([FoundEvidence, MissingMinifig]), elements),
  summary: BatchSummary,
});

export const RetailPriceBatchBody = record('RetailPriceBatchRequest', { sets });

export const RetailPriceBatch = record('RetailPriceBatch', {
  sets: Type.Array(
    Type.Union([
      record('FoundRetailPrices', 'The retail prices of a set.', {
        set_number: text('The set number.'),
        retail: Type.Union([RetailRow, Type.Null()], {
          description: 'Its retail prices; null if no retailer was ever observed.',
        }),
        found,
      }),
      MissingSet,
    ]),
    elements,
  ),
  summary: BatchSummary,
});

export const RetailHistoryBatchBody = record('RetailHistoryBatchRequest', {
  sets,
  retailer: Type.Optional(oneOf(retailers, 'Only changes at this retailer.')),
  ...bodyTimes,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: batchChangesMax,
      format: 'int32',
      description: `Maximum number of changes per set. Default: ${batchChangesDefault}.`,
    }),
  ),
});

export const RetailHistoryBatch = record('RetailHistoryBatch', {
  sets: Type.Array(
    Type.Union([
      record(
        'FoundRetailHistory',
        'The retail history of a set. For earlier changes, send `next` to its own history.',
        { ...RetailHistory.properties, found },
      ),
      MissingSet,
    ]),
    elements,
  ),
  summary: BatchSummary,
});

export const MaxBuyBatchBody = record('MaxBuyBatchRequest', {
  items: Type.Array(
    record('MaxBuyItem', 'One item in one condition and grade.', {
      ...itemNames,
      condition: itemCondition,
      grade: itemGrade,
    }),
    {
      minItems: 1,
      maxItems: boxListMax,
      description: 'Up to 100 unique items. An item in two conditions counts as two.',
    },
  ),
  channel: sellingChannel,
  share: inBody(termFields.share),
  margin_pct: inBody(termFields.margin_pct),
});

export const MaxBuyBatch = record('MaxBuyBatch', {
  items: Type.Array(
    Type.Union([
      record('FoundMaxBuy', 'The max buy price of an item.', {
        ...MaxBuy.properties,
        found,
      }),
      record('MissingItem', 'An item that does not exist.', {
        item_type: oneOf(['set', 'minifig'] as const, 'Type of the item.'),
        number: text('The number as you sent it.'),
        found: notFound,
      }),
    ]),
    elements,
  ),
  summary: BatchSummary,
});

/** Examples for the OpenAPI document. */
export const historyBatchBodyExample: Static<typeof HistoryBatchBody> = {
  sets: ['10482-1', '99999'],
  condition: 'sealed',
};
export const historyBatchExample: Static<typeof HistoryBatch> = {
  sets: [
    { ...historyExample, found: true },
    { set_number: '99999', found: false },
  ],
  summary: { requested: 2, found: 1 },
};
export const retailPriceBatchBodyExample: Static<typeof RetailPriceBatchBody> = {
  sets: ['10482-1', '99999'],
};
export const retailPriceBatchExample: Static<typeof RetailPriceBatch> = {
  sets: [
    { set_number: '10482', retail: retailRowExample, found: true },
    { set_number: '99999', found: false },
  ],
  summary: { requested: 2, found: 1 },
};
export const retailHistoryBatchBodyExample: Static<typeof RetailHistoryBatchBody> = {
  sets: ['10482-1', '99999'],
  limit: 2,
};
export const retailHistoryBatchExample: Static<typeof RetailHistoryBatch> = {
  sets: [
    { ...retailHistoryExample, found: true },
    { set_number: '99999', found: false },
  ],
  summary: { requested: 2, found: 1 },
};
export const evidenceBatchExample: Static<typeof EvidenceBatch> = {
  sets: [
    { ...evidenceExample, found: true },
    { set_number: '99999', found: false },
  ],
  minifigs: [{ minifig_number: 'coa9999', found: false }],
  summary: { requested: 3, found: 1 },
};
export const maxBuyBatchBodyExample: Static<typeof MaxBuyBatchBody> = {
  items: [{ set: '10482', condition: 'sealed' }, { minifig: 'coa9999' }],
  share: 0.8,
};
export const maxBuyBatchExample: Static<typeof MaxBuyBatch> = {
  items: [
    { ...maxBuyExample, found: true },
    { item_type: 'minifig', number: 'coa9999', found: false },
  ],
  summary: { requested: 2, found: 1 },
};
