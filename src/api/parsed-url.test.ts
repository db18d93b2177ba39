/** Which URLs are remembered: short ones, and no more of them than there is room for. */
import { expect, test } from 'bun:test';
import { endpoints } from '../contract/endpoints.ts';
import { compileInput } from '../contract/input.ts';
import { apiPrefix } from '../contract/limits.ts';
import { compilePaths } from '../http/paths.ts';
import { urlParser } from './parsed-url.ts';
import type { Route } from './router.ts';

const route: Route = {
  name: 'getSet',
  path: `${apiPrefix}${endpoints.getSet.path}`,
  endpoint: endpoints.getSet,
  input: compileInput(endpoints.getSet),
  allow: 'GET',
  prepare: () => ({ read: async () => '{}' }),
};
const urlOf = (number: number | string) => `http://localhost:8080/api/v1/set/${number}`;

test('20,000 URLs are remembered, and when there are more the oldest make room', () => {
  const parse = urlParser(compilePaths([route]));
  const first = parse(urlOf(0));
  for (let number = 1; number < 20_000; number++) parse(urlOf(number));
  expect(parse(urlOf(0))).toBe(first);
  const last = parse(urlOf(19_999));
  for (let number = 20_000; number < 21_000; number++) parse(urlOf(number));
  expect(parse(urlOf(19_999))).toBe(last);
  expect(parse(urlOf(0))).not.toBe(first);
});

test('a URL of more than 256 characters is answered, and not remembered', () => {
  const parse = urlParser(compilePaths([route]));
  const [short, long] = [urlOf('').padEnd(256, '1'), urlOf('').padEnd(257, '1')];
  expect(parse(short)).toBe(parse(short));
  expect(parse(long)?.route).toBe(route);
  expect(parse(long)).not.toBe(parse(long));
});
