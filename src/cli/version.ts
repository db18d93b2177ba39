/** `version` and `openapi`: what this build is, and which API it serves. */
import { brickmarkVersion } from '../config.ts';
import { openApiDocument, plusOpenApiDocument } from '../contract/openapi.ts';
import { findCommit } from './build-commit.ts';
import { command } from './command.ts';

export const versionCommand = command({
  name: 'version',
  summary: 'Print the version and the commit it was built from',
  run: async (_, context) => {
    const bun = Bun.version;
    const commit = findCommit();
    const built = commit === null ? '' : `, commit ${commit}`;
    context.result(
      { version: brickmarkVersion, bun, commit },
      `Brickmark ${brickmarkVersion} on Bun ${bun}${built}`,
    );
  },
});

export const openApiCommand = command({
  name: 'openapi',
  summary: 'Print the OpenAPI document',
  flags: { plus: { help: 'Print the document of the Plus API' } },
  run: async ({ plus }, context) => {
    const documentAt = plus ? plusOpenApiDocument : openApiDocument;
    const document = documentAt(context.config.baseUrl ?? 'http://127.0.0.1:8080');
    context.result(document, JSON.stringify(document, null, 2));
  },
});
