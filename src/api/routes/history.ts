/** The monthly history of a set. */
import type { History } from '../../contract/history.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { toUsdOrNull } from '../../domain/kernel/money.ts';
import { formatMonth } from '../../domain/kernel/time.ts';
import type { Series } from '../../domain/market/history.ts';
import type { MarketReading } from '../../domain/market/market-reading.ts';
import type { Handler } from '../handler.ts';

/** `GET /set/{number}/history` */
export function getSetHistory(market: MarketReading): Handler<'getSetHistory'> {
  return ({ params, query }) => ({
    cost: 1,
    read: async () => {
      const { condition } = query;
      const found = await market.findSeries(itemKey('set', params.number), condition);
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
