/** The OpenAPI documents: complete, described, and with examples that are true to them. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerFaults, errorFaults } from '../../test/support/openapi.ts';
import { allEndpoints, type EndpointName } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { allErrors, errorTable } from './errors.ts';
import { compileInput } from './input.ts';
import { openApiDocument, plusOpenApiDocument } from './openapi.ts';
import { plusEndpoints } from './plus/endpoints.ts';

const address = 'http://127.0.0.1:8080';
const documents = [
  ['openapi.json', openApiDocument(address), endpoints, errorTable],
  ['plus-openapi.json', plusOpenApiDocument(address), plusEndpoints, allErrors],
] as const;

type Fields = Readonly<Record<string, object>>;

type Part = Readonly<Record<string, unknown>>;

/** Every object inside a document that is no example, with its place. */
function schemasIn(value: unknown, place: string): [string, Part][] {
  if (typeof value !== 'object' || value === null || /\/examples?$/.test(place)) return [];
  return [
    [place, value as Part],
    ...Object.entries(value).flatMap(([name, part]) => schemasIn(part, `${place}/${name}`)),
  ];
}

/** Every object schema inside a document, with its place. */
function objectSchemas(value: unknown): [string, Fields][] {
  return schemasIn(value, '')
    .filter(([, schema]) => 'properties' in schema)
    .map(([place, schema]) => [place, schema.properties as Fields]);
}

/** The market events in a stream, which are those with a kind. */
function eventsIn(stream: unknown): unknown[] {
  const lines = String(stream)
    .split('\n')
    .filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length))).filter(({ kind }) => kind);
}

describe.each(documents)('%s', (file, document, endpoints, errors) => {
  test('has every endpoint, and nothing else', () => {
    const described = Object.entries(document.paths as Record<string, object>).flatMap(
      ([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const expected = Object.values(endpoints as Readonly<Record<string, Endpoint>>).map(
      ({ method, path }) => `${method.toLowerCase()} ${path}`,
    );
    expect(described.sort()).toEqual(expected.sort());
  });

  test('describes every field', () => {
    const bare = objectSchemas(document).flatMap(([place, fields]) =>
      Object.entries(fields)
        .filter(([name]) => !['data', 'meta', 'error', 'pagination', 'summary'].includes(name))
        .filter(([, field]) => !('description' in field || '$ref' in field))
        .map(([name]) => `${place}/${name}`),
    );
    expect(bare).toEqual([]);
  });

  test('has no default in a body, which generators treat as a required field', () => {
    const { schemas } = document.components as { schemas: object };
    const usual = schemasIn(schemas, '').filter(([, schema]) => 'default' in schema);
    expect(usual.map(([place]) => place)).toEqual([]);
  });

  test('has a format for every integer', () => {
    const bare = schemasIn(document, '').filter(
      ([, schema]) => schema.type === 'integer' && !('format' in schema),
    );
    expect(bare.map(([place]) => place)).toEqual([]);
  });

  test('has a valid example of every parameter, and of every header', () => {
    const { headers } = document.components as { headers: Record<string, { example?: unknown }> };
    const bare = Object.keys(headers).filter((name) => headers[name]?.example === undefined);
    expect(bare).toEqual([]);
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const { readPath, readQuery } = compileInput(endpoint);
      const { parameters } = operationAt(document, endpoint);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      readPath(Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)])));
      const queryText = ({ name, example }: Parameter) =>
        `${name}=${encodeURIComponent(String(example))}`;
      // If-None-Match is a component, with its own example.
      for (const parameter of parameters.filter((each) => !('$ref' in each))) {
        const { name, example } = parameter;
        expect([endpoint.path, name, example]).not.toContain(undefined);
        const others = parameters.filter(
          (other) => other.in === 'query' && other.required && other !== parameter,
        );
        if (parameter.in === 'query') readQuery([parameter, ...others].map(queryText).join('&'));
      }
    }
  });

  test('names every response and its tag, without our own keywords', () => {
    const { schemas } = document.components as { schemas: object };
    const tags = (document.tags as { name: string }[]).map(({ name }) => name);
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const operation = operationAt(document, endpoint);
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
      if (endpoint.kind) continue;
      const { $ref = '' } = operation.responses['200']?.content['application/json']?.schema ?? {};
      expect($ref).toEndWith('Response');
      expect(Object.keys(schemas)).toContain($ref.replace('#/components/schemas/', ''));
    }
    expect(JSON.stringify(document)).not.toContain('x-expected');
    expect(JSON.stringify(document)).not.toContain('x-decimals');
    expect(JSON.stringify(document)).not.toContain('x-list');
  });

  test('is stored in docs unchanged', () => {
    const kept = readFileSync(join(import.meta.dir, '../../docs', file), 'utf8');
    expect(`${JSON.stringify(document, null, 2)}\n`).toBe(kept);
  });

  test.each(Object.entries(endpoints))('the example of %s matches its schema', (name, endpoint) => {
    const { kind }: Endpoint = endpoint;
    const isStream = kind === 'stream';
    const { content } = operationAt(document, endpoint).responses['200'] ?? {};
    if (kind === 'file') {
      const types = ['application/gzip', 'application/vnd.apache.parquet'];
      return expect(Object.keys(content ?? {})).toEqual(types);
    }
    const { example } = content?.[isStream ? 'text/event-stream' : 'application/json'] ?? {};
    const answers = isStream ? eventsIn(example) : [example];
    expect(answers.map((answer) => answerFaults(name as EndpointName, answer))).toEqual([[]]);
  });

  test('has an example of every error code, in the error format', () => {
    const { responses } = document.components as { responses: Record<string, ErrorResponse> };
    const examples = Object.values(responses).flatMap((response) =>
      Object.entries(response.content?.['application/json'].examples ?? {}),
    );
    expect(examples.map(([code]) => code).sort()).toEqual(Object.keys(errors).sort());
    const { prefix } = Object.values(endpoints)[0] as Endpoint;
    for (const [, { value }] of examples) expect(errorFaults(value, prefix)).toEqual([]);
  });
});

