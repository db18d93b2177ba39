/** The OpenAPI document: complete, described, and with examples that are true to it. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerFaults, errorFaults } from '../../test/support/openapi.ts';
import { type EndpointName, endpoints } from './endpoints.ts';
import { errorTable } from './errors.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument('http://127.0.0.1:8080');

/** Every object schema inside a document, with its place. */
function objectSchemas(value: unknown, place: string): [string, Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null || place.endsWith('/example')) return [];
  const own = 'properties' in value ? [[place, value.properties] as [string, never]] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, part]) => objectSchemas(part, `${place}/${name}`)),
  ];
}

describe('the document', () => {
  test('has every endpoint, each at a path of its own', () => {
    const paths = Object.values(endpoints).map(({ path }) => path);
    expect(Object.keys(document.paths as object)).toEqual(paths);
  });

  test('describes every field', () => {
    const bare = objectSchemas(document, '').flatMap(([place, fields]) =>
      Object.entries(fields)
        .filter(([name]) => !['data', 'meta', 'error', 'pagination', 'summary'].includes(name))
        .filter(([, field]) => !(field as { description?: string }).description)
        .map(([name]) => `${place}/${name}`),
    );
    expect(bare).toEqual([]);
  });

  test('is kept in docs/openapi.json as it is', () => {
    const kept = readFileSync(join(import.meta.dir, '../../docs/openapi.json'), 'utf8');
    expect(`${JSON.stringify(document, null, 2)}\n`).toBe(kept);
  });
});

describe('examples', () => {
  test.each(Object.keys(endpoints) as EndpointName[])('%s answers what its schema says', (name) => {
    const { path, method } = endpoints[name];
    const paths = document.paths as Record<string, Record<string, Operation>>;
    const content = paths[path]?.[method.toLowerCase()]?.responses['200']?.content;
    expect(answerFaults(name, content?.['application/json']?.example)).toEqual([]);
  });

  test('there is one for every error code, in the error shape', () => {
    const { responses } = document.components as { responses: Record<string, ErrorResponse> };
    const examples = Object.values(responses).flatMap((response) =>
      Object.entries(response.content['application/json'].examples),
    );
    expect(examples.map(([code]) => code).sort()).toEqual(Object.keys(errorTable).sort());
    for (const [, { value }] of examples) expect(errorFaults(value)).toEqual([]);
  });
});

interface Operation {
  readonly responses: Record<string, { content: Record<string, { example: unknown }> }>;
}

interface ErrorResponse {
  readonly content: { 'application/json': { examples: Record<string, { value: unknown }> } };
}
