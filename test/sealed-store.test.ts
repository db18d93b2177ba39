/**
 * A store that brickmark-1 valued and sealed is opened by the engine of today: what was sealed
 * stays as it was, and new months are made beside it. The fixture was made by the last version that
 * had brickmark-1, and is never made again.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monthOf, parseMonth } from '../src/domain/kernel/time.ts';
import type { Series } from '../src/domain/market/history.ts';
import type { Store } from '../src/domain/store.ts';
import { makePublisher } from '../src/publish/publisher.ts';
import { openDatabase } from '../src/store/sqlite/database.ts';
import { marketMigrations } from '../src/store/sqlite/market-schema.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { valueEngine } from '../src/valuation/engine.ts';
import { publishSettings } from './support/publish-settings.ts';
import { typeHere } from './support/typed.ts';

/** The version of the schema that the fixture is of. */
const schemaVersion = 7;
const fixture = readFileSync(join(import.meta.dir, 'fixtures/sealed-brickmark-1.sql'), 'utf8');
const sealedAt = Date.parse('2026-11-15T12:00:00Z');
const later = Date.parse('2026-12-20T12:00:00Z');
const items = [1, 2, 3, 4];

let folder: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-sealed-'));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the store of the fixture, after a change to it. */
function openOld(change = ''): Store {
  const migrations = marketMigrations.slice(0, schemaVersion);
  const db = openDatabase(join(folder, 'market.db'), { durability: 'process', migrations });
  db.run(fixture + change);
  db.close();
  store = openSqliteStore(folder);
  return store;
}

function publisherAt(now: number) {
  return makePublisher(store.market, { engine: valueEngine, ...publishSettings }, () => now);
}

/** The months of every set that have a value, with what they were made from. */
async function sealedMonths() {
  const inputs = await store.market.loadInputs(items, { at: later, withSeries: true });
  return inputs.flatMap(({ number, series }) =>
    (['sealed', 'used'] as const).flatMap((condition) => {
      const found = series[condition];
      return found ? monthsOf(found).map((month) => ({ number, condition, ...month })) : [];
    }),
  );
}

function monthsOf({ firstMonth, points, provenance }: Series) {
  return points
    .map((point, index) => ({ month: firstMonth + index, point, made: provenance[index] }))
    .filter(({ point }) => point.valueCents !== null);
}

test('sealed months and their parameters stay, and a new month is learned and valued', async () => {
  openOld();
  const { parameters: before } = await store.market.findParameters();
  const months = await sealedMonths();
  expect(before.map(({ month }) => month).at(-1)).toBe(monthOf(sealedAt));
  expect(months.length).toBeGreaterThan(20);
  await publisherAt(later).publishAll();
  const { parameters: after } = await store.market.findParameters();
  expect(after.slice(0, before.length)).toEqual([...before]);
  expect(after.slice(before.length).map((one) => valueEngine.hasLearned(one))).toEqual([true]);
  const november = parseMonth('2026-11') ?? 0;
  const now = await sealedMonths();
  expect(now.filter(({ month }) => month < november)).toEqual(months);
  expect(now.filter(({ month }) => month === november).length).toBeGreaterThanOrEqual(5);
});

test('what is sealed is said to be made by brickmark-1, and the rest comes out the same', async () => {
  openOld();
  const publisher = publisherAt(later);
  await publisher.publishAll();
  const found = (await publisher.verify(1))?.months;
  // January to October, in both conditions, and November.
  expect(found?.older).toEqual([{ engine: 'brickmark-1', months: 20 }]);
  expect(found).toMatchObject({ checked: 2, matches: 2, unchecked: 0 });
  expect([...(found?.inputsChanged ?? []), ...(found?.differs ?? [])]).toEqual([]);
  await store.close();
  const environment = { BRICKMARK_NOW: '2026-12-20T12:00:00Z' };
  const { stdout } = await typeHere(['explain', 'set', '9101', '--verify', '--data', folder], {
    folder,
    environment,
  });
  expect(stdout).toContain('Kept 20 stored months computed by brickmark-1');
  store = openSqliteStore(folder);
});

test('a fact that changed since is told as changed inputs, whoever made the month', async () => {
  openOld("UPDATE catalog_record SET body = replace(body, '3999', '4999') WHERE item_id = 1;");
  const publisher = publisherAt(later);
  await publisher.publishAll();
  const found = (await publisher.verify(1))?.months;
  expect(found?.older).toEqual([]);
  expect(found?.inputsChanged).toHaveLength(20);
});

test('where history is not sealed, everything is learned and valued anew', async () => {
  openOld("DELETE FROM meta WHERE name = 'sealed_at';");
  const { parameters: before } = await store.market.findParameters();
  expect(before.some(valueEngine.hasLearned)).toBe(false);
  const publisher = publisherAt(sealedAt);
  await publisher.publishStale();
  const { parameters: after } = await store.market.findParameters();
  expect(after.map(({ month }) => month)).toEqual(before.map(({ month }) => month));
  expect(after.every(valueEngine.hasLearned)).toBe(true);
  expect(await store.market.countStale()).toBe(0);
  expect((await publisher.verify(1))?.months).toMatchObject({ matches: 20, older: [] });
});
