/** Retail rows depend on offers and time, not on how the offers arrive. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RetailRow } from '../../src/contract/retail.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { hourMs } from '../../src/kernel/time.ts';
import { makePublisher, type Publisher } from '../../src/publish/publisher.work.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../support/engines.ts';
import { plainEngine } from '../support/plain-engine.ts';
import { publishSettings } from '../support/publish-settings.ts';
import { runsOnEngine } from '../support/random-runs.ts';
import { onTables } from '../support/tables.ts';
import { type FeedLine, importFeed, startWorld, type World } from '../support/world.ts';

const start = Date.UTC(2026, 10, 9);
const hour = (count: number) => start + count * hourMs;

function set(number: string, facts: FeedLine = {}): FeedLine {
  return { kind: 'set', set_number: number, title: `Hut ${number}`, theme: 'Huts', ...facts };
}

/** A store without a server. */
interface Shop {
  readonly folder: string;
  readonly store: Store;
  readonly publisher: Publisher;
  now: number;
}

async function openShop(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-'));
  const store = await openTestStore(folder);
  const settings = { engine: plainEngine, ...publishSettings };
  const publisher = makePublisher(store.market, settings, () => shop.now);
  const shop: Shop = { folder, store, publisher, now: hour(0) };
  return shop;
}

async function load({ store, publisher, now }: Shop, lines: readonly FeedLine[]): Promise<void> {
  const report = await importFeed(store, lines, () => now);
  expect(report.rejects).toEqual([]);
  await publisher.publishStale();
}

/** All published retail data of sets. */
async function published({ store }: Shop, numbers: readonly string[]) {
  const rows = await store.market.listRetail(numbers, null);
  const documents = await Promise.all(numbers.map((n) => store.market.findDocument('set', n)));
  const sets = documents.map((document): SetRecord => JSON.parse(document?.body ?? '{}'));
  return {
    rows: rows.toSorted((a, b) => (a.setKey < b.setKey ? -1 : 1)),
    retailers: sets.map((record) => JSON.stringify(record.retailers)),
  };
}

/** An observation that arrives some hours after it was made. */
interface Arrival {
  readonly nth: number;
  readonly observed: number;
  readonly delay: number;
  readonly facts: FeedLine;
}

const nullOr = <T>(...values: T[]) => fc.constantFrom(null, ...values);

/** Few hours and prices, so that observations are replaced, and prices and sellers recur. */
const someArrivals: fc.Arbitrary<Arrival[]> = fc.array(
  fc.record({
    nth: fc.nat({ max: 1 }),
    observed: fc.nat({ max: 19 }),
    delay: fc.constantFrom(0, 0, 0, 0, 0, 1, 7),
    facts: fc.record({
      retailer: fc.constantFrom('retailer_a', 'retailer_a', 'retailer_b'),
      price: nullOr(99.99, 100, 100, 100.01),
      seller_type: nullOr('retailer', 'third_party', 'third_party'),
      in_stock: nullOr(true, false),
      asin: nullOr('B000000001', 'B000000002'),
      list_price: nullOr(150, 160),
      product_url: nullOr('https://a.example/1', 'https://a.example/2'),
      lowest_fba: nullOr(120),
      fba_sellers: nullOr(2),
      buy_box: nullOr(110.5),
    }),
  }),
  { minLength: 1, maxLength: 50 },
);

