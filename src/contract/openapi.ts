/** Generates the OpenAPI 3.1 documents from the endpoint tables, error tables and schemas. */
import type { TObject } from 'typebox';
import manifest from '../../package.json' with { type: 'json' };
import { sentence } from '../kernel/text.ts';
import { costTexts, type Endpoint, isTagged, scopesText } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import {
  endingHeaders,
  envelope,
  errorShape,
  keyHeaders,
  partHeaders,
  plusHeaders,
} from './envelope.ts';
import {
  allErrors,
  busyCodes,
  type ErrorCode,
  type ErrorRow,
  errorTable,
  statusRules,
} from './errors.ts';
import { apiPrefix, apiVersion, headerBytesMax, plusPrefix } from './limits.ts';
import {
  etagExample,
  type HeaderTexts,
  headerComponents,
  headerReferences,
  headerTexts,
  rateLimitExample,
  requestIdExample,
} from './openapi-headers.ts';
import { withNamedSchemas } from './openapi-references.ts';
import { bulkMediaTypes } from './plus/bulk.ts';
import { plusEndpoints } from './plus/endpoints.ts';
import { publicSchema, type Schema } from './schema.ts';
import { tags } from './tags.ts';

/** An API with its own document. */
interface DescribedApi {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly prefix: keyof typeof busyCodes;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly errors: Readonly<Partial<Record<ErrorCode, ErrorRow>>>;
  readonly headers: HeaderTexts;
}

const methodsText =
  'Every path that supports GET also supports HEAD, without a body and at the same cost. OPTIONS ' +
  'is free and needs no key. Web pages of any origin can call the API. Unknown and repeated ' +
  'query parameters return 400.';

const contractApi: DescribedApi = {
  title: 'Brickmark API',
  summary: 'LEGO sets and minifigures, market values, retail prices, and your own collection.',
  description:
    'A read-only JSON API for a LEGO catalog, market values, monthly history, retail prices, and ' +
    'your own collection and sales. All money is in US dollars; all dates and times are ISO 8601 ' +
    'in UTC. Every call needs the API key of an account on the Reseller plan, and costs one call ' +
    'of its daily allowance; a batch costs one call per item.' +
    `\n\n${methodsText}`,
  prefix: apiPrefix,
  endpoints,
  errors: errorTable,
  headers: headerTexts,
};

const plusApi: DescribedApi = {
  title: 'Brickmark Plus API',
  summary: 'Max buy prices, deals, evidence, events and bulk files.',
  description:
    'An extension of the Brickmark API: max buy prices, deals, box bids, the evidence behind ' +
    'market values, your watchlists and webhooks, market events, bulk files, and the usage of ' +
    'your key. Keys, plan, allowance, errors and headers are the same as in the Brickmark API. ' +
    'All money is in US dollars; all dates and times are ISO 8601 in UTC.' +
    `\n\n${methodsText}`,
  prefix: plusPrefix,
  endpoints: plusEndpoints,
  errors: allErrors,
  headers: {
    ...headerTexts,
    ...keyHeaders,
    'Retry-After': 'Seconds to wait before trying again. Only on 429.',
    ...plusHeaders,
  },
};

export function openApiDocument(baseUrl: string): Record<string, unknown> {
  return documentOf(contractApi, baseUrl);
}

export function plusOpenApiDocument(baseUrl: string): Record<string, unknown> {
  return documentOf(plusApi, baseUrl);
}

function documentOf(api: DescribedApi, baseUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, endpoint] of Object.entries(api.endpoints)) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(api, name, endpoint);
    paths[endpoint.path] = path;
  }
  return withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: apiVersion,
      summary: api.summary,
      description: api.description,
      contact: { name: 'Brickmark', url: manifest.bugs.url },
      license: { name: manifest.license, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    externalDocs: { description: 'Reference and guides', url: `${baseUrl}/docs` },
    servers: [{ url: `${baseUrl}${api.prefix}`, description: 'This server' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(api),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'bmk_ and 48 hexadecimal characters',
          description: 'An API key, created in the account area and shown only once.',
        },
      },
      headers: headerComponents({
        ...api.headers,
        ...(hasFiles(api) && partHeaders),
        ...(hasEnding(api) && endingHeaders),
      }),
      parameters: { 'If-None-Match': ifNoneMatch, ...(hasFiles(api) && rangeParameters) },
      responses: { '304': notModified(api), ...errorResponses(api) },
    },
  });
}

function hasEnding({ endpoints }: DescribedApi): boolean {
  return Object.values(endpoints).some(({ ending }) => ending !== undefined);
}

function hasFiles({ endpoints }: DescribedApi): boolean {
  return Object.values(endpoints).some(({ kind }) => kind === 'file');
}

const endingReferences = Object.fromEntries(
  Object.keys(endingHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function tagsOf(api: DescribedApi): { readonly name: string; readonly description: string }[] {
  const used = new Set(Object.values(api.endpoints).map(({ tag }) => tag));
  return [...used].map((name) => ({ name, description: tags[name] }));
}

function operation(api: DescribedApi, name: string, endpoint: Endpoint): Record<string, unknown> {
  const texts = [endpoint.description, costTexts[endpoint.cost], scopesText(endpoint)];
  const isFile = endpoint.kind === 'file';
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.ending && { deprecated: true }),
    description: texts.filter(Boolean).join(' '),
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.headers ? parameters(endpoint.headers, 'header') : []),
      ...(isTagged(endpoint) ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
      ...(isFile ? rangeReferences : []),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body, example: endpoint.bodyExample } },
      },
    }),
    responses: {
      '200': success(api, endpoint),
      ...(isFile && { '206': partOf(api, endpoint) }),
      ...(isTagged(endpoint) && { '304': { $ref: '#/components/responses/304' } }),
      ...errorReferences(endpoint),
      ...(isFile && { '416': beyondEnd(api) }),
    },
  };
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'One or more `ETag` values from earlier responses. If `data` has not changed since one of ' +
    'them, the response is 304 without a body, at the same cost as a 200.',
  schema: {
    type: 'string',
    maxLength: headerBytesMax,
    pattern: '^(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)$',
  },
  example: etagExample,
} as const;

