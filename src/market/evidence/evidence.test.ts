/** Evidence: hashes as text. */
import { expect, test } from 'bun:test';
import { hashText } from './evidence.ts';

test('a hash has thirteen hexadecimal digits', () => {
  expect([0, 0xabc, 2 ** 52 - 1].map(hashText)).toEqual([
    '0000000000000',
    '0000000000abc',
    'fffffffffffff',
  ]);
});
