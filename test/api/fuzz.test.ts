/**
 * Random requests never cause a 5xx, and every error has the contract's shape. A short run is part
 * of the suite; `npm run fuzz` sends a million (FUZZ_REQUESTS sets the number).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { allEndpoints } from '../../src/contract/all-endpoints.ts';
import { apiPrefix, plusPrefix } from '../../src/contract/limits.ts';
import { textOf } from '../support/endpoints.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { errorFaults } from '../support/openapi.ts';
import { runsOnEngine } from '../support/random-runs.ts';
import { startWorld, type World } from '../support/world.ts';

const requests = Number(process.env.FUZZ_REQUESTS ?? runsOnEngine(3000));
const parallel = 20;

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount('fuzz@example.com');
  await world.load(smallCollection('fuzz@example.com'));
  await world.makeBulkFiles();
  key = await world.addKey('fuzz@example.com', { allowance: 1_000_000_000 });
});

afterAll(() => world.close());

const word = fc.oneof(
  fc.constantFrom('75192', '75192-1', 'cas001', 'castle', '0', '-1', '..', '%', '%00', '%ff', "'"),
  fc.constantFrom('sets', 'months', '0-0', '9999999999999999-9999999999999999'),
  fc.string({ unit: 'binary', maxLength: 12 }).map(encode),
  fc.string({ maxLength: 80 }).map(encode),
);

/** Percent-encodes a text; lone surrogates are replaced, since they cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const rows = Object.values(allEndpoints);

const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...rows.map(({ prefix, path }) => `${prefix}${path}`)), word)
    .map(([template, value]) => template.replace(/\{\w+\}/, () => value)),
  fc
    .tuple(fc.constantFrom(apiPrefix, plusPrefix), fc.array(word, { maxLength: 4 }))
    .map(([prefix, parts]) => `${prefix}/${parts.join('/')}`),
);

const names = [...new Set(rows.flatMap((endpoint) => Object.keys(endpoint.query.properties)))];

/** Values that are valid for some parameter, and others that look similar. */
const value = fc.oneof(
  word,
  fc.constantFrom('9007199254740993', '9223372036854775808', '9'.repeat(400)),
  fc.constantFrom(
    '30d',
    '1y',
    '24h',
    '999999d',
    `${'9'.repeat(400)}d`,
    '1',
    '50',
    '250',
    '673419000017',
    'sealed',
    'a,b',
  ),
  fc.constantFrom(
    'used',
    '0.5',
    '0.8',
    '0.95',
    '25',
    '1e1',
    '.5',
    '75192',
    'cas001',
    'ebay',
    'fba',
  ),
  fc.date({ noInvalidDate: true }).map((date) => encode(date.toISOString())),
);

const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...names), word), value), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const body = fc.oneof(
  fc.json(),
  fc.string({ maxLength: 200 }),
  fc
    .record({
      items: fc.array(
        fc.record(
          { set: word, minifig: word, quantity: fc.integer(), condition: value },
          { requiredKeys: [] },
        ),
      ),
      cost_usd: fc.double(),
    })
    .map((value) => JSON.stringify(value)),
  fc
    .record({ sets: fc.array(fc.string({ maxLength: 70 })), minifigs: fc.array(fc.string()) })
    .map((value) => JSON.stringify(value)),
);

/** Valid header values: no line breaks, and no spaces at the ends. */
const headerText = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/);

const ifNoneMatch = fc.oneof(
  fc.constantFrom('', '*', 'W/"x"', '"x", W/"y"', 'W/', '"', ',', '"x" "y"'),
  headerText,
);

const acceptEncoding = fc.oneof(
  fc.constantFrom('gzip', 'zstd', '*', 'gzip, deflate, br, zstd', 'identity;q=0, *;q=0', ';q='),
  headerText,
);

const request = fc.record({
  path,
  query,
  method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
  body,
  type: fc.constantFrom('application/json', 'text/plain', 'application/json;charset=utf-8'),
  scheme: fc.constantFrom('Bearer', 'Bearer', 'Bearer', 'bearer', 'Basic', 'Bearer x'),
  ifNoneMatch,
  acceptEncoding,
});

type RandomRequest = typeof request extends fc.Arbitrary<infer T> ? T : never;

async function send(random: RandomRequest): Promise<void> {
  const { method } = random;
  const response = await fetch(`${world.url}${random.path}?${random.query}`, {
    method,
    headers: {
      Authorization: `${random.scheme} ${key}`,
      'Content-Type': random.type,
      'If-None-Match': random.ifNoneMatch,
      'Accept-Encoding': random.acceptEncoding,
    },
    ...(method === 'POST' || method === 'PUT' ? { body: random.body } : {}),
  });
  const text = await textOf(response);
  if (response.headers.get('content-type')?.startsWith('application/json') && text !== '') {
    JSON.parse(text);
  }
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get('x-api-version')).toBe('1');
  if (response.status === 304) {
    expect(['GET', 'HEAD']).toContain(method);
    expect([random.ifNoneMatch, text]).toEqual(['*', '']);
  }
  if (response.status >= 400 && method !== 'HEAD') {
    const prefix = random.path.startsWith(plusPrefix) ? plusPrefix : apiPrefix;
    expect(errorFaults(JSON.parse(text), prefix)).toEqual([]);
  }
}

test(`${requests} random requests: no 5xx, and every error has the contract's shape`, async () => {
  const seed = 2026;
  const group = fc.array(request, { minLength: parallel, maxLength: parallel });
  const property = fc.asyncProperty(group, async (group) => {
    await Promise.all(group.map(send));
  });
  await fc.assert(property, { seed, numRuns: Math.ceil(requests / parallel) });
  expect(world.failures).toEqual([]);
}, 3_600_000);
