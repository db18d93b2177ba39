/** The OpenAPI 3.1 document, made from the endpoint table, the error table and the schemas. */
import type { TObject, TSchema } from 'typebox';
import { type Endpoint, isTagged } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { envelope, errorShape, responseHeaders } from './envelope.ts';
import { allErrors, type ErrorCode, errorTable } from './errors.ts';
import { apiPrefix, apiVersion, plusPrefix } from './limits.ts';
import { plusEndpoints } from './plus/endpoints.ts';

/** A row of a table of errors. */
interface ErrorRow {
  readonly status: number;
  readonly meaning: string;
  readonly example: string;
}

/** An API that has a document of its own. */
interface DescribedApi {
  readonly title: string;
  readonly description: string;
  readonly prefix: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** What is said of endpoints of each scope. */
  readonly scopes: Readonly<Record<Endpoint['scope'], string>>;
  readonly errors: Readonly<Partial<Record<ErrorCode, ErrorRow>>>;
  /** What its answers carry, with what that means. */
  readonly headers: Readonly<Record<keyof typeof responseHeaders, string>>;
  /** What its operations are tagged with, and what that means; null: with nothing. */
  readonly tag: { readonly name: string; readonly description: string } | null;
}

const contractApi: DescribedApi = {
  title: 'Brickmark API',
  description:
    'A read-only JSON API over a LEGO catalog, computed market values, finalized monthly ' +
    "history, retail prices, and the caller's own collection and sales. All money is in US " +
    'dollars; all dates are ISO-8601 in UTC. Every call needs a key of an account on the ' +
    'Reseller plan and costs one call of the daily allowance, a batch one per item.',
  prefix: apiPrefix,
  endpoints,
  scopes: {
    caller:
      'Limited to the account of the key. A unit whose value is not known counts at what it cost.',
    shared: 'The same for every caller.',
  },
  errors: errorTable,
  headers: responseHeaders,
  tag: null,
};

const plusApi: DescribedApi = {
  title: 'Brickmark Plus API',
  description:
    'What Brickmark answers beside its API: max buy prices, deals, what a box is worth, what ' +
    'values are based on, and usage of a key. Keys, plan, allowance, errors and headers are ' +
    'those of the API. All money is in US dollars; all dates are ISO-8601 in UTC.',
  prefix: plusPrefix,
  endpoints: plusEndpoints,
  scopes: {
    caller: "Depends on the caller's key, or on the settings of its account.",
    shared: 'The same for every caller.',
  },
  errors: allErrors,
  headers: {
    ...responseHeaders,
    'Retry-After': 'Whole seconds after which to try again; only on 429.',
  },
  tag: { name: 'plus', description: 'Buying, evidence and usage.' },
};

/** The contract's document for a service at a public address. */
export function openApiDocument(baseUrl: string): Record<string, unknown> {
  return documentOf(contractApi, baseUrl);
}

/** The document of what is answered beside the contract. */
export function plusOpenApiDocument(baseUrl: string): Record<string, unknown> {
  return documentOf(plusApi, baseUrl);
}

function documentOf(api: DescribedApi, baseUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, endpoint] of Object.entries(api.endpoints)) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(name, endpoint, api);
    paths[endpoint.path] = path;
  }
  return withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: apiVersion,
      description: api.description,
    },
    servers: [{ url: `${baseUrl}${api.prefix}` }],
    security: [{ apiKey: [] }],
    ...(api.tag && { tags: [api.tag] }),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `bmk_` and 48 hexadecimal characters.',
        },
      },
      headers: headerComponents(api),
      parameters: { 'If-None-Match': ifNoneMatch },
      responses: { '304': notModified, ...errorResponses(api) },
    },
  });
}

/** A document, or a part of one that is not an example. */
interface Document extends Record<string, unknown> {
  readonly components: Readonly<Record<string, unknown>>;
}

/** The document with every record under its name in the components, and references to it. */
function withNamedSchemas(document: Document): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const { components, ...rest } = withReferences(document, schemas) as Document;
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, components: { ...components, schemas: Object.fromEntries(sorted) } };
}

/** A part of the document in which records are references; `schemas` is given the records. */
function withReferences(part: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const { title, ...rest } = part as { readonly title?: unknown };
  const isRecord = typeof title === 'string' && 'properties' in rest;
  const inner = Object.fromEntries(
    Object.entries(isRecord ? rest : part).map(([name, value]) => [
      name,
      isExample(name) ? value : withReferences(value, schemas),
    ]),
  );
  if (!isRecord) return inner;
  const known = schemas[title];
  if (known && JSON.stringify(known) !== JSON.stringify(inner))
    throw new Error(`Two records are called ${title}.`);
  schemas[title] = inner;
  return { $ref: `#/components/schemas/${title}` };
}

const isExample = (name: string) => name === 'example' || name === 'examples';

