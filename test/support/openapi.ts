/**
 * Validates responses against the OpenAPI document with Ajv, independent of the server's own code.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { allEndpoints, type EndpointName } from '../../src/contract/all-endpoints.ts';
import { apiPrefix, plusPrefix } from '../../src/contract/limits.ts';
import { openApiDocument, plusOpenApiDocument } from '../../src/contract/openapi.ts';

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: { readonly ErrorResponse: object } };
}

const document = openApiDocument('http://127.0.0.1:8080') as unknown as Document;
const plusDocument = plusOpenApiDocument('http://127.0.0.1:8080') as unknown as Document;

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, Content> }>;
}

interface Content {
  readonly schema: object;
  readonly 'x-event-data'?: object;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Violations in the 200 body of an endpoint, or in an event of its stream. */
export function answerFaults(name: EndpointName, body: unknown): string[] {
  const { prefix, path, method } = allEndpoints[name];
  const { paths, components } = documentOf(prefix);
  const operation = paths[path]?.[method.toLowerCase()];
  const content = operation?.responses['200']?.content ?? {};
  const schema =
    content['application/json']?.schema ?? content['text/event-stream']?.['x-event-data'];
  if (!schema) return ['the document has no such answer'];
  return faults(`answer ${name}`, { ...schema, components }, body);
}

/** Violations in an error body of the API with this prefix. */
export function errorFaults(body: unknown, prefix: string = apiPrefix): string[] {
  const { components } = documentOf(prefix);
  return faults(`error ${prefix}`, { ...components.schemas.ErrorResponse, components }, body);
}

const documentOf = (prefix: string) => (prefix === plusPrefix ? plusDocument : document);

/** The schema includes the components that it refers to. */
function faults(key: string, schema: object, body: unknown): string[] {
  const validate = ajv.getSchema(key) ?? ajv.addSchema(schema, key).getSchema(key);
  if (!validate) return ['the schema cannot be compiled'];
  validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
