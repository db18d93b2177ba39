/** The output of a single stream, with a fake log, clock and key. */
import { expect, test } from 'bun:test';
import { plainUse, usualCaller } from '../../../test/support/callers.ts';
import { madeEvent, madeLog } from '../../../test/support/event-log.ts';
import type { Admission } from '../../accounts/keys/quota.ts';
import { heartbeatText, positionText, staleText } from '../../contract/plus/event-stream.ts';
import { hourMs, secondMs } from '../../kernel/time.ts';
import type { EventKeys } from '../../market/events/events.ts';
import type { Admit } from '../admission-groups.ts';
import { EventStream, type RequestedStream } from './event-stream.ts';
import { RecentEvents } from './recent-events.ts';

/** A stream that is read as fast as it is written, with its dependencies. */
function makeStream(asked: Partial<RequestedStream> = {}, position = 10) {
  const log = madeLog([10]);
  const recent = new RecentEvents(log, 4);
  const granted: Admission = {
    caller: { ...usualCaller, accountId: 7 },
    used: 5,
    outcome: 'granted',
  };
  const place = {
    log,
    now: 0,
    granted,
    admission: granted as Admission | null,
    items: null as EventKeys,
    isAway: false,
    costs: [] as number[],
    written: 0,
    charged: 0,
    failures: 0,
    onPage: () => {},
  };
  const admit: Admit = async (request, use) => {
    if (place.isAway) throw new Error('The store is away.');
    place.costs.push(request.cost);
    return use({ admission: place.admission, at: 0 });
  };
  const start = {
    requested: { kinds: null, limit: 3, scope: 'all' as const, ...asked },
    position,
    key: plainUse,
    network: null,
  };
  const stream = new EventStream(start, {
    recent,
    admit,
    readPage: (_, query) => {
      place.onPage();
      return log.listEvents(query);
    },
    findItems: async () => place.items,
    elapsed: () => place.now,
    onWritten: (events) => {
      place.written += events;
    },
    onCharged: (cost) => {
      place.charged += cost;
    },
    onFailure: () => {
      place.failures++;
    },
  });
  let text = '';
  let isOver = false;
  const reading = async () => {
    for (let next = await stream.next(); next !== null; next = await stream.next()) {
      text += new TextDecoder().decode(next);
    }
    isOver = true;
  };
  reading();
  /** Polls the log once and lets the stream write; returns the output. */
  const turn = async (): Promise<string> => {
    await recent.look();
    recent.passTurn();
    await Bun.sleep(0);
    const written = text;
    text = '';
    return written;
  };
  return { place, stream, turn, isOver: () => isOver };
}

/** The positions in the output, in order. */
function idsOf(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}

test('starts with the reconnection time and its position', async () => {
  const { turn, place } = makeStream();
  expect(await turn()).toBe(`retry: 3000\n\n${positionText(10)}`);
  expect(await turn()).toBe('');
  expect(place.costs).not.toContain(1);
});

test('writes each event once, in order, with its position, kind and object', async () => {
  const { turn, place, stream } = makeStream();
  await turn();
  place.log.add(11, madeEvent(12, { kind: 'retail.low' }));
  const text = await turn();
  expect(idsOf(text)).toEqual([11, 12]);
  expect(text).toContain('id: 12\nevent: retail.low\ndata: {"position":12,');
  expect(text.endsWith('}\n\n')).toBe(true);
  expect(await turn()).toBe('');
  place.log.add(13, 14, 15, 16, 17);
  expect(idsOf(await turn())).toEqual([13, 14, 15, 16, 17]);
  expect([place.written, stream.sent]).toEqual([7, 7]);
});

test('catches up from the log in pages, then follows the events in memory', async () => {
  const { turn, place } = makeStream({}, 0);
  place.log.add(...Array.from({ length: 20 }, (_, index) => 11 + index));
  expect(idsOf(await turn())).toEqual([0, 10, ...Array.from({ length: 20 }, (_, i) => 11 + i)]);
  const asked = place.log.asked.length;
  place.log.add(31);
  expect(idsOf(await turn())).toEqual([31]);
  // Only the poll, which all streams share.
  expect(place.log.asked.length).toBe(asked + 1);
});

test('checks the key before each write, and only then', async () => {
  const { turn, place } = makeStream({ kinds: ['value.move'] });
  await turn();
  const before = place.costs.length;
  place.log.add(11);
  await turn();
  expect(place.costs.length).toBe(before);
  place.log.add(madeEvent(12, { kind: 'value.move' }));
  expect(idsOf(await turn())).toEqual([12]);
  expect(place.costs.slice(before)).toEqual([0]);
});

test('a key that is revoked while the log is read gets no events of it', async () => {
  const { turn, place, isOver } = makeStream({}, 0);
  place.onPage = () => {
    place.admission = null;
  };
  const text = await turn();
  expect(idsOf(text)).toEqual([0]);
  expect(text).toContain('InvalidApiKey');
  expect(isOver()).toBe(true);
});

