/** Lists of sets and minifigures, and their values over time. */

import type { Endpoint } from '../../endpoint.ts';
import { minifigNumber, setNumber } from '../../endpoint-parts.ts';
import * as batches from '../batches.ts';
import * as catalogList from '../catalog-list.ts';
import * as dailyValues from '../daily-values.ts';
import { shared } from './usual.ts';

const row = { ...shared, tag: 'Catalog' } as const;

export const catalogEndpoints = {
  listSets: {
    ...row,
    cost: 'per result',
    path: '/sets',
    summary: 'List sets',
    description:
      'Returns sets that pass all filters, page by page: send `next` as `after`, with the same ' +
      'filters and `sort`. The same for every caller.',
    docs: 'all sets, with filters, sorted, with the fields you choose',
    query: catalogList.SetsQuery,
    answer: catalogList.SetPage,
    example: catalogList.setPageExample,
  },
  listMinifigs: {
    ...row,
    cost: 'per result',
    path: '/minifigs',
    summary: 'List minifigures',
    description:
      'Returns minifigures that pass all filters, page by page: send `next` as `after`, with the ' +
      'same filters and `sort`. The same for every caller.',
    docs: 'all minifigures, with filters, sorted, with the fields you choose',
    query: catalogList.MinifigsQuery,
    answer: catalogList.MinifigPage,
    example: catalogList.minifigPageExample,
  },
  getSetDailyValues: {
    ...row,
    path: '/set/{number}/daily-values',
    summary: "Get a set's daily values",
    description:
      'Returns one value per day since the last finalized month, which is where the history ' +
      'ends. The same for every caller.',
    docs: "a set's value on each day since the last finalized month",
    params: setNumber,
    query: dailyValues.SetDaysQuery,
    answer: dailyValues.SetDailyValues,
    example: dailyValues.setDailyValuesExample,
    mayMiss: true,
  },
  getMinifigDailyValues: {
    ...row,
    path: '/minifig/{number}/daily-values',
    summary: "Get a minifigure's daily values",
    description:
      'Returns one value per day of the current month, and of the one before until the 8th. The ' +
      'same for every caller.',
    docs: "a minifigure's value on each day of the current month",
    params: minifigNumber,
    query: dailyValues.MinifigDaysQuery,
    answer: dailyValues.MinifigDailyValues,
    example: dailyValues.minifigDailyValuesExample,
    mayMiss: true,
  },
  getHistoryBatch: {
    ...row,
    cost: 'per item',
    method: 'POST',
    path: '/history/batch',
    summary: 'Get the value histories of up to 100 sets',
    description:
      'Returns what `GET /set/{number}/history` returns of each set. A set that does not exist ' +
      'has `found: false`, and costs a call too. The same for every caller.',
    docs: 'finalized monthly values of up to 100 sets',
    body: batches.HistoryBatchBody,
    answer: batches.HistoryBatch,
    example: batches.historyBatchExample,
    bodyExample: batches.historyBatchBodyExample,
  },
} as const satisfies Record<string, Endpoint>;
