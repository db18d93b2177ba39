/** The order of rows from several sources. */
import { expect, test } from 'bun:test';
import { aStoredSale } from '../../../test/support/builders.ts';
import { byKey, bySale, bySource } from './source-rows.store.ts';

test('sales are sorted by time, then by source, then by their ids', () => {
  const sorted = [
    aStoredSale({ soldAt: 1, source: 'b', sourceId: 'c' }),
    aStoredSale({ soldAt: 2, source: 'a', sourceId: 'b' }),
    aStoredSale({ soldAt: 2, source: 'a', sourceId: 'd' }),
    aStoredSale({ soldAt: 2, source: 'b', sourceId: 'a' }),
    aStoredSale({ soldAt: 3, source: 'a', sourceId: 'a' }),
  ];
  expect([...sorted].reverse().sort(bySale)).toEqual(sorted);
  for (const [index, sale] of sorted.entries()) {
    for (const later of sorted.slice(index + 1)) {
      expect([bySale(sale, later) < 0, bySale(later, sale) > 0]).toEqual([true, true]);
    }
  }
});

test('parts are sorted by key, and records by source', () => {
  expect([{ key: 'b' }, { key: 'a' }].sort(byKey)).toEqual([{ key: 'a' }, { key: 'b' }]);
  const [first, second] = [{ source: 'bricklink' }, { source: 'feed' }];
  expect([second, first].sort(bySource)).toEqual([first, second]);
});
