/** Messages about changes of many lots. */
import { expect, test } from 'bun:test';
import { editText } from './bulk-bar.tsx';

const moved = { kind: 'move', changed: 9, refused: {} } as const;

test.each([
  [[], '9 lots moved.'],
  [['Gate'], '9 lots moved: Gate.'],
  [['Gate', 'Wall'], '9 lots moved: Gate and Wall.'],
  [['Gate', 'Wall', 'Moat'], '9 lots moved: Gate, Wall, and Moat.'],
  [['Gate', 'Wall', 'Moat', 'Keep'], '9 lots moved: Gate, Wall, and 2 more items.'],
])('names at most three of the lots that were moved, %j: %s', (names, text) => {
  expect(editText(moved, names)).toBe(text);
});

test('what was refused follows, without names', () => {
  const refused = { ...moved, changed: 0, refused: { sold: 2 } };
  expect(editText(refused, ['Gate'])).toBe('2 lots kept: units were sold from them.');
});