test('sends a heartbeat after 15 idle seconds, with the position if it has changed', async () => {
  const { turn, place } = makeStream({ kinds: ['value.move'] });
  await turn();
  place.now = 15 * secondMs - 1;
  expect(await turn()).toBe('');
  place.now++;
  expect(await turn()).toBe(heartbeatText);
  // Events that were not requested: the client still resumes after them.
  place.log.add(11, 12);
  expect(await turn()).toBe('');
  place.now += 15 * secondMs;
  expect(await turn()).toBe(heartbeatText + positionText(12));
  place.now += 15 * secondMs;
  expect(await turn()).toBe(heartbeatText);
});

test('a scope has the events of its current items, and of the whole market', async () => {
  const { turn, place } = makeStream({ scope: 'holdings' });
  await turn();
  place.items = { set: new Set(['1000']), minifig: new Set() };
  const market = { itemKind: null, key: null, number: null };
  place.log.add(madeEvent(11), madeEvent(12, { key: '2000' }), madeEvent(13, market));
  // A minifig with the same number as a set is another item.
  place.log.add(madeEvent(14, { itemKind: 'minifig' }));
  expect(idsOf(await turn())).toEqual([11, 13]);
  place.items = { set: new Set(['2000']), minifig: new Set(['1000']) };
  place.log.add(madeEvent(15), madeEvent(16, { key: '2000' }));
  place.log.add(madeEvent(17, { itemKind: 'minifig' }));
  expect(idsOf(await turn())).toEqual([16, 17]);
});

test('few items are queried by key; for very many, all events are read', async () => {
  const asked = async (count: number) => {
    const { turn, place } = makeStream({ scope: 'holdings' }, 0);
    const keys = Array.from({ length: count }, (_, index) => String(2_000 + index));
    place.items = { set: new Set(keys), minifig: new Set() };
    const text = await turn();
    expect(idsOf(text)).toEqual([0]);
    return place.log.asked.findLast(({ after }) => after === 0)?.items?.set.length ?? null;
  };
  expect(await asked(1_000)).toBe(1_000);
  expect(await asked(1_001)).toBeNull();
});

test('a position that is no longer kept is reported with the oldest, and the rest follows', async () => {
  const { turn, place } = makeStream({}, 3);
  place.log.add(11);
  place.log.oldest = 8;
  const text = await turn();
  expect(text).toContain(staleText(8));
  expect(idsOf(text)).toEqual([3, 8, 10, 11]);
});

test('each further hour costs one call; without any left, the stream says so and ends', async () => {
  const { turn, place, isOver, stream } = makeStream();
  await turn();
  place.costs.length = 0;
  place.now = hourMs - 1;
  await turn();
  expect(place.costs).toEqual([0]);
  place.now = hourMs;
  await turn();
  place.now = 2 * hourMs + 1;
  await turn();
  expect([place.costs.filter((cost) => cost === 1).length, place.charged, stream.cost]).toEqual([
    2, 2, 3,
  ]);
  place.now = 3 * hourMs;
  place.admission = { ...place.granted, outcome: 'exhausted' };
  place.log.add(11);
  expect(await turn()).toBe(
    'event: error\ndata: {"error":{"code":"QuotaExceeded","message":"Another hour of this stream ' +
      'needs 1 of the daily allowance of 5 calls and 0 are left; the allowance resets at ' +
      'midnight UTC."}}\n\n',
  );
  expect([isOver(), stream.endedBy, place.charged]).toEqual([true, 'QuotaExceeded', 2]);
});

test.each([
  ['a key that is not good any more', 'InvalidApiKey', () => null],
  ['another plan', 'TierRequired', (was: Admission) => ({ ...was, outcome: 'plan' as const })],
])('with %s nothing more is written except the error', async (_, code, admission) => {
  const { turn, place, isOver } = makeStream();
  await turn();
  place.admission = admission(place.granted);
  place.log.add(11);
  const text = await turn();
  expect(text).toStartWith(`event: error\ndata: {"error":{"code":"${code}",`);
  expect(idsOf(text)).toEqual([]);
  expect(isOver()).toBe(true);
});

test('a short store outage delays events, and one of half a minute ends the stream', async () => {
  const { turn, place, isOver } = makeStream();
  await turn();
  place.isAway = true;
  place.log.add(11);
  expect(await turn()).toBe('');
  place.now += 29 * secondMs;
  expect(await turn()).toBe('');
  place.isAway = false;
  expect(idsOf(await turn())).toEqual([11]);
  place.isAway = true;
  place.log.add(12);
  expect(await turn()).toBe('');
  place.now += 30 * secondMs;
  expect(await turn()).toStartWith('event: error\ndata: {"error":{"code":"InternalError",');
  expect([isOver(), place.failures]).toEqual([true, 4]);
});

test('nothing is written after the end', async () => {
  const { turn, place, stream, isOver } = makeStream();
  await turn();
  stream.end('client');
  stream.end('server');
  place.log.add(11);
  expect(await turn()).toBe('');
  expect([isOver(), stream.endedBy]).toEqual([true, 'client']);
});
