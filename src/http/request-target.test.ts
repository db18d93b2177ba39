/** The target of a request is read alike, whatever its Host is. */
import { expect, test } from 'bun:test';
import { addressOf, hostAddress, isRead, pathOf, targetOf } from './request-target.ts';

test.each([
  ['http://x/api/v1/set/1?a=/b', '/api/v1/set/1?a=/b', '/api/v1/set/1'],
  ['https://bricks.example.com:8080/a', '/a', '/a'],
  ['http://x', '/', '/'],
  ['?a', '/', '/'],
  ['/?a', '/?a', '/'],
  // Without a Host.
  ['/a', '/a', '/a'],
  ['/aaaaaaa/api/v1/set/1?b', '/aaaaaaa/api/v1/set/1?b', '/aaaaaaa/api/v1/set/1'],
  ['//evil/a', '//evil/a', '//evil/a'],
  // CONNECT has a host and a port.
  ['x:443', '/', '/'],
])('%s has the target %s', (url, target, path) => {
  expect([targetOf(url), pathOf(url)]).toEqual([target, path]);
});

test('GET and HEAD are reads', () => {
  const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'get'];
  expect(methods.map((method) => isRead({ method }))).toEqual([true, true, false, false, false]);
});

test('an IPv6 address is in brackets', () => {
  expect(addressOf('127.0.0.1', 80)).toBe('http://127.0.0.1:80');
  expect(addressOf('::1', 8080)).toBe('http://[::1]:8080');
});

test('a valid host makes a URL, and an invalid one does not', () => {
  expect(hostAddress('Bricks.example.com:8080')).toBe('http://bricks.example.com:8080');
  expect(hostAddress('[::1]:80')).toBe('http://[::1]');
  for (const host of [null, '', 'a b', 'a/b', 'a@b', 'a:999999', '[x]']) {
    expect(hostAddress(host)).toBeNull();
  }
});
