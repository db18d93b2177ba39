/** Translating statements to SQLite. */
import { expect, test } from 'bun:test';
import { toSqlite, toSqliteEach } from './dialect.ts';

test('casts, schemas, locks and the clock are removed or replaced, and nothing else', () => {
  expect(
    toSqlite(
      `SELECT id::float8 AS "lotId" FROM private.lot WHERE account_id = $1::bigint
       AND set_key = ANY($2::text[]) AND added_at < published.instant($3::bigint, $4::bigint)
       FOR NO KEY UPDATE`,
    ),
  ).toBe(
    `SELECT id AS "lotId" FROM lot WHERE account_id = ?1
       AND set_key IN (SELECT value FROM json_each(?2)) AND added_at < coalesce(?3, ?4)
       `,
  );
});

test('dates, greatest, lists in JSON and locks are translated', () => {
  expect(
    toSqlite(
      `SELECT s.sale_date::date - DATE '1970-01-01' AS day, greatest(last_at, $1::bigint) AS at
       FROM private.lot, json_array_elements(body::json) AS e FOR UPDATE SKIP LOCKED`,
    ),
  ).toBe(
    `SELECT unixepoch(s.sale_date) / 86400 AS day, max(last_at, ?1) AS at
       FROM lot, json_each(body) AS e `,
  );
});

test('a statement for rows becomes one for each row', () => {
  const sql = 'UPDATE private.lot AS t SET sold = r.sold FROM {rows} WHERE t.id = r."lotId"';
  expect(toSqliteEach(sql, ['lotId', 'sold'])).toBe(
    'UPDATE lot AS t SET sold = ?2  WHERE t.id = ?1',
  );
});

test('an unknown field of the rows is named in the error', () => {
  expect(() => toSqliteEach('DELETE FROM lot WHERE id = r.id', ['lotId'])).toThrow("'id'");
});

test('greatest and least become max and min', () => {
  expect(toSqlite('SELECT greatest(a, $1::bigint), least(b, 2), max(c) FROM source.sale')).toBe(
    'SELECT max(a, ?1), min(b, 2), max(c) FROM sale',
  );
});
