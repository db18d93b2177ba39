/** A live market: nothing is reported twice or lost. */
import { expect, test } from 'bun:test';
import { readFeedRecord } from '../../src/ingest/feed/feed.work.ts';
import { hourMs } from '../../src/kernel/time.ts';
import { marketRecord } from './feed-records.ts';
import { makeLiveWorld } from './live-world.ts';

const start = Date.UTC(2026, 10, 15, 9, 30);
const size = { sets: 60, minifigs: 45, years: 2, salesPerSet: 30 };
const world = makeLiveWorld({ seed: 7, start, size });
const past = Array.from(world.past, marketRecord);

test('the past is accepted by the feed as of the start', () => {
  const faults = past.flatMap((record) => {
    const read = readFeedRecord(record, start);
    return 'reason' in read ? [`${read.reason}: ${JSON.stringify(record)}`] : [];
  });
  expect(faults).toEqual([]);
});

test('the future takes two hours', () => {
  expect(world.endsAt - start).toBeWithin(1.9 * hourMs, 2 * hourMs);
  const { sales, offers } = world.market;
  expect(sales.length).toBeGreaterThan(20);
  expect(offers.length).toBeGreaterThan(20);
  for (const { soldAt } of sales) expect(soldAt).toBeWithin(start, world.endsAt);
  const later = offers.filter(({ observedAt }) => observedAt >= start);
  expect(later.length).toBeGreaterThan(20);
  for (const { observedAt } of later) expect(observedAt).toBeWithin(start, world.endsAt + 1);
});

test('every retailer was observed within the day before the start', () => {
  const latest = new Map<string, number>();
  for (const { kind, retailer, set_number, observed_at } of past) {
    if (kind === 'offer') latest.set(`${retailer} ${set_number}`, Date.parse(String(observed_at)));
  }
  expect(latest.size).toBeGreaterThan(30);
  for (const at of latest.values()) expect(at).toBeWithin(start - 20 * hourMs - 60_000, start);
});

test('no sale is both in the past and reported by a source', () => {
  const known = new Set(
    past.flatMap(({ kind, source, source_id: id }) => (kind === 'sale' ? [`${source} ${id}`] : [])),
  );
  expect(known.size).toBeGreaterThan(500);
  for (const { source, sourceId } of world.market.sales) {
    expect(known.has(`${source} ${sourceId}`)).toBe(false);
  }
});

test('it depends on seed and start only', () => {
  const again = makeLiveWorld({ seed: 7, start, size });
  expect(again.market).toEqual(world.market);
  expect(Array.from(again.past, marketRecord)).toEqual(past);
});
