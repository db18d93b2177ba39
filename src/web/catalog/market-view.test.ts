/** The filters of market pages. */
import { expect, test } from 'bun:test';
import { themeOptions } from './market-view.tsx';

test('the theme of the address is an option once, also if it no longer exists', () => {
  const options = (theme: string) =>
    themeOptions({ values: { theme }, faults: {} }, [{ theme: 'Castle' }, { theme: 'Space' }]).map(
      ([value]) => value,
    );
  expect(options('')).toEqual(['', 'Castle', 'Space']);
  expect(options('Space')).toEqual(['', 'Castle', 'Space']);
  expect(options('Trains')).toEqual(['', 'Trains', 'Castle', 'Space']);
});
