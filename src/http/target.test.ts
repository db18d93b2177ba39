/** The target of a request is read alike, whatever its Host is. */
import { expect, test } from 'bun:test';
import { pathOf, targetOf } from './target.ts';

test.each([
  ['http://x/api/v1/set/1?a=/b', '/api/v1/set/1?a=/b', '/api/v1/set/1'],
  ['https://bricks.example.com:8080/a', '/a', '/a'],
  ['http://x', '/', '/'],
  // Without a Host.
  ['/a', '/a', '/a'],
  ['/aaaaaaa/api/v1/set/1?b', '/aaaaaaa/api/v1/set/1?b', '/aaaaaaa/api/v1/set/1'],
  ['//evil/a', '//evil/a', '//evil/a'],
  // CONNECT asks for a host and a port.
  ['x:443', '/', '/'],
])('%s is for %s', (url, target, path) => {
  expect([targetOf(url), pathOf(url)]).toEqual([target, path]);
});
