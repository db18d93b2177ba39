/** Parsed URLs: their parts and limits, and the cache. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { endpoints } from '../contract/endpoints.ts';
import { compileInput } from '../contract/input.ts';
import { apiPrefix, urlLengthMax } from '../contract/limits.ts';
import { compilePaths } from '../http/paths.ts';
import { dataOf } from './answer-data.ts';
import { urlParser } from './parsed-url.ts';
import { compileRoutes, type Route } from './router.ts';

const route: Route = {
  name: 'getSet',
  path: `${apiPrefix}${endpoints.getSet.path}`,
  endpoint: endpoints.getSet,
  input: compileInput(endpoints.getSet),
  allow: 'GET',
  others: [],
  prepare: () => ({ read: async () => dataOf({}) }),
};
const urlOf = (number: number | string) => `http://localhost:8080/api/v1/set/${number}`;

test('20,000 URLs are cached, and the oldest are evicted', () => {
  const parse = urlParser(compilePaths([route]));
  const first = parse(urlOf(0));
  for (let number = 1; number < 20_000; number++) parse(urlOf(number));
  expect(parse(urlOf(0))).toBe(first);
  const last = parse(urlOf(19_999));
  for (let number = 20_000; number < 21_000; number++) parse(urlOf(number));
  expect(parse(urlOf(19_999))).toBe(last);
  expect(parse(urlOf(0))).not.toBe(first);
});

test('a URL of more than 256 characters is parsed, but not cached', () => {
  const parse = urlParser(compilePaths([route]));
  const [short, long] = [urlOf('').padEnd(256, '1'), urlOf('').padEnd(257, '1')];
  expect(parse(short)).toBe(parse(short));
  expect(parse(long)?.route).toBe(route);
  expect(parse(long)).not.toBe(parse(long));
});

describe('a URL', () => {
  const prepared: unknown[] = [];
  const work = { read: async () => dataOf({}) };
  const prepare = (input: unknown) => {
    prepared.push(input);
    return work;
  };
  const parse = urlParser(
    compileRoutes({ searchSets: prepare, getBatch: prepare, listDeals: prepare } as never),
  );

  beforeEach(() => {
    prepared.length = 0;
  });

  test('outside the API, or without an endpoint, is not parsed', () => {
    const paths = ['/', '/x', '/apix/v1/set/1', '/api/v1', '/api/v1/nothing'];
    for (const path of paths) expect(parse(`http://a${path}`)).toBeNull();
    // Not even if it is too long.
    expect(parse(`http://a/${'x'.repeat(urlLengthMax)}`)).toBeNull();
    expect(parse('http://a/api/plus/v1/deals')?.route.name).toBe('listDeals');
  });

  test('has its query without the question mark', () => {
    expect(parse('http://a/api/v1/catalog/sets/search?q=castle&limit=3')?.work).toBe(work);
    expect(prepared).toMatchObject([{ query: { q: 'castle', limit: 3 }, body: null }]);
  });

  test('that is not valid has no work until the caller is known', () => {
    const parsed = parse('http://a/api/v1/catalog/sets/search?limit=x');
    expect([parsed?.work, prepared]).toEqual([null, []]);
    expect(() => parsed?.prepare(null)).toThrow("'limit'");
  });

  test('of an endpoint with a body has no work until the body is read', () => {
    const parsed = parse('http://a/api/v1/catalog/batch');
    expect([parsed?.work, prepared]).toEqual([null, []]);
    expect(parsed?.prepare('{"sets":["1"]}')).toBe(work);
    expect(prepared).toMatchObject([{ body: { sets: ['1'] } }]);
  });

  test('may have a path and query of 8,192 characters', () => {
    const ofLength = (length: number) =>
      `http://a${'/api/v1/catalog/sets/search?q='.padEnd(length, 'x')}`;
    expect(parse(ofLength(urlLengthMax))?.work).toBeNull();
    expect(() => parse(ofLength(urlLengthMax + 1))).toThrow(
      `The path and query must have at most ${urlLengthMax} characters; got ${urlLengthMax + 1}.`,
    );
  });

  test('whose handler fails is a fault', () => {
    const broken = () => {
      throw new Error('broken');
    };
    const parseBroken = urlParser(compileRoutes({ searchSets: broken } as never));
    expect(() => parseBroken('http://a/api/v1/catalog/sets/search?q=castle')).toThrow('broken');
  });
});
