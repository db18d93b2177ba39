/** PostgreSQL and SQLite publish the same from the same rows. */
// @runs PostgreSQL: compares it with SQLite
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPostgres, openTestStore } from '../../test/support/engines.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { smallWorld, smallWorldItems } from '../../test/support/small-world.ts';
import { type FeedLine, importFeed } from '../../test/support/world.ts';
import { dayMs, monthOf } from '../kernel/time.ts';
import { valueEngine } from '../market/values/engine.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';
import { makePublisher } from './publisher.work.ts';

const first = Date.UTC(2026, 9, 20, 12);
const second = Date.UTC(2026, 10, 15, 12);
const later = second + 40 * dayMs;

const { catalog, rows, retractions } = smallWorld(Date.UTC(2026, 10, 15));
const instant = (line: FeedLine) => Date.parse(String(line.sold_at ?? line.observed_at));
/** Every seventh row is late, including offers before those already folded in. */
const isLate = (line: FeedLine, index: number) => instant(line) > first || index % 7 === 0;
const early = rows.filter((line, index) => !isLate(line, index));
const late = [...rows.filter(isLate), ...retractions];

/** All published data of a store, after each step. */
async function* steps({ market, ...store }: Store): AsyncGenerator<unknown> {
  let now = first;
  const clock = () => now;
  const publisher = makePublisher(market, { engine: valueEngine, ...publishSettings }, clock);
  const ingest = async (lines: readonly FeedLine[]) => {
    const { rejects } = await importFeed({ market, ...store }, lines, clock);
    expect(rejects).toEqual([]);
  };
  await ingest([...catalog.filter((line) => line.kind !== 'fx'), ...ratesUntil(first), ...early]);
  yield allOf(market, first);
  expect(await publisher.publishStale()).toBe(smallWorldItems);
  yield allOf(market, first);
  now = second;
  await ingest([...ratesUntil(second), ...late]);
  yield allOf(market, first);
  await publisher.publishStale();
  expect((await market.listScores(0)).length).toBeGreaterThan(50);
  yield allOf(market, second);
  yield market.sealHistory(now);
  yield market.restateHistory({ fromMonth: monthOf(first) - 3, reason: 'A source erred.', at: 1 });
  await publisher.publishStale(second - dayMs);
  yield allOf(market, second);
  now = later;
  yield publisher.publishDue(4);
  yield publisher.publishDue(500);
  yield allOf(market, later);
}

const ratesUntil = (at: number) =>
  catalog.filter((line) => line.kind === 'fx' && Date.parse(String(line.date)) <= at);

async function allOf(market: Store['market'], at: number): Promise<unknown> {
  const ids = Array.from({ length: 80 }, (_, index) => 80 - index);
  const items = await market.loadInputs(ids, { at, withSeries: true });
  const keys = items.filter(({ kind }) => kind === 'set').map(({ key }) => key);
  const named = <T>(find: (...name: [(typeof items)[number]['kind'], string]) => Promise<T>) =>
    Promise.all(items.map(({ kind, key }) => find(kind, key)));
  return {
    items,
    bare: await market.loadInputs(ids.slice(7, 9), { at: at - 90 * dayMs, withSeries: false }),
    learning: await market.loadLearningInputs(ids, at - 90 * dayMs),
    sold: [await market.listSold(null), await market.listSold(second)],
    parameters: [await market.findParameters(), await market.findParameterVersions()],
    scores: [await market.listScores(0), await market.listScores(2964)],
    history: await market.findHistoryState(),
    stale: [await market.listStale(3, 20), await market.countStale()],
    due: [await market.listDue(at + 5 * dayMs, 100), await market.countDue(at + 5 * dayMs)],
    evidence: await named(market.findEvidence),
    documents: await named(market.findDocument),
    themes: await market.findThemes(),
    retail: (await market.listRetail(keys, null)).sort((a, b) => (a.setKey < b.setKey ? -1 : 1)),
    values: await market.findItemValues('set', keys),
  };
}

describe.skipIf(!isPostgres)('PostgreSQL', () => {
  let folders: string[];
  let stores: Store[];

  beforeEach(async () => {
    folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'brickmark-engines-')));
    const [one = '', two = ''] = folders;
    stores = [openSqliteStore(one), await openTestStore(two)];
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test('publishes the same as SQLite, from the first import to upkeep', async () => {
    const [sqlite = [], postgres = []] = await Promise.all(
      stores.map((store) => Array.fromAsync(steps(store))),
    );
    expect(sqlite.length).toBe(10);
    // One by one: a difference in the first explains the others.
    for (const [index, step] of sqlite.entries()) expect(postgres[index]).toEqual(step);
  });
});
