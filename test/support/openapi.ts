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
// As a whole, so that a component is compiled once, and not for each schema that refers to it.
ajv.addSchema(document, apiPrefix).addSchema(plusDocument, plusPrefix);

/** Violations in the 200 body of an endpoint, or in an event of its stream. */
export function answerFaults(name: EndpointName, body: unknown): string[] {
  const { prefix, path, method } = allEndpoints[name];
  const operation = documentOf(prefix).paths[path]?.[method.toLowerCase()];
  const content = operation?.responses['200']?.content ?? {};
  const [type, part] = content['application/json']
    ? (['application/json', 'schema'] as const)
    : (['text/event-stream', 'x-event-data'] as const);
  const schema = content[type]?.[part];
  if (!schema) return ['the document has no such answer'];
  const steps = ['paths', path, method.toLowerCase(), 'responses', '200', 'content', type, part];
  return faults(prefix, steps, schema, body);
}

/** Violations in an error body of the API with this prefix. */
export function errorFaults(body: unknown, prefix: string = apiPrefix): string[] {
  const schema = documentOf(prefix).components.schemas.ErrorResponse;
  return faults(prefix, ['components', 'schemas', 'ErrorResponse'], schema, body);
}

const documentOf = (prefix: string) => (prefix === plusPrefix ? plusDocument : document);

/** Violations of the schema at the end of these steps through a document. */
function faults(prefix: string, steps: readonly string[], schema: object, body: unknown): string[] {
  ajv.validateSchema(schema, true);
  const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const validate = ajv.getSchema(`${prefix}#/${pointer}`);
  if (!validate) return ['the schema cannot be compiled'];
  validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
