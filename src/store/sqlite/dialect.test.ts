/** Statements of both engines in SQLite's words. */
import { expect, test } from 'bun:test';
import { toSqlite, toSqliteEach } from './dialect.ts';

test('casts, schemas, locks and the clock are left out or replaced, and nothing else', () => {
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

test('days, the greater of two, and which index to use have words of their own', () => {
  expect(
    toSqlite(
      `SELECT s.sale_date::date - DATE '1970-01-01' AS day, greatest(last_at, $1::bigint) AS at
       FROM private.lot /* INDEXED BY lot_open */ FOR UPDATE SKIP LOCKED`,
    ),
  ).toBe(
    `SELECT unixepoch(s.sale_date) / 86400 AS day, max(last_at, ?1) AS at
       FROM lot INDEXED BY lot_open `,
  );
});

test('a statement about given rows is run for each of them', () => {
  const sql = 'UPDATE private.lot AS t SET sold = r.sold FROM {rows} WHERE t.id = r."lotId"';
  expect(toSqliteEach(sql, ['lotId', 'sold'])).toBe(
    'UPDATE lot AS t SET sold = ?2  WHERE t.id = ?1',
  );
});

test('a field that the rows do not have is named', () => {
  expect(() => toSqliteEach('DELETE FROM lot WHERE id = r.id', ['lotId'])).toThrow("'id'");
});

test('the greater and the lesser of values have other names', () => {
  expect(toSqlite('SELECT greatest(a, $1::bigint), least(b, 2), max(c) FROM source.sale')).toBe(
    'SELECT max(a, ?1), min(b, 2), max(c) FROM sale',
  );
});
