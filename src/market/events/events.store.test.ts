/** The event log: contents, order, reading and pruning. */
import { describe, expect, test } from 'bun:test';
import { aMinifig, aPublishedItem, aSet } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { dayMs, monthOf } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { DealHeadline, PublishedDeal } from '../published/deals.ts';
import type { MarketRow } from '../source-rows/market-ingest.ts';
import type { EventPage, EventQuery } from './events.ts';
import type { EventFacts } from './next-events.ts';

const shared = shareStore();

const set = (number: string, title = number): MarketRow => ({
  kind: 'set',
  source: 'feed',
  facts: aSet({ number, title }),
});
const minifig = (number: string, aliases: string[] = []): MarketRow => ({
  kind: 'minifig',
  source: 'feed',
  facts: aMinifig({ number, aliases }),
});

const facts: EventFacts = {
  basis: 'test-1',
  values: { newCents: null, usedCents: null },
  tier: 'low',
  statusId: 2,
  lastMonth: monthOf(now) - 1,
  retail: {},
  monthsAfter: () => [],
};

/** Adds rows; returns a function that finds ids by key. */
async function add(...rows: MarketRow[]): Promise<(key: string) => number> {
  await shared.store.market.applyRows(rows, now);
  const items = await onTables<{ id: number; key: string }>(
    shared.folder,
    'SELECT id, key FROM item',
  );
  const ids = new Map(items.map(({ id, key }) => [key, id]));
  return (key) => ids.get(key) ?? 0;
}

interface Publication {
  readonly at?: number;
  readonly name?: string;
  readonly events?: Partial<EventFacts> | null;
  readonly deals?: readonly PublishedDeal[];
  /** Without it, the current version of the item. */
  readonly version?: number;
}

/** Publishes items, each with its own facts; returns how many were written. */
async function publish(
  items: Readonly<Record<number, Publication>>,
  { market }: Store = shared.store,
): Promise<number> {
  const ids = Object.keys(items).map(Number);
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  return market.publish(
    inputs.map(({ id, version }) => {
      const { events = {}, ...given } = items[id] ?? {};
      const merged = events && { ...facts, ...events };
      return aPublishedItem({ at: now, version, ...given, id, events: merged });
    }),
  );
}

async function list(query: Partial<EventQuery> = {}): Promise<EventPage> {
  const asked = { after: 0, kinds: null, items: null, limit: 250, ...query };
  const page = await shared.store.market.listEvents(asked);
  if ('oldest' in page) throw new Error(`Kept since ${page.oldest}.`);
  return page;
}

const latest = async () => (await list({ after: null })).next;

/** Events after a position, as short texts. */
async function eventsAfter(after: number): Promise<string[]> {
  const { events } = await list({ after });
  return events.map(({ number, kind }) => `${number} ${kind}`);
}

