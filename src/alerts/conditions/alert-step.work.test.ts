/** How far each step of the alert loop goes, and what it leaves for the next. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { describe, expect, test } from 'bun:test';
import { ruleFacts } from '../../../test/support/alerts.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { dayMs } from '../../kernel/time.ts';
import type { EventPage, EventQuery, EventsGone, LoggedEvent } from '../../market/events/events.ts';
import type { AlertProgress, AlertStep, WatchingRule } from './alert-evaluation.ts';
import { type AlertDeps, alertStep } from './alerts.work.ts';

const now = Date.UTC(2026, 10, 15, 12);

interface World {
  readonly progress?: Partial<AlertProgress>;
  readonly page?: EventPage | EventsGone;
  /** The keys of sets and of minifigs, in order. */
  readonly keys?: { readonly set: readonly string[]; readonly minifig: readonly string[] };
  readonly isFirst?: boolean;
  readonly sentCount?: number;
  readonly rules?: readonly WatchingRule[];
}

/** The log was read up to 100, all items were just checked, and nothing is due. */
const idle: AlertProgress = {
  position: 100,
  until: null,
  look: { at: now, after: null },
  start: 50,
  dueAt: null,
};

const quiet: EventPage = { events: [], next: 100, hasMore: false };

async function step(world: World) {
  const queries: EventQuery[] = [];
  const listings: unknown[][] = [];
  const looked: unknown[] = [];
  const wanted: string[] = [];
  const settled: AlertStep[] = [];
  const sentAt: number[] = [];
  const { keys = { set: [], minifig: [] }, isFirst = true, sentCount = 1 } = world;
  const deps: AlertDeps = {
    market: {
      listEvents: async (query) => {
        queries.push(query);
        return world.page ?? quiet;
      },
      listKeysAfter: async (kind, after, limit) => {
        listings.push([kind, after]);
        return keys[kind].filter((key) => key > after).slice(0, limit);
      },
      findListedItems: async () => new Map(),
      findAllKeys: async (items) => items,
      findResaleRecords: async (kind, found) => {
        if (kind === 'set') wanted.push(...found);
        const record = { number: '', body: '{}', evidence: null, retail: null };
        return new Map(kind === 'set' ? [] : found.map((key) => [key, { key, ...record }]));
      },
    },
    accounts: {
      findAlertProgress: async () => ({ ...idle, ...world.progress }),
      findConcerned: async ({ set, minifig }) => {
        looked.push(...set, ...minifig.map((key) => `minifig ${key}`));
        const { rules = [] } = world;
        const nothing = { rules, listed: [], held: [], reported: [] };
        return { ...nothing, settings: new Map(), buying: new Map() };
      },
      settleAlerts: async (each) => {
        await yieldToEventLoop();
        settled.push(each);
        return isFirst;
      },
      sendDueAlerts: async (at) => {
        sentAt.push(at);
        return sentCount;
      },
    },
    clock: () => now,
    baseUrl: 'https://b.example',
    makeToken: () => ({ token: 'token', hash: new Uint8Array() as TokenHash }),
    retailerNames: { retailer_a: 'A', retailer_b: 'B' },
    findTables: () => builtInTables,
    readResale: () => null,
  };
  const hasMore = await alertStep(deps);
  return { hasMore, queries, listings, looked, wanted, settled, sentAt };
}

const event = (position: number, facts: Partial<LoggedEvent> = {}): LoggedEvent => ({
  position,
  at: now,
  itemKind: 'set',
  key: '1',
  number: '1-1',
  title: 'One',
  kind: 'retail.price',
  retailer: 'retailer_a',
  before: {},
  after: {},
  ...facts,
});

test('nothing is written while there is nothing to do', async () => {
  const { hasMore, settled, sentAt } = await step({});
  expect([hasMore, settled, sentAt]).toEqual([false, [], []]);
});