function operation(
  name: string,
  endpoint: Endpoint,
  { tag, scopes }: DescribedApi,
): Record<string, unknown> {
  return {
    operationId: name,
    ...(tag && { tags: [tag.name] }),
    summary: endpoint.summary,
    description: `${scopes[endpoint.scope]} ${costTexts[endpoint.cost]}`,
    parameters: [
      ...parameters(endpoint.params, 'path', endpoint.paramsExample),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.headers ? parameters(endpoint.headers, 'header') : []),
      ...(isTagged(endpoint) ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body, example: endpoint.bodyExample } },
      },
    }),
    responses: {
      '200': success(endpoint),
      ...(isTagged(endpoint) && { '304': { $ref: '#/components/responses/304' } }),
      ...errorReferences(endpoint),
    },
  };
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an answer that you have kept, or several of them. While `data` is still what ' +
    'one of them stands for, the answer is 304 without a body, at the cost of a 200.',
  schema: { type: 'string' },
  example: 'W/"2pQx0mJc5s1bVqk9ZtY7Hw"',
} as const;

const notModified = {
  description: 'Not modified: `data` is what the tag in `If-None-Match` stands for. No body.',
  headers: headerReferences(headersOf({ isTagged: true })),
};

const costTexts: Readonly<Record<Endpoint['cost'], string>> = {
  one: 'Costs 1 of the daily allowance.',
  'per item': 'Costs 1 of the daily allowance for each unique item, all or nothing.',
  'per hour': 'Costs 1 of the daily allowance, and 1 more for each further hour of connection.',
  'per file': 'Costs what the operator has set for a file, before its first byte.',
  free: 'Free, also when the allowance is used up.',
};

function parameters(
  schema: TObject,
  place: 'path' | 'query' | 'header',
  examples: Endpoint['paramsExample'] = {},
) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, ...rest } = field as TSchema & {
      description?: string;
      default?: unknown;
    };
    const isOptional = place !== 'path' && (!required.has(name) || 'default' in rest);
    return {
      name,
      in: place,
      required: !isOptional,
      description,
      schema: rest,
      ...(name in examples && { example: examples[name] }),
    };
  });
}

function success(endpoint: Endpoint): Record<string, unknown> {
  const requestId = '0b6a1f6e-5a0c-4f0e-9d55-3f1f6d1c2a77';
  const rateLimit = { limit: 1000, remaining: 958, reset: '2026-11-16T00:00:00.000Z' };
  const meta = { request_id: requestId, api_version: apiVersion, rate_limit: rateLimit };
  return {
    description: endpoint.summary,
    headers: headerReferences(headersOf({ isTagged: isTagged(endpoint) })),
    content: contentOf(endpoint, meta),
  };
}

function contentOf(endpoint: Endpoint, meta: object): Record<string, unknown> {
  if (endpoint.kind === 'stream') return streamContent(endpoint);
  if (endpoint.kind === 'file') return { 'application/gzip': { schema: endpoint.answer } };
  const example = { data: endpoint.example, meta };
  return { 'application/json': { schema: envelope(endpoint.answer), example } };
}

/** OpenAPI 3.1 has no word for what the data of an event is, so it is said beside the schema. */
function streamContent({ answer, example }: Endpoint): Record<string, unknown> {
  const schema = { type: 'string', description: 'Server-sent events.' };
  return { 'text/event-stream': { schema, example, 'x-event-data': answer } };
}

/** The statuses that an endpoint may answer, as references to the shared error responses. */
function errorReferences(endpoint: Endpoint): Record<string, unknown> {
  const codes: ErrorCode[] = ['BadRequest', 'InvalidApiKey', 'TierRequired'];
  if (endpoint.mayMiss) codes.push('NotFound');
  codes.push('MethodNotAllowed');
  if (endpoint.cost !== 'free') codes.push('QuotaExceeded');
  codes.push('InternalError');
  return Object.fromEntries(
    codes.map((code) => {
      const { status } = allErrors[code];
      return [String(status), { $ref: `#/components/responses/${status}` }];
    }),
  );
}

/** One response per status, with an example for each code that has it. */
function errorResponses({ errors }: DescribedApi): Record<string, unknown> {
  const byStatus = Map.groupBy(Object.entries(errors), ([, row]) => row.status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      String(status),
      {
        description: rows.map(([code, row]) => `\`${code}\`: ${row.meaning}`).join(' '),
        headers: headerReferences(errorHeaders(status)),
        content: {
          'application/json': {
            schema: errorShape(Object.keys(errors) as ErrorCode[]),
            examples: Object.fromEntries(
              rows.map(([code, row]) => [
                code,
                { value: { error: { code, message: row.example } } },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

/** What an answer to an accepted key carries. */
function headersOf(answer: { readonly isTagged: boolean }): string[] {
  const names = Object.keys(responseHeaders).filter((name) => name !== 'Retry-After');
  return answer.isTagged ? names : names.filter((name) => name !== 'ETag');
}

/** Before the key is accepted there is no allowance to report. */
function errorHeaders(status: number): string[] {
  const names = Object.keys(responseHeaders).filter((name) => name !== 'ETag');
  if (status === 429) return names;
  const beforeKey = status === 401 || status === 405;
  return names.filter((name) => name !== 'Retry-After' && !(beforeKey && /RateLimit/.test(name)));
}

function headerReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerComponents({ headers }: DescribedApi): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: headerSchema(name) },
    ]),
  );
}

function headerSchema(name: string): Record<string, unknown> {
  if (name === 'X-Request-Id') return { type: 'string', format: 'uuid' };
  if (name === 'X-RateLimit-Reset') return { type: 'string', format: 'date-time' };
  const isText = name === 'X-API-Version' || name === 'ETag';
  return isText ? { type: 'string' } : { type: 'integer', minimum: 0 };
}
