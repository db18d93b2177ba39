/** Removing daily values of sets from a day on. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import type { Engine } from '../../store/sql/operation.ts';
import { openDatabase, type StoreFile } from '../../store/sqlite/database.ts';
import { sqliteEngine } from '../../store/sqlite/engine.ts';
import { marketMigrations } from '../../store/sqlite/schema.ts';
import { packDayValues } from '../history/day-values.ts';
import { packSetValues, type SetValues } from '../values/set-values.ts';
import { forgetValuesSince, listingReading } from './listing.store.ts';

let db: StoreFile;
let engine: Engine;

beforeEach(() => {
  db = openDatabase(':memory:', { durability: 'process', migrations: marketMigrations });
  engine = sqliteEngine(db);
});

afterEach(() => db.close());

/** Values published on some days. */
const valuesOf = (...days: number[]): SetValues => ({
  newCents: 5,
  usedCents: null,
  months: { sealed: null, used: null },
  early: { sealed: days.map((day) => ({ day, cents: 100 + day })), used: [] },
});

/** Lists an item with its key as id. */
function list(id: number, values: SetValues, kind = 'set'): void {
  listPacked(id, packSetValues(values), kind);
}

function listPacked(id: number, packed: Uint8Array, kind = 'set'): void {
  db.run(
    `INSERT INTO listing (item_id, kind, key, number, name, new_cents, used_cents, new_tier,
       used_tier, search_row, set_values, interest)
     VALUES (?1, ?2, ?1, ?1, 'Castle', 7, 8, 'low', 'low', '{}', ?3, 0)`,
    [id, kind, packed],
  );
}

/** An unknown layout. */
const otherLayout = new Uint8Array(8);

const forget = (ids: number[] | null, day: number) =>
  engine.transaction(() => forgetValuesSince(ids && new Set(ids), day * dayMs));

const daysOf = async (id: number) => {
  const [values] = await listingReading(engine).findItemValues('set', [String(id)]);
  return values?.early.sealed.map(({ day }) => day);
};

test('values from a day on are removed, of all sets or of some', async () => {
  list(1, valuesOf(10, 20, 30));
  list(2, valuesOf(10));
  list(3, valuesOf(20));
  listPacked(4, otherLayout);
  list(5, valuesOf(30), 'minifig');
  expect(await forget([1, 2], 30)).toEqual([1]);
  expect([await daysOf(1), await daysOf(3)]).toEqual([[10, 20], [20]]);
  expect(await forget([2, 3, 4, 5], 20)).toEqual([3, 5]);
  expect([await daysOf(1), await daysOf(2), await daysOf(3)]).toEqual([[10, 20], [10], []]);
  expect(await forget(null, 20)).toEqual([1]);
  expect(await daysOf(1)).toEqual([10]);
});

test('daily values from a day on are removed with them', async () => {
  list(1, valuesOf(10));
  const days = [10, 20].map((day) => ({ day, newCents: day, usedCents: null }));
  db.run('UPDATE listing SET day_values = ?', [packDayValues(days)]);
  expect(await forget(null, 20)).toEqual([1]);
  expect((await listingReading(engine).findDayValues('set', '1'))?.days).toEqual(days.slice(0, 1));
  expect(await daysOf(1)).toEqual([10]);
  expect(await listingReading(engine).findDayValues('set', '2')).toBeNull();
});

test('sets beyond the first query are included', async () => {
  const packed = packSetValues(valuesOf(10));
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5001)
     INSERT INTO listing (item_id, kind, key, number, name, new_tier, used_tier, search_row,
       set_values, interest)
     SELECT i, 'set', i, i, 'Castle', 'low', 'low', '{}',
       CASE WHEN i % 2500 = 1 THEN ? END, 0 FROM n`,
    [packed],
  );
  expect(await forget(null, 10)).toEqual([1, 2501, 5001]);
});

test('sets with values in an unknown layout have those of their listing', async () => {
  listPacked(1, otherLayout);
  list(2, valuesOf(10));
  const [plain, packed] = await listingReading(engine).findItemValues('set', ['1', '2']);
  const nothing = { months: { sealed: null, used: null }, early: { sealed: [], used: [] } };
  expect(plain).toEqual({ newCents: 7, usedCents: 8, ...nothing });
  expect(packed).toEqual(valuesOf(10));
});
