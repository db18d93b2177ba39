/** Market events, as pages and as a stream. */
import type { Endpoint } from '../../endpoint.ts';
import * as eventStream from '../event-stream.ts';
import * as events from '../events.ts';
import { usual } from './usual.ts';

const row = {
  ...usual,
  scope: 'caller',
  needs: ['events'],
  // Events of an account reveal its holdings and watchlists.
  alsoNeeds: { parameter: 'scope', except: 'all', scopes: ['portfolio'] },
  tag: 'Events',
} as const;

export const eventEndpoints = {
  listEvents: {
    ...row,
    path: '/events',
    summary: 'List market events',
    description:
      'Returns events in the order they were published. To get the next page, send `next` ' +
      'as `after`; while `has_more` is true, call again right away. Events are kept for 90 ' +
      'days; an older `after` returns 400. With `scope`, events depend on what you hold or ' +
      'watch; otherwise they are the same for every caller.',
    docs: 'market events after a position: prices, stock, values, months, deals',
    query: events.EventsQuery,
    answer: events.EventPage,
    example: events.eventPageExample,
  },
  streamEvents: {
    ...row,
    kind: 'stream',
    cost: 'per hour',
    path: '/events/stream',
    summary: 'Stream market events',
    description:
      'Sends events as they are published, as server-sent events over a connection that ' +
      'stays open. The `id` of each event is its position; to resume, send the last one as ' +
      '`Last-Event-ID`. Besides market events, the stream sends `position`, `stale` and ' +
      '`error` events. With `scope`, events depend on what you hold or watch; otherwise they ' +
      'are the same for every caller.',
    docs: 'market events as they are published, as server-sent events',
    query: eventStream.StreamQuery,
    headers: eventStream.StreamHeaders,
    answer: events.Event,
    example: eventStream.streamExample,
  },
} as const satisfies Record<string, Endpoint>;
