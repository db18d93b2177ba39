/** `openapi`: the OpenAPI documents. */
import { openApiDocument, plusOpenApiDocument } from '../contract/openapi.ts';
import { type Command, takeWords } from './command.ts';

/** The openapi command. */
export const openApiCommand: Command = {
  name: 'openapi',
  operands: '',
  summary: 'Print the OpenAPI document',
  flags: { plus: { help: 'Print the document of the Plus API' } },
  run: async (args, context) => {
    takeWords(args, []);
    const documentAt = args.flags.plus ? plusOpenApiDocument : openApiDocument;
    const document = documentAt(context.config.baseUrl ?? 'http://127.0.0.1:8080');
    context.result(document, JSON.stringify(document, null, 2));
  },
};