describe('offers in any order and in any batches', () => {
  let piecemeal: Shop;
  let atOnce: Shop;
  let runs = 0;

  beforeAll(async () => {
    piecemeal = await openShop();
    atOnce = await openShop();
  });

  afterAll(async () => {
    for (const { store, folder } of [piecemeal, atOnce]) {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  /** New sets for each run, since all share one store. */
  async function newSets(): Promise<string[]> {
    const run = runs++;
    const numbers = [0, 1].map((nth) => `${run}x${nth}`);
    const box = { width_in: 10, height_in: 7, depth_in: 2.5, weight_lbs: 0.9 };
    const lines = numbers.map((number) => set(number, { box, msrp_usd: 140 }));
    for (const shop of [piecemeal, atOnce]) {
      shop.now = hour(40);
      await load(shop, lines);
    }
    return numbers;
  }

  const toLine =
    (numbers: readonly string[]) =>
    (arrival: Arrival): FeedLine => ({
      kind: 'offer',
      set_number: numbers[arrival.nth],
      observed_at: new Date(hour(arrival.observed)).toISOString(),
      ...arrival.facts,
    });

  /** The observations that count in the end, sorted: the last to arrive of each instant. */
  function lastOfEach(lines: readonly FeedLine[]): FeedLine[] {
    const identity = (line: FeedLine) => `${line.set_number} ${line.retailer} ${line.observed_at}`;
    const byIdentity = new Map(lines.map((line) => [identity(line), line]));
    return [...byIdentity].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }

  test('give the same rows and summaries, byte for byte, as one import of everything', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 50, maxLength: 50 });
    const property = fc.asyncProperty(someArrivals, sizes, async (arrivals, batchSizes) => {
      const numbers = await newSets();
      const lines = arrivals.map(toLine(numbers));
      let done = 0;
      for (const size of batchSizes) {
        if (done >= lines.length) break;
        await load(piecemeal, lines.slice(done, done + size));
        done += size;
      }
      await load(atOnce, lastOfEach(lines));
      expect(await published(piecemeal, numbers)).toEqual(await published(atOnce, numbers));
    });
    await fc.assert(property, { seed: 21, numRuns: runsOnEngine(30) });
  });

  test('also when time passes between them, and only due items are republished', async () => {
    const property = fc.asyncProperty(someArrivals, async (arrivals) => {
      const numbers = await newSets();
      const arrivedAt = (arrival: Arrival) => arrival.observed + arrival.delay;
      const inOrder = arrivals.toSorted((a, b) => arrivedAt(a) - arrivedAt(b));
      for (let now = 0; now <= 40; now++) {
        piecemeal.now = hour(now);
        while ((await piecemeal.publisher.publishDue(100)) > 0);
        const arrived = inOrder.filter((arrival) => arrivedAt(arrival) === now);
        if (arrived.length > 0) await load(piecemeal, arrived.map(toLine(numbers)));
      }
      await load(atOnce, lastOfEach(inOrder.map(toLine(numbers))));
      expect(await published(piecemeal, numbers)).toEqual(await published(atOnce, numbers));
    });
    await fc.assert(property, { seed: 22, numRuns: runsOnEngine(30) });
  });
});

