/**
 * Changes of the contract that could break a program are found, each with a sentence that names the
 * place.
 */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBreaks, forbiddenBreaks } from '../scripts/api-breaks.ts';
import { endpoints } from '../src/contract/endpoints.ts';

// biome-ignore lint/suspicious/noExplicitAny: changes reach anywhere into a document.
type Document = any;

const read = (name: string): Document =>
  JSON.parse(readFileSync(join(import.meta.dir, 'baseline', name), 'utf8'));

const version1 = read('openapi.json');
const plus = read('plus-openapi.json');

function breaksOf(change: (document: Document) => void, before = version1): string[] {
  const after = structuredClone(before);
  change(after);
  return forbiddenBreaks(findBreaks(before, after), false);
}

const schemas = ({ components }: Document) => components.schemas;
const parameter = ({ paths }: Document, path: string, named: string) =>
  paths[path].get.parameters.find(({ name }: Document) => name === named);
const search = '/catalog/sets/search';

test.each<[string, (document: Document) => void, string]>([
  ['a path', ({ paths }) => delete paths['/salesledger'], 'GET /salesledger is gone.'],
  ['a method', ({ paths }) => delete paths['/catalog/batch'].post, 'POST /catalog/batch is gone.'],
  [
    'the name of a method in clients',
    ({ paths }) => {
      paths['/brickfolio'].get.operationId = 'getFolios';
    },
    'GET /brickfolio was the operation listBrickfolios and is getFolios.',
  ],
  [
    'a parameter that is gone',
    ({ paths }) => paths['/retail-prices'].get.parameters.splice(0, 1),
    'GET /retail-prices no longer takes the query parameter set.',
  ],
  [
    'a parameter that is needed',
    (document) => {
      parameter(document, '/retail-prices', 'asin').required = true;
    },
    'GET /retail-prices needs the query parameter asin now.',
  ],
  [
    'a lower maximum',
    (document) => {
      parameter(document, search, 'limit').schema.maximum = 100;
    },
    `GET ${search}, query parameter limit is limited to a lower maximum, 100.`,
  ],
  [
    'a higher minimum',
    (document) => {
      parameter(document, search, 'limit').schema.minimum = 10;
    },
    `GET ${search}, query parameter limit is limited to a higher minimum, 10.`,
  ],
  [
    'another default',
    (document) => {
      parameter(document, search, 'limit').schema.default = 20;
    },
    `GET ${search}, query parameter limit had the default 50 and has 20.`,
  ],
  [
    'a value that can no longer be sent',
    (document) => parameter(document, '/set/{number}/history', 'condition').schema.enum.pop(),
    'GET /set/{number}/history, query parameter condition no longer has the value used.',
  ],
  [
    'a field of a body that is needed',
    (document) => {
      schemas(document).BatchRequest.required = ['sets'];
    },
    'BatchRequest needs the field sets now.',
  ],
  [
    'a field of a body that is gone',
    (document) => delete schemas(document).BatchRequest.properties.minifigs,
    'BatchRequest no longer has the field minifigs.',
  ],
  [
    'a field of a response that is gone',
    (document) => delete schemas(document).Set.properties.pieces,
    'Set no longer has the field pieces.',
  ],
  [
    'a field of a response that may be missing',
    (document) => schemas(document).Set.required.splice(0, 1),
    'Set.set_number may be missing now.',
  ],
  [
    'a field of a response that can be null',
    (document) => {
      const { properties } = schemas(document).Holding;
      properties.quantity = { anyOf: [properties.quantity, { type: 'null' }] };
    },
    'Holding.quantity can be null now.',
  ],
  [
    'another type',
    (document) => {
      schemas(document).Holding.properties.quantity = { type: 'string' };
    },
    'Holding.quantity had the type integer and has string.',
  ],
  [
    'another format',
    (document) => {
      schemas(document).Holding.properties.purchase_date.format = 'date-time';
    },
    'Holding.purchase_date had the format date and has date-time.',
  ],
  [
    'a value that is no longer returned',
    (document) => schemas(document).Holding.properties.condition.enum.pop(),
    'Holding.condition no longer has the value used.',
  ],
  [
    'a status',
    ({ paths }) => delete paths['/set/{number}'].get.responses['404'],
    'GET /set/{number} no longer returns status 404.',
  ],
  [
    'a header',
    ({ paths }) => delete paths['/set/{number}'].get.responses['200'].headers.ETag,
    'GET /set/{number}, status 200 no longer has the header ETag.',
  ],
  [
    'an error code',
    ({ components }) => {
      delete components.responses['403'].content['application/json'].examples.ScopeRequired;
    },
    'GET /set/{number}, status 403 no longer has the error code ScopeRequired.',
  ],
])('%s', (_, change, text) => {
  expect(breaksOf(change)).toContain(text);
});

describe('what is allowed', () => {
  test('additions: fields, parameters, values, endpoints and records', () => {
    const found = breaksOf((document) => {
      document.paths['/more'] = document.paths['/brickfolio'];
      const more = { name: 'more', in: 'query', required: false, schema: { type: 'string' } };
      document.paths['/brickfolio'].get.parameters.push(more);
      schemas(document).Set.properties.more = { type: 'string' };
      schemas(document).Holding.properties.condition.enum.push('more');
      parameter(document, search, 'limit').schema.maximum = 500;
    });
    expect(found).toEqual([]);
  });

  test('in the Plus API, a break of an endpoint that was deprecated', () => {
    const before = structuredClone(plus);
    const after = structuredClone(plus);
    delete after.paths['/fees'];
    const gone = ['GET /fees is gone.'];
    expect(forbiddenBreaks(findBreaks(before, after), true)).toEqual(gone);
    before.paths['/fees'].get.deprecated = true;
    expect(forbiddenBreaks(findBreaks(before, after), true)).toEqual([]);
    expect(forbiddenBreaks(findBreaks(before, after), false)).toEqual(gone);
  });
});

test('the documents compared are those of all endpoints', () => {
  const paths = Object.values(endpoints).map(({ path }) => path);
  expect(Object.keys(version1.paths)).toEqual([...new Set(paths)]);
  const program = join(import.meta.dir, '..', 'scripts', 'api-breaks.ts');
  const { stderr, exitCode } = Bun.spawnSync([process.execPath, program]);
  expect([stderr.toString(), exitCode]).toEqual(['', 0]);
});