describe('an event', () => {
  test('has what was published, with the current number and title', async () => {
    const id = await add(set('e1', 'Castle'), set('e2'));
    const from = await latest();
    await publish({ [id('e1')]: {}, [id('e2')]: {} });
    expect(await list({ after: from })).toEqual({ events: [], next: from, hasMore: false });
    await publish({ [id('e1')]: { at: now + 5, events: { statusId: 3 } }, [id('e2')]: {} });
    await publish({ [id('e1')]: { at: now + 6, name: 'Old Castle', events: { statusId: 3 } } });
    const { events, ...page } = await list({ after: from });
    const position = await latest();
    expect(position).toBeGreaterThan(from);
    expect(page).toEqual({ next: position, hasMore: false });
    expect(events).toEqual([
      {
        position,
        at: now + 5,
        kind: 'set.status',
        itemKind: 'set',
        key: 'e1',
        number: 'e1',
        title: 'Old Castle',
        retailer: null,
        before: { statusId: 2 },
        after: { statusId: 3 },
      },
    ]);
  });

  test('is not logged if the item has changed meanwhile and was not written', async () => {
    const id = await add(set('m1'), set('m2'));
    await publish({ [id('m1')]: {}, [id('m2')]: {} });
    const from = await latest();
    const events = { statusId: 4 } as const;
    await add(set('m1', 'Moved on'));
    expect(await publish({ [id('m1')]: { events, version: 1 }, [id('m2')]: { events } })).toBe(1);
    expect(await eventsAfter(from)).toEqual(['m2 set.status']);
    // The next publication that is written logs the change.
    expect(await publish({ [id('m1')]: { events } })).toBe(1);
    expect(await eventsAfter(from)).toEqual(['m2 set.status', 'm1 set.status']);
  });

  test('is not logged if the publication fails, but when it is repeated', async () => {
    const { market } = shared.store;
    const id = await add(set('f1'), set('f2'));
    await publish({ [id('f1')]: {}, [id('f2')]: {} });
    const from = await latest();
    const events = { statusId: 4 } as const;
    const name = null as unknown as string;
    const broken = publish({ [id('f1')]: { events }, [id('f2')]: { events, name } });
    expect(await broken.catch(() => 'failed')).toBe('failed');
    expect([await eventsAfter(from), await latest()]).toEqual([[], from]);
    expect(await market.findSearchRows('set', ['f1', 'f2'])).toHaveLength(2);
    await publish({ [id('f1')]: { events }, [id('f2')]: { events } });
    expect(await eventsAfter(from)).toEqual(['f1 set.status', 'f2 set.status']);
  });

  test('is logged once if two processes publish the same', async () => {
    const id = await add(set('t1'));
    await publish({ [id('t1')]: {} });
    const from = await latest();
    const one = () => publish({ [id('t1')]: { events: { tier: 'high' } } });
    expect(await Promise.all([one(), one()])).toEqual([1, 1]);
    expect(await eventsAfter(from)).toEqual(['t1 value.tier']);
  });

  test('is not logged for a publication about the past, which does not change the state either', async () => {
    const id = await add(set('p1'), set('p2'));
    await publish({ [id('p1')]: {}, [id('p2')]: { events: null } });
    const from = await latest();
    await publish({ [id('p1')]: { events: null } });
    await publish({
      [id('p1')]: { events: { tier: 'high' } },
      [id('p2')]: { events: { tier: 'high' } },
    });
    expect(await eventsAfter(from)).toEqual(['p1 value.tier']);
  });

  test('compares published values, scaled when they are computed in a new way', async () => {
    const id = await add(set('v1'));
    const worth = (cents: number, basis = 'a') => ({
      [id('v1')]: {
        newCents: cents,
        events: { basis, values: { newCents: { cents, spread: 0 }, usedCents: null } },
      },
    });
    for (const each of [worth(100), worth(104), worth(208, 'b')]) await publish(each);
    const from = await latest();
    await publish(worth(209, 'b'));
    expect(await eventsAfter(from)).toEqual([]);
    await publish(worth(210, 'b'));
    const [move] = (await list({ after: from })).events;
    expect([move?.before, move?.after]).toEqual([{ newCents: 200 }, { newCents: 210 }]);
  });

  test('of a rehearsal is not logged', async () => {
    const id = await add(set('r1'));
    await publish({ [id('r1')]: {} });
    const from = await latest();
    const rehearsal = await shared.store.rehearsal();
    await publish({ [id('r1')]: { events: { tier: 'high' } } }, rehearsal);
    const asked = { after: from, kinds: null, items: null, limit: 9 };
    const there = await rehearsal.market.listEvents(asked);
    expect('events' in there && there.events.length).toBe(1);
    await rehearsal.close();
    expect([await eventsAfter(from), await latest()]).toEqual([[], from]);
  });

  test('of a minifig that became a part has the number of the whole; of a removed item, its key', async () => {
    const { market } = shared.store;
    const id = await add(minifig('Whole'), minifig('part'), set('gone'));
    const all = ['whole', 'part', 'gone'].map(id);
    const every = (events: Partial<EventFacts>) =>
      publish(Object.fromEntries(all.map((each) => [each, { events, name: `#${each}` }])));
    await every({});
    const from = await latest();
    await every({ tier: 'high' });
    await add(minifig('Whole', ['part']));
    await publish({ [id('whole')]: { name: 'The whole' } });
    await onTables(shared.folder, "UPDATE event SET key = 'removed' WHERE key = 'gone'");
    const { events } = await list({ after: from });
    expect(events.map(({ number, title }) => [number, title])).toEqual([
      ['Whole', 'The whole'],
      ['Whole', 'The whole'],
      ['removed', null],
      ['Whole', 'The whole'],
    ]);
    // The event state of the part is removed with it.
    const states = 'SELECT 1 AS n FROM event_state WHERE item_id = ?';
    expect(await onTables(shared.folder, states, [id('part')])).toEqual([]);
    expect(await market.findDocument('minifig', 'part')).not.toBeNull();
  });

  test('of a deal is logged for each change in the deal log, except for the first publication', async () => {
    const { market } = shared.store;
    const id = await add(set('d1'));
    const from = await latest();
    const at = (priceCents: number | null): PublishedDeal[] => [
      {
        retailer: 'retailer_b',
        priceCents,
        body: null,
        usual:
          priceCents === null ? { reason: 'no_offer' } : { predict: () => '{"channel":"ebay"}' },
      },
    ];
    for (const price of [50, 50, null, null, 40, 40, null]) {
      await publish({ [id('d1')]: { deals: at(price) } });
    }
    const logged = await market.findDealLog(['d1']);
    expect(logged.map(({ priceCents, closedWhy }) => [priceCents, closedWhy])).toEqual([
      [50, 'no_offer'],
      [40, 'no_offer'],
    ]);
    const { events } = await list({ after: from });
    expect(
      events.map(({ kind, retailer, before, after }) => ({ kind, retailer, before, after })),
    ).toEqual([
      {
        kind: 'deal.close',
        retailer: 'retailer_b',
        before: { priceCents: 50 },
        after: { reason: 'no_offer' },
      },
      {
        kind: 'deal.open',
        retailer: 'retailer_b',
        before: {},
        after: { priceCents: 40, deal: { channel: 'ebay' } as DealHeadline },
      },
      {
        kind: 'deal.close',
        retailer: 'retailer_b',
        before: { priceCents: 40 },
        after: { reason: 'no_offer' },
      },
    ]);
  });

  test('of a restatement is one, about the whole market', async () => {
    const id = await add(set('h1'));
    await publish({ [id('h1')]: {} });
    const from = await latest();
    const { market } = shared.store;
    const at = now + dayMs;
    await market.restateHistory({ fromMonth: 680, reason: 'A source was wrong.', at });
    const expected = {
      at,
      kind: 'history.restated',
      itemKind: null,
      number: null,
      title: null,
      retailer: null,
      before: {},
      after: { month: 680, reason: 'A source was wrong.' },
    };
    expect((await list({ after: from })).events).toMatchObject([expected]);
    const nothing = { set: [], minifig: [] };
    expect((await list({ after: from, items: nothing })).events).toMatchObject([expected]);
    expect((await list({ after: from, kinds: ['set.status'] })).events).toEqual([]);
  });
});

