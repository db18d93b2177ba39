/** Pages of events, and the items of a scope for another process. */
import { expect, test } from 'bun:test';
import { madeLog } from '../../../test/support/event-log.ts';
import { dataIn } from '../../../test/support/handled.ts';
import type { Caller } from '../../accounts/keys/quota.ts';
import type { CallSource, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { eventHandlers } from './events.ts';

const caller = { accountId: 7 } as Caller;
const spent = { used: 0, at: 0 };
const sent = <Q>(query: Q) => ({ params: {}, query, body: null });

/** Handlers with three events, of an account that watches a set. */
function open() {
  const log = madeLog([1, 2, 3]);
  const started: unknown[] = [];
  const deps = {
    market: { store: { listEvents: log.listEvents, findAllKeys: async (keys: object) => keys } },
    accounts: { listWatchedKeys: async () => ({ set: ['2000'], minifig: [] }) },
    answers: { findNow: (_: object, __: object, make: () => Promise<string>) => make() },
    streams: {
      prepare: async (_: Caller, asked: object) => {
        started.push(asked);
        return 'a stream';
      },
    },
  };
  const handlers: Pick<Handlers, 'listEvents' | 'streamEvents'> = eventHandlers(
    deps as unknown as HandlerDeps,
  );
  const list = async (query: Parameters<typeof handlers.listEvents>[0]['query']) =>
    dataIn(await handlers.listEvents(sent(query)).read(caller, spent));
  return { log, started, handlers, list };
}

test('a page has the requested kinds, of the whole market or of a scope', async () => {
  const { log, list } = open();
  const page = await list({ after: 1, limit: 1, scope: 'all' });
  expect(page).toMatchObject({ events: [{ position: 2 }], next: 2, has_more: true });
  expect(await list({ limit: 1, scope: 'all' })).toMatchObject({ events: [], next: 3 });
  await list({ after: 0, limit: 9, scope: 'watch', kinds: 'retail.low,value.move' });
  expect(log.asked).toEqual([
    { after: 1, kinds: null, items: null, limit: 1 },
    { after: null, kinds: null, items: null, limit: 1 },
    {
      after: 0,
      kinds: ['retail.low', 'value.move'],
      items: { set: ['2000'], minifig: [] },
      limit: 9,
    },
  ]);
});

test('a position that is no longer kept is refused with the oldest', async () => {
  const { log, list } = open();
  log.oldest = 2;
  await expect(list({ after: 1, limit: 1, scope: 'all' })).rejects.toThrow(
    "Events up to position 2 are no longer kept; 'after' must be at least 2, not 1.",
  );
});

test('a stream is started here; another process only gets the items of its scope', async () => {
  const { started, handlers } = open();
  const work = handlers.streamEvents(sent({ limit: 5, scope: 'watch', kinds: 'retail.low' }));
  const stream: unknown = await work.read(caller, spent, {} as CallSource);
  expect(stream).toBe('a stream');
  expect(started).toEqual([{ after: null, kinds: ['retail.low'], limit: 5, scope: 'watch' }]);
  const items = await work.read(caller, spent);
  expect(dataIn(items)).toEqual({ set: ['2000'], minifig: [] });
  expect(started).toHaveLength(1);
});
