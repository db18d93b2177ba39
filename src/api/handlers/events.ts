/** Market events after a position, as pages and as a stream. */

import { findScopeItems } from '../../alerts/delivery/scope-items.work.ts';
import { bad } from '../../contract/input-messages.ts';
import { type EventPage, presentEvent } from '../../contract/plus/events.ts';
import type { EventItems, EventKind, EventQuery } from '../../market/events/events.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { Question } from '../account-answer-cache.ts';
import { dataOf } from '../answer-data.ts';
import type { Answer, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function eventHandlers({ market: { store }, accounts, answers, streams }: HandlerDeps) {
  return {
    listEvents: ({ query }) => {
      const { after = null, limit, scope } = query;
      const kinds = kindsOf(query.kinds);
      const read = (items: EventItems | null) => readPage(store, { after, kinds, items, limit });
      if (scope === 'all') return { read: () => read(null) };
      const source = { accounts, market: store };
      const question: Question = { endpoint: 'listEvents', input: { query } };
      return {
        isExpensive: true,
        read: (caller) =>
          answers.findNow(caller, question, async () =>
            read(await findScopeItems(source, caller.accountId, scope)),
          ),
      };
    },
    streamEvents: ({ query: { after = null, kinds, limit, scope } }) => ({
      read: async (caller, _, source) => {
        if (source && streams) {
          return streams.prepare(caller, { after, kinds: kindsOf(kinds), limit, scope }, source);
        }
        const scopeSource = { accounts, market: store };
        return dataOf(await findScopeItems(scopeSource, caller.accountId, scope));
      },
    }),
  } satisfies Partial<Handlers>;
}

/** Validated by the schema. */
function kindsOf(list: string | undefined): EventKind[] | null {
  return (list?.split(',') as EventKind[] | undefined) ?? null;
}

async function readPage(
  store: Pick<MarketReading, 'listEvents'>,
  query: EventQuery,
): Promise<Answer> {
  const found = await store.listEvents(query);
  if ('oldest' in found) {
    const { oldest } = found;
    throw bad(
      `Events up to position ${oldest} are no longer kept; ` +
        `'after' must be at least ${oldest}, not ${query.after}.`,
    );
  }
  const { events, next, hasMore } = found;
  const page: EventPage = { events: events.map(presentEvent), next, has_more: hasMore };
  return dataOf(page);
}