describe('the log', () => {
  test('is not read while no rule is on', async () => {
    const { hasMore, queries, listings } = await step({ progress: { start: null, look: null } });
    expect([hasMore, queries, listings]).toEqual([false, [], []]);
  });

  test.each([
    [100, 50, 100],
    [100, 300, 300],
  ])(
    'is read from %i, unless the first rule was created later (%i)',
    async (position, start, after) => {
      const { queries } = await step({
        progress: { position, start },
        page: { ...quiet, next: after },
      });
      expect(queries).toMatchObject([{ after, items: null, limit: 250 }]);
    },
  );

  test.each([true, false])('starts with the first rule; more follows: %p', async (isFirst) => {
    const { hasMore, queries, settled } = await step({ progress: { position: null }, isFirst });
    expect([hasMore, queries]).toEqual([isFirst, []]);
    expect(settled).toEqual([{ kind: 'log', from: null, to: 50 }]);
  });

  test('continues with what is left if some of it is gone', async () => {
    const { hasMore, settled } = await step({ page: { oldest: 400 } });
    expect(hasMore).toBe(true);
    expect(settled).toEqual([{ kind: 'log', from: 100, to: 400 }]);
  });

  test('is processed by item, each once', async () => {
    const events = [
      event(101),
      event(102, { itemKind: 'minifig', key: 'f1', number: 'F1' }),
      event(103, { number: '2' }),
      event(104),
      event(105, { itemKind: null }),
      event(106, { number: null }),
    ];
    const { looked, settled } = await step({ page: { events, next: 106, hasMore: false } });
    expect(looked).toEqual(['1', '2', 'minifig f1']);
    expect(settled).toEqual([{ kind: 'log', from: 100, to: 106 }]);
  });

  test('is checked with all events of an item', async () => {
    const { channelIds: _, ...facts } = ruleFacts();
    const rule = { ...facts, id: 1, accountId: 1, since: 0, position: 0 };
    const events = [event(101, { kind: 'value.move' }), event(102), event(103, { number: '2' })];
    const other = event(104, { number: '3', kind: 'value.move' });
    const page = { events: [...events, other], next: 104, hasMore: false };
    expect((await step({ page, rules: [rule] })).wanted).toEqual(['1', '2']);
  });

  test.each([
    ['the page is full', true, null, true],
    ['that was all', false, null, false],
    ['a step that was interrupted ends before the page', false, 101, true],
    ['it ends with the page', false, 102, false],
  ])('knows whether there is more if %s', async (_, hasMore, until, expected) => {
    const page = { events: [event(101), event(102, { number: '2' })], next: 102, hasMore };
    const progress = { until };
    const done = await step({ progress, page });
    expect(done.hasMore).toBe(expected);
    expect(done.looked).toEqual(until === 101 ? ['1'] : ['1', '2']);
    expect(done.settled).toEqual([{ kind: 'log', from: 100, to: until ?? 102 }]);
    expect((await step({ progress, page, isFirst: false })).hasMore).toBe(false);
  });
});

describe('messages', () => {
  test.each([
    ['none waits', null, quiet, []],
    ['due now', now, quiet, [now]],
    ['due in a moment', now + 1, quiet, []],
    ['a second more while there is more to read', now - 999, { oldest: 400 }, []],
    ['the second is over', now - 1_000, { oldest: 400 }, [now]],
  ])('are sent when they are due: %s', async (_, dueAt, page, expected) => {
    expect((await step({ progress: { dueAt }, page })).sentAt).toEqual(expected);
  });

  test('are sent even if their rule is off by now', async () => {
    const done = await step({ progress: { start: null, dueAt: now } });
    expect([done.sentAt, done.hasMore]).toEqual([[now], true]);
  });

  test('that another process sent are no reason to continue', async () => {
    const look = { at: now - dayMs, after: null };
    const sent = await step({ progress: { dueAt: now, look } });
    expect([sent.hasMore, sent.settled]).toEqual([true, []]);
    const none = await step({ progress: { dueAt: now, look }, sentCount: 0 });
    expect(none.settled).toMatchObject([{ kind: 'look' }]);
  });
});

describe('the daily check of all items', () => {
  const sets = Array.from({ length: 251 }, (_, index) => String(1_000 + index));
  const keys = { set: sets, minifig: ['f1', 'f2'] };

  test('is first due a day after the first rule', async () => {
    const { hasMore, settled } = await step({ progress: { look: null } });
    expect(hasMore).toBe(false);
    expect(settled).toEqual([{ kind: 'look', from: null, to: { at: now, after: null } }]);
  });

  test.each([
    [dayMs - 1, false],
    [dayMs, true],
  ])('starts after %i ms: %p', async (ms, isDue) => {
    const look = { at: now - ms, after: null };
    const { hasMore, settled } = await step({ progress: { look } });
    expect(hasMore).toBe(isDue);
    const begun = { kind: 'look', from: look, to: { at: now, after: 'set ' } } as const;
    expect(settled).toEqual(isDue ? [begun] : []);
    expect((await step({ progress: { look }, isFirst: false })).hasMore).toBe(false);
  });

  test.each([
    ['a full part', 'set ', 250, 'set 1249'],
    ['the last sets', 'set 1249', 1, 'minifig '],
    ['no set is left', 'set 1250', 0, 'minifig '],
    ['the minifigs', 'minifig ', 2, null],
    ['a minifig of two words', 'minifig f1 x', 1, null],
  ])('continues after the last item: %s', async (_, after, count, next) => {
    const look = { at: now - 5, after };
    const { hasMore, looked, settled, listings } = await step({ progress: { look }, keys });
    const [kind = '', ...rest] = after.split(' ');
    expect(listings).toEqual([[kind, rest.join(' ')]]);
    expect(looked).toHaveLength(count);
    expect(settled).toEqual([{ kind: 'look', from: look, to: { at: look.at, after: next } }]);
    expect(hasMore).toBe(true);
  });
});