/** The parameters that select a part of a file. */
const rangeParameters = {
  Range: {
    name: 'Range',
    in: 'header',
    required: false,
    description: 'The part of the file to return, as one range of bytes.',
    schema: { type: 'string', maxLength: headerBytesMax, pattern: '^bytes=(\\d+-\\d*|-\\d+)$' },
    example: 'bytes=1048576-',
  },
  'If-Range': {
    name: 'If-Range',
    in: 'header',
    required: false,
    description: 'The `ETag` of your part; if the file has changed, the whole file is returned.',
    schema: { type: 'string', maxLength: headerBytesMax, pattern: '^(W/)?"[^"]*"$' },
    example: etagExample,
  },
} as const;

const rangeReferences = Object.keys(rangeParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

const contentRange = { 'Content-Range': { $ref: '#/components/headers/Content-Range' } };

function partOf(api: DescribedApi, endpoint: Endpoint): Record<string, unknown> {
  const { headers, content } = success(api, endpoint);
  const description = 'The requested part of the file, at the same cost as the whole file.';
  return { description, headers: { ...headers, ...contentRange }, content };
}

function beyondEnd({ headers }: DescribedApi): Record<string, unknown> {
  return {
    description: 'The requested part begins after the end of the file. No body; costs 1 call.',
    headers: { ...headerReferences(headers, 416, { isTagged: true }), ...contentRange },
  };
}

function notModified({ headers }: DescribedApi): Record<string, unknown> {
  return {
    description:
      'Not modified: `data` has not changed since the `ETag` in `If-None-Match`. No body.',
    headers: headerReferences(headers, 304, { isTagged: true }),
  };
}

function parameters(schema: TObject, where: 'path' | 'query' | 'header') {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, examples, ...rest } = publicSchema<Schema>(field);
    const isOptional = where !== 'path' && (!required.has(name) || 'default' in rest);
    return {
      name,
      in: where,
      required: !isOptional,
      description,
      schema: rest,
      example: examples?.[0],
    };
  });
}

function success({ headers }: DescribedApi, endpoint: Endpoint) {
  const meta = {
    request_id: requestIdExample,
    api_version: apiVersion,
    rate_limit: rateLimitExample,
  };
  return {
    description: sentence(endpoint.docs),
    headers: {
      ...headerReferences(headers, 200, { isTagged: isTagged(endpoint) }),
      ...(endpoint.ending && endingReferences),
    },
    content: contentOf(endpoint, meta),
  };
}

function contentOf(endpoint: Endpoint, meta: object): Record<string, unknown> {
  if (endpoint.kind === 'stream') return streamContent(endpoint);
  if (endpoint.kind === 'file') return fileContent(endpoint);
  const example = { data: endpoint.example, meta };
  const schema = envelope(responseName(endpoint.answer), endpoint.answer);
  return { 'application/json': { schema, example } };
}

function fileContent({ answer }: Endpoint): Record<string, unknown> {
  const types = new Set(Object.values(bulkMediaTypes));
  return Object.fromEntries([...types].map((type) => [type, { schema: answer }]));
}

/** The name of a response, derived from its data: `SetResponse`, `RetailRowListResponse`. */
function responseName(answer: Schema): string {
  const { title, anyOf: [first] = [], items } = answer;
  const name = title ?? first?.title ?? (items?.title && `${items.title}List`);
  if (!name) throw new Error('An answer has no name.');
  return `${name}Response`;
}

/** OpenAPI 3.1 cannot describe the data of an event, so this uses an extension. */
function streamContent({ answer, example }: Endpoint): Record<string, unknown> {
  const schema = { type: 'string', description: 'Server-sent events.' };
  return { 'text/event-stream': { schema, example, 'x-event-data': answer } };
}

/** References to the shared error responses of the statuses an endpoint can return. */
function errorReferences(endpoint: Endpoint): Record<string, unknown> {
  const statuses: (keyof typeof statusRules)[] = [400, 401, 403, 405, 500];
  if (endpoint.mayMiss || endpoint.mayBeOff) statuses.push(404);
  if (endpoint.effect) statuses.push(409);
  if (endpoint.cost !== 'free' || endpoint.prefix === plusPrefix) statuses.push(429);
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );
}

/** One response per status, with an example for each of its codes. */
function errorResponses({ prefix, errors, headers }: DescribedApi): Record<string, unknown> {
  const hasRetry = (status: keyof typeof statusRules) =>
    statusRules[status].retry === 'after' || status === allErrors[busyCodes[prefix]].status;
  const byStatus = Map.groupBy(Object.entries(errors), ([, row]) => row.status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      String(status),
      {
        description: rows.map(([code, row]) => `\`${code}\`: ${row.meaning}`).join(' '),
        headers: headerReferences(headers, status, { hasRetry: hasRetry(status) }),
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
