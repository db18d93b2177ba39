/** The monthly history of a set. */
import type { History } from '../../contract/history.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { toUsdOrNull } from '../../domain/kernel/money.ts';
import { formatMonth } from '../../domain/kernel/time.ts';
import type { Series } from '../../domain/market/history.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

/** The handlers, by the names of their operations. */
export function historyHandlers(deps: HandlerDeps) {
  return { getSetHistory: getSetHistory(deps) } satisfies Partial<Handlers>;
}

/** `GET /set/{number}/history` */
function getSetHistory({ market: { store } }: HandlerDeps): Handler<'getSetHistory'> {
  return ({ params, query }) => ({
    read: async () => {
      const { condition } = query;
      const found = await store.findSeries(itemKey('set', params.number), condition);
      if (!found) return { missing: `There is no set '${params.number}'.` };
      const history: History = {
        set_number: found.number,
        condition,
        history: found.series ? presentSeries(found.series) : [],
      };
      return JSON.stringify(history);
    },
  });
}

function presentSeries(series: Series): History['history'] {
  return series.points.map((point, index) => ({
    month: formatMonth(series.firstMonth + index),
    value_usd: toUsdOrNull(point.valueCents),
    range_low: toUsdOrNull(point.lowCents),
    range_high: toUsdOrNull(point.highCents),
    sales_count: point.salesCount,
    event: point.event,
  }));
}
