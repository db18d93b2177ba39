/** Cached values are read once, and again only after they were published again. */
// @runs SQLite, PostgreSQL: reads the store
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type FeedLine, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { countTurns } from '../../../test/support/turns.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { Freshness } from './freshness.ts';
import { cachedListing, cachedMonths, cachedValues } from './set-cache.ts';

let world: StoredWorld;
let values: MarketReading['findItemValues'];
/** The sets of each query. */
let asked: string[][];

const set = (number: string, msrp: number): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: 'Hut',
  theme: 'Huts',
  msrp_usd: msrp,
});

beforeEach(async () => {
  world = await openWorld();
  await world.load([set('1', 10), set('2', 20)]);
  asked = [];
  const market: MarketReading = {
    ...world.store.market,
    findItemValues: (kind, keys) => {
      asked.push([...keys]);
      return world.store.market.findItemValues(kind, keys);
    },
  };
  values = cachedValues(market, new Freshness(market));
});

afterEach(() => world.close());

const newCents = async (...keys: string[]) =>
  (await values('set', keys)).map((found) => found?.newCents ?? null);

test('a set is read once, and results are in the requested order', async () => {
  const [one, two] = await newCents('1', '2');
  expect(one).not.toBe(two);
  expect(await newCents('2', '1', '2')).toEqual([two ?? 0, one ?? 0, two ?? 0]);
  expect(asked).toEqual([['1', '2']]);
});

test('only sets that are published again are read again', async () => {
  const [, two] = await newCents('1', '2');
  await world.load([set('1', 30)]);
  const [after, same] = await newCents('1', '2');
  expect(same).toBe(two);
  expect(after).toBeGreaterThan(two ?? 0);
  expect(asked).toEqual([['1', '2'], ['1']]);
});

test('a set that does not exist is not cached', async () => {
  expect(await newCents('3', '1')).toMatchObject([null, expect.any(Number)]);
  expect(await newCents('3')).toEqual([null]);
  await world.load([set('3', 5)]);
  expect((await newCents('3'))[0]).toBeGreaterThan(0);
  expect(asked).toEqual([['3', '1'], ['3'], ['3']]);
});

test('a set that is published during the read is not cached', async () => {
  let isFirst = true;
  const market: MarketReading = {
    ...world.store.market,
    findItemValues: async (kind, keys) => {
      const read = await world.store.market.findItemValues(kind, keys);
      if (isFirst) {
        isFirst = false;
        await world.load([set('1', 50)]);
        await freshness.refresh();
      }
      return read;
    },
  };
  const freshness = new Freshness(market);
  const kept = cachedValues(market, freshness);
  const [old] = await kept('set', ['1']);
  const [current] = await kept('set', ['1']);
  expect(current?.newCents).toBeGreaterThan(old?.newCents ?? 0);
});

test('names and months are cached like values, and match the store', async () => {
  const questions: string[] = [];
  const { market } = world.store;
  const watched: MarketReading = {
    ...market,
    findListedItems: (kind, keys) => {
      questions.push(`names of ${keys}`);
      return market.findListedItems(kind, keys);
    },
    findMonthValues: (sets) => {
      questions.push(`months of ${sets.map(({ key, condition }) => `${key} ${condition}`)}`);
      return market.findMonthValues(sets);
    },
  };
  const freshness = new Freshness(watched);
  const names = cachedListing(watched, freshness);
  const months = cachedMonths(watched, freshness);
  const sold = { kind: 'sale', source: 'shop', source_id: '1', item_type: 'set', item: '1' };
  await world.load([{ ...sold, condition: 'used', price: 9, sold_at: '2026-09-01T10:00:00Z' }]);
  const asked = [
    { kind: 'set', key: '1', condition: 'used' },
    { kind: 'set', key: '2', condition: 'sealed' },
  ] as const;
  for (let round = 0; round < 2; round++) {
    expect(await names('set', ['1', '3'])).toEqual(await market.findListedItems('set', ['1', '3']));
    expect(await months(asked)).toEqual(await market.findMonthValues(asked));
  }
  expect((await months(asked))[0]?.valueCents).toContain(900);
  await world.load([{ ...set('1', 10), title: 'Castle' }]);
  expect((await names('set', ['1'])).get('1')?.title).toBe('Castle');
  expect(await months(asked)).toEqual(await market.findMonthValues(asked));
  const both = (key: string) => `months of ${key} sealed,${key} used`;
  expect(questions.filter((question) => question.startsWith('months'))).toEqual([
    'months of 1 sealed,1 used,2 sealed,2 used',
    both('1'),
  ]);
});

test('names are cached up to the size of their titles and themes', async () => {
  const questions: string[][] = [];
  const long = 'x'.repeat(5 * 1024 * 1024);
  const stored = (await world.store.market.findListedItems('set', ['1'])).get('1');
  if (!stored) throw new Error('There is no set.');
  const findListedItems: MarketReading['findListedItems'] = async (_, keys) => {
    questions.push([...keys]);
    return new Map(keys.map((key) => [key, { ...stored, title: long, theme: long }]));
  };
  const names = cachedListing({ findListedItems }, new Freshness(world.store.market));
  for (const key of ['1', '2', '3', '3', '1']) await names('set', [key]);
  expect(questions).toEqual([['1'], ['2'], ['3'], ['1']]);
});

/** A market of endlessly many sets, whose keys have the maximum length. */
function endless() {
  const keyOf = (index: number) => String(index).padStart(64, '0');
  const reads: number[] = [];
  const market = {
    publishStamp: () => 1,
    findItemValues: async (_: string, keys: readonly string[]) => {
      reads.push(keys.length);
      return keys.map(() => ({}));
    },
  } as unknown as MarketReading;
  return { keyOf, reads, cache: cachedValues(market, new Freshness(market)) };
}

test('many sets are read in slices, and other requests get a turn in between', async () => {
  const { keyOf, reads, cache } = endless();
  const keys = Array.from({ length: 2_000 }, (_, index) => keyOf(index));
  expect(await countTurns(() => cache('set', keys))).toBe(1);
  expect(reads).toEqual([1_000, 1_000]);
  expect(await cache('set', keys)).toEqual(keys.map(() => expect.anything()));
  expect(reads).toHaveLength(2);
});

test('months are cached up to their number', async () => {
  const asked: string[] = [];
  const findMonthValues = async (sets: readonly { readonly key: string }[]) => {
    asked.push(sets[0]?.key ?? '');
    return [{ valueCents: { length: 2.5 * 1024 * 1024 } }, null] as never;
  };
  const months = cachedMonths({ findMonthValues }, new Freshness(world.store.market));
  for (const key of ['1', '2', '1', '3', '2', '1']) {
    expect(await months([{ kind: 'set', key, condition: 'used' }])).toEqual([null]);
  }
  expect(asked).toEqual(['1', '2', '3', '1']);
});
