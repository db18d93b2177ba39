/** Paths find their row, whatever the order of the rows. */
import { expect, test } from 'bun:test';
import { compilePaths } from './paths.ts';

const find = compilePaths([
  { path: '/lots/{id}' },
  { path: '/lots/{id}/sale' },
  { path: '/lots/add' },
  { path: '/export/{kind}/{format}.csv' },
]);

test.each([
  ['/lots/7', '/lots/{id}', { id: '7' }],
  ['/lots/%2F', '/lots/{id}', { id: '%2F' }],
  ['/lots/7/sale', '/lots/{id}/sale', { id: '7' }],
  ['/lots/add', '/lots/add', {}],
  ['/export/a/b.csv', '/export/{kind}/{format}.csv', { kind: 'a', format: 'b' }],
])('%s matches %s', (path, row, params) => {
  const match = find(path);
  expect([match?.row.path, { ...match?.params }]).toEqual([row, params]);
});

test.each(['/lots', '/lots/', '/lots/7/', '/lots//sale', '/export/a/bxcsv', '/lots/7/sale/x', ''])(
  '%p matches nothing',
  (path) => {
    expect(find(path)).toBeNull();
  },
);
