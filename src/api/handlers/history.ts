/** The monthly history of sets, and the daily values in months that are not final yet. */
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { type History, presentSeries } from '../../contract/history.ts';
import { toUsdOrNull } from '../../kernel/money.ts';
import { shortText } from '../../kernel/text.ts';
import { dayMs, formatDay } from '../../kernel/time.ts';
import { listDailyValues } from '../../market/history/day-values.ts';
import type { FoundSeries } from '../../market/published/published-records.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { dataOf } from '../answer-data.ts';
import { itemBatch } from '../batch-items.ts';
import type { Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function historyHandlers(deps: HandlerDeps) {
  const { store } = deps.market;
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
    getSetDailyValues: ({ params, query }) =>
      dailyWork(deps, { kind: 'set', number: params.number, ...query }),
    getMinifigDailyValues: ({ params, query }) =>
      dailyWork(deps, { kind: 'minifig', number: params.number, ...query }),
  } satisfies Partial<Handlers>;
}

function presentHistory({ number, series }: FoundSeries, condition: Condition): History {
  return { set_number: number, condition, history: series ? presentSeries(series) : [] };
}

interface DailyRequest {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
}

function dailyWork({ market: { store }, clock }: HandlerDeps, request: DailyRequest): Work {
  const { kind, number, condition } = request;
  return {
    read: async () => {
      const found = await store.findDayValues(kind, itemKey(kind, number));
      if (!found) return { missing: `There is no ${kind} '${shortText(number)}'.` };
      const days = listDailyValues(found.days, found, { condition, at: clock() });
      return dataOf({
        [`${kind}_number`]: found.number,
        condition,
        final: false,
        days: days.map(({ day, cents }) => ({
          date: formatDay(day * dayMs),
          value_usd: toUsdOrNull(cents),
        })),
      });
    },
  };
}
