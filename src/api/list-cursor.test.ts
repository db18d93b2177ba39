/** Cursors are read back exactly, and refused if they are of another list. */
import { expect, test } from 'bun:test';
import { listMark, readCursor, writeCursor } from './list-cursor.ts';

const mark = listMark({ kind: 'set', sort: 'value' });

test.each<[number | string | null, string]>([
  [null, '75192'],
  [-0.1, '75192-2'],
  [12_345_678, 'é "quoted" number'],
  ['75192', '75192'],
])('the place %p of %p is read back', (by, key) => {
  const cursor = writeCursor(mark, { by, key });
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(readCursor(mark, cursor)).toEqual({ by, key });
});

test('a cursor of another list is refused', () => {
  const cursor = writeCursor(listMark({ kind: 'set', sort: 'year' }), { by: 1, key: '1' });
  expect(() => readCursor(mark, cursor)).toThrow('list with other filters or another sort');
});

test.each(['x', 'W10', 'bnVsbA', 'WzEsMiwzXQ', writeCursor(mark, { by: 1, key: '1' }).slice(1)])(
  'the cursor %p is refused',
  (cursor) => {
    expect(() => readCursor(mark, cursor)).toThrow(
      `the 'next' of the page before; got '${cursor}'`,
    );
  },
);
