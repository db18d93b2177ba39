/** The history of offers: what is kept, its lows, its pages, and what an undo does to it. */
import { describe, expect, test } from 'bun:test';
import { aPublishedItem, aSet } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { dayMs, monthOf } from '../../kernel/time.ts';
import type { EventFacts, RetailFacts } from '../events/next-events.ts';
import type { Retailer } from '../source-rows/source-rows.ts';
import {
  formatChangePosition,
  type HistoryQuery,
  type PastOffer,
  parseChangePosition,
  type RetailHistory,
} from './retail-history.ts';

const shared = shareStore();

const offered: RetailFacts = {
  priceCents: 100,
  hasOffer: true,
  sellerType: 'retailer',
  inStock: true,
  lowestCents: 1,
  isAtLowest: false,
  isFlipped: false,
};

const facts: EventFacts = {
  basis: 'test-1',
  values: { newCents: null, usedCents: null },
  tier: 'low',
  statusId: 2,
  lastMonth: monthOf(now) - 1,
  retail: {},
  monthsAfter: () => [],
};

async function addSet(number: string): Promise<number> {
  const row = { kind: 'set', source: 'feed', facts: aSet({ number, title: number }) } as const;
  await shared.store.market.applyRows([row], now);
  const sql = 'SELECT id FROM item WHERE key = ?';
  const [item] = await onTables<{ id: number }>(shared.folder, sql, [number]);
  return item?.id ?? 0;
}

type Offers = Partial<Record<Retailer, Partial<RetailFacts>>>;

/** Publishes a set at its retailers, at a time relative to now. */
async function publish(id: number, at: number, { retailer_a, retailer_b }: Offers): Promise<void> {
  const { market } = shared.store;
  const [inputs] = await market.loadInputs([id], { at: now, withSeries: false });
  const retail = {
    ...(retailer_a && { retailer_a: { ...offered, ...retailer_a } }),
    ...(retailer_b && { retailer_b: { ...offered, ...retailer_b } }),
  };
  const events = { ...facts, retail };
  const version = inputs?.version ?? 0;
  await market.publish([aPublishedItem({ id, version, at: now + at, events })]);
}

const all: HistoryQuery = {
  retailer: null,
  from: null,
  to: null,
  after: null,
  limit: 250,
  at: now,
};

async function read(key: string, asked: Partial<HistoryQuery> = {}): Promise<RetailHistory> {
  const found = await shared.store.market.findRetailHistories([key], { ...all, ...asked });
  return found.get(key) ?? { retailers: [], changes: [], hasMore: false };
}

const brief = ({ changes }: RetailHistory) =>
  changes.map(({ at, retailer, priceCents }) => `${at - now} ${retailer.at(-1)} ${priceCents}`);

