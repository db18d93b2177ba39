/** The OpenAPI 3.1 document, made from the endpoint table, the error table and the schemas. */
import type { TObject, TSchema } from 'typebox';
import { type Endpoint, type EndpointName, endpoints } from './endpoints.ts';
import { ErrorBody, envelope, responseHeaders } from './envelope.ts';
import { type ErrorCode, errorTable } from './errors.ts';
import { apiPrefix, apiVersion } from './limits.ts';

/** The document for a service at a public address. */
export function openApiDocument(baseUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name];
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(name, endpoint);
    paths[endpoint.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Brickmark API',
      version: apiVersion,
      description:
        'A read-only JSON API over a LEGO catalog, computed market values, finalized monthly ' +
        "history, retail prices, and the caller's own collection and sales. All money is in US " +
        'dollars; all dates are ISO-8601 in UTC. Every call needs a key of an account on the ' +
        'Reseller plan and costs one call of the daily allowance, a batch one per item.',
    },
    servers: [{ url: `${baseUrl}${apiPrefix}` }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `bmk_` and 48 hexadecimal characters.',
        },
      },
      schemas: { Error: ErrorBody },
      headers: headerComponents(),
      responses: errorResponses(),
    },
  };
}

function operation(name: EndpointName, endpoint: Endpoint): Record<string, unknown> {
  return {
    operationId: name,
    summary: endpoint.summary,
    description: describe(endpoint),
    parameters: [
      ...parameters(endpoint.params, 'path', endpoint.paramsExample),
      ...parameters(endpoint.query, 'query'),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body, example: endpoint.bodyExample } },
      },
    }),
    responses: { '200': success(endpoint), ...errorReferences(endpoint) },
  };
}

function describe(endpoint: Endpoint): string {
  const scope =
    endpoint.scope === 'caller'
      ? 'Limited to the account of the key. A unit whose value is not known counts at what it cost.'
      : 'The same for every caller.';
  const cost =
    endpoint.cost === 'one'
      ? 'Costs 1 of the daily allowance.'
      : 'Costs 1 of the daily allowance for each unique item, all or nothing.';
  return `${scope} ${cost}`;
}

function parameters(
  schema: TObject,
  place: 'path' | 'query',
  examples: Endpoint['paramsExample'] = {},
) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, ...rest } = field as TSchema & {
      description?: string;
      default?: unknown;
    };
    const isOptional = place === 'query' && (!required.has(name) || 'default' in rest);
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
  const names = Object.keys(responseHeaders).filter((header) => header !== 'Retry-After');
  return {
    description: endpoint.summary,
    headers: headerReferences(names),
    content: {
      'application/json': {
        schema: envelope(endpoint.answer),
        example: { data: endpoint.example, meta },
      },
    },
  };
}

/** The statuses that an endpoint may answer, as references to the shared error responses. */
function errorReferences(endpoint: Endpoint): Record<string, unknown> {
  const codes: ErrorCode[] = ['BadRequest', 'InvalidApiKey', 'TierRequired'];
  if (endpoint.mayMiss) codes.push('NotFound');
  codes.push('MethodNotAllowed', 'QuotaExceeded', 'InternalError');
  return Object.fromEntries(
    codes.map((code) => {
      const { status } = errorTable[code];
      return [String(status), { $ref: `#/components/responses/${status}` }];
    }),
  );
}

/** One response per status, with an example for each code that has it. */
function errorResponses(): Record<string, unknown> {
  const byStatus = Map.groupBy(Object.entries(errorTable), ([, row]) => row.status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      String(status),
      {
        description: rows.map(([code, row]) => `\`${code}\`: ${row.meaning}`).join(' '),
        headers: headerReferences(errorHeaders(status)),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
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

/** Before the key is accepted there is no allowance to report. */
function errorHeaders(status: number): string[] {
  const names = Object.keys(responseHeaders);
  if (status === 429) return names;
  const beforeKey = status === 401 || status === 405;
  return names.filter((name) => name !== 'Retry-After' && !(beforeKey && /RateLimit/.test(name)));
}

function headerReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerComponents(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, description]) => [
      name,
      { description, schema: headerSchema(name) },
    ]),
  );
}

function headerSchema(name: string): Record<string, unknown> {
  if (name === 'X-Request-Id') return { type: 'string', format: 'uuid' };
  if (name === 'X-RateLimit-Reset') return { type: 'string', format: 'date-time' };
  return name === 'X-API-Version' ? { type: 'string' } : { type: 'integer', minimum: 0 };
}
