/** Checks answers against the OpenAPI document with Ajv: a validator that did not produce them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';

const document = openApiDocument('http://127.0.0.1:8080') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: object } };
};

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** What is wrong with the 200 body of an endpoint; empty when nothing is. */
export function answerFaults(name: EndpointName, body: unknown): string[] {
  const endpoint = endpoints[name];
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  const schema = operation?.responses['200']?.content?.['application/json']?.schema;
  return schema ? faults(`answer ${name}`, schema, body) : ['the document has no such answer'];
}

/** What is wrong with an error body. */
export function errorFaults(body: unknown): string[] {
  return faults('error', document.components.schemas.Error, body);
}

function faults(key: string, schema: object, body: unknown): string[] {
  const validate = ajv.getSchema(key) ?? ajv.addSchema(schema, key).getSchema(key);
  if (!validate) return ['the schema cannot be compiled'];
  validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