describe('the history of a set', () => {
  test('has every published change at every retailer, latest first', async () => {
    const id = await addSet('a1');
    await publish(id, 1, { retailer_a: {} });
    await publish(id, 2, { retailer_a: {} });
    await publish(id, 3, { retailer_a: { sellerType: 'third_party', priceCents: 90 } });
    await publish(id, 4, { retailer_a: { hasOffer: false, inStock: false, priceCents: 90 } });
    const back = { sellerType: null, inStock: null, priceCents: 90 };
    await publish(id, 5, { retailer_a: back, retailer_b: { priceCents: null, hasOffer: false } });
    await publish(id, 6, { retailer_a: back, retailer_b: {} });
    const { changes, retailers, hasMore } = await read('a1');
    const change = (at: number, offer: Partial<PastOffer>) => ({
      retailer: 'retailer_a',
      sellerType: null,
      isCorrected: false,
      ...offer,
      at: now + at,
    });
    expect(changes as unknown[]).toEqual([
      change(6, { retailer: 'retailer_b', priceCents: 100, sellerType: 'retailer', inStock: true }),
      change(5, { priceCents: 90, inStock: null }),
      change(4, { priceCents: null, inStock: false }),
      change(3, { priceCents: 90, sellerType: 'third_party', inStock: true }),
      change(1, { priceCents: 100, sellerType: 'retailer', inStock: true }),
    ]);
    expect(retailers.map(({ retailer, since }) => [retailer, since - now])).toEqual([
      ['retailer_a', 1],
      ['retailer_b', 6],
    ]);
    expect(hasMore).toBe(false);
    expect(await read('unknown')).toEqual({ retailers: [], changes: [], hasMore: false });
  });

  test('outlives the event log and the set', async () => {
    const id = await addSet('o1');
    await publish(id, 1, { retailer_a: {} });
    await publish(id, 2, { retailer_a: { priceCents: 90 } });
    while ((await shared.store.market.pruneEvents(now + dayMs, 1_000)) > 0);
    expect(brief(await read('o1'))).toEqual(['2 a 90', '1 a 100']);
  });

  test('has pages without gaps or repetitions, also where both retailers changed at once', async () => {
    const id = await addSet('p1');
    for (let at = 1; at <= 5; at++) {
      const priceCents = 100 + at;
      await publish(id, at, { retailer_a: { priceCents }, retailer_b: { priceCents } });
    }
    const whole = brief(await read('p1'));
    expect(whole).toHaveLength(10);
    for (const limit of [1, 2, 3, 7]) {
      const seen: string[] = [];
      let after: HistoryQuery['after'] = null;
      for (let more = true; more; ) {
        const page: RetailHistory = await read('p1', { limit, after });
        seen.push(...brief(page));
        more = page.hasMore;
        const last = page.changes.at(-1);
        after = last ? parseChangePosition(formatChangePosition(last)) : null;
      }
      expect(seen).toEqual(whole);
    }
    expect(parseChangePosition(0).retailer).toBe('retailer_b');
  });

  test('of a time starts with the change in force, and may be of one retailer', async () => {
    const id = await addSet('t1');
    for (const at of [10, 20, 30]) await publish(id, at, { retailer_a: { priceCents: 100 + at } });
    await publish(id, 35, { retailer_a: { priceCents: 130 }, retailer_b: {} });
    const between = { from: now + 15, to: now + 30 };
    expect(brief(await read('t1', between))).toEqual(['20 a 120', '10 a 110']);
    expect(brief(await read('t1', { from: now + 20 }))).toEqual([
      '35 b 100',
      '30 a 130',
      '20 a 120',
    ]);
    expect(brief(await read('t1', { retailer: 'retailer_b' }))).toEqual(['35 b 100']);
    expect((await read('t1', { retailer: 'retailer_b' })).retailers).toHaveLength(1);
  });

  test('has the lows of days, with the price in force at their start', async () => {
    const id = await addSet('l1');
    const on = (days: number, priceCents: number | null) =>
      publish(id, -days * dayMs, {
        retailer_a: { priceCents: priceCents ?? 1, hasOffer: priceCents !== null },
      });
    for (const [days, cents] of [
      [400, 50],
      [365, 40],
      [200, 80],
      [100, 60],
      [80, null],
      [40, 90],
      [10, 95],
    ] as const) {
      await on(days, cents);
    }
    const lows = async (at: number) => (await read('l1', { at })).retailers[0]?.lows;
    expect(await lows(now)).toEqual({ 30: 90, 90: 60, 365: 40 });
    // A price that ended exactly at the start is not in force.
    expect(await lows(now + 10 * dayMs)).toEqual({ 30: 90, 90: 90, 365: 40 });
    expect(await lows(now + 165 * dayMs)).toEqual({ 30: 95, 90: 95, 365: 60 });
    expect(await lows(now + 1_000 * dayMs)).toEqual({ 30: 95, 90: 95, 365: 95 });
  });

  test('marks prices as wrong when the lowest price rises, and they are no lows', async () => {
    const id = await addSet('w1');
    await publish(id, 1, { retailer_a: { priceCents: 70, lowestCents: 70 } });
    await publish(id, 2, { retailer_a: { priceCents: 5, lowestCents: 5 } });
    await publish(id, 3, { retailer_a: { priceCents: 80, lowestCents: 70 } });
    const corrected = ({ changes }: RetailHistory) =>
      changes.map(({ priceCents, isCorrected }) => [priceCents, isCorrected]);
    const after = await read('w1');
    expect(corrected(after)).toEqual([
      [80, false],
      [5, true],
      [70, false],
    ]);
    expect(after.retailers[0]?.lows[30]).toBe(70);
    // Everything about the retailer was undone.
    await publish(id, 4, {});
    expect(corrected(await read('w1'))).toEqual([
      [null, false],
      [80, true],
      [5, true],
      [70, true],
    ]);
    expect((await read('w1')).retailers[0]?.lows[30]).toBeNull();
  });
});