describe('a running server', () => {
  let world: World;
  let key: string;

  beforeEach(async () => {
    world = await startWorld('2026-04-16T18:00:00Z');
    await world.addAccount('caller@example.com');
    key = await world.addKey('caller@example.com');
  });

  afterEach(() => world.close());

  const look = (time: string, price: number | null, facts: FeedLine = {}): FeedLine => {
    const identity = { retailer: 'retailer_a', set_number: '1' };
    return { kind: 'offer', ...identity, observed_at: `2026-04-16T${time}:00Z`, price, ...facts };
  };

  async function get<T>(path: string): Promise<T> {
    return ((await (await world.call(path, key)).json()) as { data: T }).data;
  }

  const rowOf = (number: string) => get<RetailRow | null>(`/set/${number}/retail-prices`);
  const blockOf = async (number: string) => (await rowOf(number))?.retailer_a;

  /** Sets the clock and publishes due items, as `serve` does. */
  async function moveTo(instant: string): Promise<void> {
    world.now = Date.parse(instant);
    while ((await world.publisher.publishDue(100)) > 0);
  }

  test('shows an offer once it is published, in the row and in the Set', async () => {
    const shown = async () => {
      const { retailers } = await get<SetRecord>('/set/1');
      return [(await rowOf('1'))?.retailer_a.price, retailers.map((r) => r.current_price)];
    };
    await world.load([set('1')]);
    expect(await shown()).toEqual([undefined, []]);
    await world.load([look('16:00', 12.5)]);
    expect(await shown()).toEqual([12.5, [12.5]]);
    await world.load([look('17:00', 11)]);
    expect(await shown()).toEqual([11, [11]]);
    expect(await world.load([look('17:00', 11)])).toMatchObject({ unchanged: 1, updated: 0 });
    // Earlier observations change what follows; the same instant is replaced.
    await world.load([look('15:00', 10.5)]);
    expect(await blockOf('1')).toMatchObject({ price: 11, lowest: 10.5, lastChange: -1.5 });
    await world.load([look('17:00', 12.5), set('1', { title: 'Mill' })]);
    expect(await rowOf('1')).toMatchObject({ name: 'Mill', retailer_a: { lastChange: 2 } });
  });

  test('shows a flip confirmed by time alone, six hours after the third party was seen', async () => {
    const by = (seller: string) => ({ seller_type: seller });
    await world.load([set('1'), look('16:00', 10, by('retailer'))]);
    await world.load([look('17:00', 10, by('third_party'))]);
    const flip = async () => (await blockOf('1'))?.flip1pTo3p;
    expect(await flip()).toBe(false);
    // Publishing again is not another observation.
    await world.load([set('1', { title: 'Mill' })]);
    expect(await flip()).toBe(false);
    await moveTo('2026-04-16T22:59:59.999Z');
    expect(await flip()).toBe(false);
    await moveTo('2026-04-16T23:00:00Z');
    expect(await flip()).toBe(true);
    await world.load([look('23:00', 10, by('retailer'))]);
    expect(await flip()).toBe(false);
  });

  test('shows netFba with the current fees, from lowestFba or buyBox, if the box is known', async () => {
    const box = { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 };
    const small = { width_in: 10, height_in: 7, depth_in: 2.5, weight_lbs: 0.9 };
    const boxes = [box, box, small, box, null, { ...box, weight_lbs: null }];
    const both = { lowest_fba: 99.99, buy_box: 50 };
    const exits = [both, { buy_box: 99.99 }, { lowest_fba: 29.99 }, {}, both, both];
    const numbers = boxes.map((_, index) => String(index + 1));
    await world.load(boxes.map((size, index) => set(`${index + 1}`, { box: size })));
    await world.load(exits.map((e, i) => look('17:00', null, { ...e, set_number: numbers[i] })));
    const nets = async () => {
      const rows = await Promise.all(numbers.map(rowOf));
      return rows.map((row) => row?.retailer_aExit.netFba);
    };
    // 99.99 − 15.00 − (7.55 + 7 × 0.38), and 29.99 − 4.50 − 5.42.
    expect(await nets()).toEqual([74.78, 74.78, 20.07, null, null, null]);
    // From the 17th on the fulfillment fee has a 3.5% surcharge: 10.57 and 5.61.
    await moveTo('2026-04-16T23:59:59.999Z');
    expect((await nets())[0]).toBe(74.78);
    await moveTo('2026-04-17T00:00:00Z');
    expect(await nets()).toEqual([74.42, 74.42, 19.88, null, null, null]);
  });

  test('continues from the stored state, unless an earlier observation or new rules invalidate it', async () => {
    await world.load([set('1'), look('10:00', 10), look('12:00', 12)]);
    const change = async (version: string) => {
      const { folder } = world;
      const [row] = await onTables<{ state: string }>(folder, 'SELECT state FROM retail_state');
      const state = JSON.stringify({ ...JSON.parse(row?.state ?? '{}'), lowestCents: 1 });
      const sql = `UPDATE retail_state SET state = ?, fold_version = fold_version ${version}`;
      await onTables(folder, sql, [state]);
    };
    const lowest = async () => (await blockOf('1'))?.lowest;
    await change('');
    await world.load([look('13:00', 13)]);
    expect(await lowest()).toBe(0.01);
    await world.load([look('11:00', 11)]);
    expect(await lowest()).toBe(10);
    await change('- 1');
    await world.load([look('14:00', 14)]);
    expect(await lowest()).toBe(10);
  });
});
