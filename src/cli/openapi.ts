/** `openapi`: the OpenAPI document. */
import { openApiDocument } from '../contract/openapi.ts';
import { type Command, takeWords } from './command.ts';

/** The openapi command. */
export const openApiCommand: Command = {
  name: 'openapi',
  operands: '',
  summary: 'prints the OpenAPI document',
  flags: {},
  run: async (args, context) => {
    takeWords(args, []);
    const document = openApiDocument(context.config.baseUrl ?? 'http://127.0.0.1:8080');
    context.result(document, JSON.stringify(document, null, 2));
  },
};
