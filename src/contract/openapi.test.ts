/** The OpenAPI documents: complete, described, and with examples that are true to them. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerFaults, errorFaults } from '../../test/support/openapi.ts';
import type { EndpointName } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { allErrors, errorTable } from './errors.ts';
import { openApiDocument, plusOpenApiDocument } from './openapi.ts';
import { plusEndpoints } from './plus/endpoints.ts';

const address = 'http://127.0.0.1:8080';
const documents = [
  ['openapi.json', openApiDocument(address), endpoints, errorTable],
  ['plus-openapi.json', plusOpenApiDocument(address), plusEndpoints, allErrors],
] as const;

type Fields = Readonly<Record<string, object>>;

/** Every object schema inside a document, with its place. */
function objectSchemas(value: unknown, place: string): [string, Fields][] {
  if (typeof value !== 'object' || value === null || place.endsWith('/example')) return [];
  const own = 'properties' in value ? [[place, value.properties] as [string, Fields]] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, part]) => objectSchemas(part, `${place}/${name}`)),
  ];
}

/** The data of the events of the log in a stream, which are those that have a kind. */
function eventsIn(stream: unknown): unknown[] {
  const lines = String(stream)
    .split('\n')
    .filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length))).filter(({ kind }) => kind);
}

describe.each(documents)('%s', (file, document, endpoints, errors) => {
  test('has every endpoint, each at a path of its own', () => {
    const paths = Object.values(endpoints).map(({ path }) => path);
    expect(Object.keys(document.paths as object)).toEqual(paths);
  });

  test('describes every field', () => {
    const bare = objectSchemas(document, '').flatMap(([place, fields]) =>
      Object.entries(fields)
        .filter(([name]) => !['data', 'meta', 'error', 'pagination', 'summary'].includes(name))
        .filter(([, field]) => !('description' in field || '$ref' in field))
        .map(([name]) => `${place}/${name}`),
    );
    expect(bare).toEqual([]);
  });

  test('is kept in docs as it is', () => {
    const kept = readFileSync(join(import.meta.dir, '../../docs', file), 'utf8');
    expect(`${JSON.stringify(document, null, 2)}\n`).toBe(kept);
  });

  test.each(Object.entries(endpoints))('%s answers what its schema says', (name, endpoint) => {
    const { path, method, kind }: Endpoint = endpoint;
    const isStream = kind === 'stream';
    const paths = document.paths as Record<string, Record<string, Operation>>;
    const content = paths[path]?.[method.toLowerCase()]?.responses['200']?.content;
    if ((endpoint as Endpoint).kind === 'file') {
      return expect(Object.keys(content ?? {})).toEqual(['application/gzip']);
    }
    const { example } = content?.[isStream ? 'text/event-stream' : 'application/json'] ?? {};
    const answers = isStream ? eventsIn(example) : [example];
    expect(answers.map((answer) => answerFaults(name as EndpointName, answer))).toEqual([[]]);
  });

  test('has an example of every error code, in the error shape', () => {
    const { responses } = document.components as { responses: Record<string, ErrorResponse> };
    const examples = Object.values(responses).flatMap((response) =>
      Object.entries(response.content?.['application/json'].examples ?? {}),
    );
    expect(examples.map(([code]) => code).sort()).toEqual(Object.keys(errors).sort());
    const { prefix } = Object.values(endpoints)[0] as Endpoint;
    for (const [, { value }] of examples) expect(errorFaults(value, prefix)).toEqual([]);
  });
});

interface Operation {
  readonly responses: Record<string, { content: Record<string, { example: unknown }> }>;
}

interface ErrorResponse {
  /** A 304 has none. */
  readonly content?: { 'application/json': { examples: Record<string, { value: unknown }> } };
}
