/** Operations on a SQLite file. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  givenRows,
  type Operation,
  query,
  queryEach,
  queryGroups,
  queryLists,
  type Reading,
  run,
  runEach,
  runRows,
  saveRows,
  together,
  updateRows,
} from '../sql/operation.ts';
import { isSameRow, tables } from '../sql/tables.ts';
import { openDatabase, type StoreFile } from './database.ts';
import { sqliteEngine } from './engine.ts';
import { marketMigrations } from './schema.ts';

let db: StoreFile;

beforeEach(() => {
  db = openDatabase(':memory:', { durability: 'process', migrations: marketMigrations });
});

afterEach(() => db.close());

interface Week {
  readonly itemId: number;
  readonly week: number;
  readonly priceCents: number;
}

function* saveWeeks(weeks: readonly Week[]): Operation<Week[]> {
  yield* saveRows(tables.retailWeek, weeks);
  return yield* query<Week>(
    `SELECT item_id::float8 AS "itemId", week, price_cents AS "priceCents"
     FROM source.retail_week ORDER BY item_id, week`,
  );
}

const item = "INSERT INTO item (id, kind, key, number) VALUES (1, 'set', 'a', 'a')";
const weeks: readonly Week[] = [
  { itemId: 1, week: 1, priceCents: 10 },
  { itemId: 1, week: 2, priceCents: 20 },
];

test('a lone surrogate in a list matches its stored replacement', async () => {
  const half = 'a\ud800b';
  const engine = sqliteEngine(db);
  const insert = "INSERT INTO published.item (kind, key, number) VALUES ('set', $1::text, '1')";
  await engine.transaction(() => run(insert, [half]));
  const find = 'SELECT number FROM published.item WHERE key = ANY($1::text[])';
  expect(await engine.run(() => query<object>(find, [[half]]))).toHaveLength(1);
});

test('a statement that writes or locks is refused where one only reads', async () => {
  db.run(item);
  const engine = sqliteEngine(db);
  const given = givenRows(tables.retailWeek, ['itemId'], [{ itemId: 1 }]);
  for (const sql of [
    "UPDATE published.item SET key = 'b' RETURNING key",
    'DELETE FROM published.item RETURNING key',
    "INSERT INTO published.item (kind, key, number) VALUES ('set', 'c', '1') RETURNING key",
    'SELECT key FROM published.item FOR NO KEY UPDATE',
  ]) {
    const reading = (make: () => Reading<unknown>) => expect(engine.run(make)).rejects.toThrow(sql);
    await reading(() => query(sql));
    await reading(() => queryLists({ found: sql }, []));
    await reading(() => queryEach(sql, given));
    await reading(() => queryGroups(sql, given));
    expect(await engine.transaction(() => runRows<object>(sql))).toHaveLength(1);
    db.run('DELETE FROM item');
    db.run(item);
  }
});

test('rows are inserted, updated by key, or left alone if nothing differs', async () => {
  db.run(item);
  const engine = sqliteEngine(db);
  expect(await engine.transaction(() => saveWeeks(weeks))).toEqual([...weeks]);
  const changed = [weeks[0], { itemId: 1, week: 2, priceCents: 21 }].filter(
    (week) => week !== undefined,
  );
  const before = db.query<{ n: number }, []>('SELECT total_changes() AS n').get()?.n ?? 0;
  expect(await engine.transaction(() => saveWeeks(changed))).toEqual(changed);
  const after = db.query<{ n: number }, []>('SELECT total_changes() AS n').get()?.n ?? 0;
  expect(after - before).toBe(1);
});

test('results are returned per row, in one list or several, even if there are none', async () => {
  db.run(item);
  const engine = sqliteEngine(db);
  await engine.transaction(() => saveWeeks(weeks));
  const given = givenRows(tables.retailWeek, ['week'], [{ week: 2 }, { week: 9 }, { week: 1 }]);
  const sql = 'SELECT price_cents AS cents FROM source.retail_week WHERE week = r.week';
  const [flat, groups] = await engine.snapshot(() =>
    together([
      queryEach<{ cents: number }>(sql, given),
      queryGroups<{ cents: number }>(sql, given),
    ]),
  );
  expect(flat).toEqual([{ cents: 20 }, { cents: 10 }]);
  expect(groups).toEqual([[{ cents: 20 }], [], [{ cents: 10 }]]);
});

test('rows are updated by another key than the primary key', async () => {
  db.run(item);
  const engine = sqliteEngine(db);
  await engine.transaction(() => saveWeeks(weeks));
  const rows = [{ week: 2, priceCents: 5 }];
  await engine.transaction(() => updateRows(tables.retailWeek, ['priceCents'], rows, ['week']));
  const found = db.query('SELECT price_cents AS cents FROM retail_week ORDER BY week').values();
  expect(found).toEqual([[10], [5]]);
});

test('lists are read inside and outside transactions, with values that only some of them use', async () => {
  db.run(item);
  const engine = sqliteEngine(db);
  const read = () =>
    queryLists<{ all: { key: string }[]; some: { key: string }[] }>(
      {
        all: 'SELECT key FROM published.item',
        some: 'SELECT key FROM published.item WHERE key = $1::text',
      },
      ['b'],
    );
  const found = { all: [{ key: 'a' }], some: [] };
  expect(await engine.run(read)).toEqual(found);
  expect(await engine.transaction(read)).toEqual(found);
});

test('written rows are counted, and casts to boolean return booleans', async () => {
  db.run(item);
  const engine = sqliteEngine(db);
  await engine.transaction(() => saveWeeks(weeks));
  const given = givenRows(tables.retailWeek, ['week'], [{ week: 1 }, { week: 2 }, { week: 3 }]);
  const sql = `UPDATE source.retail_week AS t SET price_cents = 7 FROM {rows}
    WHERE t.week = r.week`;
  expect(await engine.transaction(() => runEach(sql, given))).toBe(2);
  const answers = `SELECT $1::boolean AS "isSo", $2::boolean AS no,
    NULL::boolean AS "hasNone", 1 AS "isNumber"`;
  expect(await engine.run(() => query<object>(answers, [true, false]))).toEqual([
    { isSo: true, no: false, hasNone: null, isNumber: 1 },
  ]);
});

test('rows are equal if the given fields are', () => {
  expect(isSameRow(['a', 'b'], { a: 1, b: null, c: 2 }, { a: 1, b: null, c: 3 })).toBe(true);
  expect(isSameRow(['a', 'b'], { a: 1, b: null }, { a: 1, b: 0 })).toBe(false);
});