test('a file has the responses to a request for a part of it', () => {
  const { parameters, responses } = operationAt(
    plusOpenApiDocument(address),
    allEndpoints.getBulkFile,
  );
  expect(parameters.map((parameter) => parameter.name ?? Object.values(parameter)[0])).toEqual(
    expect.arrayContaining(['#/components/parameters/Range', '#/components/parameters/If-Range']),
  );
  const { '200': whole, '206': part, '416': beyond } = responses as Record<string, Part>;
  expect(part?.content).toEqual(whole?.content);
  for (const response of [part, beyond]) expect(response?.headers).toHaveProperty('Content-Range');
  expect(beyond).not.toHaveProperty('content');
});

test('unknown values count at cost where they are counted, and nowhere else', () => {
  const named = Object.entries(endpoints).filter(([, { description }]) =>
    description.includes('counted at cost'),
  );
  expect(named.map(([name]) => name)).toEqual(['listBrickfolios', 'getAnalytics', 'listEntries']);
});

test('every endpoint is the same for every caller or says what differs', () => {
  for (const { description, scope } of Object.values(allEndpoints)) {
    const isSame = description.endsWith('The same for every caller.');
    const isPersonal = /\b([Yy]ours?|you|key)\b/.test(description);
    expect([description, isSame || isPersonal]).toEqual([description, true]);
    if (scope === 'caller') expect(isSame).toBe(false);
  }
});

function operationAt(document: Record<string, unknown>, { path, method }: Endpoint): Operation {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`There is no ${method} ${path}.`);
  return operation;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example: unknown;
}

interface Operation {
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Record<
    string,
    { content: Record<string, { example: unknown; schema: { $ref?: string } }> }
  >;
}

interface ErrorResponse {
  /** A 304 has none. */
  readonly content?: { 'application/json': { examples: Record<string, { value: unknown }> } };
}
