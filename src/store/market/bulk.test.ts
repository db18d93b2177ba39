/** How changes are found: from their position on, not from the beginning of a publication. */
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { bulkTypes } from '../../domain/market/bulk.ts';
import { toSqlite } from '../sqlite/dialect.ts';
import { marketMigrations } from '../sqlite/market-schema.ts';
import { placesOfType } from './bulk.ts';

test('documents are sought by publication and item, sets and minifigs each on their own', () => {
  using db = new Database(':memory:');
  for (const sql of marketMigrations) db.run(sql);
  const plans = bulkTypes.flatMap(placesOfType).map((sought) => {
    const sql = `EXPLAIN QUERY PLAN ${toSqlite(sought)}`;
    const [first, ...others] = db.query<{ detail: string }, number[]>(sql).all(5, 0, 20);
    expect(others.filter(({ detail }) => detail.includes('TEMP B-TREE'))).toEqual([]);
    return first?.detail.replace(/^.* INDEX /, '');
  });
  expect(plans).toEqual([
    'document_changed (kind=? AND stamp=? AND item_id>?)',
    'document_changed (kind=? AND stamp>?)',
    'document_changed (kind=? AND stamp=? AND item_id>?)',
    'document_changed (kind=? AND stamp>?)',
    'series_changed (stamp=? AND item_id>?)',
    'series_changed (stamp>?)',
    'retail_changed (stamp=? AND item_id>?)',
    'retail_changed (stamp>?)',
  ]);
});
