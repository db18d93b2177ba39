/** The published history of a set at both retailers. */

import { itemKey } from '../../catalog/items/numbers.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import { bad } from '../../contract/input-messages.ts';
import { batchChangesDefault } from '../../contract/limits.ts';
import { type PresentedSet, presentRetailHistory } from '../../contract/plus/retail-history.ts';
import type { RetailRow } from '../../contract/retail.ts';
import { shortText } from '../../kernel/text.ts';
import { parseInstant } from '../../kernel/time.ts';
import {
  type HistoryQuery,
  parseChangePosition,
  type RetailHistory,
} from '../../market/retail/retail-history.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { dataOf } from '../answer-data.ts';
import { itemBatch } from '../batch-items.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function retailHistoryHandlers({ market: { store }, clock }: HandlerDeps) {
  return {
    getRetailHistory: ({ params: { number }, query }) => {
      const times = readTimes(query);
      const { retailer = null, after, limit } = query;
      return {
        read: async () => {
          const key = itemKey('set', number);
          const [found] = await findHistories(store, [key], {
            ...times,
            retailer,
            after: after === undefined ? null : parseChangePosition(after),
            limit,
            at: clock(),
          });
          if (!found) return { missing: `There is no set '${shortText(number)}'.` };
          return dataOf(presentRetailHistory(found, found.history));
        },
      };
    },
    getRetailHistoryBatch: ({ body }) => {
      const { sets, retailer = null, limit = batchChangesDefault } = body;
      const question = { ...readTimes(body), retailer, after: null, limit };
      return itemBatch(['set'], { sets }, async (keys) => {
        const all = await findHistories(store, keys, { ...question, at: clock() });
        const byKey = new Map(all.map((found) => [found.key, found]));
        return (key) => {
          const found = byKey.get(key);
          return found ? presentRetailHistory(found, found.history) : null;
        };
      });
    },
  } satisfies Partial<Handlers>;
}

interface FoundHistory extends PresentedSet {
  readonly key: string;
  readonly history: RetailHistory;
}

const neverOffered: RetailHistory = { retailers: [], changes: [], hasMore: false };

/** The histories of published sets; others are left out. */
async function findHistories(
  store: Pick<MarketReading, 'findNames' | 'findRetailHistories' | 'listRetail'>,
  keys: readonly string[],
  question: HistoryQuery,
): Promise<FoundHistory[]> {
  const names = await store.findNames('set', keys);
  if (names.size === 0) return [];
  const known = [...names.keys()];
  const [histories, records] = await Promise.all([
    store.findRetailHistories(known, question),
    store.listRetail(known, null),
  ]);
  const rows = new Map(records.map(({ setKey, body }) => [setKey, body]));
  return [...names].map(([key, { number, name }]) => {
    const body = rows.get(key);
    const row: RetailRow | null = body === undefined ? null : JSON.parse(body);
    const history = histories.get(key) ?? neverOffered;
    return { key, number, name, history, lowestUsd: (retailer) => row?.[retailer].lowest ?? null };
  });
}

type Times = Pick<EndpointInput<'getRetailHistory'>['query'], 'from' | 'to'>;

function readTimes({ from, to }: Times): Pick<HistoryQuery, 'from' | 'to'> {
  const times = { from: readTime('from', from), to: readTime('to', to) };
  if (times.from !== null && times.to !== null && times.from >= times.to) {
    throw bad(`'from' must be before 'to'; got '${from}' and '${to}'.`);
  }
  return times;
}

/** The form was validated by the schema, but not whether the day exists. */
function readTime(name: string, sent: string | undefined): number | null {
  if (sent === undefined) return null;
  const at = parseInstant(sent);
  if (at === null) throw bad(`'${name}' must be an instant that exists; got '${shortText(sent)}'.`);
  return at;
}
