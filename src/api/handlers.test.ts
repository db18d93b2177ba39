/** Which work is charged even if the caller disconnects. */
import { expect, test } from 'bun:test';
import type { Work } from './handler.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { handlersOf } from './handlers.ts';

const deps = { market: {}, answers: {} } as unknown as HandlerDeps;
const handlers = handlersOf(deps);
const page = { limit: 10, offset: 0 };
const sent = <Q>(query: Q) => ({ params: {}, query, body: null });

test.each<[string, Work]>([
  ['analytics', handlers.getAnalytics(sent({ period: '30d' }))],
  ['a search for sets', handlers.searchSets(sent({ q: 'castle', ...page }))],
  ['a search for minifigs', handlers.searchMinifigs(sent({ q: 'knight', ...page }))],
  ['events of holdings', handlers.listEvents(sent({ scope: 'holdings', limit: 10 }))],
])('callers that disconnect are charged for %s', (_, work) => {
  expect(work.isExpensive).toBe(true);
});

test('callers that disconnect are not charged for events of the whole market', () => {
  expect(handlers.listEvents(sent({ scope: 'all', limit: 10 })).isExpensive).toBeFalsy();
});
