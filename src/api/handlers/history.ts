/** The monthly history of a set. */
import { type History, presentSeries } from '../../contract/history.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { shortText } from '../../domain/kernel/text.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function historyHandlers(deps: HandlerDeps) {
  return { getSetHistory: getSetHistory(deps) } satisfies Partial<Handlers>;
}

/** `GET /set/{number}/history` */
function getSetHistory({ market: { store } }: HandlerDeps): Handler<'getSetHistory'> {
  return ({ params, query }) => ({
    read: async () => {
      const { condition } = query;
      const found = await store.findSeries(itemKey('set', params.number), condition);
      if (!found) return { missing: `There is no set '${shortText(params.number)}'.` };
      const history: History = {
        set_number: found.number,
        condition,
        history: found.series ? presentSeries(found.series) : [],
      };
      return JSON.stringify(history);
    },
  });
}
