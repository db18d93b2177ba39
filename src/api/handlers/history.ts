/** The monthly history of sets. */

import { itemKey } from '../../catalog/items/numbers.ts';
import { type History, presentSeries } from '../../contract/history.ts';
import { shortText } from '../../kernel/text.ts';
import type { FoundSeries } from '../../market/published/published-records.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { dataOf } from '../answer-data.ts';
import { itemBatch } from '../batch-items.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function historyHandlers({ market: { store } }: HandlerDeps) {
  return {
    getSetHistory: ({ params, query }) => ({
      read: async () => {
        const { condition } = query;
        const found = await store.findSeries(itemKey('set', params.number), condition);
        if (!found) return { missing: `There is no set '${shortText(params.number)}'.` };
        return dataOf(presentHistory(found, condition));
      },
    }),
    getHistoryBatch: ({ body: { sets, condition = 'sealed' } }) =>
      itemBatch(['set'], { sets }, async (keys) => {
        const series = await store.listSeries(keys, condition);
        return (key) => {
          const found = series.get(key);
          return found ? presentHistory(found, condition) : null;
        };
      }),
  } satisfies Partial<Handlers>;
}

function presentHistory({ number, series }: FoundSeries, condition: Condition): History {
  return { set_number: number, condition, history: series ? presentSeries(series) : [] };
}