describe('a page', () => {
  /** Six events of three items and three kinds; returns the position before them. */
  async function six(name: string) {
    const keys = [`${name}1`, `${name}2`, `${name}3`];
    const id = await add(set(keys[0] ?? ''), set(keys[1] ?? ''), minifig(keys[2] ?? ''));
    const from = await latest();
    const every = (events: Partial<EventFacts>) =>
      publish(Object.fromEntries(keys.map((key) => [id(key), { events }])));
    await every({});
    await every({ statusId: 3 });
    await every({ statusId: 3, tier: 'high' });
    return { from, keys };
  }

  test('continues where the previous one ended, without a gap', async () => {
    const { from } = await six('g');
    const positions: number[] = [];
    const pages: [number, boolean][] = [];
    for (let after = from, hasMore = true; hasMore; ) {
      const page = await list({ after, limit: 4 });
      positions.push(...page.events.map(({ position }) => position));
      pages.push([page.events.length, page.hasMore]);
      ({ next: after, hasMore } = page);
    }
    expect(pages).toEqual([
      [4, true],
      [2, false],
    ]);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(positions).size).toBe(6);
    const last = await list({ after: from, limit: 6 });
    expect([last.events.length, last.next, last.hasMore]).toEqual([6, await latest(), false]);
  });

  test('has the requested kinds and items, and skips others', async () => {
    const { from, keys } = await six('k');
    const [first = '', second = '', third = ''] = keys;
    const of = async (query: Partial<EventQuery>) => {
      const page = await list({ after: from, ...query });
      expect(page.next).toBe(await latest());
      return page.events.map(({ number, kind }) => `${number} ${kind}`);
    };
    expect(await of({ kinds: ['set.status'] })).toEqual([
      `${first} set.status`,
      `${second} set.status`,
      `${third} set.status`,
    ]);
    expect(await of({ kinds: [] })).toEqual([]);
    const items = { set: [second, third], minifig: [third, first] };
    expect(await of({ items, kinds: ['value.tier', 'value.move'] })).toEqual([
      `${second} value.tier`,
      `${third} value.tier`,
    ]);
    expect(await of({ items: { set: [], minifig: [] } })).toEqual([]);
  });

  test('after the latest position is empty, and continues there', async () => {
    const beyond = (await latest()) + 10;
    expect(await list({ after: beyond })).toEqual({ events: [], next: beyond, hasMore: false });
  });
});

