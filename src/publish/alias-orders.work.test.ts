/**
 * Sets, minifigs with several numbers, collectible minifigs and sales: the published result is the
 * same in any order and batches.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { aMinifig, aSale, aSet } from '../../test/support/builders.ts';
import { openTestStore } from '../../test/support/engines.ts';
import { plainEngine } from '../../test/support/plain-engine.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { runsOnEngine } from '../../test/support/random-runs.ts';
import { dayMs } from '../kernel/time.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';
import type { Store } from '../store/store.ts';
import { makePublisher, type Publisher } from './publisher.work.ts';

const now = Date.UTC(2026, 10, 15, 12);
const numbers = ['a', 'b', 'c', 'd', 'x'];
/** Described by a source in every run; the last one is only an alias, or nothing. */
const described = numbers.slice(0, 4);
const sources = ['bricklink', 'rebrickable', 'zzz'];
/** The first one is no collectible minifig, whatever it contains. */
const setNumbers = ['1', '2', '3'];

let folder: string;
let store: Store;
let publisher: Publisher;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-alias-orders-'));
  store = await openTestStore(folder);
  publisher = makePublisher(store.market, { engine: plainEngine, ...publishSettings }, () => now);
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The record of a minifig from one source, possibly corrected later. */
const anyMinifig = fc.record({
  number: fc.constantFrom(...described),
  source: fc.constantFrom(...sources),
  earlier: fc.option(fc.subarray(numbers, { maxLength: 2 })),
  aliases: fc.subarray(numbers, { maxLength: 2 }),
});

const anySet = fc.record({
  number: fc.constantFrom(...setNumbers),
  source: fc.constantFrom('brickset', 'rebrickable'),
  earlier: fc.option(fc.subarray(numbers)),
  minifigs: fc.option(fc.oneof(fc.subarray(numbers), fc.subarray(numbers, { maxLength: 1 }))),
});

const identity = ({ number, source }: { number: string; source: string }) => `${number} ${source}`;

const anyMarket = fc.record({
  minifigs: fc.uniqueArray(anyMinifig, { selector: identity, minLength: 2, maxLength: 9 }),
  sets: fc.uniqueArray(anySet, { selector: identity, maxLength: 5 }),
  sales: fc.uniqueArray(fc.tuple(fc.constantFrom(...described), fc.integer({ min: 1, max: 300 })), {
    selector: ([, day]) => day,
    maxLength: 6,
  }),
});

type Market = typeof anyMarket extends fc.Arbitrary<infer T> ? T : never;

/** The rows of a market with its own numbers: each list is ordered, the lists are not. */
function rowsOf({ minifigs, sets, sales }: Market, place: string): MarketRow[][] {
  const own = (list: readonly string[]) => list.map((number) => place + number);
  const minifig = (number: string, source: string, aliases: readonly string[]): MarketRow => {
    const names = { number: place + number, name: `${number} of ${source}`, aliases: own(aliases) };
    return { kind: 'minifig', source, facts: aMinifig(names) };
  };
  const set = (number: string, source: string, listed: readonly string[] | null): MarketRow => {
    const theme = number === '1' ? 'Castles' : 'Collectible Minifigures';
    const facts = aSet({ number: place + number, theme, minifigs: listed && own(listed) });
    return { kind: 'set', source, facts };
  };
  const sold = (number: string, day: number): MarketRow => {
    const facts = { sourceId: `${place}${day}`, soldAt: now - day * dayMs, priceCents: day * 100 };
    const item = { itemKind: 'minifig', itemKey: place + number, condition: 'used' } as const;
    return { kind: 'sale', sale: aSale({ ...item, ...facts }) };
  };
  return [
    ...described.map((number) => [minifig(number, 'any', [])]),
    ...minifigs.map(({ number, source, earlier, aliases }) => [
      ...(earlier ? [minifig(number, source, earlier)] : []),
      minifig(number, source, aliases),
    ]),
    ...sets.map(({ number, source, earlier, minifigs: listed }) => [
      ...(earlier ? [set(number, source, earlier)] : []),
      set(number, source, listed),
    ]),
    ...sales.map(([number, day]) => [sold(number, day)]),
  ];
}

/** Merges the lists, keeping the order within each; `picks` decides which list is next. */
function mixed(lists: readonly (readonly MarketRow[])[], picks: Iterator<number>): MarketRow[] {
  const left = lists.map((list) => [...list]);
  const rows: MarketRow[] = [];
  for (;;) {
    const open = left.filter((list) => list.length > 0);
    const row = open[picks.next().value % open.length]?.shift();
    if (!row) return rows;
    rows.push(row);
  }
}

/** Applies rows in batches, some followed by a publication; rejected sales are retried. */
async function applyAll(rows: readonly MarketRow[], picks: Iterator<number>): Promise<void> {
  let waiting: MarketRow[] = [];
  for (let start = 0; start < rows.length; ) {
    const some = rows.slice(start, start + 1 + (picks.next().value % 5));
    start += some.length;
    const outcomes = await store.market.applyRows(some, now);
    waiting.push(...some.filter((_, index) => outcomes[index]?.kind === 'rejected'));
    if (picks.next().value % 2 === 0) await publisher.publishStale();
  }
  waiting = waiting.filter(({ kind }) => kind === 'sale');
  const outcomes = await store.market.applyRows(waiting, now);
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  await publisher.publishStale();
  expect(await store.market.countStale()).toBe(0);
}

/** All published data of a market, without its numbers. */
async function publishedData(place: string): Promise<unknown> {
  const { market } = store;
  const found: Record<string, unknown> = {};
  for (const number of numbers) {
    const document = await market.findDocument('minifig', place + number);
    const evidence = await market.findEvidence('minifig', place + number);
    found[number] = [document, evidence?.number, evidence?.name, evidence?.evidence?.used];
  }
  for (const number of setNumbers) found[number] = await market.findDocument('set', place + number);
  const entries = (await market.listSearchEntries('minifig', '', 1_000))
    .filter(({ key }) => key.startsWith(place))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const sold = (await market.listSold(null))
    .filter(({ key }) => key.startsWith(place))
    .map(({ key, firstSoldAt }) => ({ key, firstSoldAt }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return JSON.parse(JSON.stringify({ found, entries, sold }).replaceAll(place, ''));
}

test('the order and batches of rows make no difference', async () => {
  let runs = 0;
  const anyPicks = fc.infiniteStream(fc.nat(1000));
  await fc.assert(
    fc.asyncProperty(anyMarket, anyPicks, anyPicks, async (market, ...picks) => {
      const [one, other] = [`r${++runs}-`, `r${++runs}-`];
      const outcomes: unknown[] = [];
      for (const [index, place] of [one, other].entries()) {
        const stream = picks[index] ?? picks[0];
        await applyAll(mixed(rowsOf(market, place), stream), stream);
        outcomes.push(await publishedData(place));
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
    }),
    { seed: 41, numRuns: Number(process.env.ALIAS_RUNS ?? runsOnEngine(25)) },
  );
});