describe('positions', () => {
  test('follow the time, a thousand per millisecond, also in a restored store', async () => {
    const id = await add(set('b1'));
    await publish({ [id('b1')]: {} });
    const publishAt = async (at: number, statusId: 3 | 4) => {
      await publish({ [id('b1')]: { at, events: { statusId } } });
      return latest();
    };
    const known = await publishAt(now, 3);
    expect(known).toBeGreaterThanOrEqual(now * 1_000);
    await onTables(shared.folder, "UPDATE meta SET value = 7 WHERE name = 'event_position'");
    const later = Math.ceil(known / 1_000) + 1;
    expect(await publishAt(later, 4)).toBe(later * 1_000);
    // Two events in one millisecond, or a clock that was set back, still get increasing positions.
    expect(await publishAt(now, 3)).toBe(later * 1_000 + 1);
  });
});

describe('old events', () => {
  /** Inserts one event per time; returns the position before them. */
  async function log(instants: readonly number[]): Promise<number> {
    const from = (await latest()) + 1;
    const rows = instants.map((at, index) => `(${from + index}, ${at}, 'set.status', '{}', '{}')`);
    await onTables(
      shared.folder,
      `INSERT INTO event (position, at, kind, before, after) VALUES ${rows.join(', ')}`,
    );
    await onTables(shared.folder, "UPDATE meta SET value = ? WHERE name = 'event_position'", [
      from + instants.length - 1,
    ]);
    return from;
  }

  test('are scanned in parts, so that rare kinds do not take long', async () => {
    const from = await log(Array.from({ length: 5_003 }, () => now));
    const page = await list({ after: from - 1, kinds: ['value.tier'] });
    expect(page).toEqual({ events: [], next: from + 4_999, hasMore: true });
    const rest = await list({ after: page.next, kinds: ['value.tier'] });
    expect(rest).toEqual({ events: [], next: from + 5_002, hasMore: false });
  });

  test('are removed oldest first, a few at a time, and readers that are behind get an error', async () => {
    const { market } = shared.store;
    while ((await market.pruneEvents(now + 2 * dayMs, 10_000)) > 0);
    const from = await log([1, 2, 3, 99, 4, 100, 5]);
    expect(await market.pruneEvents(50, 2)).toBe(2);
    const asked = { kinds: null, items: null, limit: 250 };
    expect(await market.listEvents({ ...asked, after: from })).toEqual({ oldest: from + 1 });
    const kept = await list({ after: from + 1 });
    expect(kept.events.map(({ at }) => at)).toEqual([3, 99, 4, 100, 5]);
    // An event with a later time in between does not block the removal.
    expect(await market.pruneEvents(50, 4)).toBe(3);
    expect(await market.pruneEvents(50, 1)).toBe(0);
    expect(await market.listEvents({ ...asked, after: from + 3 })).toEqual({ oldest: from + 4 });
    expect((await list({ after: from + 4 })).events.map(({ at }) => at)).toEqual([100, 5]);
    expect(await latest()).toBe(from + 6);
  });
});
